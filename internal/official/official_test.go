package official

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// TestEverythingCompiles: the schemas of all dialects are found with each of
// their catalogs, and say no to nonsense.
func TestEverythingCompiles(t *testing.T) {
	t.Parallel()
	for dialect, src := range sources {
		for name := range src.catalogs {
			for _, file := range []string{src.server, src.client} {
				s, err := Named(dialect, file, name)
				if errors.Is(err, ErrMissing) {
					t.Skip(err)
				}
				if err != nil {
					t.Errorf("%s %s %s: %v", dialect, file, name, err)
				} else if s.Check([]byte(`{"nonsense":{}}`)) == nil {
					t.Errorf("%s %s %s takes nonsense", dialect, file, name)
				}
			}
			b, err := Catalog(dialect, name)
			if err != nil || !json.Valid(b) || !bytes.Contains(b, []byte("Button")) {
				t.Errorf("%s: catalog %s: %.60s, %v", dialect, name, b, err)
			}
		}
	}
	if _, err := Named("v7", "x", "basic"); err == nil {
		t.Error("there is a v7")
	}
	if _, err := Catalog("v1.0", "minimal"); err == nil {
		t.Error("v1.0 has a minimal catalog")
	}
}

// TestRelease: the schemas of v1.0 take reserved keys only, those of its
// candidate plain ones only.
func TestRelease(t *testing.T) {
	t.Parallel()
	candidate := `{"version":"v1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":{"path":"/x"},"accessibility":{"label":{"call":"formatString","args":{"value":"x"}}}}]}}`
	released := `{"version":"1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":{"@path":"/x"},"@accessibility":{"label":{"@call":"formatString","args":{"value":"x"}}}}]}}`
	for dialect, own := range map[string]string{"v1.0-rc": candidate, "v1.0": released} {
		s, err := Server(dialect)
		if errors.Is(err, ErrMissing) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []string{candidate, released} {
			if err := s.Check([]byte(in)); (err == nil) != (in == own) {
				t.Errorf("%s: %s: %v", dialect, in, err)
			}
		}
	}
}
