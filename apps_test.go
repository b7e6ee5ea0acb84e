package limn_test

import (
	"bytes"
	"cmp"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// A move is a message, or a click in the surface on; after it the surface opens is open, and shows texts.
type move struct {
	as     string // who does it; ann
	say    string
	on     ui.Name
	key    ui.KeyPath // of the button; main/buttons/submit if it is empty
	inputs []jsonx.Member
	opens  ui.Name
	shows  []string
}

func inputs(pairs ...string) (out []jsonx.Member) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, limntest.Input(pairs[i], pairs[i+1]))
	}
	return out
}

// TestExamples says and clicks in each YAML example what README.md says it is for.
func TestExamples(t *testing.T) {
	t.Parallel()
	for dir, x := range map[string]struct {
		moves  []move
		record string   // what is kept at the end
		fields []string // and its values, as pairs
	}{
		"onboarding": {[]move{
			{say: "Start onboarding", opens: "form:person"},
			{on: "form:person", inputs: inputs("name", "Ada", "start", "2030-05-01", "team", "Design"),
				opens: "form:equipment"},
			{on: "form:equipment", inputs: inputs("laptop", "Light"), opens: "form:access"},
			{on: "form:access", inputs: inputs("rules", "true"), opens: "view:progress",
				shows: []string{`"action":{"name":"done"}`}},
			{on: "view:progress", key: "main/button", opens: "view:progress"},
		}, "equipment", []string{"laptop", "Light"}},
		"approval": {[]move{
			{say: "New request", opens: "form:request"},
			{on: "form:request", inputs: inputs("what", "A desk", "amount", "300", "decision", "Approved")}, // not hers
			{as: "bob", say: "Show all requests", opens: "records:request", shows: []string{"A desk", `"text":"Open"`}},
			{as: "bob", on: "records:request", key: "main/list/r0/edit", opens: "form:request"},
			{as: "bob", on: "form:request", inputs: inputs("what", "A desk", "amount", "300", "decision", "Approved")},
			{say: "Show the inbox", opens: "view:inbox", shows: []string{"A desk"}},
		}, "request", []string{"decision", "Approved"}},
		"survey": {[]move{
			{say: "Take the survey", opens: "form:answer"},
			{on: "form:answer", inputs: inputs("team", "Sales", "mood", "8", "load", "3", "wish", "Tea")},
			{say: "Show the results", opens: "view:results",
				shows: []string{`"labels":["Sales"]`, `"values":[8]`, `"values":[3]`, `"text":"Tea"`}},
		}, "answer", []string{"mood", "8"}},
		"support": {[]move{
			{say: "Open a ticket", opens: "form:ticket"},
			{on: "form:ticket", inputs: inputs("subject", "No sound", "email", "a@example.org",
				"urgency", "Blocked", "status", "Open")},
			{say: "Show the queue", opens: "view:queue",
				shows: []string{`"text":"No sound"`, `"text":"a@example.org"`}},
		}, "ticket", []string{"status", "Open"}},
		"python": {[]move{
			{say: "A coffee please", opens: "form:coffee"},
			{on: "form:coffee", inputs: inputs("kind", "Filter", "name", "Ada", "cups", "9"), opens: "form:coffee",
				shows: []string{"The pot holds 8 cups."}},
			{on: "form:coffee", inputs: inputs("kind", "Filter", "name", "Ada", "cups", "2")},
		}, "coffee", []string{"cups", "2"}},
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			srv := serveExample(t, filepath.Join("examples", dir))
			talks := map[string]*limntest.Talk{}
			for _, m := range x.moves {
				who := cmp.Or(m.as, "ann")
				if talks[who] == nil {
					talks[who] = limntest.NewTalk(t, srv.Service(), who)
				}
				makeMove(t, talks[who], m)
			}
			kept(t, srv, x.record, x.fields)
		})
	}
}

// kept wants one record with the fields, which are pairs.
func kept(t *testing.T, srv *limn.Server, record string, fields []string) {
	t.Helper()
	page, err := srv.Records().List(t.Context(), app.RecordQuery{Name: record})
	if err != nil || len(page.Records) != 1 {
		t.Fatalf("%d records, %v", len(page.Records), err)
	}
	for i := 0; i < len(fields); i += 2 {
		if v, _ := page.Records[0].Values.Get(fields[i]); v.Text() != fields[i+1] {
			t.Errorf("%s is %q", fields[i], v.Text())
		}
	}
}

func makeMove(t *testing.T, talk *limntest.Talk, m move) {
	t.Helper()
	event := limntest.Say(m.say)
	if m.on != "" {
		if m.key == "" {
			m.key = "main/buttons/submit"
		}
		event = limntest.Press(talk.Open(m.on), m.key, m.inputs...)
	}
	talk.Submit(event)
	if m.opens == "" {
		if sf := talk.State().Surface(m.on); sf.Status == ui.StatusOpen {
			t.Fatalf("%s is still open", m.on)
		}
		return
	}
	tree, err := talk.Open(m.opens).Root.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range talk.Open(m.opens).Errors {
		tree = append(tree, e.Text...)
	}
	for _, text := range m.shows {
		if !bytes.Contains(tree, []byte(text)) {
			t.Errorf("%s lacks %s: %s", m.opens, text, tree)
		}
	}
}

// serveExample is a server of app.yaml in a folder, beside agent.py if there is one.
func serveExample(t *testing.T, dir string) *limn.Server {
	t.Helper()
	text := read(t, filepath.Join(dir, "app.yaml"))
	if strings.Count(text, "\n") > 60 {
		t.Error("app.yaml has more than 60 lines")
	}
	var cfg limn.Config
	if _, err := os.Stat(filepath.Join(dir, "agent.py")); err == nil {
		text = strings.ReplaceAll(text, "9000", startAgent(t, read(t, filepath.Join(dir, "agent.py"))))
		allow, err := limn.AllowTargets("127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		cfg.Webhook = limn.Webhooks(limn.WebhookConfig{Allow: allow})
	}
	var err error
	if cfg.App, err = app.Load("app.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	srv, err := limn.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(t.Context()) })
	return srv
}

// startAgent runs a Python agent at a free port, which it returns.
func startAgent(t *testing.T, program string) (port string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("install python3 to run it")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	cmd := exec.Command(python, "-c", strings.ReplaceAll(program, "9000", port))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if n, err := out.Read(make([]byte, 100)); n == 0 { // it listens
		t.Fatal(err)
	}
	return port
}
