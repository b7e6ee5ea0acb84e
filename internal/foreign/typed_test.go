package foreign_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
)

// TestSentData: of the data that a client sends, what can be typed counts, and what is on no screen. What is only drawn
// stays as it is: the client may have sent it before it saw what the agent wrote last.
func TestSentData(t *testing.T) {
	t.Parallel()
	const surface = `{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":%s,"sendDataModel":true}}`
	const basic = `"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"`
	const parts = `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
		`{"id":"root","component":"Column","children":["n","m","city","rows"]},` +
		`{"id":"n","component":"Text","text":{"path":"/now/n"}},` +
		`{"id":"m","component":"Text","text":{"path":"/now/m"}},` +
		`{"id":"city","component":"TextField","label":"City","value":{"path":"/form/city"}},` +
		`{"id":"rows","component":"List","children":{"path":"/rows","componentId":"row"}},` +
		`{"id":"row","component":"Row","children":["name","price"]},` +
		`{"id":"name","component":"TextField","label":"Name","value":{"path":"name"}},` +
		`{"id":"price","component":"Text","text":{"path":"price"}}]}}`
	const data = `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":` +
		`{"now":{"n":1},"form":{"city":""},"rows":[{"name":"a","price":1}],"id":7}}}`
	const own = `{"now":{"n":1},"form":{"city":""},"rows":[{"name":"a","price":1}],"id":7}`
	for _, c := range []struct{ title, catalog, sent, want string }{
		{"what is typed", basic, `{"now":{"n":1},"form":{"city":"Oslo"},"rows":[{"name":"b","price":1}],"id":7}`,
			`{"now":{"n":1},"form":{"city":"Oslo"},"rows":[{"name":"b","price":1}],"id":7}`},
		{"before a write", basic, `{"now":{"n":0},"form":{"city":"Oslo"},"rows":[{"name":"b","price":0}],"id":7}`,
			`{"now":{"n":1},"form":{"city":"Oslo"},"rows":[{"name":"b","price":1}],"id":7}`},
		{"before it was written at all", basic, `{"form":{"city":"Oslo"}}`,
			`{"now":{"n":1},"form":{"city":"Oslo"},"rows":[{"name":"a","price":1}],"id":7}`},
		{"before something was deleted", basic,
			`{"now":{"n":1,"m":3},"form":{"city":"x"},"rows":[{"name":"a"},{"name":"b"}],"id":7}`,
			`{"now":{"n":1},"form":{"city":"x"},"rows":[{"name":"a","price":1}],"id":7}`},
		{"on no screen", basic,
			`{"now":{"n":1},"form":{"city":"","rev":4},"rows":[{"name":"a","price":1}],"id":8,"more":[1]}`,
			`{"now":{"n":1},"form":{"city":"","rev":4},"rows":[{"name":"a","price":1}],"id":8,"more":[1]}`},
		{"in place of an object", basic, `{"now":3,"form":{"city":{"a":1}},"rows":4}`,
			`{"now":{"n":1},"form":{"city":{"a":1}},"rows":[{"name":"a","price":1}],"id":7}`},
		{"nothing", basic, `{}`, own},
		{"of a catalog whose components may write anywhere", `"https://own.example/c"`, `{"now":{"n":0},"rows":[]}`,
			`{"now":{"n":0},"rows":[]}`},
	} {
		var msgs []a2ui.Message
		for _, raw := range []string{fmt.Sprintf(surface, c.catalog), parts, data} {
			m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			msgs = append(msgs, m)
		}
		sent, err := a2ui.ParseData([]byte(c.sent))
		if err != nil {
			t.Fatal(err)
		}
		got := string(jsonx.Append(nil, folded(t, a2ui.V09, msgs).Sent(sent)))
		if got != c.want {
			t.Errorf("%s: %s\nis %s\nwant %s", c.title, c.sent, got, c.want)
		}
	}
}

// TestSentWhole: what a button sends counts as drawn, with all that is within, besides what can be typed in it. A list
// draws its rows, and not all that they have.
func TestSentWhole(t *testing.T) {
	t.Parallel()
	const head = `{"version":"v0.9","createSurface":{"surfaceId":"main","sendDataModel":true,"catalogId":` +
		`"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`
	const parts = `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
		`{"id":"root","component":"Column","children":["qty","go","rows"]},` +
		`{"id":"qty","component":"TextField","label":"How many","value":{"path":"/order/qty"}},` +
		`{"id":"go","component":"Button","child":"l","action":{"event":{"name":"go","context":%s}}},` +
		`{"id":"l","component":"Text","text":"Go"},` +
		`{"id":"rows","component":"List","children":{"path":"/order/rows","componentId":"row"}},` +
		`{"id":"row","component":"TextField","label":"Name","value":{"path":"name"}}]}}`
	const data = `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":` +
		`{"order":{"qty":1,"price":12,"to":{"zip":1},"rows":[{"name":"a","rev":2}]}}}}`
	const sent = `{"order":{"qty":2,"price":10,"to":{"zip":0,"x":1},"rows":[{"name":"b","rev":1}],"old":1}}`
	for context, want := range map[string]string{
		`{"order":{"path":"/order"}}`: `{"order":{"qty":2,"price":12,"to":{"zip":1},"rows":[{"name":"b","rev":2}]}}`,
		`{"zip":{"path":"/order/to"}}`: `{"order":{"qty":2,"price":10,"to":{"zip":1},"rows":[{"name":"b","rev":1}],` +
			`"old":1}}`,
		`{}`: sent,
	} {
		var msgs []a2ui.Message
		for _, raw := range []string{head, fmt.Sprintf(parts, context), data} {
			msgs = append(msgs, limntest.Must(a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))))
		}
		got := folded(t, a2ui.V09, msgs).Sent(limntest.Must(a2ui.ParseData([]byte(sent))))
		if is := string(jsonx.Append(nil, got)); is != want {
			t.Errorf("%s:\nis %s\nwant %s", context, is, want)
		}
	}
}

// TestSentRows: what is typed in a row of a list counts in that row, though its agent has moved the rows before it was
// sent. Where another row moved, what was typed in one that is not found any more is left out.
func TestSentRows(t *testing.T) {
	t.Parallel()
	const head = `{"version":"v0.9","createSurface":{"surfaceId":"main","sendDataModel":true,"catalogId":` +
		`"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`
	const parts = `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
		`{"id":"root","component":"List","children":{"path":"/rows","componentId":"row"}},` +
		`{"id":"row","component":"Row","children":["name","count","go"]},` +
		`{"id":"go","component":"Button","child":"l","action":{"event":{"name":"go","context":{"id":{"path":"id"}}}}},` +
		`{"id":"l","component":"Text","text":"Go"},` +
		`{"id":"name","component":"Text","text":{"path":"name"}},` +
		`{"id":"count","component":"TextField","label":"How many","value":{"path":"n"}}]}}`
	rows := func(list string) (out a2ui.Data) { // "A1 B" are A with 1 typed, and B, with the ids a and b
		for _, row := range strings.Fields(list) {
			one := jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(row[:1])},
				jsonx.Member{Key: "id", Value: jsonx.Of(strings.ToLower(row[:1]))})
			if typed := row[1:]; typed != "" { // other order
				one.Members = []jsonx.Member{{Key: "n", Value: jsonx.Of(typed)}, one.Members[1], one.Members[0]}
			}
			out.Items = append(out.Items, one)
		}
		return jsonx.OfObject(jsonx.Member{Key: "rows", Value: jsonx.OfArray(out.Items...)})
	}
	for _, c := range []struct{ title, is, sent, want string }{
		{"at their places", "A B", "A1 B2", "A1 B2"},
		{"sorted", "A B C", "C3 B A1", "A1 B C3"},
		{"one before them", "N A B", "A1 B2", "N A1 B2"},
		{"one after them", "A B N", "A1 B2", "A1 B2 N"},
		{"one deleted", "B C", "A1 B2 C3", "B2 C3"},
		{"one replaced at its place", "X B", "A1 B2", "X1 B2"},
		{"one deleted and one replaced", "B X", "A1 B2 C3", "B2 X"},
		{"alike", "A A A", "A1 A2", "A1 A2 A"},
		{"alike and deleted", "A", "A1 A2", "A1"},
		{"alike and moved", "B A A", "A1 A2 B3", "B3 A1 A2"},
	} {
		msgs := []a2ui.Message{limntest.Must(a2ui.DecodeMessageAs(a2ui.V09, []byte(head))),
			limntest.Must(a2ui.DecodeMessageAs(a2ui.V09, []byte(parts))),
			&a2ui.UpdateData{SurfaceID: "main", Path: "/", Value: rows(c.is)}}
		got, want := folded(t, a2ui.V09, msgs).Sent(rows(c.sent)), rows(c.want)
		if a, b := jsonx.AppendCanonical(nil, got), jsonx.AppendCanonical(nil, want); !bytes.Equal(a, b) {
			t.Errorf("%s: %s of a client where there is %s:\nis %s\nwant %s", c.title, c.sent, c.is, a, b)
		}
	}
}

// TestSentDataIsBounded: the work for the data that a client sends grows as they do.
func TestSentDataIsBounded(t *testing.T) {
	t.Parallel()
	const parts = `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
		`{"id":"root","component":"TextField","label":"City","value":{"path":"/all/city"}}]}}`
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"main","sendDataModel":true,"catalogId":` +
		`"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`
	all := jsonx.OfObject()
	for i := range 19_000 {
		all.Members = append(all.Members, jsonx.Member{Key: fmt.Sprint("key", i), Value: jsonx.OfInt(int64(i))})
	}
	data := jsonx.OfObject(jsonx.Member{Key: "all", Value: all})
	var msgs []a2ui.Message
	for _, raw := range []string{create, parts} {
		msgs = append(msgs, limntest.Must(a2ui.DecodeMessageAs(a2ui.V09, []byte(raw))))
	}
	msgs = append(msgs, &a2ui.UpdateData{SurfaceID: "main", Path: "/", Value: data})
	s, began := folded(t, a2ui.V09, msgs), time.Now()
	if got := s.Sent(data); !jsonx.Equal(got, data) {
		t.Error("the data are others")
	}
	if d := time.Since(began); d > time.Second {
		t.Errorf("it took %v", d)
	}
}
