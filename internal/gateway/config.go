package gateway

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/internal/yamlline"
	"github.com/limn-ui/limn/ui"
)

// Codes of a file that declares a gateway.
const (
	CodeYAML   ui.Code = "GATEWAY_YAML"   // it cannot be read
	CodeConfig ui.Code = "GATEWAY_CONFIG" // its parts do not fit together
)

// Config is a gateway as its file declares it.
type Config struct {
	Name     string            `yaml:"name"`
	Title    string            `yaml:"title"`
	IDs      string            `yaml:"ids"` // prefix or refuse
	Agents   []Agent           `yaml:"agents"`
	Routes   []Route           `yaml:"routes"`
	Fallback string            `yaml:"fallback"` // who gets what no route is for
	Sticky   bool              `yaml:"sticky"`   // before the fallback: who answered last
	Surfaces map[string]string `yaml:"surfaces"` // id → the only agent that may create it

	Operators   Names    `yaml:"operators"`   // roles whose users may answer in place of the agents
	Suggestions []string `yaml:"suggestions"` // messages to begin with, shown while the conversation is empty

	file string
	doc  yaml.Node
}

// Agent is one agent.
type Agent struct {
	Name        string        `yaml:"name"`
	Title       string        `yaml:"title"` // that the user reads
	About       string        `yaml:"about"` // its task, for people and for a model that chooses
	Icon        string        `yaml:"icon"`
	URL         string        `yaml:"url"`
	Protocol    string        `yaml:"protocol"`
	Version     string        `yaml:"version"`     // of A2UI
	Catalog     string        `yaml:"catalog"`     // a file; "": the basic one
	Tool        string        `yaml:"tool"`        // of mcp: the tool that takes the words of the user, as text
	Credentials string        `yaml:"credentials"` // a file with a bearer token; "": none
	CA          string        `yaml:"ca"`          // a file with certificates that it is trusted by; "": the system's
	Idempotent  bool          `yaml:"idempotent"`  // it answers a key that it knows without doing it again
	Transcript  string        `yaml:"transcript"`  // the lines that it reads: own, all or none
	Time        time.Duration `yaml:"time"`        // until it must have answered
	Insecure    bool          `yaml:"insecure"`    // Credentials may go to another machine over http
	Limits      Limits        `yaml:"limits"`

	Dialect  a2ui.Dialect  `yaml:"-"`
	Compiled *a2ui.Catalog `yaml:"-"` // Catalog, once it is read; nil: the basic one
}

// Limits bound what an agent sends.
type Limits struct {
	Bytes      int `yaml:"bytes"`      // of one answer
	Messages   int `yaml:"messages"`   // of one answer
	Rate       int `yaml:"rate"`       // messages a second, as a bucket of a second
	Surfaces   int `yaml:"surfaces"`   // open at once
	Components int `yaml:"components"` // of one surface
	Text       int `yaml:"text"`       // bytes of the words of one answer
}

// Route sends messages to agents.
type Route struct {
	Prefix   string `yaml:"prefix"`   // a message that begins with it, which is taken off
	Pattern  string `yaml:"pattern"`  // RE2
	Decision string `yaml:"decision"` // table or map: a message for which limn serve would open one
	To       Names  `yaml:"to"`       // one after the other
	Choose   Names  `yaml:"choose"`   // every message: a model chooses one of these

	pattern *regexp.Regexp
}

// Names are one name or a list of names.
type Names []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (n *Names) UnmarshalYAML(v *yaml.Node) error {
	var one string
	if v.Kind == yaml.ScalarNode {
		err := v.Decode(&one)
		*n = Names{one}
		return err
	}
	return v.Decode((*[]string)(n))
}

// MaxAgents is how many agents answer one event at most: those that its route names, and those that they hand over to.
const MaxAgents = 3

// Bounds of a file.
const (
	maxFile   = 1 << 20
	maxAgents = 100
	maxRoutes = 1000
	maxTime   = 80 * time.Second
	maxAbout  = 500 // bytes

	maxSuggestion = 200 // bytes
)

// protocols are those of agents.
var protocols = []string{"a2ui", "a2a", "agui", "mcp"}

// versions are those of A2UI that agents may speak.
func versions() (names []string) {
	for _, d := range a2ui.Dialects() {
		names = append(names, d.String())
	}
	return names
}

// Load reads a file of at most 1 MiB. The error joins *ui.Errors with CodeYAML or CodeConfig
// and the Path file:line.
func Load(file string, data []byte) (*Config, error) {
	if len(data) > maxFile {
		return nil, &ui.Error{Code: CodeYAML, Path: file, Message: "the file is above 1 MiB"}
	}
	c := &Config{}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := decode(dec, c); err != nil {
		return nil, unread(file, data, err)
	}
	c.file = file
	_ = yaml.Unmarshal(data, &c.doc) // it was read above
	check := checker{Config: c}
	check.all()
	var next yaml.Node
	if err := decode(dec, &next); !errors.Is(err, io.EOF) {
		e := c.Fault(nil, "remove what is after ---", "there is more than one document")
		if len(next.Content) > 0 {
			e.Path = fmt.Sprintf("%s:%d:1", file, next.Content[0].Line)
		}
		check.faults = append(check.faults, e)
	}
	return c, errors.Join(check.faults...)
}

// Declares reports a file that declares agents, whether it can be read whole or not.
func Declares(data []byte) bool {
	var top struct {
		Agents yaml.Node `yaml:"agents"`
	}
	return len(data) <= maxFile && yaml.Unmarshal(data, &top) == nil && !top.Agents.IsZero()
}

// unread is the fault of a file that cannot be read.
func unread(file string, data []byte, err error) *ui.Error {
	line, text := yamlline.Split(data, err)
	e := &ui.Error{Code: CodeYAML, Path: fmt.Sprintf("%s:%d", file, line), Message: text}
	if errors.Is(err, io.EOF) {
		e.Message, e.Hint = "the file is empty", "declare at least one agent, with name and url"
	}
	if m := unknownField.FindStringSubmatch(text); m != nil {
		e.Message = "there is no key " + m[1] + " here"
		if slices.Contains(keys, m[1]) {
			e.Hint = "it is a key of another part of the file"
		} else if like := near.Name(m[1], keys); like != "" {
			e.Hint = "did you mean " + like + "?"
		}
	}
	if m := otherType.FindStringSubmatch(text); m != nil {
		e.Message = "want " + wanted(m[2])
		if m[1] != "" {
			e.Message += ", not " + m[1]
		}
	}
	return e
}

// wanted describes a value of a Go type in the words of a file.
func wanted(typ string) string {
	switch {
	case typ == "time.Duration":
		return "a time, such as 60s"
	case typ == "bool":
		return "true or false"
	case typ == "int":
		return "a whole number"
	case typ == "string":
		return "a text"
	case strings.HasPrefix(typ, "[]"):
		return "a list, each item after a dash"
	}
	return "keys with values, such as name: weather"
}

// decode does not panic, whatever the library does.
func decode(dec *yaml.Decoder, into any) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the file cannot be read")
		}
	}()
	return dec.Decode(into)
}

var (
	unknownField = regexp.MustCompile(`field (\S+) not found in type`)
	otherType    = regexp.MustCompile("^cannot unmarshal \\S+(?: `(.*)`)? into (\\S+)")
)

// keys are all keys of a file, for hints.
var keys = keysOf(reflect.TypeFor[Config]())

func keysOf(t reflect.Type) (out []string) {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		if key := f.Tag.Get("yaml"); key != "" && key != "-" {
			out = append(append(out, key), keysOf(f.Type)...)
		}
	}
	return out
}

// checker holds a file to what its types cannot say.
type checker struct {
	*Config
	faults []error
}

// fault notes an error at a place.
func (c *checker) fault(at []any, hint, format string, args ...any) {
	c.faults = append(c.faults, c.Fault(at, hint, fmt.Sprintf(format, args...)))
}

// Fault is an error at a place of the file, which keys and list indices name.
func (c *Config) Fault(at []any, hint, why string) *ui.Error {
	n, path := &c.doc, ""
	if len(c.doc.Content) > 0 {
		n = c.doc.Content[0]
	}
	for _, key := range at {
		if next := below(n, key); next != nil {
			n = next
		}
		path += fmt.Sprintf("/%v", key)
	}
	if path != "" {
		path += ": "
	}
	place := fmt.Sprintf("%s:%d:%d", c.file, n.Line, max(n.Column, 1))
	return &ui.Error{Code: CodeConfig, Path: place, Message: path + why, Hint: hint}
}

// below is the node of a key or a number, nil for none.
func below(n *yaml.Node, key any) *yaml.Node {
	if i, ok := key.(int); ok && n.Kind == yaml.SequenceNode && i < len(n.Content) {
		return n.Content[i]
	}
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func (c *checker) all() {
	c.Name, c.IDs = cmp.Or(c.Name, "gateway"), cmp.Or(c.IDs, "prefix")
	c.Title = cmp.Or(c.Title, c.Name)
	c.oneOf([]any{"ids"}, c.IDs, "prefix", "refuse")
	switch n := len(c.Agents); {
	case n == 0:
		c.fault([]any{"agents"}, "declare at least one, with name and url", "there is no agent")
	case n > maxAgents || len(c.Routes) > maxRoutes:
		c.fault([]any{"agents"}, "remove some", "more than %d agents, or more than %d routes", maxAgents, maxRoutes)
		return
	}
	for _, key := range []string{"agents", "routes"} {
		if list := below(c.doc.Content[0], key); list != nil {
			for i, item := range list.Content {
				if item.Tag == "!!null" {
					c.fault([]any{key, i}, "remove the -", "there is nothing")
				}
			}
		}
	}
	titles := map[string]bool{}
	for i := range c.Agents {
		a := &c.Agents[i]
		c.agent(i, a)
		if slices.IndexFunc(c.Agents, func(b Agent) bool { return b.Name == a.Name }) < i || titles[a.Title] {
			c.fault([]any{"agents", i, "name"}, "give one of them another",
				"two agents have the name %q or the title %q", a.Name, a.Title)
		}
		titles[a.Title] = true
	}
	for i := range c.Routes {
		c.route(i, &c.Routes[i])
	}
	if c.Fallback != "" {
		c.known([]any{"fallback"}, c.Fallback)
	}
	for i, s := range c.Suggestions {
		if strings.TrimSpace(s) == "" || len(s) > maxSuggestion {
			c.fault([]any{"suggestions", i}, "such as suggestions: [Show my orders]",
				"a suggestion has 1 to %d bytes", maxSuggestion)
		}
	}
	if slices.Contains(c.Operators, "") {
		c.fault([]any{"operators"}, "such as operators: [support]", "the name of a role is empty")
	}
	for id, name := range c.Surfaces {
		if id == "" {
			c.fault([]any{"surfaces", id}, "such as {account: bank}", "want the id of a surface")
		}
		c.known([]any{"surfaces", id}, name)
	}
}

// reserved begin the names of Limn's own surfaces.
var reserved = []string{"form", "table", "map", "view", "offer", "limn", "toast"}

// kinds are the kinds of surfaces that catalogs are for, beside agents.
var kinds = []string{"form", "table", "map", "view"}

var agentName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,23}$`)

func (c *checker) agent(i int, a *Agent) {
	at := func(key string) []any { return []any{"agents", i, key} }
	if !agentName.MatchString(a.Name) || slices.Contains(reserved, a.Name) {
		c.fault(at("name"), "such as weather; not "+strings.Join(reserved, ", "),
			"%.64q: want [a-z][a-z0-9_-]{0,23}", a.Name)
	}
	if like := near.Name(a.Name, kinds); a.Catalog != "" && like != "" {
		c.fault(at("name"), "another name", "%s is too like %s for an agent with a catalog of its own", a.Name, like)
	}
	a.Title, a.Protocol = cmp.Or(a.Title, a.Name), cmp.Or(a.Protocol, "a2ui")
	a.Version, a.Transcript = cmp.Or(a.Version, "v0.9"), cmp.Or(a.Transcript, "own")
	if a.Tool != "" && a.Protocol != "mcp" {
		c.fault(at("tool"), "remove it, or add protocol: mcp", "only agents of mcp have tools")
	}
	a.Time, a.Tool = cmp.Or(a.Time, time.Minute), cmp.Or(a.Tool, "say")
	if len(a.Title) > 128 {
		c.fault(at("title"), "a name that users read", "more than 128 bytes")
	}
	if len(a.About) > maxAbout {
		c.fault(at("about"), "one or two sentences", "more than %d bytes", maxAbout)
	}
	for key, address := range map[string]string{"url": a.URL, "icon": a.Icon} {
		if (key == "url" || address != "") && !isAddress(address) {
			c.fault(at(key), "such as https://weather.example/a2ui; credentials are in a file",
				"want an absolute http or https address without a password")
		}
	}
	c.oneOf(at("protocol"), a.Protocol, protocols...)
	c.oneOf(at("transcript"), a.Transcript, "own", "all", "none")
	if c.oneOf(at("version"), a.Version, versions()...) {
		a.Dialect, _ = a2ui.ParseDialect(a.Version)
	}
	if a.Time < time.Second || a.Time > maxTime {
		c.fault(at("time"), "such as 60s", "want 1s to %s", maxTime)
	}
	c.limits(i, &a.Limits)
}

func isAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return false
	}
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "80"), 10, 16)
	return err == nil && port > 0
}

func (c *checker) limits(i int, l *Limits) {
	for _, one := range []struct {
		key       string
		at        *int
		def, most int
	}{{"bytes", &l.Bytes, 1 << 20, 8 << 20}, {"messages", &l.Messages, 500, 10_000},
		{"rate", &l.Rate, 200, 100_000}, {"surfaces", &l.Surfaces, 8, 32},
		{"components", &l.Components, 500, 2000}, {"text", &l.Text, 16 << 10, 32 << 10}} {
		if *one.at = cmp.Or(*one.at, one.def); *one.at < 1 || *one.at > one.most {
			c.fault([]any{"agents", i, "limits", one.key}, fmt.Sprintf("without it: %d", one.def),
				"want 1 to %d", one.most)
		}
	}
}

func (c *checker) route(i int, r *Route) {
	at := func(key string) []any { return []any{"routes", i, key} }
	kinds := 0
	for _, set := range []bool{strings.TrimSpace(r.Prefix) != "", r.Pattern != "", r.Decision != "", r.Choose != nil} {
		if set {
			kinds++
		}
	}
	if kinds != 1 {
		c.fault([]any{"routes", i}, `such as {prefix: "@weather", to: weather}`,
			"want a prefix, a pattern, a decision or choose, one of them")
	}
	if r.Decision != "" {
		c.oneOf(at("decision"), r.Decision, "table", "map")
	}
	if r.Pattern != "" {
		var err error
		if r.pattern, err = regexp.Compile(r.Pattern); err != nil || len(r.Pattern) > 1024 {
			c.fault(at("pattern"), "RE2, such as (?i)weather|rain",
				"no pattern of at most 1,024 bytes: %v", err)
			r.pattern = nil
		}
	}
	if r.Choose != nil {
		c.names(at("choose"), r.Choose, 2, maxAgents)
		if r.To != nil {
			c.fault(at("to"), "remove it", "the model chooses")
		}
		return
	}
	c.names(at("to"), r.To, 1, MaxAgents)
}

// names holds a list of agents to its length, and each to the file.
func (c *checker) names(at []any, list Names, least, most int) {
	if len(list) < least || len(list) > most {
		c.fault(at, "such as [weather, desk]", "want %d to %d agents", least, most)
	}
	for k, name := range list {
		c.known(at, name)
		if slices.Contains(list[:k], name) {
			c.fault(at, "name it once", "%q is there twice", name)
		}
	}
}

func (c *checker) oneOf(at []any, v string, of ...string) bool {
	if slices.Contains(of, v) {
		return true
	}
	c.fault(at, "one of "+strings.Join(of, ", "), "%.64q is not known", v)
	return false
}

func (c *checker) known(at []any, name string) {
	if c.Agent(name) != nil {
		return
	}
	hint := ""
	var names []string
	for _, a := range c.Agents {
		names = append(names, a.Name)
	}
	if like := near.Name(name, names); like != "" {
		hint = "did you mean " + like + "?"
	}
	c.fault(at, hint, "there is no agent %.64q", name)
}

// Agent returns an agent by its name, nil for none.
func (c *Config) Agent(name string) *Agent {
	for i := range c.Agents {
		if c.Agents[i].Name == name {
			return &c.Agents[i]
		}
	}
	return nil
}

// Basis is the catalog that the agent draws with.
func (a *Agent) Basis() *a2ui.Catalog {
	if a.Compiled != nil {
		return a.Compiled
	}
	return a2ui.Basic(a.Dialect)
}
