package shinpan;

import com.google.gson.Gson;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection to one server, or to several under one name, which take turns. Safe for use by many threads. Every method
 * of the service is a pure function of its request and may be called again.
 */
public final class ShinpanClient implements AutoCloseable {
    /** The deadline of each call, unless another is asked for. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** How a channel treats several servers under one name, as JSON. */
    public static final String SERVICE_CONFIG = read("service_config.json");

    private static final int MAX_ANSWER_BYTES = 5 * 1024 * 1024;
    private static final Pattern ADDRESS = Pattern.compile("(?:dns:///)?(?:\\[[0-9a-fA-F:.]+]|[^\\s:/@\\[\\],]+):(\\d{1,5})");
    private static final Pattern BEARER = Pattern.compile("[\\x21-\\x7e]+");

    private final ManagedChannel channel;
    private final Referee referee;
    private final Analysis analysis;

    private ShinpanClient(String address, Builder how) {
        channel = Grpc.newChannelBuilder(address, how.credentials)
                .defaultServiceConfig(serviceConfig())
                .maxInboundMessageSize(MAX_ANSWER_BYTES)
                .build();
        Metadata headers = new Metadata();
        if (how.bearer != null) {
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + how.bearer);
        }
        var called = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        Caller caller = new Caller(called, address, how.timeout);
        referee = new Referee(caller);
        analysis = new Analysis(caller);
    }

    /**
     * Connect in plain text to an address such as {@code 127.0.0.1:50051} or, for all servers that a name has, {@code
     * dns:///shinpan-headless:50051}. It returns at once: whether a server is there shows the first call.
     *
     * @throws IllegalArgumentException when it is no address
     */
    public static ShinpanClient connect(String address) {
        return builder().connect(address);
    }

    /** Connect otherwise than by default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Matches: {@code shinpan.v1.RefereeService}. */
    public Referee referee() {
        return referee;
    }

    /** Arrangements, deductions, playouts: {@code shinpan.v1.AnalysisService}. */
    public Analysis analysis() {
        return analysis;
    }

    /** Close the connection; calls that are under way come to their end. */
    @Override
    public void close() {
        channel.shutdown();
    }

    /** How to connect. */
    public static final class Builder {
        private Duration timeout = DEFAULT_TIMEOUT;
        private String bearer;
        private ChannelCredentials credentials = InsecureChannelCredentials.create();

        private Builder() {}

        /** The deadline of each call. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /**
         * The token of a caller whom the server knows.
         *
         * @throws IllegalArgumentException when it has a character that no bearer token has
         */
        public Builder bearer(String token) {
            if (!BEARER.matcher(token).matches()) {
                throw new IllegalArgumentException("the bearer token has a character that no bearer token has");
            }
            bearer = token;
            return this;
        }

        /** Of {@link io.grpc.TlsChannelCredentials}, for a server that is not called in plain text. */
        public Builder credentials(ChannelCredentials credentials) {
            this.credentials = credentials;
            return this;
        }

        /** Connect to an address, as {@link ShinpanClient#connect} does. */
        public ShinpanClient connect(String address) {
            Matcher found = ADDRESS.matcher(address);
            int port = found.matches() ? Integer.parseInt(found.group(1)) : 0;
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException(
                        "'" + address + "' is not an address; one is host:port, like 127.0.0.1:50051");
            }
            return new ShinpanClient(address, this);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> serviceConfig() {
        return new Gson().fromJson(SERVICE_CONFIG, Map.class);
    }

    private static String read(String resource) {
        try (InputStream stream = ShinpanClient.class.getResourceAsStream(resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
