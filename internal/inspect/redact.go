package inspect

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/ui"
)

// Redactor hides what people and models wrote: values of fields, messages, answers. Each is
// replaced by as many dots and a mark that is the same for the same text, so that what
// depends on equality goes on as it was. Names, kinds, numbers of rows and codes stay, and so do
// the texts of the application, also of views that it builds.
type Redactor struct {
	Key    []byte         // random, and then forgotten: marks say nothing without it
	Keep   []string       // names of fields and columns whose values stay
	Hidden map[string]int // numbers of hidden values, by the name of their field; "words" for other texts
}

// words are the fields of records that hold texts of people and models, by type and field.
var words = map[string]bool{
	"Say.Text": true, "Toast.Text": true, "Entry.Text": true, "Frame.Text": true, "Frame.Toasts": true,
	"State.Toasts": true, "Event.Text": true, "AnswerEvent.Text": true, "AnswerEvent.Toast": true,
	"ErrorEvent.Message": true, "Outcome.Message": true, "Outcome.Detail": true, "FieldError.Text": true,
	"Guardrail.Pattern": true, "Pending.Subject": true, "FormFile.Name": true, "FormFile.Text": true,
	"FormFile.Notes": true, "FormFile.Why": true, "Note.Text": true, "Note.Args": true, "Note.Error": true,
	"Asked.Text": true, "Reply.Text": true, "Call.Arguments": true, "Result.Text": true, "Result.Toast": true,
	"ClientCall.Arguments": true, "Repair.Answer": true, "Repair.Asked": true, "Error.Message": true,
	"Said.Text": true, "Said.Reason": true, "Said.Prompt": true, "Answer.Title": true, "Answer.Steps": true,
	"Answer.SummaryPrompt": true, "Foreign.Text": true, "Actor.Name": true, "Operator.Name": true,
	"Attend.Name": true,
}

// nonces are replaced by others, the same for the same; dropped fields go.
var (
	nonces = map[string]bool{"Open.Nonce": true, "Reset.Nonce": true, "Surface.Nonce": true, "Operator.ID": true,
		"Attend.ID": true}
	dropped = map[string]bool{"Rebuild.Principal": true, "RecordRef.Owner": true, "Actor.By": true}
	// names of persons where no agents are listed, else of agents
	sayers = map[string]bool{"Say.By": true, "Entry.By": true}
	// parameters that opened a surface: hidden, and not counted, as many are the application's
	settings = map[string]bool{"Origin.Params": true, "Checkpoint.Payload": true}
)

// hide replaces the values in a decoded record, in place.
func (r *Redactor) hide(record any) {
	if r.Hidden == nil {
		r.Hidden = map[string]int{}
	}
	r.walk(reflect.ValueOf(record).Elem(), "")
}

var (
	typeValue = reflect.TypeFor[ui.Value]()
	typeJSON  = reflect.TypeFor[jsonx.Value]()
	typeRaw   = reflect.TypeFor[json.RawMessage]()
)

// walk goes through a record; key is the name of the field that a value belongs to.
func (r *Redactor) walk(v reflect.Value, key string) {
	switch v.Type() {
	case typeValue:
		v.Set(reflect.ValueOf(r.value(v.Interface().(ui.Value), key)))
		return
	case typeJSON:
		v.Set(reflect.ValueOf(r.json(v.Interface().(jsonx.Value), key)))
		return
	case typeRaw:
		v.SetBytes(r.raw(v.Bytes(), key))
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Type() != reflect.TypeFor[error]() {
			r.walk(v.Elem(), key)
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i), key)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			one := reflect.New(v.Type().Elem()).Elem() // values in a map cannot be set
			one.Set(v.MapIndex(k))
			r.walk(one, key)
			v.SetMapIndex(k, one)
		}
	case reflect.Struct:
		r.fields(v, key)
	}
}

func (r *Redactor) fields(v reflect.Value, key string) {
	if at := v.FieldByName("Path"); at.IsValid() && at.Kind() == reflect.String { // a value at a path
		key = lastOf(at.String())
	}
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name
		switch {
		case !v.Type().Field(i).IsExported():
		case name == "Frame.Warnings":
			for j := range f.Len() {
				code, _, _ := strings.Cut(f.Index(j).String(), ":")
				f.Index(j).SetString(code)
			}
		case words[name], sayers[name] && v.FieldByName("Agents").Len() == 0:
			r.words(f)
		case name == "Outcome.Value":
			f.SetString(string(r.raw([]byte(f.String()), "value")))
		case nonces[name]:
			if f.String() != "" {
				f.SetString(hex.EncodeToString(r.sum(f.String())[:16]))
			}
		case dropped[name]:
			f.SetZero()
		case settings[name]:
			counted := r.Hidden
			r.Hidden = map[string]int{}
			r.walk(f, key)
			r.Hidden = counted
		default:
			r.walk(f, key)
		}
	}
}

// lastOf is the last name of a path.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func (r *Redactor) words(f reflect.Value) {
	if f.Kind() == reflect.Slice {
		for i := range f.Len() {
			r.words(f.Index(i))
		}
		return
	}
	f.SetString(r.text(f.String(), "words"))
}

// raw hides the values in JSON; other bytes go.
func (r *Redactor) raw(b []byte, key string) []byte {
	v, err := jsonx.Parse(b, stored)
	if err != nil {
		return nil
	}
	return jsonx.Append(nil, r.json(v, key))
}

// value is a value with the same shape, unless its name is kept.
func (r *Redactor) value(v ui.Value, key string) ui.Value {
	if slices.Contains(r.Keep, key) {
		return v
	}
	switch v.Kind() {
	case ui.StringValue:
		return ui.String(r.text(v.Text(), key))
	case ui.NumberValue:
		r.Hidden[key]++
		return ui.Int(int64(r.mark(v.Text())[0]))
	case ui.StringsValue:
		list := v.List()
		for i := range list {
			list[i] = r.text(list[i], key)
		}
		return ui.Strings(list...)
	case ui.MapValue:
		var pairs []ui.Pair
		for _, p := range v.Pairs() {
			pairs = append(pairs, ui.Pair{Key: p.Key, Value: r.value(p.Value, p.Key)})
		}
		return ui.Map(pairs...)
	case ui.RowsValue:
		rows := slices.Clone(v.Records())
		for i := range rows {
			rows[i].Cells = r.value(rows[i].Cells, key)
		}
		return ui.Rows(rows...)
	}
	return v
}

func (r *Redactor) json(v jsonx.Value, key string) jsonx.Value {
	if slices.Contains(r.Keep, key) {
		return v
	}
	switch v.Kind {
	case jsonx.String:
		return jsonx.Of(r.text(v.Str, key))
	case jsonx.Number:
		r.Hidden[key]++
		v.Str = "0"
	case jsonx.Array:
		v.Items = slices.Clone(v.Items)
		for i := range v.Items {
			v.Items[i] = r.json(v.Items[i], key)
		}
	case jsonx.Object:
		v.Members = slices.Clone(v.Members)
		for i, m := range v.Members {
			v.Members[i].Value = r.json(m.Value, m.Key)
		}
	}
	return v
}

// maxDots bounds the dots in place of a text.
const maxDots = 24

func (r *Redactor) text(s, key string) string {
	if s == "" {
		return ""
	}
	r.Hidden[key]++
	return strings.Repeat("•", min(utf8.RuneCountInString(s), maxDots)) + hex.EncodeToString(r.mark(s))
}

// markBytes is the length of a mark.
const markBytes = 2

// mark is the same for the same text.
func (r *Redactor) mark(s string) []byte { return r.sum(s)[:markBytes] }

// isHidden reports whether s replaces a text: dots and a mark.
func isHidden(s string) bool {
	mark := strings.TrimLeft(s, "•")
	_, err := hex.DecodeString(mark)
	return len(mark) < len(s) && len(mark) == hex.EncodedLen(markBytes) && err == nil
}

func (r *Redactor) sum(s string) []byte {
	h := hmac.New(sha256.New, r.Key)
	h.Write([]byte(s))
	return h.Sum(nil)
}

// redacted returns a stored record without the values that r hides. If r is nil, it returns
// the record as stored.
func redacted[T any](r *Redactor, b []byte, decode func([]byte) (*T, error)) (json.RawMessage, error) {
	v, err := decode(b)
	if err != nil || r == nil {
		return b, err
	}
	r.hide(v)
	return ui.Encode(v)
}

// trace returns a trace without the sender of the event and without the hashes, since they
// cover values that are hidden now.
func (r *Redactor) trace(b []byte) (json.RawMessage, error) {
	if r == nil {
		return b, nil
	}
	t, err := turntrace.DecodeTurn(b)
	if err != nil {
		return nil, err
	}
	t.By, t.Frame, t.Snapshot, t.Sum, t.Drawings = "", "", "", "", nil
	return json.Marshal(t)
}

func (r *Redactor) note(b []byte) (json.RawMessage, error) {
	if r == nil {
		return b, nil
	}
	var n journal.Note
	if err := json.Unmarshal(b, &n); err != nil {
		return nil, err
	}
	r.hide(&n)
	return json.Marshal(n)
}
