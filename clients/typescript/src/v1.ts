/** The messages, enums and services of the API. Nothing here needs Node, so that a page can read updates, too. */
export * from "./gen/shinpan/v1/action_pb.js";
export * from "./gen/shinpan/v1/analysis_service_pb.js";
export * from "./gen/shinpan/v1/error_reason_pb.js";
export * from "./gen/shinpan/v1/event_pb.js";
export * from "./gen/shinpan/v1/game_pb.js";
export * from "./gen/shinpan/v1/knowledge_pb.js";
export * from "./gen/shinpan/v1/match_pb.js";
export * from "./gen/shinpan/v1/referee_service_pb.js";
export * from "./gen/shinpan/v1/state_pb.js";
export * from "./gen/shinpan/v1/update_pb.js";
export * from "./gen/shinpan/v1/viewer_pb.js";
