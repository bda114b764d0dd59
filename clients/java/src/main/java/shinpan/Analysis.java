package shinpan;

import java.time.Duration;
import shinpan.v1.AnalysisServiceGrpc;
import shinpan.v1.BatchPlayoutsRequest;
import shinpan.v1.BatchPlayoutsResponse;
import shinpan.v1.DeduceRequest;
import shinpan.v1.DeduceResponse;
import shinpan.v1.DrawArrangementRequest;
import shinpan.v1.DrawArrangementResponse;
import shinpan.v1.PerftRequest;
import shinpan.v1.PerftResponse;
import shinpan.v1.PlayoutRequest;
import shinpan.v1.PlayoutResponse;
import shinpan.v1.SampleStatesRequest;
import shinpan.v1.SampleStatesResponse;

/**
 * Questions beside matches. Each method is explained in {@code proto/shinpan/v1/analysis_service.proto}, and fails with
 * {@link ShinpanException}.
 */
public final class Analysis {
    private final Caller caller;

    Analysis(Caller caller) {
        this.caller = caller;
    }

    Caller caller() {
        return caller;
    }

    /** The same methods with another deadline. */
    public Analysis within(Duration timeout) {
        return new Analysis(caller.within(timeout));
    }

    public DrawArrangementResponse drawArrangement(DrawArrangementRequest request) {
        return caller.call(AnalysisServiceGrpc.getDrawArrangementMethod(), request);
    }

    public DeduceResponse deduce(DeduceRequest request) {
        return caller.call(AnalysisServiceGrpc.getDeduceMethod(), request);
    }

    public SampleStatesResponse sampleStates(SampleStatesRequest request) {
        return caller.call(AnalysisServiceGrpc.getSampleStatesMethod(), request);
    }

    public PlayoutResponse playout(PlayoutRequest request) {
        return caller.call(AnalysisServiceGrpc.getPlayoutMethod(), request);
    }

    public BatchPlayoutsResponse batchPlayouts(BatchPlayoutsRequest request) {
        return caller.call(AnalysisServiceGrpc.getBatchPlayoutsMethod(), request);
    }

    public PerftResponse perft(PerftRequest request) {
        return caller.call(AnalysisServiceGrpc.getPerftMethod(), request);
    }
}
