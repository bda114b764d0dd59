import { inspect } from "node:util";
import type { DescField, DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type State, StateSchema } from "./gen/shinpan/v1/state_pb.js";

/**
 * A `State` that does not show its bytes when it is printed, logged or made JSON of: they tell everything, hidden pieces
 * included, and are for the backend alone. Every state in an answer is one.
 */
export class StateToken implements State {
  readonly $typeName = "shinpan.v1.State";
  readonly #token: Uint8Array;

  /** From the bytes that were kept of an earlier state. */
  constructor(token: Uint8Array) {
    this.#token = token;
  }

  /** The bytes, to be kept and never given to a player. */
  get token(): Uint8Array {
    return this.#token;
  }

  /** How many bytes there are, which depends on public facts only. */
  toString(): string {
    return `StateToken(${this.#token.length} bytes)`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

const paths = new Map<DescMessage, readonly DescField[]>();

/** The fields of a message in which there are states, or messages with states. */
function fieldsWithStates(schema: DescMessage): readonly DescField[] {
  let fields = paths.get(schema);
  if (fields === undefined) {
    paths.set(schema, []); // a message inside itself ends the search
    fields = schema.fields.filter(
      ({ message }) => message !== undefined && (message === StateSchema || fieldsWithStates(message).length > 0),
    );
    paths.set(schema, fields);
  }
  return fields;
}

/** Put a `StateToken` in the place of every state in a message. */
export function concealStates<S extends DescMessage>(schema: S, message: MessageShape<S>): MessageShape<S> {
  conceal(reflect<DescMessage>(schema, message));
  return message;
}

function conceal(message: ReflectMessage): void {
  for (const field of fieldsWithStates(message.desc)) {
    if (field.fieldKind === "message" && message.isSet(field)) {
      message.set(field, concealed(message.get(field)));
    } else if (field.fieldKind === "list" && field.listKind === "message") {
      const list = message.get(field);
      for (const [place, item] of [...list].entries()) {
        list.set(place, concealed(item as ReflectMessage));
      }
    }
  }
}

function concealed(message: ReflectMessage): ReflectMessage {
  if (message.desc === StateSchema) {
    return reflect(StateSchema, new StateToken((message.message as State).token));
  }
  conceal(message);
  return message;
}
