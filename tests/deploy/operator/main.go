// Decodes ServiceMonitor and PrometheusRule objects, a JSON array in the file named, into their published types; a
// field that those do not have is an error.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
)

func decode(object json.RawMessage) error {
	var head struct{ Kind string }
	if err := json.Unmarshal(object, &head); err != nil {
		return err
	}
	var into any
	switch head.Kind {
	case "ServiceMonitor":
		into = &monitoring.ServiceMonitor{}
	case "PrometheusRule":
		into = &monitoring.PrometheusRule{}
	default:
		return fmt.Errorf("no type for the kind %q", head.Kind)
	}
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", head.Kind, err)
	}
	return nil
}

func run(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var objects []json.RawMessage
	if err := json.Unmarshal(text, &objects); err != nil {
		return err
	}
	for _, object := range objects {
		if err := decode(object); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
