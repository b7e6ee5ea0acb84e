package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

// program builds the real binary once per test run.
var program = sync.OnceValues(func() (string, error) {
	built = true
	dir, err := os.MkdirTemp("", "limn-test-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "limn")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

var built bool // program was called

// server is one run of the real program.
type server struct {
	cmd  *exec.Cmd
	base string
}

func startServer(t *testing.T, db string, flags ...string) *server {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "serve", "--addr", "127.0.0.1:0", "--store", "sqlite:"+db, "--log", "error")
	cmd.Args = append(cmd.Args, flags...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, base, ok := strings.Cut(strings.TrimSpace(line), " is at ")
	if err != nil || !ok {
		cmd.Process.Kill()
		t.Fatalf("first line %q, %v", line, err)
	}
	go io.Copy(io.Discard, out) // ends with the process
	return &server{cmd, base}
}

// kill ends the process as a power cut would end it for the program.
func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// browser is one of them: a token and a conversation.
type browser struct {
	token, id string
	http      *http.Client
}

func (c *browser) post(base, path, key string, body any) (int, map[string]any, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequest("POST", base+path, bytes.NewReader(b))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=5")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	var out map[string]any
	err = json.NewDecoder(resp.Body).Decode(&out)
	return resp.StatusCode, out, err
}

func (c *browser) get(base, path string, into any) error {
	req, err := http.NewRequest("GET", base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return fmt.Errorf("GET %s: %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

// submit is one submit of the customer form as an A2UI client sends it.
func submit(s *ui.Surface, company string) map[string]any {
	return map[string]any{"version": "v0.9", "action": map[string]any{
		"name": "limn.submit", "surfaceId": s.WireID(), "sourceComponentId": "c#main/buttons/submit:Button", "timestamp": "2026-11-20T09:00:00Z",
		"context": map[string]any{"limn_nonce": s.Nonce, "limn_rev": s.Rev, "company": company}}}
}

// try is one submit and what the client knows of it.
type try struct {
	company, key string
	body         map[string]any
	acked        bool
}

// TestCrash kills the real program amid submits and finds every acknowledged
// one exactly once, and after a retry every other one too.
func TestCrash(t *testing.T) {
	t.Parallel()
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	db := filepath.Join(t.TempDir(), "crash.db")
	const browsers = 4
	clients := make([]*browser, browsers)
	tries := make([][]*try, browsers)
	for round := range rounds {
		s := startServer(t, db)
		if round == 0 {
			for i := range clients {
				clients[i] = &browser{http: &http.Client{Timeout: 20 * time.Second}}
				_, out, err := clients[i].post(s.base, "/v1/conversations", "", nil)
				if err != nil {
					t.Fatal(err)
				}
				clients[i].token, clients[i].id = out["token"].(string), out["id"].(string)
			}
		}
		for i, c := range clients {
			verify(t, s.base, c, tries[i])
		}
		var wg sync.WaitGroup
		for i, c := range clients {
			wg.Add(1)
			go func() {
				defer wg.Done()
				tries[i] = append(tries[i], work(s.base, c, fmt.Sprintf("b%d-r%d", i, round))...)
			}()
		}
		time.Sleep(time.Duration(30+rand.IntN(400)) * time.Millisecond) // the moment of the crash is the random part
		s.kill()
		wg.Wait()
		if t.Failed() {
			return
		}
	}
	s := startServer(t, db)
	defer s.kill()
	total, acked := 0, 0
	for i, c := range clients {
		for _, x := range tries[i] {
			total++
			if x.acked {
				acked++
				continue
			}
			// the same key and body: the first answer, or the first run
			if code, out, err := c.post(s.base, "/v1/conversations/"+c.id+"/events", x.key, x.body); err != nil || code >= 500 {
				t.Errorf("retry of %s: %d %v %v", x.company, code, out, err)
			}
		}
		verify(t, s.base, c, tries[i])
	}
	t.Logf("%d kills, %d submits, %d acknowledged before the kill", rounds, total, acked)
	if acked == 0 {
		t.Error("no submit was acknowledged: the test shows nothing")
	}
}

// TestCrashKeepsTheOpenTool kills the program between the opening of a table and
// its submit: the same surface with the same draft is there again, with one
// checkpoint, and nothing was asked twice (facts R-60).
func TestCrashKeepsTheOpenTool(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real program: run without -short")
	}
	dir := t.TempDir()
	db, told := filepath.Join(dir, "limn.db"), filepath.Join(dir, "told.jsonl")
	srv := startServer(t, db, "--telemetry", told, "--metrics")
	cl := &browser{http: &http.Client{Timeout: 10 * time.Second}}
	post := func(base, path string, body any) map[string]any {
		t.Helper()
		code, out, err := cl.post(base, path, "", body)
		if err != nil || code/100 != 2 {
			t.Fatalf("%s: %d %v %v", path, code, out, err)
		}
		return out
	}
	out := post(srv.base, "/v1/conversations", nil)
	cl.token, cl.id = out["token"].(string), out["id"].(string)
	conversation := "/v1/conversations/" + cl.id
	post(srv.base, conversation+"/messages", map[string]string{"text": "We have 4 stakeholders."})
	state := func(base string) (s ui.State, text string) {
		t.Helper()
		if err := cl.get(base, conversation+"/state", &s); err != nil {
			t.Fatal(err)
		}
		b, err := ui.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		return s, string(b)
	}
	s, _ := state(srv.base)
	sf := s.Surface("table:stakeholders")
	post(srv.base, conversation+"/events", map[string]any{"version": "v0.9", "action": map[string]any{
		"name": "limn.submit", "surfaceId": sf.WireID(), "sourceComponentId": "c#main/buttons/submit:Button", "timestamp": "2026-11-20T09:00:00Z",
		"context": map[string]any{"limn_nonce": sf.Nonce, "limn_rev": sf.Rev, "stakeholders": map[string]any{"r1": map[string]any{"name": "Ann", "role": "", "influence": []string{}}}}}})
	resp, err := cl.http.Get(srv.base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	counts, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if !strings.Contains(string(counts), `limn_tools_opened_total{resumed="false",tool="request_data_table"} 1`) {
		t.Errorf("metrics: %.300s", counts)
	}
	before, text := state(srv.base)
	srv.kill()
	srv = startServer(t, db)
	defer srv.kill()
	after, again := state(srv.base)
	if again != text || after.Router.Checkpoint == nil || after.Router.Checkpoint.Iteration != 1 {
		t.Errorf("after the crash %s\nbefore %s", again, text)
	}
	if v, _ := before.Surface(sf.Name).Get("/draft/stakeholders/r1/name"); v.Text() != "Ann" {
		t.Errorf("the draft was not kept: %q", v.Text())
	}
	lines, err := os.ReadFile(told)
	if err != nil || strings.Count(string(lines), `"event":"tool_opened"`) != 1 || strings.Contains(string(lines), "Ann") {
		t.Errorf("telemetry: %s, %v", lines, err)
	}
}

// work opens and submits the form until the server dies.
func work(base string, c *browser, name string) (out []*try) {
	for n := 0; ; n++ {
		var st ui.State
		if err := c.get(base, "/v1/conversations/"+c.id+"/state", &st); err != nil {
			return out
		}
		sf := st.Surface("form:customer")
		if sf == nil || sf.Status != ui.StatusOpen {
			if _, _, err := c.post(base, "/v1/conversations/"+c.id+"/messages", "", map[string]string{"text": "add a customer"}); err != nil {
				return out
			}
			continue
		}
		x := &try{company: fmt.Sprintf("%s-%d", name, n), key: fmt.Sprintf("k-%s-%d", name, n)}
		x.body = submit(sf, x.company)
		out = append(out, x)
		code, ans, err := c.post(base, "/v1/conversations/"+c.id+"/events", x.key, x.body)
		if err != nil {
			return out
		}
		outcome, _ := ans["outcome"].(map[string]any)
		x.acked = code == 200 && outcome["kind"] == "done"
	}
}

// verify reads the whole log and counts what was committed.
func verify(t *testing.T, base string, c *browser, tries []*try) {
	t.Helper()
	committed := map[string]int{}
	for after := uint64(0); ; {
		var page struct{ Frames []*ui.Frame }
		if err := c.get(base, fmt.Sprintf("/v1/conversations/%s/frames?after=%d", c.id, after), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Frames) == 0 {
			break
		}
		for _, f := range page.Frames {
			if f.Seq != after+1 {
				t.Fatalf("frame %d follows frame %d", f.Seq, after)
			}
			after = f.Seq
			for _, op := range f.Ops {
				if commit, ok := op.(*ui.Commit); ok {
					company, _ := commit.Values.Get("company")
					committed[company.Text()]++
				}
			}
		}
	}
	for _, x := range tries {
		if n := committed[x.company]; n > 1 || n == 0 && x.acked {
			t.Errorf("submit %s (acknowledged: %v) is committed %d times", x.company, x.acked, n)
		}
	}
}
