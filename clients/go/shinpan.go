// Package shinpan connects Go programs to Shinpan, a stateless referee for hidden-information board games.
//
// A [Client] has every method of the API; their messages are in the package shinpan/v1. What the service refuses is an
// [*Error]. A [State] keeps the token of a match out of logs, and a [Game] reads moves and boards.
package shinpan

import (
	"context"
	_ "embed"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	shinpanv1 "shinpan/v1"
)

// ServiceConfig is how a connection treats several servers under one name: calls take turns, and what one does not
// answer another gets.
//
//go:embed service_config.json
var ServiceConfig string

// DefaultTimeout is how long a call takes at most whose context has no deadline.
const DefaultTimeout = 10 * time.Second

// Answers have at most 4 MiB; there is some room for what is around them.
const maxAnswerBytes = 5 << 20

// Client is a connection to one server, or to several under one name. It is safe for concurrent use.
//
// Every call may be repeated, for the service keeps nothing; one whose answer breaks off is made once more. A call that
// fails returns an [*Error].
type Client struct {
	shinpanv1.RefereeServiceClient
	shinpanv1.AnalysisServiceClient
	connection *grpc.ClientConn
}

type settings struct {
	timeout     time.Duration
	bearer      string
	credentials credentials.TransportCredentials
}

// Option changes how a client connects.
type Option func(*settings)

// WithTimeout sets how long a call takes at most whose context has no deadline, in place of [DefaultTimeout].
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithBearer sends the token of a caller whom the server knows with every call.
func WithBearer(token string) Option {
	return func(s *settings) { s.bearer = token }
}

// WithCredentials encrypts the connection, for example with [credentials.NewTLS]; without, it is plain text.
func WithCredentials(transport credentials.TransportCredentials) Option {
	return func(s *settings) { s.credentials = transport }
}

// Connect returns a client of the server at an address such as "127.0.0.1:50051", or of all that a name has, such as
// "dns:///shinpan-headless:50051". It does not wait for a server: that nobody answers is the error of the first call.
func Connect(target string, options ...Option) (*Client, error) {
	chosen := settings{timeout: DefaultTimeout, credentials: insecure.NewCredentials()}
	for _, option := range options {
		option(&chosen)
	}
	connection, err := grpc.NewClient(target,
		grpc.WithTransportCredentials(chosen.credentials),
		grpc.WithDefaultServiceConfig(ServiceConfig),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswerBytes)),
		grpc.WithUnaryInterceptor(chosen.call))
	if err != nil {
		return nil, err
	}
	return &Client{
		RefereeServiceClient:  shinpanv1.NewRefereeServiceClient(connection),
		AnalysisServiceClient: shinpanv1.NewAnalysisServiceClient(connection),
		connection:            connection,
	}, nil
}

// Connection is what the calls go through, for services besides those of Shinpan.
func (c *Client) Connection() *grpc.ClientConn {
	return c.connection
}

// Close ends the connection, and every call that still waits.
func (c *Client) Close() error {
	return c.connection.Close()
}

// call is every call: with a deadline, with the caller's token, and with an error of ours.
func (s *settings) call(ctx context.Context, method string, request, answer any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	if _, limited := ctx.Deadline(); !limited {
		limitedContext, cancel := context.WithTimeout(ctx, s.timeout)
		defer cancel()
		ctx = limitedContext
	}
	if s.bearer != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+s.bearer)
	}
	err := errorOf(invoke(ctx, method, request, answer, connection, options...))
	if brokeOff(err) {
		err = errorOf(invoke(ctx, method, request, answer, connection, options...))
	}
	return err
}
