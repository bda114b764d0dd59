package shinpan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import shinpan.v1.AnalysisServiceGrpc;
import shinpan.v1.ListGamesResponse;
import shinpan.v1.RefereeServiceGrpc;

/** Every vector of clients/conformance: what the server answers, or the reason that the exception tells. */
class ConformanceTest {
    private final Map<String, ShinpanClient> clients = new HashMap<>();

    @AfterEach
    void close() {
        clients.values().forEach(ShinpanClient::close);
    }

    @TestFactory
    List<DynamicTest> everyVectorIsAnsweredAsWritten() throws IOException {
        List.of("SHINPAN_PLAIN", "SHINPAN_SEALED", "SHINPAN_GUARDED", "SHINPAN_BEARER").forEach(Servers::variable);
        List<Path> files;
        try (Stream<Path> found = Files.list(Path.of(Servers.variable("SHINPAN_VECTORS")))) {
            files = found.filter(path -> path.toString().endsWith(".jsonl")).sorted().toList();
        }
        List<DynamicTest> tests = files.stream().flatMap(this::vectors).toList();
        assertFalse(tests.isEmpty(), "there are no vectors in " + files);
        return tests;
    }

    /** Every method of the services can be called by its name, in lower camel case. */
    @Test
    void bothServicesAreWhole() {
        for (MethodDescriptor<?, ?> method : methods().toList()) {
            Class<?> stub = method.getServiceName().endsWith("RefereeService") ? Referee.class : Analysis.class;
            String name = method.getBareMethodName();
            String spelled = name.substring(0, 1).toLowerCase() + name.substring(1);
            assertTrue(Stream.of(stub.getMethods()).anyMatch(one -> one.getName().equals(spelled)), spelled);
        }
    }

    private Stream<DynamicTest> vectors(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .map(vector -> DynamicTest.dynamicTest(
                            file.getFileName() + ": " + vector.get("name").getAsString(), () -> check(vector)));
        } catch (IOException error) {
            throw new AssertionError(error);
        }
    }

    private void check(JsonObject vector) {
        MethodDescriptor<Object, Object> method = method(vector.get("method").getAsString());
        Object request = method.parseRequest(bytes(vector.get("request")));
        if (vector.has("error")) {
            JsonObject wanted = vector.getAsJsonObject("error");
            var refused = assertThrows(ShinpanException.class, () -> call(vector, method, request));
            assertEquals(wanted.get("code").getAsString(), refused.code().name());
            assertEquals(Optional.of(wanted.get("reason").getAsString()), refused.reason());
            return;
        }
        Object wanted = method.parseResponse(bytes(vector.get("response")));
        Object answer = call(vector, method, request);
        if (wanted instanceof ListGamesResponse games) { // a server can have more games
            assertTrue(((ListGamesResponse) answer).getGamesList().containsAll(games.getGamesList()), answer::toString);
        } else {
            assertEquals(wanted, answer);
        }
    }

    private Object call(JsonObject vector, MethodDescriptor<Object, Object> method, Object request) {
        ShinpanClient client = client(vector.get("server").getAsString(), Optional.ofNullable(vector.get("bearer")));
        return method.getServiceName().endsWith("RefereeService")
                ? client.referee().caller().call(method, request)
                : client.analysis().caller().call(method, request);
    }

    private ShinpanClient client(String server, Optional<JsonElement> bearer) {
        String address = Servers.variable("SHINPAN_" + server.toUpperCase());
        return clients.computeIfAbsent(server + bearer, key -> {
            ShinpanClient.Builder builder = ShinpanClient.builder();
            bearer.ifPresent(which -> builder.bearer(
                    which.getAsString().equals("true") ? Servers.variable("SHINPAN_BEARER") : "nobody-has-this-token"));
            return builder.connect(address);
        });
    }

    private static Stream<MethodDescriptor<?, ?>> methods() {
        return Stream.of(RefereeServiceGrpc.getServiceDescriptor(), AnalysisServiceGrpc.getServiceDescriptor())
                .flatMap(service -> service.getMethods().stream());
    }

    @SuppressWarnings("unchecked")
    private static MethodDescriptor<Object, Object> method(String name) {
        return (MethodDescriptor<Object, Object>)
                methods().filter(method -> method.getFullMethodName().equals(name)).findAny().orElseThrow();
    }

    private static InputStream bytes(JsonElement text) {
        return new ByteArrayInputStream(Base64.getDecoder().decode(text.getAsString()));
    }
}
