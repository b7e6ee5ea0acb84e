package limn_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/backup"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/capture/sheet"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/internal/transport/filetype"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// cost is what one decoder may spend on one of its worst inputs; docs/security.md has
// the most for each decoder. The bounds have a margin of five or more.
type cost struct {
	decoder, input string
	mib            int           // resident memory above that of the input, at most
	cpu            time.Duration // user and system time, at most
	make           func() []byte
	run            func([]byte)
}

const (
	body  = 1 << 20 // ingress.Limits.Bytes
	file  = 8 << 20 // web.Config.MaxUpload
	paste = worksheet.MaxPaste
)

// fill repeats a piece up to a size.
func fill(piece string, size int) func() []byte {
	return func() []byte { return bytes.Repeat([]byte(piece), size/len(piece)) }
}

// within puts a filling between a head and a tail, as large as size together.
func within(head, piece, tail string, size int) func() []byte {
	return func() []byte {
		b := make([]byte, 0, size)
		b = append(b, head...)
		for len(b)+len(piece)+len(tail) <= size {
			b = append(b, piece...)
		}
		return append(b, tail...)
	}
}

// numbered makes a piece for each number until size is full.
func numbered(head, format, tail string, size int) func() []byte {
	return func() []byte {
		b := make([]byte, 0, size)
		b = append(b, head...)
		for i := 0; len(b)+len(format)+12+len(tail) <= size; i++ {
			b = fmt.Appendf(b, format, i)
		}
		return append(b, tail...)
	}
}

// workbookOf packs a workbook of one sheet; shared is written piece by piece.
func workbookOf(sheetData string, shared ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name string, pieces ...string) {
		p, err := w.Create(name)
		for _, piece := range pieces {
			if err == nil {
				_, err = io.WriteString(p, piece)
			}
		}
		if err != nil {
			panic(err)
		}
	}
	rel := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="x/` + kind + `" Target="` + target + `"/>`
	}
	add("_rels/.rels", "<r>", rel("r1", "officeDocument", "xl/workbook.xml"), "</r>")
	add("xl/workbook.xml", `<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", "<r>", rel("r1", "worksheet", "s.xml"), rel("r2", "sharedStrings", "t.xml"),
		"</r>")
	add("xl/s.xml", "<worksheet><sheetData>", sheetData, "</sheetData></worksheet>")
	add("xl/t.xml", shared...)
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func pieces(head, piece string, n int, tail string) []string {
	out := make([]string, 0, n+2)
	out = append(out, head)
	for range n {
		out = append(out, piece)
	}
	return append(out, tail)
}

func readSheet(name string) func([]byte) {
	return func(b []byte) {
		text, _, err := sheet.Text(sheet.File{Name: name, Data: b}, sheet.Limits{Text: worksheet.MaxPaste})
		if len(text) > worksheet.MaxPaste || err == nil && text == "" {
			panic("more text than was asked for, or nothing said")
		}
	}
}

var columns = []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText},
	{Name: "role", Label: "Role", Type: ui.TypeText},
	{Name: "due", Label: "Due", Type: ui.TypeDate}, {Name: "cost", Label: "Cost", Type: ui.TypeNumber}}

func readTable(b []byte)   { capture.Table(string(b), columns) }
func readProcess(b []byte) { capture.Process(string(b)) }

func readModel(b []byte) {
	reg, err := directive.New()
	if err != nil {
		panic(err)
	}
	_, _ = reg.Read(string(b))
}

func readA2UI(b []byte) {
	_, _ = a2ui.ParseText(a2ui.ParserOptions{Rules: a2ui.Rules{Dialect: a2ui.V09}}, b)
}

func readLines(b []byte) {
	for range a2ui.ReadLines(bytes.NewReader(b), a2ui.Limits{}) {
	}
}

func decodeEnvelope(b []byte) { _, _ = ingress.DecodeEnvelope(b, ingress.Limits{}) }
func typeOf(b []byte)         { filetype.Of(b) }
func parseJSON(b []byte)      { _, _ = jsonx.Parse(b, jsonx.Limits{Bytes: 4 << 20}) }
func loadApp(b []byte)        { _, _ = app.Load("app.yaml", b) }

// rules decides on a message with the costliest rules that can be saved.
func rules(b []byte) {
	var list []ui.Guardrail
	for i := range route.MaxGuardrails {
		g := ui.Guardrail{Pattern: fmt.Sprintf("(?:[a-y]?[^z]){95}%dz", i), Action: route.ForceTool, Tool: ui.ToolMap,
			Enabled: true}
		next, _, err := route.SetRule(list, g, time.Time{})
		if err != nil {
			break
		}
		list = next
	}
	route.Decide(string(b), ui.Router{Guardrails: list}, route.Prefs{}, time.Time{})
}

// postedForm reads a form as net/http does, which takes 10,000 inputs.
func postedForm(b []byte) {
	if values, err := url.ParseQuery(string(b)); err == nil {
		_, _ = ingress.DecodeForm(values, ingress.Limits{})
	}
}

func costs() []cost {
	s, ms := time.Second, time.Millisecond
	reply := `{"action":{"name":"a","surfaceId":"form:a#e=1","context":{"x":`
	return []cost{
		{"workbook", "60 cells of one string of 20 MiB", 32, s, func() []byte {
			return workbookOf(strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 60), pieces("<sst><si><t>", strings.Repeat("x", 1<<20), 20, "</t></si></sst>")...)
		}, readSheet("a.xlsx")},
		{"workbook", "20,000 cells of one string of 32,767 characters", 64, 2 * s, func() []byte {
			return workbookOf(strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 20_000), "<sst><si><t>", strings.Repeat("x", 32_767), "</t></si></sst>")
		}, readSheet("a.xlsx")},
		{"workbook", "12 million strings nobody names", 64, 15 * s, func() []byte {
			return workbookOf(`<row><c t="s"><v>0</v></c></row>`, pieces("<sst>", strings.Repeat("<si/>", 1<<16), 190, "</sst>")...)
		}, readSheet("a.xlsx")},
		{"workbook", "400,000 cells", 384, 15 * s, func() []byte {
			return workbookOf(strings.Repeat("<row>"+strings.Repeat("<c><v>1</v></c>", 20)+"</row>", 20_000))
		}, readSheet("a.xlsx")},
		{"workbook", "an attribute of 20 MiB", 32, s, func() []byte {
			return workbookOf(`<row a="` + strings.Repeat("x", 20<<20) + `"/>`)
		}, readSheet("a.xlsx")},
		{"workbook", "a million elements in one another", 32, s, func() []byte {
			return workbookOf(strings.Repeat("<x>", 1<<20))
		}, readSheet("a.xlsx")},
		{"CSV", "8 MiB of commas", 32, s, fill(",", file), readSheet("a.csv")},
		{"CSV", "512 KiB of commas", 32, s, fill(",", paste-16), readSheet("a.csv")},
		{"CSV", "512 KiB of quotes", 32, s, fill(`"`, paste-16), readSheet("a.csv")},
		{"CSV", "512 KiB of short lines", 32, s, fill("a\n", paste-16), readSheet("a.csv")},
		{"file type", "8 MiB of empty lists", 32, s, within("[", "[],", "[]]", file), typeOf},
		{"file type", "8 MiB of brackets", 32, s, fill("[", file), typeOf},
		{"file type", "8 MiB of comments", 32, s, fill("<!---->", file), typeOf},
		{"pasted table", "512 KiB of commas", 400, 5 * s, fill(",", paste), readTable},
		{"pasted table", "512 KiB of commas after sep=", 400, 5 * s, within("sep=,\n", ",", "", paste), readTable},
		{"pasted table", "512 KiB of tabs", 400, 5 * s, fill("\t", paste), readTable},
		{"pasted table", "512 KiB of pipes", 400, 5 * s, within("|a|\n|-|\n", "|", "", paste), readTable},
		{"pasted table", "512 KiB of rows", 400, 10 * s, fill("a,b\n", paste), readTable},
		{"pasted table", "512 KiB of bullets", 400, 10 * s, fill("- a\n", paste), readTable},
		{"pasted table", "512 KiB of labels", 400, 10 * s, fill("Name: a\n", paste), readTable},
		{"pasted table", "512 KiB of quotes", 400, 5 * s, fill(`"`, paste), readTable},
		{"pasted process", "512 KiB of arrows", 400, 10 * s, fill("a -> ", paste), readProcess},
		{"pasted process", "512 KiB of different steps", 400, 10 * s, numbered("", "s%d -> ", "x", paste), readProcess},
		{"pasted process", "512 KiB of sentences", 400, 10 * s, fill("if a then b. ", paste), readProcess},
		{"posted JSON", "1 MiB of brackets", 16, 500 * ms, fill("[", body), decodeEnvelope},
		{"posted JSON", "1 MiB of empty lists", 64, s, within(reply+"[", "[],", "[]]}}}", body), decodeEnvelope},
		{"posted JSON", "1 MiB of different keys", 64, s, numbered(reply+"{", `"%d":0,`, `"x":0}}}}`, body), decodeEnvelope},
		{"posted JSON", "1 MiB of escapes", 32, s, within(reply+`"`, `\u00e9`, `"}}}`, body), decodeEnvelope},
		{"posted form", "3 MiB of different inputs", 64, 2 * s, numbered("limn_surface=form:a", "&%d=", "", 3*body), postedForm},
		{"posted form", "9,999 inputs of 300 bytes", 64, 2 * s, numbered("limn_surface=form:a%%23e=1", "&%d="+strings.Repeat("x", 300), "", 9_999*304), postedForm},
		{"WebSocket frame", "1 MiB of different keys", 64, s, numbered(`{"ref":"r","message":{`, `"%d":0,`, `"x":0}}`, body), func(b []byte) { _, _, _ = ingress.DecodeSocket(b, ingress.Limits{}) }},
		{"rule", "256 bytes of x{1000}", 32, s, fill("x{1000}", 252), func(b []byte) {
			_ = route.CheckGuardrail(ui.Guardrail{Pattern: string(b), Action: route.ForceTool, Tool: ui.ToolMap}, 0)
		}},
		{"message", "8 KiB against the costliest rules", 64, 2 * s, within("", "a", "0z1z2z3z4z5z", 8<<10), rules},
		{"model text", "64 KiB of brackets", 64, 2 * s, fill("[", 64<<10), readModel},
		{"model text", "64 KiB of open envelopes", 64, 3 * s, fill(`{"directives":[`, 64<<10), readModel},
		{"model text", "64 KiB of fences", 64, 3 * s, fill("```json\n{\n", 64<<10), readModel},
		{"routing answer", "1 MiB of brackets", 16, s, fill("[", body), func(b []byte) { _, _ = route.ParseModel(b) }},
		{"A2UI in model text", "1 MiB of brackets", 128, 5 * s, fill("[", body), readA2UI},
		{"A2UI in model text", "1 MiB of open messages", 256, 10 * s, fill(`{"createSurface":{`, body), readA2UI},
		{"A2UI in model text", "1 MiB of fences", 256, 10 * s, fill("```json\n{}\n```\n", body), readA2UI},
		{"A2UI lines", "64 MiB without a line end", 32, 3 * s, fill("x", 64<<20), readLines},
		{"A2UI from clients", "1 MiB of different keys", 128, 2 * s, numbered(`{"action":{"context":{`, `"%d":0,`, `"x":0}}}`, body), func(b []byte) { _, _, _ = a2ui.DecodeClientMessages(b, a2ui.Limits{}) }},
		{"A2A part", "1 MiB of empty lists", 128, 2 * s, within(`{"kind":"data","data":[`, "[],", "[]]}", body), func(b []byte) { _, _ = a2a.DecodePart(b, a2ui.Limits{}) }},
		{"JSON of webhooks, MCP and models", "4 MiB of empty lists", 256, 3 * s, within("[", "[],", "[]]", 4<<20), parseJSON},
		{"schema of a tool", "64 KiB of nested schemas", 128, 5 * s, within(`{"type":"object","properties":{"a":`, `{"items":`, strings.Repeat("}", 5_900), 64<<10), func(b []byte) { _, _ = schema.CompileObject(b) }},
		{"schema of a tool", "64 KiB of patterns", 384, 5 * s, numbered(`{"type":"object","properties":{`, `"%d":{"pattern":"(x{30}){30}"},`, `"x":{}}}`, 64<<10), func(b []byte) { _, _ = schema.CompileObject(b) }},
		{"application file", "1 MiB of brackets", 128, 5 * s, fill("[", body), loadApp},
		{"application file", "aliases of aliases", 128, 5 * s, func() []byte {
			out := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
			for i := 1; i < 12; i++ {
				out += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 8), i-1)
			}
			return []byte(out)
		}, loadApp},
		{"application file", "1 MiB of keys", 512, 10 * s, numbered("", "k%d: 0\n", "", body), loadApp},
		{"backup", "256 MiB without a line end, packed", 32, 10 * s, func() []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			zeros := bytes.Repeat([]byte("x"), 1<<20)
			for range 256 {
				w.Write(zeros) //nolint:errcheck // into memory
			}
			w.Close() //nolint:errcheck // into memory
			return b.Bytes()
		}, func(b []byte) { _, _ = backup.Read(bytes.NewReader(b), backup.Sink{}) }},
	}
}

// TestDecoders gives every decoder of outside bytes the worst input of its size that
// is known, each in a process of its own, and holds what that took against the table
// of docs/security.md. With -v it prints the table.
func TestDecoders(t *testing.T) {
	rows := costs()
	if n, err := strconv.Atoi(os.Getenv("LIMN_DECODER")); err == nil {
		in, err := os.ReadFile(os.Getenv("LIMN_DECODER_INPUT"))
		if err != nil {
			t.Fatal(err)
		}
		peak, spent := usage(t)
		rows[n].run(in)
		after, cpu := usage(t)
		fmt.Printf("cost %d %d\n", after-peak, cpu-spent)
		return
	}
	if testing.Short() {
		t.Skip("one process a row: run without -short")
	}
	doc, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]cost{} // of a decoder, over its inputs
	input := filepath.Join(t.TempDir(), "input")
	for n, row := range rows {
		in := row.make()
		if err := os.WriteFile(input, in, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDecoders$")
		cmd.Env = append(os.Environ(), "LIMN_DECODER="+strconv.Itoa(n), "LIMN_DECODER_INPUT="+input)
		out, err := cmd.CombinedOutput()
		var kib int
		var cpu time.Duration
		if _, scan := fmt.Sscanf(string(out), "cost %d %d", &kib, &cpu); err != nil || scan != nil {
			t.Errorf("%s, %s: %v\n%.2000s", row.decoder, row.input, err, out)
			continue
		}
		mib := (kib + 1023) >> 10
		t.Logf("| %s | %s | %s | %d | %.2f | %d | %.1f |", row.decoder, row.input, ui.Size(int64(len(in))), mib,
			cpu.Seconds(), row.mib, row.cpu.Seconds())
		if mib > row.mib || cpu > row.cpu {
			t.Errorf("%s, %s: %d MiB and %v, at most %d MiB and %v", row.decoder, row.input, mib, cpu, row.mib, row.cpu)
		}
		most[row.decoder] = cost{mib: max(most[row.decoder].mib, row.mib), cpu: max(most[row.decoder].cpu, row.cpu)}
	}
	for decoder, m := range most {
		line := fmt.Sprintf("\n| %s | %d | %.1f |\n", decoder, m.mib, m.cpu.Seconds())
		if !strings.Contains(string(doc), line) {
			t.Errorf("docs/security.md lacks the row%s", line)
		}
	}
}

// usage returns the most memory this process has had, in KiB, and the processor time
// it has used. The memory is that of the address space: ru_maxrss begins with what the
// parent had.
func usage(t *testing.T) (kib int64, cpu time.Duration) {
	t.Helper()
	var u syscall.Rusage
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	}
	_, after, found := strings.Cut(string(status), "VmHWM:")
	if _, scan := fmt.Sscan(after, &kib); err != nil || scan != nil || !found {
		t.Fatal(err, scan)
	}
	return kib, time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
