package main

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/transport/limit"
	"github.com/limn-ui/limn/internal/transport/webhook"
)

// guardFlags are what an operator decides about who may do how much, and what
// the server itself may reach.
type guardFlags struct {
	Rate               float64  `default:"200" help:"${guard_rate}"`
	QuotaConversations int      `default:"10000" help:"Conversations of one principal. 0: any."`
	QuotaFiles         int64    `default:"1024" help:"MiB of the files of one principal. 0: any."`
	StoredBytes        int64    `default:"256" help:"${guard_stored_bytes}"`
	Streams            int      `default:"32" help:"Streams that one principal may have open at once. 0: any."`
	NetStreams         int      `default:"1024" help:"${guard_net_streams}"`
	AllStreams         int      `default:"16384" help:"${guard_all_streams}"`
	Runs               int      `default:"4" help:"${guard_runs}"`
	AddressRuns        int      `default:"16" help:"Answers of a model that one address may have running at once. 0: any."`
	AllRuns            int      `default:"64" help:"${guard_all_runs}"`
	Tokens             int64    `default:"0" help:"Tokens of the model that one principal may use in a day (UTC). 0: any."`
	AddressTokens      int64    `default:"0" help:"Tokens of the model that one address may use in a day (UTC). 0: any."`
	Proxy              []string `placeholder:"ADDRESS" help:"${guard_proxy}"`
	MetricsToken       string   `env:"LIMN_METRICS_TOKEN" help:"${guard_metrics_token}"`
	DataToken          string   `env:"LIMN_DATA_TOKEN" help:"${guard_data_token}"`
	WebhookAllow       []string `placeholder:"TARGET" help:"${guard_webhook_allow}"`
}

// limits are those of the flags.
func (g guardFlags) limits() (limn.Limits, error) {
	proxies, err := limit.ParseProxies(g.Proxy...)
	if err != nil {
		return limn.Limits{}, fmt.Errorf("--proxy: %w", err)
	}
	if !(g.Rate >= 0) || math.IsInf(g.Rate, 0) { // NaN is neither
		return limn.Limits{}, fmt.Errorf("--rate is %v; it must be a number from 0, which is no limit", g.Rate)
	}
	for _, f := range []struct {
		flag  string
		value int64
	}{{"--quota-conversations", int64(g.QuotaConversations)}, {"--quota-files", g.QuotaFiles},
		{"--stored-bytes", g.StoredBytes}, {"--streams", int64(g.Streams)}, {"--net-streams", int64(g.NetStreams)},
		{"--all-streams", int64(g.AllStreams)},
		{"--runs", int64(g.Runs)}, {"--address-runs", int64(g.AddressRuns)}, {"--all-runs", int64(g.AllRuns)},
		{"--tokens", g.Tokens}, {"--address-tokens", g.AddressTokens}} {
		if f.value < 0 || f.value > mostOfALimit {
			return limn.Limits{}, fmt.Errorf("%s is %d; it must be from 0, which is no limit, to %d", f.flag, f.value,
				int64(mostOfALimit))
		}
	}
	return limn.Limits{Rate: orAny(g.Rate), AddressRate: orAny(5 * g.Rate), Conversations: orAny(g.QuotaConversations),
		FileBytes: orAny(g.QuotaFiles << 20),
		Stored:    limn.Daily{Principal: orAny(g.StoredBytes << 20), Address: orAny(8 * g.StoredBytes << 20)},
		Streams:   orAny(g.Streams), NetStreams: orAny(g.NetStreams), AllStreams: orAny(g.AllStreams), Proxies: proxies,
		Runs: limn.Runs{Principal: orAny(g.Runs), Address: orAny(g.AddressRuns), Node: orAny(g.AllRuns),
			Waiting: orAny(g.AllRuns),
			Tokens:  g.Tokens, AddressTokens: g.AddressTokens}}, nil
}

// mostOfALimit fits an int of any machine, and MiB of it the bytes of an int64.
const mostOfALimit = math.MaxInt32

// orAny is what says "no limit" below, where 0 is the default.
func orAny[N int | int64 | float64](n N) N {
	if n == 0 {
		return -1
	}
	return n
}

// own reports a server that serves this machine only.
func (c serveCommand) own(listening net.Addr) bool {
	at, ok := listening.(*net.TCPAddr)
	return ok && at.IP.IsLoopback() && c.Base == ""
}

// hosts are those of a server that serves this machine only, by its names; of
// another any.
func (c serveCommand) hosts(listening net.Addr) []string {
	if !c.own(listening) {
		return nil
	}
	host, _, _ := net.SplitHostPort(listening.String())
	return []string{"localhost", "127.0.0.1", "::1", host}
}

// times checks the flags that say how long and how often. Below, 0 is "the
// default", which is not what its writer means.
func (c serveCommand) times() error {
	for _, f := range []struct {
		flag  string
		value time.Duration
	}{{"--lease-time", c.LeaseTime}, {"--poll", c.Poll}, {"--webhook-time", c.WebhookTime}, {"--retry", c.Retry}} {
		if f.value <= 0 {
			return fmt.Errorf("%s is %v; it must be more than 0, such as 5s", f.flag, f.value)
		}
	}
	if c.Tries < 1 {
		return fmt.Errorf("--tries is %d; it must be 1 or more", c.Tries)
	}
	if c.DrainWait < 0 {
		return fmt.Errorf("--drain-wait is %v; it must be 0 or more", c.DrainWait)
	}
	return nil
}

// webhooks calls public and allowed targets only.
func (c serveCommand) webhooks(listening net.Addr) (*webhook.Client, error) {
	list := slices.Clone(c.WebhookAllow)
	if c.own(listening) {
		list = append(list, webhook.Loopback...)
	}
	allow, err := webhook.ParseAllowed(list...)
	if err != nil {
		return nil, fmt.Errorf("--webhook-allow: %w", err)
	}
	return webhook.New(webhook.Config{Allow: allow, Timeout: c.WebhookTime}), nil
}

// redacted is a DSN without what opens it.
func redacted(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		kind, _, _ := strings.Cut(dsn, ":")
		return kind + ":…"
	}
	q := u.Query()
	for _, name := range []string{"password", "sslpassword", "token"} {
		if q.Has(name) {
			q.Set(name, "xxxxx")
			u.RawQuery = q.Encode()
		}
	}
	return u.Redacted()
}
