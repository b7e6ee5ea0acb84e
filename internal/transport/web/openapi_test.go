package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/store/memory"
)

const openapiFile = "../../../docs/openapi.yaml"

// spec is docs/openapi.yaml with its schemas compiled.
type spec struct {
	doc      map[string]any
	routes   *http.ServeMux // the paths of the file, to find the one a request meets
	compiler *jsonschema.Compiler
	mu       sync.Mutex // guards the compiler
	cache    map[string]*jsonschema.Schema
}

var loadSpec = sync.OnceValues(func() (*spec, error) {
	raw, err := os.ReadFile(openapiFile)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(doc) // numbers and keys as the schema library wants them
	if err != nil {
		return nil, err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		return nil, err
	}
	s := &spec{doc: v.(map[string]any), routes: http.NewServeMux(), compiler: jsonschema.NewCompiler(),
		cache: map[string]*jsonschema.Schema{}}
	s.compiler.DefaultDraft(jsonschema.Draft2020)
	s.compiler.AssertFormat()
	if err := s.compiler.AddResource("openapi.json", s.doc); err != nil {
		return nil, err
	}
	for path := range s.doc["paths"].(map[string]any) {
		if path == "/" {
			path = "/{$}"
		}
		s.routes.Handle(path, http.NotFoundHandler())
	}
	return s, nil
})

// at follows keys into the document, through $ref; also where it ended, as a
// JSON pointer.
func (s *spec) at(pointer string, keys ...string) (any, string) {
	var v any = s.doc
	walk := func(keys []string) bool {
		for _, k := range keys {
			m, ok := v.(map[string]any)
			if !ok || m[k] == nil {
				return false
			}
			v, pointer = m[k], pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
		}
		return true
	}
	for i := range keys {
		if !walk(keys[i : i+1]) {
			return nil, ""
		}
		if ref, ok := v.(map[string]any)["$ref"].(string); ok {
			v, pointer = s.doc, ""
			if !walk(strings.Split(strings.TrimPrefix(ref, "#/"), "/")) {
				return nil, ""
			}
		}
	}
	return v, pointer
}

func (s *spec) validate(pointer string, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema := s.cache[pointer]
	if schema == nil {
		var err error
		if schema, err = s.compiler.Compile("openapi.json#" + pointer); err != nil {
			return err
		}
		s.cache[pointer] = schema
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// hold checks one answer: its status and content type are declared, its JSON
// is of the declared shape.
func hold(t *testing.T, r *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	s, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
		"X-Frame-Options": "SAMEORIGIN"} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s %s: %s is %q, want %q", r.Method, r.URL, name, got, want)
		}
	}
	if got := resp.Header.Get("Cross-Origin-Resource-Policy"); (got == "same-origin") == (resp.Header.Get("Content-Type") == "image/svg+xml") {
		t.Errorf("%s %s: Cross-Origin-Resource-Policy %q", r.Method, r.URL, got)
	}
	if csp := resp.Header.Get("Content-Security-Policy"); resp.Header.Get("Content-Type") == "image/svg+xml" {
		if csp != "default-src 'none'; sandbox" {
			t.Errorf("%s %s: policy %q", r.Method, r.URL, csp)
		}
	} else if !strings.Contains(csp, "script-src 'self';") || !strings.Contains(csp, "img-src 'self' data:;") {
		t.Errorf("%s %s: policy %q", r.Method, r.URL, csp)
	}
	_, path := s.routes.Handler(r)
	method := strings.ToLower(r.Method)
	if method == "head" {
		method = "get"
	}
	op, _ := s.at("", "paths", strings.Replace(path, "/{$}", "/", 1), method)
	if path == "" || op == nil { // no such address or method: HTTP_NOT_FOUND, HTTP_METHOD_NOT_ALLOWED
		if resp.StatusCode != http.StatusNotFound && resp.StatusCode != http.StatusMethodNotAllowed &&
			resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusTooManyRequests &&
			resp.StatusCode/100 != 3 {
			t.Errorf("%s %s answers %d and is not declared", r.Method, r.URL, resp.StatusCode)
		}
		return
	}
	where := fmt.Sprintf("%s %s %d", r.Method, path, resp.StatusCode)
	at := []string{"paths", strings.Replace(path, "/{$}", "/", 1), method, "responses", fmt.Sprint(resp.StatusCode)}
	if v, _ := s.at("", at...); v == nil {
		t.Errorf("%s is not declared: %.200s", where, body)
		return
	}
	if len(body) == 0 || r.Method == http.MethodHead {
		return
	}
	ct, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	v, pointer := s.at("", append(at, "content", ct, "schema")...)
	if v == nil {
		t.Errorf("%s: content type %q is not declared", where, ct)
		return
	}
	if strings.HasSuffix(ct, "json") {
		if err := s.validate(pointer, body); err != nil {
			t.Errorf("%s: %v\n%.500s", where, err, body)
		}
	}
}

// TestOpenAPIRoutes holds the file against the registered routes, both ways.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	s, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	ids := map[string]bool{}
	for path, item := range s.doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if method == "parameters" {
				continue
			}
			if path == "/" {
				path = "/{$}"
			}
			declared = append(declared, strings.ToUpper(method)+" "+path)
			id, _ := op.(map[string]any)["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s %s: operationId %q is missing or stands twice", method, path, id)
			}
			ids[id] = true
		}
	}
	slices.Sort(declared)
	if diff := cmp.Diff(bare(t).Routes(), declared); diff != "" {
		t.Errorf("docs/openapi.yaml and Server.routes differ (-server +file):\n%s", diff)
	}
}

// bare is a Server without package limn around it.
func bare(t *testing.T) *web.Server {
	t.Helper()
	a, err := app.New(app.Config{Name: "bare"})
	if err != nil {
		t.Fatal(err)
	}
	st := memory.New()
	service, err := session.New(session.Config{App: a, Store: st, Bus: localbus.New()})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := web.New(web.Config{Service: service, Blobs: st, Deliver: deliver.New(deliver.Config{Source: service}),
		Targets: []deliver.Target{{Name: "v0.9"}}, Assets: bundles})
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// TestOpenAPIWhole compiles every schema, resolves every $ref and validates
// every example.
func TestOpenAPIWhole(t *testing.T) {
	t.Parallel()
	s, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	refs, examples := 0, 0
	var walk func(v any, pointer string)
	walk = func(v any, pointer string) {
		switch v := v.(type) {
		case []any:
			for i, item := range v {
				walk(item, fmt.Sprint(pointer, "/", i))
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				refs++
				if found, _ := s.at("", strings.Split(strings.TrimPrefix(ref, "#/"), "/")...); found == nil {
					t.Errorf("%s: %s leads nowhere", pointer, ref)
				}
			}
			if schema, ok := v["schema"]; ok && v["example"] != nil {
				examples++
				b, err := json.Marshal(v["example"])
				if err != nil {
					t.Fatal(err)
				}
				if err := s.validate(pointer+"/schema", b); err != nil {
					t.Errorf("%s: example of %v: %v", pointer, schema, err)
				}
			}
			for k, item := range v {
				walk(item, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k))
			}
		}
	}
	walk(s.doc, "")
	for name := range s.doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if err := s.validate("/components/schemas/"+name, []byte("0")); err != nil && !strings.Contains(err.Error(), "validation failed") {
			t.Errorf("schema %s: %v", name, err)
		}
	}
	if refs < 50 || examples < 6 {
		t.Errorf("%d references and %d examples: the walk does not reach the file", refs, examples)
	}
}
