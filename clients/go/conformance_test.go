package shinpan_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

// vector is a request and what comes of it, as clients/conformance describes them.
type vector struct {
	Name     string          `json:"name"`
	Server   string          `json:"server"`
	Method   string          `json:"method"`
	Request  string          `json:"request"`
	Response *string         `json:"response"`
	Error    *vectorError    `json:"error"`
	Bearer   json.RawMessage `json:"bearer"`
}

type vectorError struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// TestConformance has every vector answered as it says.
func TestConformance(t *testing.T) {
	servers := map[string]string{
		"plain":   environment(t, "SHINPAN_PLAIN"),
		"sealed":  environment(t, "SHINPAN_SEALED"),
		"guarded": environment(t, "SHINPAN_GUARDED"),
	}
	bearer := environment(t, "SHINPAN_BEARER")
	bearers := map[string]string{"": "", "true": bearer, `"unknown"`: bearer + "-of-nobody"}
	clients := map[string]*shinpan.Client{}
	for server, address := range servers {
		for kind, token := range bearers {
			clients[server+kind] = connect(t, address, shinpan.WithBearer(token))
		}
	}
	files, err := filepath.Glob(filepath.Join(environment(t, "SHINPAN_VECTORS"), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in SHINPAN_VECTORS: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			for _, one := range readVectors(t, file) {
				client := clients[one.Server+string(one.Bearer)]
				if client == nil {
					t.Errorf("%s: server %q and bearer %s are not known", one.Name, one.Server, one.Bearer)
				} else if err := one.check(t, client); err != nil {
					t.Errorf("%s: %v", one.Name, err)
				}
			}
		})
	}
}

func readVectors(t *testing.T, path string) []vector {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var vectors []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var one vector
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, one)
	}
	if err := lines.Err(); err != nil || len(vectors) == 0 {
		t.Fatalf("%s has no vectors: %v", path, err)
	}
	return vectors
}

// check calls the method, and says what is not as the vector has it.
func (v *vector) check(t *testing.T, client *shinpan.Client) error {
	request, want, err := v.messages()
	if err != nil {
		return err
	}
	got := want.ProtoReflect().New().Interface()
	err = client.Connection().Invoke(t.Context(), "/"+v.Method, request, got)
	if v.Error != nil {
		var code codes.Code
		if err := code.UnmarshalJSON([]byte(`"` + v.Error.Code + `"`)); err != nil {
			return err
		}
		refusal(t, err, code, v.Error.Reason)
		return nil
	}
	if err != nil {
		return err
	}
	keepGames(got, want)
	if !proto.Equal(got, want) {
		return fmt.Errorf("got %v, want %v", got, want)
	}
	return nil
}

// messages are the request, and the answer: an empty one where an error is expected.
func (v *vector) messages() (request, answer proto.Message, err error) {
	name := protoreflect.FullName(strings.ReplaceAll(v.Method, "/", "."))
	descriptor, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, nil, err
	}
	method := descriptor.(protoreflect.MethodDescriptor)
	if request, err = message(method.Input(), v.Request); err != nil {
		return nil, nil, err
	}
	if (v.Response == nil) == (v.Error == nil) {
		return nil, nil, fmt.Errorf("it has both an answer and an error, or neither")
	}
	text := ""
	if v.Response != nil {
		text = *v.Response
	}
	answer, err = message(method.Output(), text)
	return request, answer, err
}

func message(descriptor protoreflect.MessageDescriptor, text string) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	parsed := kind.New().Interface()
	return parsed, proto.Unmarshal(data, parsed)
}

// keepGames leaves out games that came after the vector.
func keepGames(got, want proto.Message) {
	list, ok := got.(*shinpanv1.ListGamesResponse)
	if !ok {
		return
	}
	known := want.(*shinpanv1.ListGamesResponse).GetGames()
	list.Games = slices.DeleteFunc(list.GetGames(), func(game *shinpanv1.GameSummary) bool {
		return !slices.ContainsFunc(known, func(one *shinpanv1.GameSummary) bool { return one.GetId() == game.GetId() })
	})
}
