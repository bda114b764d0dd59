/**
 * TypeScript client of Shinpan, a stateless referee for hidden-information board games, for Node. The messages of the
 * API are in `shinpan/v1`.
 *
 * @module
 */

export type { ActionInit } from "./actions.js";
export * as actions from "./actions.js";
export { moveText, type Piece, packedMove, pieces, squareName } from "./board.js";
export {
  type Answer,
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  connect,
  SERVICE_CONFIG,
  type Stub,
} from "./connection.js";
export { type FieldViolation, type Reason, ServiceError } from "./errors.js";
export { StateToken } from "./state_token.js";
