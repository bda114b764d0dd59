import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import type { ServiceError as CallError, status } from "@grpc/grpc-js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "./gen/google/rpc/status_pb.js";
import type { ErrorReason } from "./gen/shinpan/v1/error_reason_pb.js";

const DOMAIN = "shinpan";
const DETAILS_KEY = "grpc-status-details-bin";

/** A reason of the service, such as `ILLEGAL_MOVE`; a newer server can have more. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED"> | (string & {});

/** A field of the request and what is wrong with it. */
export interface FieldViolation {
  /** Path from the request message, for example `action.arrange.placements[3]`. */
  readonly field: string;
  /** A sentence, shortened when there are many violations. */
  readonly description: string;
  /** A word for it, such as `OUTSIDE_ZONE`, or "". */
  readonly reason: string;
}

/** A call, or an item of a batch, was refused or failed. Its `message` says what happened, in English. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** The gRPC code: `status` of `@grpc/grpc-js` has their names. */
  readonly code: status;
  /** Why; "" when the error does not come from the service, for example because it cannot be reached. */
  readonly reason: Reason = "";
  /** Everything that varies in the message. */
  readonly metadata: Readonly<Record<string, string>> = {};
  /** The fields at fault, for errors about bad input. */
  readonly violations: readonly FieldViolation[] = [];
  /** Milliseconds after which to try again, where the service says so. */
  readonly retryAfterMs: number | undefined = undefined;

  /** From the error of an item of a batch. */
  constructor(error: Pick<Status, "code" | "message" | "details">) {
    super(error.message);
    this.code = error.code;
    for (const detail of error.details) {
      const info = unpacked(detail, ErrorInfoSchema);
      if (info?.domain === DOMAIN) {
        this.reason = info.reason;
        this.metadata = info.metadata;
      }
      const request = unpacked(detail, BadRequestSchema);
      if (request !== undefined) {
        this.violations = request.fieldViolations.map(({ field, description, reason }) => ({
          field,
          description,
          reason,
        }));
      }
      const delay = unpacked(detail, RetryInfoSchema)?.retryDelay;
      if (delay !== undefined) {
        this.retryAfterMs = Number(delay.seconds) * 1000 + delay.nanos / 1_000_000;
      }
    }
  }

  /** From the error of a call. */
  static ofCall(error: CallError): ServiceError {
    const [details] = error.metadata.get(DETAILS_KEY);
    const sent = Buffer.isBuffer(details) ? readable(() => fromBinary(StatusSchema, details).details) : [];
    return new ServiceError({ code: error.code, message: error.details, details: sent ?? [] });
  }
}

function unpacked<Desc extends DescMessage>(detail: Any, schema: Desc): MessageShape<Desc> | undefined {
  return readable(() => anyUnpack(detail, schema));
}

/** What is read, or undefined where something on the way wrote what cannot be. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
