package inspect

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// stays are the fields of records that hold names, kinds and ids, or texts of the application.
const stays = `
	Action.Do Action.ID Action.Name ActionEvent.Call ActionEvent.Component ActionEvent.Name ActionEvent.Surface
	ActionEvent.Timestamp ActionEvent.Version Actor.Last Answer.EdgeTypes Answer.RequiredFields Answer.Tool
	AnswerEvent.Action Asked.Offered Call.ID Call.Name Checkpoint.Tool ClientCall.ID ClientCall.Tool Commit.Form
	Context.Key Criteria.Required Directive.Type Entry.Agents Error.Hint Error.Path ErrorEvent.Client ErrorEvent.Code
	ErrorEvent.Path ErrorEvent.Surface Event.Language Event.Run Fault.Print Field.Accept Field.Help Field.Label
	Field.Max Field.Min Field.Name Field.Pattern Field.Placeholder Field.Step Foreign.ID Foreign.Key Foreign.Version
	FormFile.ID FormFile.Type Guardrail.Action Guardrail.Created Guardrail.ID Guardrail.Tool Mark.Print
	Note.By Note.Kind Note.Name OptOut.Once OptOut.Tools Open.Title Option.Label Option.Value Origin.Kind
	Origin.Template Origin.Version Outcome.Hint PatchOne.Before PatchOne.Row Pending.Tool Preference.DropRule
	Preference.Language Preference.Preferred Rebuild.Client RecordRef.ID Router.Agent Router.Language
	Router.LastStatus Router.LastTool Router.Preferred Router.Told Said.Agent Said.Context Said.Icon Said.Protocol
	Said.Title Said.To Said.Version Say.Agents SharedEvent.Actor SharedEvent.Before SharedEvent.Surface
	SharedWrite.Stamp Stamp.Writes Stamped.At StandIn.Targets State.ID Surface.StandIns Surface.Title`

// elsewhere are fields that other code clears or shortens.
const elsewhere = "Event.Principal Event.User Event.Key ActionEvent.Nonce Frame.Warnings Outcome.Value"

// names are types of strings that stay.
var names = []reflect.Type{reflect.TypeFor[ui.Code](), reflect.TypeFor[ui.Name](), reflect.TypeFor[ui.Path](),
	reflect.TypeFor[ui.EventID](), reflect.TypeFor[ui.EventKind](), reflect.TypeFor[ui.ChangeKind](),
	reflect.TypeFor[ui.OutcomeKind](), reflect.TypeFor[ui.Status](), reflect.TypeFor[ui.Role](),
	reflect.TypeFor[ui.PatchVerb](), reflect.TypeFor[ui.FieldType](), reflect.TypeFor[llm.Finish](),
	reflect.TypeFor[route.Action]()}

// Of each text in a record it is decided whether it is hidden, dropped or stays.
func TestEachTextIsDecided(t *testing.T) {
	t.Parallel()
	records := []any{ui.Frame{}, ui.State{}, ui.Event{}, journal.Note{}, ui.Foreign{}}
	ops := []any{ui.Open{}, ui.Update{}, ui.Lock{}, ui.Expire{}, ui.Close{}, ui.Reset{}, ui.Draft{}, ui.Patch{},
		ui.StandIn{}, ui.Errors{}, ui.Commit{}, ui.Set{}, ui.Say{}, ui.Attend{}, ui.Toast{}, ui.Mark{}, ui.End{}, ui.Stamp{}}
	source, err := os.ReadFile("../../ui/op.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "var opTypes = newUnion(")
	if all := regexp.MustCompile(`&(\w+)\{\}`).FindAllString(list, -1); len(all) != len(ops) {
		t.Errorf("there are %d ops: %q", len(all), all)
	}
	texts, seen := map[string]bool{}, map[reflect.Type]bool{}
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, field string) {
		if typ == typeValue || typ == typeJSON || typ == typeRaw || typ.PkgPath() == "time" {
			return
		}
		switch typ.Kind() {
		case reflect.String:
			if !slices.Contains(names, typ) {
				texts[field] = true
			}
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(typ.Elem(), field)
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			for f := range typ.Fields() {
				if f.IsExported() && f.Tag.Get("json") != "-" {
					walk(f.Type, typ.Name()+"."+f.Name)
				}
			}
		}
	}
	for _, record := range slices.Concat(records, ops) {
		walk(reflect.TypeOf(record), "")
	}
	kept := map[string]bool{}
	for _, field := range strings.Fields(stays + " " + elsewhere) {
		kept[field] = true
	}
	for field := range texts {
		hidden := 0
		for _, table := range []map[string]bool{words, nonces, dropped, sayers, settings, kept} {
			if table[field] {
				hidden++
			}
		}
		if hidden != 1 {
			t.Errorf("%s is in %d tables", field, hidden)
		}
	}
	for _, table := range []map[string]bool{words, nonces, dropped, sayers, kept} {
		for field := range table {
			if !texts[field] {
				t.Errorf("no record has a text %s", field)
			}
		}
	}
}

// What agents of a gateway answered stays JSON of the same shape, without their words.
func TestRedactedAnswerOfAnAgent(t *testing.T) {
	t.Parallel()
	note := `{"kind":"reply","reply":{"text":"","agents":[{"agent":"bank","title":"Bank","text":"You owe 4711",
		"messages":[{"beginRendering":{"sum":4711,"to":"Ann"}}],"reason":"no Ann","returned":{"value":"4711"}}]}}`
	b, err := (&Redactor{Key: []byte("k")}).note([]byte(note))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"4711", "Ann"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("the note has %q: %s", secret, b)
		}
	}
	v, err := jsonx.Parse(b, stored)
	if err != nil {
		t.Fatal(err)
	}
	said := v.At("reply").At("agents").Items[0]
	if said.At("agent").Str != "bank" || len(said.At("messages").Items[0].At("beginRendering").Members) != 2 {
		t.Errorf("the note is %s", b)
	}
}
