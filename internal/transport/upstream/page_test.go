package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
)

// tasks is a surface with each kind of input, a list, and buttons that are not for every moment.
const tasks = `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":{"who":"","urgent":false,"kind":["b"],"n":3,"items":[{"id":7,"t":"Wash <up>","note":""},{"id":8,"t":"Shop","note":""}]}}}
{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[
{"id":"root","component":"Column","children":["title","who","urgent","kind","n","list","pic","send"]},
{"id":"title","component":"Text","text":"Tasks","variant":"h2"},
{"id":"who","component":"TextField","label":"Who","value":{"path":"/who"}},
{"id":"urgent","component":"CheckBox","label":"Urgent","value":{"path":"/urgent"}},
{"id":"kind","component":"ChoicePicker","label":"Kind","variant":"mutuallyExclusive","options":[{"label":"A","value":"a"},{"label":"B","value":"b"}],"value":{"path":"/kind"}},
{"id":"n","component":"Slider","label":"Days","min":0,"max":9,"value":{"path":"/n"}},
{"id":"list","component":"List","children":{"path":"/items","componentId":"item"}},
{"id":"item","component":"Row","children":["what","note","done"]},
{"id":"note","component":"TextField","label":"Note","value":{"path":"note"}},
{"id":"what","component":"Text","text":{"path":"t"}},
{"id":"done","component":"Button","child":"dl","action":{"event":{"name":"done","context":{"id":{"path":"id"}}}}},{"id":"dl","component":"Text","text":"Done"},
{"id":"pic","component":"Image","url":"javascript:alert(1)","description":"A picture"},
{"id":"send","component":"Button","variant":"primary","child":"sl","checks":[{"condition":{"call":"required","args":{"value":{"path":"/who"}}},"message":"Say who"}],"action":{"event":{"name":"send","context":{"who":{"path":"/who"},"urgent":{"path":"/urgent"},"kind":{"path":"/kind"},"n":{"path":"/n"}}}}},{"id":"sl","component":"Text","text":"Send"}]}}`

var (
	hidden = regexp.MustCompile(`name="(limn_(?:surface|nonce|rev))"[^>]*value="([^"]*)"`)
	press  = regexp.MustCompile(`name="limn_component" value="([^"]*)"[^>]*>([^<]+)</button>`)
)

// page is the HTML of the conversation.
func (d *desk) page() string {
	d.t.Helper()
	r := httptest.NewRequest("GET", "/c/"+d.id, nil)
	r.Header.Set("Cookie", "limn="+d.token)
	r.Header.Set("Authorization", "Bearer "+d.token)
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if w.Code != 200 {
		d.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// post presses the nth button with a label on a page, with values.
func (d *desk) post(page, label string, nth int, values url.Values) *httptest.ResponseRecorder {
	d.t.Helper()
	form := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	for _, m := range press.FindAllStringSubmatch(page, -1) {
		if m[2] == label {
			if nth--; nth < 0 && form.Get("limn_component") == "" {
				form.Set("limn_component", m[1])
			}
		}
	}
	for k, v := range values {
		form[k] = v
	}
	r := httptest.NewRequest("POST", "/c/"+d.id+"/actions", strings.NewReader(form.Encode()))
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

// TestPage: the page of HTML, without script, shows the surface of an agent: what it says, its inputs and its
// lists. A button sends what was typed, as a client of A2UI would; one whose checks fail sends nothing, says why, and
// keeps what was typed.
func TestPage(t *testing.T) {
	t.Parallel()
	f := speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"action"`) {
			says(`{"text":"Noted."}`)(w, body)
			return
		}
		says(create, strings.ReplaceAll(tasks, "\n{\"id\"", "{\"id\""))(w, body)
	})
	d := one(t, f, "")
	d.say("begin")
	page := d.page()
	for _, want := range []string{`<h3 class="limn-heading">Tasks</h3>`, `name="/draft/who"`, `name="/draft/urgent" value="false"`,
		`Wash &lt;up&gt;`, `A picture`, `type="range"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "javascript:alert") || t.Failed() {
		t.Fatalf("page %s", page)
	}
	typed := url.Values{"/draft/who": {""}, "/draft/urgent": {"false", "true"}, "/draft/kind": {"a"}, "/draft/n": {"5"}}
	if w := d.post(page, "Send", 0, typed); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if n := len(f.got()); n != 1 {
		t.Fatalf("asked %d times though a check fails", n)
	}
	page = d.page()
	if !strings.Contains(page, `value="true" checked`) || !strings.Contains(page, `value="5"`) {
		t.Errorf("what was typed is gone: %s", page)
	}
	typed.Set("/draft/who", "Ada")
	if w := d.post(page, "Send", 0, typed); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	page = d.page()
	if w := d.post(page, "Done", 1, nil); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	got := f.got()
	if len(got) != 3 || !strings.Contains(got[1], `"name":"send"`) || !strings.Contains(got[1], `"context":{"who":"Ada","urgent":true,"kind":["a"],"n":5}`) ||
		!strings.Contains(got[1], `"main":{"who":"Ada"`) || !strings.Contains(got[2], `"context":{"id":8}`) {
		t.Fatalf("the agent got %q", got)
	}
	var sent struct{ Message struct{ Action a2ui.Action } }
	if err := json.Unmarshal([]byte(got[2]), &sent); err != nil {
		t.Fatal(err)
	}
	if at, err := time.Parse(time.RFC3339, sent.Message.Action.Timestamp); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("the click is of %q", sent.Message.Action.Timestamp)
	}
	if w := d.post(page, "Send", 0, url.Values{"limn_component": {"c#main/n9:Button"}}); w.Code != http.StatusForbidden {
		t.Errorf("no button: %d %s", w.Code, w.Body)
	}
}

// TestPageRows: rows have no names, so what is typed in a row of an older page, and a button there, count until the
// agent has moved the rows. Then nothing is sent, and what was typed elsewhere is kept.
func TestPageRows(t *testing.T) {
	t.Parallel()
	f := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"action"`):
			says(`{"text":"Noted."}`)(w, body)
		case strings.Contains(body, `"text":"sort"`):
			says(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/items","value":[{"id":8,"t":"Shop","note":""},{"id":7,"t":"Wash","note":""}]}}`)(w, body)
		case strings.Contains(body, `"text":"one more"`):
			says(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/items/2","value":{"id":9,"t":"Cook","note":""}}}`)(w, body)
		default:
			says(create, strings.ReplaceAll(tasks, "\n{\"id\"", "{\"id\""))(w, body)
		}
	})
	d := one(t, f, "")
	d.say("begin")
	older, row := d.page(), url.Values{"/draft/who": {"Eve"}, "/draft/items/1/note": {"Typed"}}
	model := func() string {
		return string(jsonx.Append(nil, foreign.Of(d.state().Surface("weather:main")).Model))
	}
	press := func(title, page, label string, nth int, values url.Values, code int, sent string) {
		t.Helper()
		before := len(f.got())
		if w := d.post(page, label, nth, values); w.Code != code {
			t.Errorf("%s: %d %s", title, w.Code, w.Body)
		}
		if got := f.got()[before:]; (sent == "") != (len(got) == 0) || sent != "" && !strings.Contains(got[0], sent) {
			t.Errorf("%s: the agent got %q, want %s", title, got, sent)
		}
	}
	press("after another press", older, "Send", 0, row, http.StatusSeeOther, `"note":"Typed"`)
	press("a row after another press", older, "Done", 1, nil, http.StatusSeeOther, `"context":{"id":8}`)
	d.say("one more")
	press("after a row at the end", older, "Done", 0, nil, http.StatusSeeOther, `"context":{"id":7}`)
	d.say("sort")
	typed := model()
	press("a row that moved", older, "Done", 1, url.Values{"/draft/who": {"Eve"}}, http.StatusConflict, "")
	press("a value of a row that moved", older, "Send", 0, url.Values{"/draft/items/0/note": {"Typed"}}, http.StatusConflict, "")
	press("a value of a row that is gone", older, "Send", 0, url.Values{"/draft/items/2/note": {"Typed"}}, http.StatusConflict, "")
	if got := model(); got != typed || !strings.Contains(got, `"who":"Eve"`) {
		t.Errorf("an older page leaves %s, want %s", got, typed)
	}
	press("without values of rows", older, "Send", 0, url.Values{"/draft/who": {"Ann"}}, http.StatusSeeOther, `"who":"Ann"`)
	press("the newest page", d.page(), "Done", 0, row, http.StatusSeeOther, `"context":{"id":8}`)
}

// TestPageRowsDrawnAnew: a surface that its agent creates again is another one: the rows of the one before have not
// moved. A page from before a press is pressed after it.
func TestPageRowsDrawnAnew(t *testing.T) {
	t.Parallel()
	f := speaks(t, func(w http.ResponseWriter, body string) {
		said := `{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Noted."}`
		if !strings.Contains(body, `"a2uiAction"`) {
			show := create + "," + strings.NewReplacer("\n{\"id\"", "{\"id\"", "\n", ",").Replace(tasks)
			if strings.Contains(body, `"content":"again"`) {
				show = strings.Replace(show, `"id":7,"t":"Wash <up>"`, `"id":17,"t":"Cook"`, 1)
			}
			said = `{"type":"ACTIVITY_SNAPSHOT","content":{"a2ui_operations":[` + show + `]}}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: "+said+"\n\n")
		io.WriteString(w, `data: {"type":"RUN_FINISHED"}`+"\n\n")
	})
	d := one(t, f, ", protocol: agui")
	d.say("begin")
	d.say("again")
	older := d.page()
	if !strings.Contains(older, "Cook") {
		t.Fatalf("page %s", older)
	}
	for _, label := range []string{"Send", "Done"} {
		if w := d.post(older, label, 0, url.Values{"/draft/who": {"Eve"}}); w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d %s", label, w.Code, w.Body)
		}
	}
	if got := f.got(); !strings.Contains(got[len(got)-1], `"context":{"id":17}`) {
		t.Errorf("the agent got %s", got[len(got)-1])
	}
}

// TestPageObscures: a field that an agent obscures shows dots on the page, and no text where it cannot be one.
func TestPageObscures(t *testing.T) {
	t.Parallel()
	d := one(t, speaks(t, says(create, `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":{"pin":"1234"}}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Column","children":["pin","again","fixed"]},`+
			`{"id":"pin","component":"TextField","label":"PIN","variant":"obscured","value":{"path":"/pin"}},`+
			`{"id":"again","component":"TextField","label":"Again","variant":"obscured","value":{"path":"/pin"}},`+
			`{"id":"fixed","component":"TextField","label":"Fixed","variant":"obscured","value":"5678"}]}}`)), "")
	d.say("begin")
	page := d.page()
	if !strings.Contains(page, `<input type="password"`) || strings.Count(page, "1234") != 1 || strings.Contains(page, "5678") {
		t.Errorf("page %s", page)
	}
}

// TestPageKeepsNoSecret: what is posted of an obscured field goes to the agent, and is on no page after it.
func TestPageKeepsNoSecret(t *testing.T) {
	t.Parallel()
	f := asksPIN(t)
	d := one(t, f, "")
	d.say("begin")
	if w := d.post(d.page(), "Go", 0, url.Values{"/draft/name": {"Ann"}, "/draft/pin": {"first secret"}, "/draft/form/pin": {"second secret"}}); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := f.got(); !strings.Contains(got[len(got)-1], `"pin":"first secret"`) {
		t.Errorf("the agent got %s", got[len(got)-1])
	}
	if page := d.page(); !strings.Contains(page, `value="Ann"`) || strings.Contains(page, "secret") ||
		!strings.Contains(page, `value="old"`) {
		t.Errorf("page %s", page)
	}
}

// TestPageOfCatalog: a client that has the catalog of an agent gets its components; a page, which has not, shows their
// words and what is in them, as Markdown that is safe, and buttons for what they do.
func TestPageOfCatalog(t *testing.T) {
	t.Parallel()
	own := *a2ui.Basic(a2ui.V09)
	own.ID, own.Protocol, own.Components = "https://gauges.example/catalog.json", a2ui.V09.Protocol(), maps.Clone(own.Components)
	own.Components["Gauge"] = &a2ui.ComponentDef{Name: "Gauge", Open: true}
	pressed := own.Components["Button"].Props[1] // action
	pressed.Name, pressed.Required = "onTurn", false
	own.Components["Dial"] = &a2ui.ComponentDef{Name: "Dial", Open: true, Props: []a2ui.PropDef{pressed}}
	f := speaks(t, says(fmt.Sprintf(`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":%q}}`, own.ID),
		`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":{"n":42,"city":""}}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[`+
			`{"id":"root","component":"Gauge","title":"Speed <b>","value":{"path":"/n"},"children":["say","city","up","down"],"face":"needle"},`+
			`{"id":"up","component":"Dial","label":"Faster","onTurn":{"event":{"name":"turn","context":{"by":1,"from":{"path":"/n"}}}}},`+
			`{"id":"down","component":"Dial","child":"slower","onTurn":{"event":{"name":"turn","context":{"by":-1}}}},`+
			`{"id":"slower","component":"Text","text":"Slower"},`+
			`{"id":"needle","component":"Text","text":"**now** [see](https://a.example) [no](javascript:alert(1)) <script>"},`+
			`{"id":"say","component":"Text","text":"# Fast"},`+
			`{"id":"city","component":"TextField","label":"City","value":{"path":"/city"}}]}}`))
	d := open(t, fmt.Sprintf(`
agents: [{name: weather, title: Weather, url: %q, version: v0.9, catalog: gauges.json}]
fallback: weather
`, f.URL), nil, &own)
	d.say("begin")
	page := d.page()
	for _, want := range []string{"Speed &lt;b&gt; 42", "<strong>now</strong>", `<a href="https://a.example"`, "&lt;script&gt;",
		`name="/draft/city"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "javascript:") || strings.Contains(page, "Speed <b>") || t.Failed() {
		t.Errorf("page %s", page)
	}
	for _, label := range []string{"Faster", "Slower"} {
		if w := d.post(page, label, 0, nil); w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d %s", label, w.Code, w.Body)
		}
	}
	if got := f.got(); len(got) != 3 || !strings.Contains(got[1], `"context":{"by":1,"from":42}`) ||
		!strings.Contains(got[2], `"context":{"by":-1}`) {
		t.Errorf("the agent got %q", got)
	}
	native := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version=v0.9", "", nil).Body.String()
	if !strings.Contains(native, `"component":"Gauge"`) || !strings.Contains(native, own.ID) {
		t.Errorf("a client that has the catalog is sent %s", native)
	}
	c := client.With(client.Config{Dialect: a2ui.V09, AnyComponent: true, Forgiving: true})
	for line := range strings.Lines(native) {
		if err := c.Feed([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	a, err := c.Click(c.Surfaces()[0], "up")
	if err != nil {
		t.Fatal(err)
	}
	a.Timestamp = "2026-11-27T08:00:00Z"
	b, err := a2ui.AppendClient(nil, a2ui.V09, &a)
	if err != nil {
		t.Fatal(err)
	}
	if w := d.do("POST", "/v1/conversations/"+d.id+"/events", string(b), nil); w.Code != http.StatusOK {
		t.Errorf("a client that has the catalog: %d %s", w.Code, w.Body)
	}
	if got := f.got(); len(got) != 4 || !strings.Contains(got[3], `"context":{"by":1,"from":42}`) {
		t.Errorf("the agent got %q", got)
	}
}
