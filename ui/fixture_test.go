package ui

import (
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// fields is one field of every type, with the rules a type can have.
func fields() []Field {
	options := []Option{{Value: "a", Label: "Option A"}, {Value: "b"}}
	return []Field{
		{Name: "name", Label: "Name", Type: TypeText, Required: true, Help: "As on the <card>", Placeholder: "Ada", Min: "2", Max: "5", Pattern: "^[A-Z]"},
		{Name: "notes", Type: TypeLongText, Max: "20"},
		{Name: "age", Type: TypeNumber, Min: "0", Max: "120.5", Step: "0.5"},
		{Name: "mail", Type: TypeEmail},
		{Name: "site", Type: TypeURL},
		{Name: "day", Type: TypeDate, Min: "2026-01-01", Max: "2026-12-31"},
		{Name: "hour", Type: TypeTime, Min: "08:00", Max: "18:00"},
		{Name: "call", Type: TypeDateTime},
		{Name: "color", Type: TypeChoice, Options: options},
		{Name: "sizes", Type: TypeChoices, Options: options, Default: Strings("a")},
		{Name: "agree", Type: TypeBoolean, Required: true},
		{Name: "level", Type: TypeSlider, Min: "1", Max: "10", Step: "1"},
		{Name: "labels", Type: TypeTags, Max: "3", Clear: true},
		{Name: "scan", Type: TypeUpload, Accept: []string{"image/*"}},
	}
}

func tableNode() *Table {
	return &Table{Rowset{Key: "items", Path: "/draft/items", Label: "Items", Help: "One a row", MinRows: 1, MaxRows: 4,
		Columns: []Field{{Name: "title", Type: TypeText, Required: true}, {Name: "count", Type: TypeNumber},
			{Name: "done", Type: TypeBoolean}}}}
}

func stepsNode() *Steps {
	return &Steps{Rowset: Rowset{Key: "steps", Path: "/draft/steps", Label: "Steps",
		Columns: []Field{{Name: "name", Type: TypeText}}}, Edges: "/draft/edges"}
}

func submitButton(content ...Context) *Button {
	return &Button{Key: "send", Label: "Send", Primary: true, Action: Action{Name: builtin.ActionSubmit, Context: content}}
}

// nodes is one node of every type.
func nodes() []Node {
	list := []Node{
		&Column{Key: "column", Children: Nodes{&Divider{Key: "line"}}},
		&Row{Key: "row", Children: Nodes{&Divider{Key: "line"}}},
		&Card{Key: "card", Children: Nodes{&Divider{Key: "line"}}},
		&Section{Key: "section", Title: "About", Children: Nodes{&Divider{Key: "line"}}},
		&Tabs{Key: "tabs", Tabs: []Tab{{Key: "one", Title: "One", Children: Nodes{}}, {Key: "two", Title: "Two", Children: Nodes{&Divider{Key: "line"}}}}},
		&Tab{Key: "tab", Title: "Tab", Children: Nodes{}},
		&List{Key: "list", Label: "Customers", Columns: []string{"Company"}, Children: Nodes{&Row{Key: "r0",
			Children: Nodes{&Text{Key: "c0", Text: "Acme"}}}}},
		&Divider{Key: "divider"},
		&Heading{Key: "heading", Level: 2, Text: "Risks & more"},
		&Text{Key: "text", Text: "Two\nlines", Path: "/ui_state/hint", Small: true},
		&Image{Key: "image", URL: "https://example.com/a.png", Alt: "A"},
		&Icon{Key: "icon", Name: "check", Label: "Done"},
		&Stat{Key: "stat", Label: "Open", Value: "3", Path: "/ui_state/open", Note: "of 5"},
		&Progress{Key: "progress", Label: "Upload", Percent: 40, Path: "/ui_state/progress"},
		&Notice{Key: "notice", Tone: ToneWarning, Text: "Almost full"},
		&Diagram{Key: "diagram", Label: "The process", Steps: "/draft/steps", Edges: "/draft/edges"},
		&Chart{Key: "chart", Kind: ChartBar, Label: "Sales", Unit: "€", Labels: []string{"May", "June"}, Series: []Series{{Name: "North", Values: []float64{1.5, -2}}}},
		&Foreign{Key: "foreign", ID: "main", Version: "v0.9", Messages: jsonx.OfArray(jsonx.OfObject()), Text: "Sunny"},
	}
	for _, f := range fields() {
		list = append(list, InputFor(PathOf(DraftRoot, f.Name), f))
	}
	return append(list, tableNode(), stepsNode(),
		submitButton(Context{Key: "name", Path: "/draft/name"}, Context{Key: "kind", Value: String("x")}))
}

func everything() *Column { return &Column{Key: "main", Children: nodes()} }

// ops is one op of every type, applicable in this order.
func ops() Ops {
	root := &Column{Key: "main", Children: Nodes{InputFor("/draft/name", Field{Name: "name", Type: TypeText}),
		tableNode()}}
	origin := Origin{Kind: "form", Template: "customer", Version: "1f", Params: Map(Pair{"min", Int(2)})}
	return Ops{
		&Open{Surface: "form:customer", Nonce: "00ff", Origin: origin, Title: "Customer", Root: Nodes{root},
			Draft: Map(Pair{"name", String("Ada")}), UIState: Map(Pair{"progress", Int(10)})},
		&Update{Surface: "form:customer", Root: Nodes{root}},
		&Draft{Surface: "form:customer", Values: []Leaf{{"/draft/name", String("Bo")}, {"/draft/items/r1/title", String("<b>")}}},
		&Patch{Surface: "form:customer", Changes: []PatchOne{
			{Do: PatchSet, Path: "/ui_state/progress", Value: Int(50)},
			{Do: PatchAppend, Path: "/draft/items", Value: Map(Pair{"title", String("new")}), Row: "x1"},
			{Do: PatchInsert, Path: "/draft/items", Before: "r1"},
			{Do: PatchDelete, Path: "/draft/items/r2"}}},
		&Errors{Surface: "form:customer", Errors: []FieldError{{Path: "/draft/name", Code: codeFieldLength, Text: "Name is short."}}},
		&Commit{Form: "customer", Values: Map(Pair{"name", String("Bo")})},
		&Lock{Surface: "form:customer"},
		&Expire{Surface: "form:customer"},
		&Reset{Surface: "form:customer", Nonce: "11ff"},
		&Close{Surface: "form:customer"},
		&Set{Router: Router{LastTool: ToolTable, LastStatus: StatusToolOpen, Cancels: 1, Preferred: "table",
			Checkpoint: &Checkpoint{Tool: ToolTable, Surface: "table:list", Payload: Map(), OpenedAt: noon, Iteration: 1, MaxIterations: 2},
			Pending:    &Pending{Tool: ToolTable, Subject: "risk"},
			OptOut:     OptOut{Tools: []string{ToolMap}, Expires: noon},
			Guardrails: []Guardrail{{ID: "g1", Pattern: "risk", Action: "suppress_tool", Tool: ToolTable, Enabled: true}}}},
		&Say{Role: RoleAssistant, Text: "Here is the form."},
		&Toast{Text: "Saved"},
		&Mark{Surface: "form:customer", Epoch: 2, Print: "9f"},
		&StandIn{Surface: "form:customer", Targets: []string{"v0.8"}},
		&Stamp{Surface: "form:customer", Writes: map[Path]string{"/draft/name": "2026-11-20T12:00:00.000Z:0001:r-1"},
			Actors: map[string]Actor{"r-1": {Last: "2026-11-20T12:00:00.000Z:0001:r-1", By: "p1", Name: "ann"}}},
		&End{},
		&Attend{ID: "a-1", Name: "Anna"},
	}
}

// state is a state that holds every kind of fact: an open surface with every
// node and one that is submitted.
func state() *State {
	s := NewState("0193-conversation")
	root := everything()
	s = mustApply(s, &Open{Surface: "form:all", Nonce: "aa", Title: "All",
		Origin: Origin{Kind: "form", Template: "all"}, Root: Nodes{root}, Draft: BlankDraft(root, Value{})},
		&Open{Surface: "old", Nonce: "bb", Title: "Old", Root: Nodes{&Column{Key: "main", Children: Nodes{}}}})
	s = mustApply(s, &Lock{Surface: "old"}, ops()[4].(*Errors).on("form:all"), ops()[5], ops()[10], ops()[11],
		&Patch{Surface: "form:all", Changes: []PatchOne{{Do: PatchSet, Path: "/draft/name", Value: String("Ada")},
			{Do: PatchSet, Path: "/ui_state/progress", Value: Int(50)}}})
	return s
}

// faulty is a state in which a surface failed, and one was reset.
func faulty() *State {
	root := Nodes{&Column{Key: "main", Children: Nodes{InputFor("/draft/name", Field{Name: "name", Type: TypeText})}}}
	s := mustApply(NewState("0193-conversation"), &Open{Surface: "form:a", Nonce: "aa", Title: "A", Root: root},
		&Open{Surface: "form:b", Nonce: "bb", Title: "B", Root: root})
	return mustApply(s, &Mark{Surface: "form:a", Epoch: 1, Print: "9f"},
		&Mark{Surface: "form:a", Epoch: 1, Print: "9f"}, &Mark{Surface: "form:a", Epoch: 1, Print: FaultReset},
		&Reset{Surface: "form:a", Nonce: "cc"}, &Close{Surface: "form:b", Failed: true})
}

func (e *Errors) on(n Name) *Errors { return &Errors{Surface: n, Errors: e.Errors} }

func frameOf(s *State, ops ...Op) *Frame {
	return &Frame{V: Version, Seq: s.Seq + 1, Event: "e1", At: noon, Ops: ops, Outcome: Outcome{Kind: OutcomeDone}}
}

func mustApply(s *State, ops ...Op) *State {
	next, _, err := Apply(s, frameOf(s, ops...), Limits{})
	if err != nil {
		panic(err)
	}
	return next
}

func frame() *Frame {
	f := frameOf(NewState("x"), ops()[:13]...) // as the first release wrote it
	f.Text, f.Toasts, f.Warnings = "Here is the form.", []string{"Saved"}, []string{"UI_PATH_SEGMENTS: made absolute"}
	f.Outcome = Outcome{Kind: OutcomeAsked, Code: codeFieldLength, Surface: "form:customer", Path: "/draft/name",
		Message: "Please check."}
	f.Changes = []Change{{Surface: "form:customer", Epoch: 2, Kind: ChangedClosed, Rev: 0, Guard: 0,
		Wrote: []Path{"/draft/items/x1/title"}}}
	return f
}

func events() map[string]*Event {
	ctx := jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of("Ada")},
		jsonx.Member{Key: "age", Value: jsonx.OfInt(36)})
	return map[string]*Event{
		"message": {V: 1, ID: "e1", Kind: EventMessage, At: noon, Principal: "p1", Key: "k1", Text: "We have 20 risks."},
		"action": {V: 1, ID: "e2", Kind: EventAction, At: noon, Action: &ActionEvent{Surface: "form:customer#e=1", Name: builtin.ActionSubmit,
			Component: "c#main/send:Button", Timestamp: "2026-11-20T12:00:00Z", Nonce: "00ff", Rev: 3, Context: ctx, Form: true}},
		"files": {V: 1, ID: "e9", Kind: EventAction, At: noon, Action: &ActionEvent{Surface: "form:customer#e=1", Name: builtin.ActionSubmit,
			Component: "c#main/send:Button", Nonce: "00ff", Rev: 3, Context: jsonx.OfObject(), Form: true, Files: []FormFile{
				{Path: "/draft/shot", ID: "u-1", Name: "shot.png", Type: "image/png"},
				{Path: "/draft/film", Name: "film.mov", Code: "HTTP_BODY_TOO_LARGE", Why: "film.mov is too large."},
				{Path: "/draft/import", ID: "u-2", Name: "a.csv", Type: "text/plain", Text: "a;b", Notes: "One sheet."}}}},
		"error": {V: 1, ID: "e3", Kind: EventError, At: noon, Error: &ErrorEvent{Code: "VALIDATION_FAILED", Surface: "form:customer#e=1", Path: "/x", Message: "m", Client: "v0.9"}},
		"answer": {V: 1, ID: "e2/0.answer", Kind: EventAnswer, At: noon, Answer: &AnswerEvent{Action: "sync", Surface: "form:customer", Code: "WEBHOOK_GIVEN_UP",
			Text: "Welcome.", Toast: "Done.", Errors: []FieldError{{Path: "/draft/name", Code: "FIELD_TAKEN", Text: "Taken."}},
			Directives: jsonx.OfArray(jsonx.OfObject(jsonx.Member{Key: "type", Value: jsonx.Of("ui.close")}))}},
		"draft": {V: 1, ID: "e9", Kind: EventDraft, At: noon, Principal: "p1", Model: jsonx.OfObject(jsonx.Member{
			Key: "form:customer#e=1", Value: jsonx.OfObject()})},
		"shared": {V: 1, ID: "e10", Kind: EventShared, At: noon, Principal: "p1", Shared: &SharedEvent{Surface: "form:customer#e=1",
			Actor: "r-1", Writes: []SharedWrite{{"/draft/name", jsonx.Of("Bo"), "2026-11-20T12:00:00.000Z:0001:r-1"}},
			Before: map[string]string{"r-1": "2026-11-20T11:00:00.000Z:0001:r-1"}}},
		"named":      {V: 1, ID: "e7", Kind: EventMessage, At: noon, Principal: "a-p1", User: "ann", Text: "We have 20 risks."},
		"end":        {V: 1, ID: "e6", Kind: EventEnd, At: noon, Principal: "p1"},
		"expire":     {V: 1, ID: "e7", Kind: EventExpire, At: noon},
		"regenerate": {V: 1, ID: "e8", Kind: EventRegenerate, At: noon, Surface: "form:customer"},
		"cancel":     {V: 1, ID: "e4", Kind: EventCancel, At: noon},
		"preference": {V: 1, ID: "e5", Kind: EventPreference, At: noon, Preference: &Preference{SetRule: &Guardrail{ID: "g1", Pattern: "risk",
			Action: "suppress_tool", Tool: ToolTable, Enabled: true}}},
	}
}
