package shinpan;

import java.util.HashMap;
import java.util.Map;
import shinpan.v1.Arrangement;
import shinpan.v1.DrawArrangementRequest;
import shinpan.v1.Game;
import shinpan.v1.GetGameRequest;
import shinpan.v1.MatchSetup;

/** Where the servers are, and what most tests begin with. */
final class Servers {
    private Servers() {}

    /** A variable that the tests cannot do without. */
    static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new AssertionError(name + " is not set; `make test-clients` starts servers and sets it");
        }
        return value;
    }

    /** A client of the server without keys and callers. */
    static ShinpanClient plain() {
        return ShinpanClient.connect(variable("SHINPAN_PLAIN"));
    }

    static Game game(ShinpanClient client, String id, Map<String, String> options) {
        return client.referee().getGame(GetGameRequest.newBuilder().setGame(id).putAllOptions(options).build()).getGame();
    }

    /** Hidden Hasami with both sides placed. */
    static MatchSetup arranged(ShinpanClient client) {
        Map<Integer, Arrangement> arrangements = new HashMap<>();
        for (int seat : new int[] {1, 2}) {
            var request = DrawArrangementRequest.newBuilder().setGame("hidden-hasami").setSeat(seat).setSeed(7).build();
            arrangements.put(seat, client.analysis().drawArrangement(request).getArrangement());
        }
        return MatchSetup.newBuilder().setGame("hidden-hasami").putAllArrangements(arrangements).build();
    }
}
