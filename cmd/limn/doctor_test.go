package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn/cmd/limn/term"
)

// TestDoctorModel: a model that answers is said to, and one that refuses the key is a fault
// that does not show it.
func TestDoctorModel(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.HandlerFunc(qwen))
	defer model.Close()
	for key, want := range map[string]string{"right": "answers", "wrong": "LIMN_MODEL_KEY"} {
		var out, errs bytes.Buffer
		env := map[string]string{"LIMN_MODEL_KEY": key}
		code := run(context.Background(), []string{"doctor", "--store", "memory", "--addr", "127.0.0.1:0", "--model", "qwen3:8b",
			"--model-url", model.URL}, term.Terminal{Out: &out, Err: &errs, Env: func(name string) string { return env[name] }})
		if (code == exitOK) != (key == "right") || !strings.Contains(out.String(), want) ||
			strings.Contains(out.String(), "provided: wrong") {
			t.Errorf("%s: %d\n%s%s", key, code, &out, &errs)
		}
	}
}
