package web_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace/metrics"
)

// slowly is an allowance whose buckets, of twenty, do not fill up again during a
// test.
func slowly(change ...func(*limn.Limits)) func(*limn.Config) {
	return func(c *limn.Config) {
		c.Limits = limn.Limits{Rate: -1, AddressRate: 1e-6}
		for _, f := range change {
			f(&c.Limits)
		}
	}
}

// from is a request as a proxy passes it on.
func from(addr string) []string { return []string{"X-Forwarded-For", addr} }

// TestRatePrincipal: who asks too often is told when to come back, others are
// served, and what was refused had no effect.
func TestRatePrincipal(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	s := start(t, func(c *limn.Config) { c.Limits.Rate, c.Meter, c.Metrics = 1e-3, m, m })
	c := s.program() // a bucket has 20 at least; to start took ten
	refused := 0
	for range 30 {
		a := c.do("GET", "/v1/-/guardrails", "")
		if a.StatusCode == 200 {
			continue
		}
		refused++
		after, err := strconv.Atoi(a.Header.Get("Retry-After"))
		if p := a.problem(t); p.Status != 429 || p.Code != "HTTP_RATE_LIMITED" || err != nil || after < 2 ||
			after > 20_000 {
			t.Fatalf("%d %s, Retry-After %q", p.Status, p.Code, a.Header.Get("Retry-After"))
		}
	}
	if refused != 20 {
		t.Errorf("%d of 30 refused, want 20", refused)
	}
	for _, path := range []string{"/c/-/messages", "/v1/-/messages", "/c/-/uploads", "/v1/-/stream", "/c/-"} {
		method := "POST"
		if path == "/c/-" || strings.HasSuffix(path, "stream") {
			method = "GET"
		}
		if a := c.do(method, path, `{"text":"hello"}`); a.StatusCode != 429 {
			t.Errorf("%s %s: %d", method, path, a.StatusCode)
		}
	}
	other := s.program()
	if a := other.do("GET", "/v1/-/state", ""); a.StatusCode != 200 {
		t.Errorf("somebody else: %d", a.StatusCode)
	}
	if a := c.do("GET", "/healthz", ""); a.StatusCode != 200 {
		t.Errorf("a probe: %d", a.StatusCode)
	}
	r := httptest.NewRequest("GET", "/metrics", nil)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	if s.srv.Handler().ServeHTTP(w, r); !strings.Contains(w.Body.String(), `rate_limited_total{by="principal"} 25`) {
		t.Error("refusals are not counted")
	}
}

// TestRateBytes: a large body takes more of the rates, of the principal and of the
// address, than a small one.
func TestRateBytes(t *testing.T) {
	t.Parallel()
	large := `{"text":"` + strings.Repeat("x", 96<<10) + `"}` // costs 1 + 3
	pass := func(t *testing.T, v *client, want int, headers ...string) {
		t.Helper()
		n := 0
		for v.do("POST", "/v1/-/messages", large, headers...).StatusCode != 429 {
			if n++; n > want {
				break
			}
		}
		if n != want {
			t.Errorf("%d passed, want %d", n, want)
		}
	}
	t.Run("principal", func(t *testing.T) {
		pass(t, start(t, func(c *limn.Config) { c.Limits.Rate = 1e-3 }).program(), 2) // ten of twenty are left
	})
	t.Run("address", func(t *testing.T) {
		s := start(t, slowly(func(l *limn.Limits) { l.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }))
		pass(t, s.program(), 5, from("198.51.100.7")...)
	})
}

// TestStoredADay: who had as much stored as one may in a day is told until when.
func TestStoredADay(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Limits.Stored.Principal = 1 }).program()
	c.say("hello") // waits for the answer: what a turn stored is counted at its end
	a := c.do("POST", "/v1/-/messages", `{"text":"hello"}`)
	after, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if p := a.problem(t); p.Status != 429 || p.Code != "HTTP_STORED" || err != nil || after < 1 || after > 24*60*60 {
		t.Errorf("%+v, Retry-After %q", p, a.Header.Get("Retry-After"))
	}
	if a := c.do("GET", "/v1/-/state", ""); a.StatusCode != 200 {
		t.Errorf("reading: %d", a.StatusCode)
	}
}

// TestRateAddress: an address pays for all who come from it, behind a proxy the
// one that the proxy saw; what a client says of itself changes nothing.
func TestRateAddress(t *testing.T) {
	t.Parallel()
	s := start(t, slowly(func(l *limn.Limits) { l.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }))
	v := s.visitor()
	ask := func(n int, addr func(i int) string) (refused int) {
		for i := range n {
			if a := v.do("GET", "/nowhere", "", from(addr(i))...); a.StatusCode == 429 {
				refused++
			}
		}
		return refused
	}
	for _, tt := range []struct {
		name string
		addr func(int) string
		most int // that pass of 250
	}{
		{"one address", func(int) string { return "198.51.100.1" }, 20},
		{"one that says it is others", func(i int) string { return fmt.Sprintf("10.0.0.%d, 198.51.100.2", i) }, 20},
		{"one IPv6 subscriber", func(i int) string { return fmt.Sprintf("2001:db8:1:1::%x", i) }, 20},
		{"one with a /48", func(i int) string { return fmt.Sprintf("2001:db8:2:%x::1", i) }, 160},
		{"many addresses", func(i int) string { return fmt.Sprintf("203.0.113.%d", i) }, 250},
	} {
		if got := 250 - ask(250, tt.addr); got != tt.most {
			t.Errorf("%s: %d of 250 pass, want %d", tt.name, got, tt.most)
		}
	}
	if a := v.do("POST", "/v1/conversations", "", from("198.51.100.9")...); a.StatusCode != 201 {
		t.Errorf("a new address: %d", a.StatusCode)
	}
	if got := 20 - ask(20, func(int) string { return "198.51.100.9" }); got != 9 {
		t.Errorf("after a conversation was started %d more pass, want 9", got)
	}
	// the proxy itself then, though it is this machine
	if got := 250 - ask(250, func(int) string { return "unknown" }); got != 20 {
		t.Errorf("an X-Forwarded-For that cannot be read: %d of 250 pass, want 20", got)
	}
	here := start(t, slowly()).visitor() // without a proxy this machine pays nothing, whatever it says
	for range 60 {
		if a := here.do("GET", "/nowhere", "", from("198.51.100.1")...); a.StatusCode != 404 {
			t.Fatalf("%d", a.StatusCode)
		}
	}
}

// TestUnnamedProxy: the first request of a proxy that nobody named is logged, once.
func TestUnnamedProxy(t *testing.T) {
	t.Parallel()
	for named, want := range map[bool]int{false: 1, true: 0} {
		var log bytes.Buffer
		s := start(t, func(c *limn.Config) {
			c.Log = slog.New(slog.NewTextHandler(&log, nil))
			if named {
				c.Limits.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			}
		})
		for range 3 {
			s.visitor().do("GET", "/nowhere", "", from("198.51.100.1")...)
		}
		s.visitor().do("GET", "/nowhere", "")
		if n := strings.Count(log.String(), "--proxy 127.0.0.1"); n != want {
			t.Errorf("named %v: %d warnings, want %d\n%s", named, n, want, log.String())
		}
	}
}

// TestRateOfFirstConversations: a client that makes up a new token each time is held to the
// rate of its address, however slow it is; a principal with a conversation is not.
func TestRateOfFirstConversations(t *testing.T) {
	t.Parallel()
	proxy := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	s := start(t, func(c *limn.Config) { c.Limits = limn.Limits{AddressRate: 400, Proxies: proxy} })
	here := s.program()
	for _, addr := range []func(int) string{func(int) string { return "198.51.100.1" },
		func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i) }} {
		firstConversations(t, s, addr)
	}
	if a := here.do("POST", "/v1/conversations", "", from("198.51.100.1")...); a.StatusCode != 201 {
		t.Errorf("who is here already: %d", a.StatusCode)
	}
}

func firstConversations(t *testing.T, s *site, addr func(i int) string) {
	t.Helper()
	made := 0
	for i := range 60 {
		headers := from(addr(i))
		if token := sha256.Sum256([]byte(addr(i) + fmt.Sprint(i))); i%2 == 0 { // of their own making
			headers = append(headers, "Authorization", "Bearer "+base64.RawURLEncoding.EncodeToString(token[:]))
		}
		if a := s.visitor().do("POST", "/v1/conversations", "", headers...); a.StatusCode == 201 {
			made++
		} else if p := a.problem(t); p.Code != "HTTP_RATE_LIMITED" {
			t.Fatalf("%s", p.Code)
		}
	}
	if made < 50 || made == 60 { // two more in five seconds, as long as that takes
		t.Errorf("%d of 60 first conversations", made)
	}
}

// TestQuotaConversations: a principal has as many conversations as it may.
func TestQuotaConversations(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Limits.Conversations = 2 })
	c := s.program()
	if a := c.do("POST", "/v1/conversations", ""); a.StatusCode != 201 {
		t.Fatalf("the second: %d", a.StatusCode)
	}
	for _, path := range []string{"/v1/conversations", "/c"} {
		if p := c.do("POST", path, "", "Content-Type", "application/x-www-form-urlencoded").problem(t); p.Status != 403 || p.Code != "HTTP_QUOTA" {
			t.Errorf("%s, the third: %d %s", path, p.Status, p.Code)
		}
	}
	if a := s.visitor().do("POST", "/v1/conversations", ""); a.StatusCode != 201 {
		t.Errorf("somebody else: %d", a.StatusCode)
	}
	other := s.program()
	for try, key := range []string{"last", "last", "third"} {
		want := map[string]int{"last": 201, "third": 403}[key]
		if a := other.do("POST", "/v1/conversations", "", "Idempotency-Key", key); a.StatusCode != want {
			t.Errorf("%d: under the key %q: %d, want %d", try, key, a.StatusCode, want)
		}
	}
}

// TestQuotaFiles: a principal stores as many bytes as it may, over all of its
// conversations.
func TestQuotaFiles(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Limits.FileBytes = 100 })
	c := s.program()
	put := func(n int) answer {
		return c.upload("/v1/-/uploads", nil, part{"file", "a.txt", strings.Repeat("x", n)})
	}
	if a := put(60); a.StatusCode != 201 {
		t.Fatalf("60 bytes: %d %s", a.StatusCode, a.body)
	}
	if p := put(41).problem(t); p.Status != 403 || p.Code != "HTTP_QUOTA" {
		t.Errorf("41 more: %d %s", p.Status, p.Code)
	}
	if a := put(40); a.StatusCode != 201 {
		t.Errorf("40 more: %d %s", a.StatusCode, a.body)
	}
	var made struct{ ID string }
	c.do("POST", "/v1/conversations", "").into(t, &made)
	c.ID = made.ID
	if p := put(1).problem(t); p.Code != "HTTP_QUOTA" {
		t.Errorf("another conversation of theirs: %s", p.Code)
	}
	if a := s.program().upload("/v1/-/uploads", nil, part{"file", "a.txt", "x"}); a.StatusCode != 201 {
		t.Errorf("somebody else: %d", a.StatusCode)
	}
}

// TestQuotasAtOnce: many requests at the same moment do not pass a quota, also if
// their clients do not wait for the answer.
func TestQuotasAtOnce(t *testing.T) {
	t.Parallel()
	st := slowStore{memory.New()}
	s := start(t, func(c *limn.Config) {
		c.Store = st
		c.Limits = limn.Limits{Rate: -1, AddressRate: -1, Conversations: 5, FileBytes: 95}
	})
	c := s.program()
	who, err := st.Open(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var made, saved atomic.Int32
	for i := range 40 {
		wg.Go(func() {
			if a := c.do("POST", "/v1/conversations", ""); a.StatusCode == 201 {
				made.Add(1)
			} else if a.StatusCode != 403 {
				t.Errorf("create: %d %s", a.StatusCode, a.body)
			}
		})
		wg.Go(func() {
			if a := c.upload("/v1/-/uploads", nil, part{"file", "a.txt", strings.Repeat("x", 10)}); a.StatusCode == 201 {
				saved.Add(1)
			} else if a.StatusCode != 403 {
				t.Errorf("upload: %d %s", a.StatusCode, a.body)
			}
		})
		wg.Go(func() {
			ctx, stop := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Microsecond)
			defer stop()
			if a, err := http.DefaultClient.Do(c.Request("POST", "/v1/conversations", nil).WithContext(ctx)); err == nil {
				a.Body.Close()
			}
		})
	}
	wg.Wait()
	used, err := st.Usage(t.Context(), who.Owner)
	if err != nil || used.Conversations != 5 || used.Bytes != 90 || saved.Load() != 9 || made.Load() > 4 {
		t.Errorf("%+v %v, %d made, %d saved", used, err, made.Load(), saved.Load())
	}
}

// slowStore takes a while to sum up, as one with many conversations does.
type slowStore struct{ store.Store }

func (s slowStore) Usage(ctx context.Context, owner string) (store.Usage, error) {
	used, err := s.Store.Usage(ctx, owner)
	for range 100 {
		runtime.Gosched()
	}
	return used, err
}

// TestMetricsAccess: counts are for who holds the token, or without one for this
// machine, and what a proxy passed on is not from here.
func TestMetricsAccess(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	for _, tt := range []struct {
		token, peer, header, value string
		want                       int
	}{
		{"", "127.0.0.1:1", "", "", 200},
		{"", "[::1]:1", "", "", 200},
		{"", "[::ffff:127.0.0.1]:1", "", "", 200},
		{"", "10.0.0.1:1", "", "", 403},
		{"", "@", "", "", 403},
		{"", "127.0.0.1:1", "X-Forwarded-For", "127.0.0.1", 403},
		{"", "127.0.0.1:1", "Forwarded", "for=127.0.0.1", 403},
		{"", "127.0.0.1:1", "X-Real-Ip", "127.0.0.1", 403},
		{"", "10.0.0.1:1", "X-Forwarded-For", "127.0.0.1", 403},
		{"secret", "10.0.0.1:1", "Authorization", "Bearer secret", 200},
		{"secret", "10.0.0.1:1", "Authorization", "bearer secret", 200},
		{"secret", "10.0.0.1:1", "Authorization", "Bearer secre", 401},
		{"secret", "10.0.0.1:1", "Authorization", "Bearer secret2", 401},
		{"secret", "10.0.0.1:1", "Authorization", "Basic secret", 401},
		{"secret", "127.0.0.1:1", "", "", 401},
		{"secret", "10.0.0.1:1", "Authorization", "secret", 401},
	} {
		srv, err := limn.New(limn.Config{App: desk(t), Metrics: m, Meter: m, MetricsToken: tt.token})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		if r.RemoteAddr = tt.peer; tt.header != "" {
			r.Header.Set(tt.header, tt.value)
		}
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		if w.Code != tt.want || strings.Contains(w.Body.String(), "limn_") != (tt.want == 200) {
			t.Errorf("%+v: %d %.80s", tt, w.Code, w.Body)
		}
		srv.Close(t.Context())
	}
}
