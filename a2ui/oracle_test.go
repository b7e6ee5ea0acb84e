package a2ui_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/official"
)

// dialects with a published schema.
var oracles = dialects

// schema returns a published schema; nil, with a note, without the files.
func schema(t *testing.T, d a2ui.Dialect, client bool) *official.Schema {
	t.Helper()
	get := official.Server
	if client {
		get = official.Client
	}
	s, err := get(d.String())
	if errors.Is(err, official.ErrMissing) && os.Getenv("LIMN_REQUIRE") != "1" {
		t.Log(err)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFormsConform checks that what the benchmarks encode is what the published
// schemas describe, and that the schemas would notice if it were not.
func TestFormsConform(t *testing.T) {
	t.Parallel()
	for _, o := range oracles {
		s := schema(t, o, false)
		if s == nil {
			continue
		}
		for _, m := range form(o, 30) {
			b, err := a2ui.AppendMessage(nil, o, m)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(b); err != nil {
				t.Errorf("%s: %v\n%.300s", o, err, b)
			}
			if err := s.Check(bytes.Replace(b, []byte(`"surfaceId"`), []byte(`"surface"`), 1)); err == nil {
				t.Errorf("%s: the schema takes a message without surfaceId", o)
			}
		}
	}
}
