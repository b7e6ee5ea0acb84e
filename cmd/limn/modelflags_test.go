package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// TestModelFlags: what is asked, in which dialect, with whose key.
func TestModelFlags(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("sk-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := func(pairs ...string) map[string]string {
		env := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			env[pairs[i]] = pairs[i+1]
		}
		return env
	}
	model, router := "LIMN_MODEL_KEY", "LIMN_ROUTER_KEY"
	for name, tt := range map[string]struct {
		dialect           llmtest.Dialect
		flags             modelFlags
		env               map[string]string
		router, elsewhere bool   // ask the router's model; it answers elsewhere
		want              string // the key that arrives
	}{
		"a key":                  {env: keys(model, "sk-env"), want: "Bearer sk-env"},
		"no key":                 {},
		"a file":                 {flags: modelFlags{ModelKeyFile: file}, want: "Bearer sk-file"},
		"anthropic":              {dialect: llmtest.Anthropic, flags: modelFlags{Provider: "anthropic"}, env: keys(model, "sk-env"), want: "sk-env"},
		"router":                 {router: true, env: keys(model, "sk-env"), want: "Bearer sk-env"},
		"router, anthropic":      {router: true, dialect: llmtest.Anthropic, flags: modelFlags{Provider: "anthropic", ModelKeyFile: file}, want: "sk-file"},
		"router, its own key":    {router: true, env: keys(model, "sk-env", router, "sk-router"), want: "Bearer sk-router"},
		"router elsewhere":       {router: true, elsewhere: true, flags: modelFlags{Provider: "anthropic"}, env: keys(model, "sk-env")},
		"router elsewhere, keys": {router: true, elsewhere: true, env: keys(model, "sk-env", router, "sk-router"), want: "Bearer sk-router"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.StartIn(t, llmtest.Options{Dialect: tt.dialect})
			f := tt.flags
			f.Model, f.RouterModel, f.ModelURL = "big", "small", s.URL
			if tt.elsewhere {
				f.ModelURL, f.RouterURL = "https://model.example", s.URL
			}
			env := func(k string) string { return tt.env[k] }
			m, _, err := f.open(env)
			if err != nil {
				t.Fatal(err)
			}
			if tt.router {
				if m, err = f.router(env); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := m.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}}}); err != nil {
				t.Fatal(err)
			}
			got := s.Requests()[0]
			if key := got.Header.Get("Authorization") + got.Header.Get("X-Api-Key"); key != tt.want ||
				(got.Body.At("model").Str == "small") != tt.router {
				t.Errorf("key %q, want %q; %s", key, tt.want, got.Raw)
			}
		})
	}
}

func TestModelFlagsThatCannotBe(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]modelFlags{
		"LIMN_MODEL is not":    {Provider: "anthropic"},
		"nor LIMN_PROVIDER is": {Model: "m"},
		"no such provider":     {Model: "m", Provider: "antropic"},
		"/no/caps.yaml: the capabilities file cannot be read: no such file": {Model: "m", Provider: "openai", Capabilities: "/no/caps.yaml"},
		"LLM_CONFIG_INVALID at /no/caps.yaml":                               {Capabilities: "/no/caps.yaml"},
		"http to another machine":                                           {Model: "m", ModelURL: "http://10.0.0.1/v1"},
		"the key is given twice":                                            {Model: "m", ModelURL: "https://model.example", ModelKeyFile: "x"},
		"do not print":                                                      {Model: "m\x1b[2J", Provider: "openai"},
		"names no host":                                                     {Model: "m", ModelURL: "https://"},
		"must start with http://":                                           {Model: "m", ModelURL: "model.example"},
	} {
		_, _, err := f.open(func(string) string { return "sk-secret" })
		if err == nil || !strings.Contains(err.Error(), want) || ui.CodeOf(err) != llm.CodeConfigInvalid ||
			strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%+v: %v, want %q", f, err, want)
		}
	}
	_, _, err := modelFlags{Model: "m", Provider: "antropic"}.open(func(string) string { return "" })
	if e, _ := err.(*ui.Error); e == nil || !strings.Contains(e.Hint, "did you mean anthropic?") ||
		!strings.Contains(e.Hint, "openai") {
		t.Errorf("%+v", err)
	}
	if _, _, err := (modelFlags{Model: "m", ModelURL: "http://10.0.0.1/v1", ModelInsecure: true}).open(
		func(string) string { return "" }); err != nil {
		t.Error(err)
	}
}

// TestFaultsNameTheirFlag: a fault of the configuration names the flag that gave it.
func TestFaultsNameTheirFlag(t *testing.T) {
	t.Parallel()
	for field, flag := range map[string]string{"Params": "--model-params", "Base": "--base"} {
		if err := byFlag(&limn.ConfigError{Field: field, Why: "is wrong"}); err.Error() != flag+" is wrong" {
			t.Errorf("%s: %v", field, err)
		}
	}
}
