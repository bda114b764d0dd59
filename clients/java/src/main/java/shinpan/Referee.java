package shinpan;

import java.time.Duration;
import shinpan.v1.ApplyActionRequest;
import shinpan.v1.ApplyActionResponse;
import shinpan.v1.BatchApplyActionsRequest;
import shinpan.v1.BatchApplyActionsResponse;
import shinpan.v1.BatchGetUpdatesRequest;
import shinpan.v1.BatchGetUpdatesResponse;
import shinpan.v1.BatchListLegalActionsRequest;
import shinpan.v1.BatchListLegalActionsResponse;
import shinpan.v1.DescribeStateRequest;
import shinpan.v1.DescribeStateResponse;
import shinpan.v1.GetGameRequest;
import shinpan.v1.GetGameResponse;
import shinpan.v1.GetUpdateRequest;
import shinpan.v1.GetUpdateResponse;
import shinpan.v1.ListGamesRequest;
import shinpan.v1.ListGamesResponse;
import shinpan.v1.ListLegalActionsRequest;
import shinpan.v1.ListLegalActionsResponse;
import shinpan.v1.RefereeServiceGrpc;
import shinpan.v1.ReplayMatchRequest;
import shinpan.v1.ReplayMatchResponse;
import shinpan.v1.ResealStateRequest;
import shinpan.v1.ResealStateResponse;
import shinpan.v1.StartMatchRequest;
import shinpan.v1.StartMatchResponse;

/**
 * Matches. Each method is explained in {@code proto/shinpan/v1/referee_service.proto}, and fails with {@link
 * ShinpanException}.
 */
public final class Referee {
    private final Caller caller;

    Referee(Caller caller) {
        this.caller = caller;
    }

    Caller caller() {
        return caller;
    }

    /** The same methods with another deadline. */
    public Referee within(Duration timeout) {
        return new Referee(caller.within(timeout));
    }

    public ListGamesResponse listGames(ListGamesRequest request) {
        return caller.call(RefereeServiceGrpc.getListGamesMethod(), request);
    }

    public GetGameResponse getGame(GetGameRequest request) {
        return caller.call(RefereeServiceGrpc.getGetGameMethod(), request);
    }

    public StartMatchResponse startMatch(StartMatchRequest request) {
        return caller.call(RefereeServiceGrpc.getStartMatchMethod(), request);
    }

    public ApplyActionResponse applyAction(ApplyActionRequest request) {
        return caller.call(RefereeServiceGrpc.getApplyActionMethod(), request);
    }

    public GetUpdateResponse getUpdate(GetUpdateRequest request) {
        return caller.call(RefereeServiceGrpc.getGetUpdateMethod(), request);
    }

    public ListLegalActionsResponse listLegalActions(ListLegalActionsRequest request) {
        return caller.call(RefereeServiceGrpc.getListLegalActionsMethod(), request);
    }

    public DescribeStateResponse describeState(DescribeStateRequest request) {
        return caller.call(RefereeServiceGrpc.getDescribeStateMethod(), request);
    }

    public ResealStateResponse resealState(ResealStateRequest request) {
        return caller.call(RefereeServiceGrpc.getResealStateMethod(), request);
    }

    public ReplayMatchResponse replayMatch(ReplayMatchRequest request) {
        return caller.call(RefereeServiceGrpc.getReplayMatchMethod(), request);
    }

    public BatchApplyActionsResponse batchApplyActions(BatchApplyActionsRequest request) {
        return caller.call(RefereeServiceGrpc.getBatchApplyActionsMethod(), request);
    }

    public BatchListLegalActionsResponse batchListLegalActions(BatchListLegalActionsRequest request) {
        return caller.call(RefereeServiceGrpc.getBatchListLegalActionsMethod(), request);
    }

    public BatchGetUpdatesResponse batchGetUpdates(BatchGetUpdatesRequest request) {
        return caller.call(RefereeServiceGrpc.getBatchGetUpdatesMethod(), request);
    }
}
