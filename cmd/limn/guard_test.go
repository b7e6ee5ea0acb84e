package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/transport/webhook"
)

// TestWebhookTargets: this machine is a target while it serves itself only, or
// when the operator says so.
func TestWebhookTargets(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	own, other := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}
	for _, tt := range []struct {
		base  string
		at    net.Addr
		allow []string
		ok    bool
	}{
		{"", own, nil, true},
		{"https://desk.example", own, nil, false}, // a proxy stands in front
		{"", other, nil, false},
		{"", other, []string{"127.0.0.1/32"}, true},
	} {
		c := serveCommand{Base: tt.base, guardFlags: guardFlags{WebhookAllow: tt.allow}}
		hooks, err := c.webhooks(tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hooks.Post(t.Context(), app.Webhook{URL: receiver.URL}, "k", nil); (err == nil) != tt.ok ||
			!tt.ok && !errors.Is(err, webhook.ErrTarget) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	if _, err := (serveCommand{guardFlags: guardFlags{WebhookAllow: []string{"*"}}}).webhooks(own); err == nil {
		t.Error("a target that is none is taken")
	}
}

// TestTimes: a flag of time or tries that makes no sense is named before
// anything is opened, in place of the default being taken for it.
func TestTimes(t *testing.T) {
	alone(t)
	t.Parallel()
	for _, flag := range []string{"--lease-time=0s", "--lease-time=-1s", "--poll=0s", "--webhook-time=0s",
		"--retry=-1s", "--tries=0", "--tries=-1", "--drain-wait=-1s"} {
		name, _, _ := strings.Cut(flag, "=")
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // a server that starts anyway stops at once
		var said bytes.Buffer
		code := run(ctx, []string{"serve", "--store", "memory", "--addr", "127.0.0.1:0", flag}, quiet(&said))
		if code == 0 || !strings.Contains(said.String(), name+" is ") {
			t.Errorf("%s: %d %s", flag, code, said.String())
		}
	}
}

// TestFlagsAreNamed: whoever gives a flag that cannot be used is told which one,
// by the name that was typed.
func TestFlagsAreNamed(t *testing.T) {
	alone(t)
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "none")
	short := filepath.Join(t.TempDir(), "token")
	write(t, short, "short\n")
	model := []string{"--model", "m", "--model-url", "http://127.0.0.1:1/v1"}
	for say, args := range map[string][]string{
		"--metrics with --base needs --metrics-token":               {"--metrics", "--base", "https://desk.example"},
		"--inspect with --base":                                     {"--inspect", "--base", "https://desk.example"},
		"--inspect-token-file: open " + gone:                        {"--inspect-token-file", gone},
		"--inspect-token-file: the token has 5 characters":          {"--inspect-token-file", short},
		"--examples goes with --inspect":                            {"--examples", gone},
		"--examples " + gone + ": lstat":                            {"--inspect", "--examples", gone},
		`--base "desk": want an address`:                            {"--base", "desk"},
		`--base "https://desk.example?x": want`:                     {"--base", "https://desk.example?x"},
		`--base "…": want`:                                          {"--base", "https://ada:hunter2@desk.example"},
		`--targets names an unknown drawing "v7"`:                   {"--targets", "v7"},
		`--targets names "html" twice`:                              {"--targets", "html,html"},
		`--addr: listen tcp`:                                        {"--addr", "127.0.0.1"},
		`--addr: listen tcp: address 99999`:                         {"--addr", "127.0.0.1:99999"},
		`--store: open database: open ` + gone:                      {"--store", "sqlite:" + gone + "/x.db"},
		`--store: open postgres://127.0.0.1:1/x`:                    {"--store", "postgres://ada:hunter2@127.0.0.1:1/x"},
		`--webhook-allow: webhook target "???"`:                     {"--webhook-allow", "???"},
		`--proxy: proxy "x"`:                                        {"--proxy", "x"},
		`--user-header needs --proxy`:                               {"--user-header", "X-User"},
		`--roles-header needs --user-header`:                        {"--roles-header", "X-Roles"},
		`--user-header and --roles-header: want the name`:           {"--user-header", "X User", "--proxy", "127.0.0.1"},
		`--rate is NaN`:                                             {"--rate", "NaN"},
		`--rate is +Inf`:                                            {"--rate", "Inf"},
		`--rate is -1`:                                              {"--rate=-1"},
		`--quota-files is 9999999999;`:                              {"--quota-files", "9999999999"},
		`--streams is -1`:                                           {"--streams=-1"},
		`--all-streams is -1`:                                       {"--all-streams=-1"},
		`--quota-conversations is -1`:                               {"--quota-conversations=-1"},
		`--telemetry: open ` + gone:                                 {"--telemetry", gone + "/x"},
		`LLM_CONFIG_INVALID at ` + gone + `: the capabilities file`: append([]string{"--capabilities", gone}, model...),
		"LLM_CONFIG_INVALID at --model-url: the model":              {"--model", "m", "--model-url", "desk"},
		"LLM_CONFIG_INVALID at --provider: no such":                 append([]string{"--provider", "nobody"}, model...),
		"LLM_CONFIG_INVALID at --model-key-file: the key's":         append([]string{"--model-key-file", gone}, model...),
		"LLM_CONFIG_INVALID at --router-url: the model":             append([]string{"--router-model", "r", "--router-url", "desk"}, model...),
		"LLM_CONFIG_INVALID at --router-model: the model's name ho": append([]string{"--router-model", "r\x1b", "--router-url", "http://127.0.0.1:1/v1"}, model...),
	} {
		t.Run(say, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // a server that starts anyway stops at once
			var said bytes.Buffer
			if code := run(ctx, append([]string{"serve", "--store", "memory", "--addr", "127.0.0.1:0"}, args...),
				quiet(&said)); code != exitProblem {
				t.Errorf("exit code %d", code)
			}
			if got := said.String(); !strings.Contains(got, "limn: "+say) || strings.Contains(got, "hunter2") {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestHosts: a server of this machine answers for this machine only, so that no
// page whose name is made to lead here is served.
func TestHosts(t *testing.T) {
	t.Parallel()
	own, open := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2), Port: 8080}, &net.TCPAddr{IP: net.IPv4zero, Port: 8080}
	if got := (serveCommand{}).hosts(own); !slices.Equal(got, []string{"localhost", "127.0.0.1", "::1", "127.0.0.2"}) {
		t.Errorf("%q", got)
	}
	if (serveCommand{}).hosts(open) != nil || (serveCommand{Base: "https://desk.example"}).hosts(own) != nil {
		t.Error("a server for others asks for this machine's names")
	}
}

// TestLimitFlags: 0 is no limit, and what is none is said.
func TestLimitFlags(t *testing.T) {
	t.Parallel()
	l, err := guardFlags{}.limits()
	if err != nil || l.Rate != -1 || l.AddressRate != -1 || l.Conversations != -1 || l.FileBytes != -1 ||
		l.Streams != -1 || l.AllStreams != -1 || l.Proxies != nil {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = guardFlags{Rate: 2, QuotaConversations: 3, QuotaFiles: 4, Streams: 5, AllStreams: 6,
		Proxy: []string{"10.0.0.0/8"}}.limits()
	if err != nil || l.Rate != 2 || l.AddressRate != 10 || l.Conversations != 3 || l.FileBytes != 4<<20 ||
		l.Streams != 5 || l.AllStreams != 6 || len(l.Proxies) != 1 {
		t.Errorf("%+v, %v", l, err)
	}
	for _, g := range []guardFlags{{Rate: -1}, {QuotaConversations: -1}, {QuotaFiles: -1}, {Streams: -1},
		{AllStreams: -1}, {Proxy: []string{"x"}}} {
		if _, err := g.limits(); err == nil {
			t.Errorf("%+v is taken", g)
		}
	}
}

// TestRedacted: what is printed of a store opens nothing.
func TestRedacted(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"sqlite:limn.db":                       "sqlite:limn.db",
		"memory":                               "memory",
		"postgres://limn:hunter2@db:5432/limn": "postgres://limn:xxxxx@db:5432/limn",
		"postgres://db/limn?user=limn&password=hunter2":       "postgres://db/limn?password=xxxxx&user=limn",
		"postgres://limn:hunter2%zz@db/limn":                  "postgres:…",
		"nats://token:hunter2@bus:4222":                       "nats://token:xxxxx@bus:4222",
		"postgres://limn:hun\x00ter2@db/limn?sslmode=disable": "postgres:…",
	} {
		if got := redacted(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
