package evalcmd

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/modelcmd"
	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/eval/directives"
)

// modelFlags say which models are measured.
type modelFlags struct {
	Models        []string `required:"" placeholder:"MODELS" help:"${eval_models}"`
	Capabilities  string   `env:"LIMN_CAPABILITIES" placeholder:"FILE" help:"${eval_model_capabilities}"`
	ModelKeyFile  []string `placeholder:"ENDPOINT=FILE" help:"${eval_model_model_key_file}"`
	ModelInsecure bool     `env:"LIMN_MODEL_INSECURE" help:"Ask over http though the endpoint is on another machine."`
}

// simulated is the provider of models that are none.
const simulated = "sim"

// spec is one entry of --models.
type spec struct{ text, provider, model, url string }

func parseSpec(text string) (s spec, err error) {
	s.text = text
	name, url, at := cutLast(text, "@http")
	if at {
		s.url = "http" + url
	}
	provider, model, ok := strings.Cut(name, ":")
	if s.provider, s.model = provider, model; !ok || model == "" {
		return s, fmt.Errorf("--models %q: want PROVIDER:MODEL, such as openai:gpt-4o-mini, :MODEL@URL, or sim:good",
			text)
	}
	known := append(strings.Split(modelcmd.Providers(), ", "), simulated, "")
	if !slices.Contains(known, provider) {
		return s, fmt.Errorf("--models %q: no provider is called %q; want one of %s, sim, or :MODEL@URL", text,
			provider, modelcmd.Providers())
	}
	if name, where, at := cutLast(text, "@"); at && s.url == "" && (provider == "" || strings.Contains(where, "://")) {
		return s, fmt.Errorf("--models %q: the address begins with http:// or https://: %s@http://%s", text, name,
			host(where))
	}
	if provider == "" && s.url == "" {
		return s, fmt.Errorf("--models %q: say where it answers: %s@URL, such as %s@http://127.0.0.1:8000/v1", text,
			text, text)
	}
	return s, nil
}

// host is an address without its scheme.
func host(where string) string {
	if _, rest, ok := strings.Cut(where, "://"); ok {
		return rest
	}
	return where
}

// cutLast is strings.Cut at the last separator: names of models may hold an @.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// endpoint names what shares a key and limits.
func (s spec) endpoint() string {
	if s.url == "" {
		return s.provider
	}
	return s.provider + "@" + s.url
}

// open builds the models; the function closes the simulators.
func (f modelFlags) open(env func(string) string, a *app.App,
	scenarios []directives.Scenario) (list []*directives.Model, closer func(), err error) {
	var closers []func()
	closer = func() {
		for _, c := range closers {
			c()
		}
	}
	specs, keys, err := f.specs(env)
	if err != nil {
		return nil, closer, err
	}
	table, err := modelcmd.Table(f.Capabilities)
	if err != nil {
		return nil, closer, err
	}
	paces := map[string]*directives.Pace{}
	for _, s := range specs {
		if s.provider == simulated {
			m, stop, err := directives.Simulator(s.model, a, scenarios)
			if err != nil {
				closer()
				return nil, func() {}, fmt.Errorf("--models %s: %w", s.text, err)
			}
			known, _ := table.Lookup(s.model, simulated) // a price, to try a budget
			m.Price = known.Price
			closers, list = append(closers, stop), append(list, m)
			continue
		}
		at := s.endpoint()
		if paces[at] == nil {
			paces[at] = &directives.Pace{}
		}
		cfg := endpoint.Config{Provider: s.provider, URL: s.url, Model: s.model, Known: table,
			Insecure:  f.ModelInsecure,
			Transport: paces[at].Watch(http.DefaultTransport.(*http.Transport).Clone())}
		cfg.Key, cfg.KeyFile = keys[at].key, keys[at].file
		m, err := modelcmd.Open(cfg)
		if err != nil {
			closer()
			return nil, func() {}, fmt.Errorf("--models %s: %w", s.text, err)
		}
		list = append(list, &directives.Model{Name: s.text, Model: m, Endpoint: at, Price: m.Entry().Price,
			Pace: paces[at]})
	}
	return list, closer, nil
}

// secret is a key or the file of one.
type secret struct{ key, file string }

// specs reads --models, and finds the key of each endpoint. A key goes to the
// endpoint it is meant for and to no other: LIMN_PROVIDER_KEY to the provider's
// own address, LIMN_MODEL_KEY only where all models are at one endpoint.
func (f modelFlags) specs(env func(string) string) (list []spec, keys map[string]secret, err error) {
	keys = map[string]secret{}
	for _, text := range f.Models {
		s, err := parseSpec(strings.TrimSpace(text))
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(list, func(have spec) bool { return have.text == s.text }) {
			return nil, nil, fmt.Errorf("--models: %s stands there twice", s.text)
		}
		if list = append(list, s); s.provider == simulated {
			continue
		}
		var k secret
		if s.url == "" {
			k.key = env("LIMN_" + strings.ToUpper(s.provider) + "_KEY")
		}
		keys[s.endpoint()] = k
	}
	for at, k := range keys {
		if k.key == "" && len(keys) == 1 {
			keys[at] = secret{key: env("LIMN_MODEL_KEY")}
		}
	}
	for _, text := range f.ModelKeyFile {
		at, file, ok := cutLast(text, "=")
		if _, known := keys[at]; !ok || !known {
			return nil, nil,
				fmt.Errorf(
					"--model-key-file %q: want ENDPOINT=FILE, ENDPOINT as in --models without the model: "+
						"openai, or openai@URL", at)
		}
		keys[at] = secret{file: file}
	}
	return list, keys, nil
}
