package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/llm"
)

// TestTasks: each answer is what a model under the schema of the demo app may
// write, and it comes to messages (draw panics where anything is dropped, bent
// or not valid).
func TestTasks(t *testing.T) {
	t.Parallel()
	a, err := desk.App()
	must(err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(a.Registry().Schema())))
	must(err)
	c := jsonschema.NewCompiler()
	must(c.AddResource("envelope", doc))
	schema, err := c.Compile("envelope")
	must(err)
	if len(tasks) != 20 {
		t.Errorf("%d tasks", len(tasks))
	}
	for _, task := range tasks {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(task.answer))
		must(err)
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", task.name, err)
		}
		if len(draw(a, task)) == 0 {
			t.Errorf("%s shows nothing", task.name)
		}
	}
}

// TestBare: what is taken away before counting is what a model need not write,
// and all that hangs together still does.
func TestBare(t *testing.T) {
	t.Parallel()
	in := `{"updateComponents":{"surfaceId":"form:a#e=1","components":[{"id":"c#x:Row","component":"Row",` +
		`"justify":"start","align":"center","children":["c#y:Button"]},{"id":"c#y:Button","component":"Button",` +
		`"variant":"primary","action":{"event":{"name":"limn.submit","context":{"a":{"path":"/draft/a"},` +
		`"limn_nonce":"00","limn_rev":{"path":"/ui_state/rev"}}}}}]}}`
	want := `{"updateComponents":{"surfaceId":"c0","components":[{"id":"c1","component":"Row","align":"center",` +
		`"children":["c2"]},{"id":"c2","component":"Button","variant":"primary",` +
		`"action":{"event":{"name":"limn.submit","context":{"a":{"path":"/draft/a"}}}}}]}}`
	v, err := jsonx.Parse([]byte(in), jsonx.Limits{})
	must(err)
	rev, err := jsonx.Parse([]byte(`{"updateDataModel":{"surfaceId":"form:a#e=1","path":"/ui_state/rev","value":2}}`),
		jsonx.Limits{})
	must(err)
	if got := joined([]jsonx.Value{v, rev}, unmark, prune()); got != want+"\n" {
		t.Error(got)
	}
	if got := joined([]jsonx.Value{v}); got != in+"\n" {
		t.Error("the original was changed: ", got)
	}
}

// TestEstimate: the estimate by which budgets are kept is near what o200k
// counts, for everything that gets into a prompt or comes out of a model.
func TestEstimate(t *testing.T) {
	t.Parallel()
	count := counter()
	least, most, bytes := 10.0, 0.0, 0
	for name, texts := range varied(t) {
		all := 0.0
		for _, text := range texts {
			real := count(text)
			ratio := float64(llm.Tokens(text)) / real
			if ratio < 0.85 || ratio > 2.6 {
				t.Errorf("%s: %d estimated, %.0f counted (%.2f): %.80q", name, llm.Tokens(text), real, ratio, text)
			}
			least, most, bytes, all = min(least, ratio), max(most, ratio), bytes+len(text), all+ratio
		}
		t.Logf("%-10s %4d texts, mean %.2f", name, len(texts), all/float64(len(texts)))
	}
	t.Logf("estimated / counted: %.2f to %.2f in %d kB", least, most, bytes/1000)
}

// piece is the length of the texts judged, about; a shorter one is nobody's budget.
const piece = 2000

// varied is a corpus of what prompts and answers are made of.
func varied(t *testing.T) map[string][]string {
	a, err := desk.App()
	must(err)
	out := map[string][]string{}
	for _, task := range tasks {
		out["envelopes"] = append(out["envelopes"], task.answer)
		out["messages"] = append(out["messages"], pieces(joined(draw(a, task)))...)
	}
	out["prompt"] = pieces(a.Registry().Prompt() + "\n" + string(a.Registry().Schema()))
	for kind, pattern := range map[string]string{"docs": "../docs/*.md", "Go": "../*/*.go"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files[:min(len(files), 80)] {
			b, err := os.ReadFile(file)
			must(err)
			out[kind] = append(out[kind], pieces(string(b))...)
		}
	}
	out["languages"] = languages(t)
	random := rand.NewChaCha8([32]byte{1})
	junk := make([]byte, 1000)
	_, _ = random.Read(junk)
	out["hex"] = pieces(hex.EncodeToString(junk))
	out["base64"] = pieces(base64.StdEncoding.EncodeToString(junk))
	for _, text := range repeated {
		out["repeated"] = append(out["repeated"], strings.Repeat(text, piece/len(text)))
	}
	return out
}

// repeated are scripts and marks that the labelled messages have little of.
var repeated = []string{
	"😀🎉👍🏽 🇧🇷❤️‍🔥 ✅ ", "Great news 🎉 the form is saved ✅ ", "🎉", "👩‍👩‍👧‍👦",
	"ทีมของเรามีผู้จำหน่ายสิบสองรายในสามประเทศ ", "لدينا اثنا عشر موردا في ثلاث دول ونريد تسجيلهم جميعا. ",
	"יש לנו שנים עשר ספקים בשלוש מדינות. ",
	"हमारे पास तीन देशों में बारह आपूर्तिकर्ता हैं। ", "Έχουμε δώδεκα προμηθευτές σε τρεις χώρες. ",
	"У нас двенадцать поставщиков в трёх странах. ",
	"Chúng tôi có mười hai nhà cung cấp ở ba quốc gia. ",
	"Üç ülkede on iki tedarikçimiz var. Toplantı çarşamba günü saat onda başlıyor, lütfen tabloyu doldurun ve " +
		"müşterinin adresini kontrol edin. ",
	"Meillä on kaksitoista toimittajaa kolmessa maassa, ja kaikki sopimukset pitää tarkistaa ennen vuoden loppua. ",
	"Három országban tizenkét beszállítónk van, és mindegyik szerződést ellenőrizni kell az év vége előtt. ",
	"Mamy dwunastu dostawców w trzech krajach i trzeba ich wszystkich wprowadzić do końca roku. ",
	"我们在三个国家有十五个供应商需要登记。", "위험 요소가 열네 개 있습니다. ", "リスクが十二件あります。",
	"8f14e45f-ceea-467f-a0e6-7a1b2c3d4e5f ", "12.50;17,300;2026-11-20T09:00:04Z\n",
	"https://shop.example/a/b?id=42&lang=pt-BR#top ", "| a | b |\n|---|---|\n| 1 | 2 |\n",
	"{{[(<>)]}}", "\t\t\tif x != nil {\n", "ABCDEFGH ", "donaudampfschifffahrtsgesellschaft ",
}

// languages are the labelled messages, if they are there, by language, and what
// this package has itself.
func languages(t *testing.T) []string {
	by := map[string]*strings.Builder{}
	file, err := os.Open("../../shared/eval/router.jsonl")
	if err != nil {
		t.Log("labelled messages are missing, so the languages are those of decide.go:", err)
		return pieces(strings.Join(sentences, "\n"))
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct{ Lang, Message string }
		must(json.Unmarshal(lines.Bytes(), &c))
		if by[c.Lang] == nil {
			by[c.Lang] = &strings.Builder{}
		}
		by[c.Lang].WriteString(c.Message + "\n")
	}
	out := pieces(strings.Join(sentences, "\n"))
	for _, b := range by {
		out = append(out, pieces(b.String())...)
	}
	return out
}

// pieces cuts text into lengths, at runes.
func pieces(text string) (out []string) {
	for len(text) > piece {
		out, text = append(out, strings.ToValidUTF8(text[:piece], "")), text[piece:]
	}
	if text = strings.ToValidUTF8(text, ""); len(text) > piece/4 || len(out) == 0 {
		out = append(out, text)
	}
	return out
}
