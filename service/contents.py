"""From tokens to what they hold: states and knowledge, opened, decoded, and of the sort that is expected."""

from shinpan.v1 import knowledge_pb2, state_pb2

import engine_core
from engine_core import Knowledge, State
from service.errors import Refusal, refusal_of, token_refusal
from service.requests import required
from service.tokens import PLAIN, TokenError, Tokens


def state_of(message: state_pb2.State, tokens: Tokens = PLAIN, hypothetical: bool = False) -> State:
    """The state in a message, opened with the caller's tokens and decoded; `hypothetical` is what is expected."""
    state = _opened(message.token, tokens, "state.token")
    if isinstance(state, Knowledge):
        raise _other_token("state.token", "is knowledge, not a state.")
    if state.hypothetical and not hypothetical:
        raise Refusal(
            "HYPOTHETICAL_STATE", "The state is hypothetical; a request that means it sets expect_hypothetical."
        )
    if hypothetical and not state.hypothetical:
        raise Refusal("REAL_STATE", "The state was played, but the request expects a hypothetical one.")
    return state


def knowledge_of(message: knowledge_pb2.Knowledge, tokens: Tokens) -> Knowledge:
    """The knowledge in a message, opened with the caller's tokens and decoded."""
    knowledge = _opened(message.token, tokens, "knowledge.token")
    if isinstance(knowledge, State):
        raise _other_token("knowledge.token", "is a state, not knowledge.")
    return knowledge


def _opened(token: bytes, tokens: Tokens, field: str) -> State | Knowledge:
    if not token:
        raise required(field)
    try:
        return engine_core.decode(tokens.unseal(token))
    except TokenError as error:
        raise token_refusal(error, field) from None
    except engine_core.RefereeError as error:
        raise refusal_of(error, field) from None


def _other_token(field: str, problem: str) -> Refusal:
    """The refusal of a state as knowledge, or the other way round."""
    return Refusal.of_field("STATE_FORMAT", field, problem, part="content")
