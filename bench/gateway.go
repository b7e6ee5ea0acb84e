package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/transport/upstream"
)

// What the agent of the gateway answers: messages of a length to one surface.
var (
	gatewayMessages = 400
	gatewayRounds   = 5 // of all conversations, in each run
	gatewaySide     = 8 // conversations at once
	gatewaySlice    = 250 * time.Millisecond
	gatewaySlices   = 4 // in each run
	gatewayAgents   = 100
	gatewayClients  = 1000
)

const (
	gatewaySize  = 1000 // bytes of text in a message
	gatewayRate  = 3000 // messages a second, of those that are short
	gatewayShort = 6    // messages in a short answer
)

// gatewayAnswer is a surface, and messages that change it.
func gatewayAnswer(messages, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}` + "\n")
	b.WriteString(`{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":` +
		`"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}` + "\n")
	b.WriteString(`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[` +
		`{"id":"root","component":"Text","text":{"path":"/text"}}]}}` + "\n")
	for i := range messages {
		fmt.Fprintf(&b, `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/text","value":"%d %s"}}`+"\n", i,
			strings.Repeat("x", size))
	}
	return b.Bytes()
}

// gatewayConfig is a server that is a gateway of agents: the address of a program that is all of them, and after a
// comma how many they are.
func gatewayConfig(agents string) limn.Config {
	url, n, _ := strings.Cut(agents, ",")
	count, err := strconv.Atoi(n)
	must(err)
	var file, routes strings.Builder
	limits := ", limits: {rate: 100000, messages: 10000, bytes: 8388608}" // of the first, which is measured
	for i := range count {
		fmt.Fprintf(&file, "  - {name: a%d, url: %q, time: 1s%s}\n", i, url, limits)
		limits = ""
		fmt.Fprintf(&routes, "  - {prefix: \"@a%d\", to: a%d}\n", i, i)
	}
	c, err := gateway.Load("gateway.yaml", []byte("agents:\n"+file.String()+"routes:\n"+routes.String()+"fallback: a0\n"))
	must(err)
	list, err := upstream.Open(c, ".", nil)
	must(err)
	front, err := app.New(app.Config{Name: c.Name})
	must(err)
	return limn.Config{App: front, Model: list, Targets: []string{"v0.9", "v0.8", "v1.0"},
		Limits: limn.Limits{Rate: -1, AddressRate: -1, Conversations: -1, Streams: -1, NetStreams: -1, AllStreams: -1,
			Runs:   limn.Runs{Principal: -1, Address: -1, Node: -1, Waiting: -1},
			Stored: limn.Daily{Principal: -1, Address: -1}}}
}

// gatewayClient keeps a connection for each request at once.
var gatewayClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// gatewaySeat is a conversation with a gateway, or an agent that is asked without one.
type gatewaySeat struct{ url, token, id, want string }

func seat(base string) gatewaySeat {
	var made struct{ ID, Token string }
	(&caller{base: base}).json("POST", "/v1/conversations", nil, &made)
	return gatewaySeat{base + "/v1/conversations/" + made.ID + "/messages", made.Token, made.ID, `"done"`}
}

// ask asks for one answer, and reads it to its end.
func (s gatewaySeat) ask(text string) {
	req, err := http.NewRequest("POST", s.url, strings.NewReader(`{"text":"`+text+`"}`))
	must(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=30")
	if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
	}
	resp, err := gatewayClient.Do(req)
	must(err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(err)
	if s.want != "" && (resp.StatusCode != http.StatusOK || !bytes.Contains(b, []byte(s.want))) {
		panic(fmt.Sprintf("%s: %s %.300s", s.url, resp.Status, b))
	}
}

// openLoop asks at a rate that does not wait for answers, the seats in turn, for a time. It returns the time of
// each question, in µs, from when it was due.
func openLoop(seats []gatewaySeat, text string, perSecond float64, long time.Duration) (out []float64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	began, step := time.Now(), time.Duration(float64(time.Second)/perSecond)
	queues := make([]chan time.Time, len(seats)) // an answer of a conversation follows the one before
	for i := range queues {
		queues[i] = make(chan time.Time, int(long/step)+1)
		wg.Go(func() {
			for due := range queues[i] {
				seats[i].ask(text)
				took := float64(time.Since(due).Nanoseconds()) / 1e3
				mu.Lock()
				out = append(out, took)
				mu.Unlock()
			}
		})
	}
	for n := 0; time.Duration(n)*step < long; n++ {
		due := began.Add(time.Duration(n) * step)
		time.Sleep(time.Until(due))
		queues[n%len(seats)] <- due
	}
	for _, q := range queues {
		close(q)
	}
	wg.Wait()
	return out
}

// gatewayAgent is every agent. The text of a question selects its answer.
func gatewayAgent() *httptest.Server {
	many, few := gatewayAnswer(gatewayMessages, gatewaySize), gatewayAnswer(gatewayShort-3, 20)
	flood := bytes.Repeat([]byte(`{"version":"v0.9","updateDataModel":{"surfaceId":"nobody","value":`+"1}}\n"), 2000)
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/jsonl")
		said := func(text string) bool { return bytes.Contains(b, []byte(`"text":"`+text)) }
		switch {
		case said("many"):
			_, _ = w.Write(many)
		case said("flood"): // messages that do not count
			_, _ = w.Write(flood)
		case said("never"):
			_, _ = w.Write(few[:100])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case said("fail"):
			w.WriteHeader(http.StatusInternalServerError)
		default:
			_, _ = w.Write(few)
		}
	}))
}

// gatewayed measures a gateway in another process. Agents and clients are this one; processor time is measured for
// the gateway alone.
func gatewayed(count int) []figure {
	agent := gatewayAgent()
	defer agent.Close()
	memory := gatewayMemory(agent.URL)
	srv := startServer("gateway:" + agent.URL + ",2") // last, for its profile
	defer srv.stop()
	proxy := startServer("proxy:" + agent.URL)
	out := gatewayTimes(srv, agent.URL, "http://"+proxy.addr, count)
	proxy.kill()
	out = append(out, gatewayThrough(srv, count)...)
	return append(out, gatewayBroken(srv, count), memory)
}

func percentile(list []float64, part float64) float64 {
	slices.Sort(list)
	return list[int(part*float64(len(list)-1))]
}

// gatewayTimes is the time that the gateway adds at a fixed rate of messages. Slices with it, without it, and with a
// proxy in its place that reads nothing take turns.
func gatewayTimes(srv *server, agent, proxy string, count int) []figure {
	var seats, plain, proxied []gatewaySeat
	for range gatewaySide {
		seats, plain = append(seats, seat("http://"+srv.addr)), append(plain, gatewaySeat{url: agent, want: "root"})
		proxied = append(proxied, gatewaySeat{url: proxy, want: "root"})
	}
	rate := float64(gatewayRate) / gatewayShort
	openLoop(seats, "few", rate, gatewaySlice) // a warm-up
	var through, direct, unread []float64
	began := srv.cpu()
	for range gatewaySlices * count {
		through = append(through, openLoop(seats, "few", rate, gatewaySlice)...)
		direct = append(direct, openLoop(plain, "few", rate, gatewaySlice)...)
		unread = append(unread, openLoop(proxied, "few", rate, gatewaySlice)...)
	}
	cpu := float64((srv.cpu() - began).Microseconds()) / float64(len(through))
	added := func(name string, part, most float64) figure {
		a, b := percentile(through, part), percentile(direct, part)
		return figure{Name: name, Value: a - b, Unit: "µs", Must: most,
			Others: map[string]float64{"through": a, "direct": b, "gateway CPU us a turn": cpu,
				"httputil.ReverseProxy adds": percentile(unread, part) - b}}
	}
	out := []figure{added("gateway_p50_us", 0.5, 250), added("gateway_p99_us", 0.99, 500)}
	out[0].Others["added p10"] = percentile(through, 0.1) - percentile(direct, 0.1) // least disturbed by other work
	return out
}

// gatewayThrough is how many messages of an agent the gateway reads, judges, keeps and proves for three versions.
func gatewayThrough(srv *server, count int) []figure {
	var rates, bound []float64
	var seats []gatewaySeat
	for range gatewaySide {
		seats = append(seats, seat("http://"+srv.addr))
	}
	for range count {
		cpu, began := srv.cpu(), time.Now()
		var side sync.WaitGroup
		for _, s := range seats {
			side.Go(func() {
				for range gatewayRounds {
					s.ask("many")
				}
			})
		}
		side.Wait()
		messages := float64(gatewayRounds * gatewaySide * (gatewayMessages + 3))
		rates = append(rates, messages/time.Since(began).Seconds())
		bound = append(bound, float64((srv.cpu()-cpu).Nanoseconds())/1e3/messages)
	}
	per := median(bound)
	others := map[string]float64{"gateway CPU us a message": per}
	size := float64(len(gatewayAnswer(gatewayMessages, gatewaySize))) / float64(gatewayMessages+3)
	return []figure{
		{Name: "gateway_msg_s", Value: median(rates), Unit: "/s", Must: 15000, AtLeast: true, Others: others},
		{Name: "gateway_mb_s", Value: median(rates) * size / 1e6, Unit: "MB/s", Must: 50, AtLeast: true}}
}

// gatewayBroken is by how much the p99 of one agent changes while another one is broken: users ask it 20 times a
// second, and it fails, never ends, or sends what does not count. Slices with it and without take turns.
func gatewayBroken(srv *server, count int) figure {
	var seats, others []gatewaySeat
	for range gatewaySide {
		seats, others = append(seats, seat("http://"+srv.addr)), append(others, seat("http://"+srv.addr))
	}
	for i := range others {
		others[i].want = ""
	}
	rate := float64(gatewayRate) / gatewayShort / 2
	var changes, alones, besides []float64
	run := func() {
		var alone, beside []float64
		for n := range 3 * gatewaySlices {
			how := []string{"flood", "fail", "never"}[n%3]
			alone = append(alone, openLoop(seats, "few", rate, gatewaySlice)...)
			var side sync.WaitGroup
			side.Go(func() { openLoop(others, "@a1 "+how, 20, gatewaySlice) })
			beside = append(beside, openLoop(seats, "few", rate, gatewaySlice)...)
			side.Wait()
		}
		a, b := percentile(alone, 0.99), percentile(beside, 0.99)
		alones, besides, changes = append(alones, a), append(besides, b), append(changes, 100*(b/a-1))
	}
	for range count {
		run()
	}
	return figure{Name: "gateway_broken_pct", Value: median(changes), Unit: "%", Must: 20,
		Others: map[string]float64{"p99 alone us": median(alones), "p99 beside us": median(besides)}}
}

// gatewayMemory is the resident memory of a gateway of 100 agents with 1,000 clients: each has an open stream, and
// surfaces of three agents.
func gatewayMemory(agent string) figure {
	srv := startServer(fmt.Sprintf("gateway:%s,%d", agent, gatewayAgents))
	defer srv.stop()
	for i := range gatewayClients {
		s := seat("http://" + srv.addr)
		conn := follow(srv.addr, s.id, s.token)
		defer conn.Close()
		for k := range 3 {
			s.ask(fmt.Sprintf("@a%d few", (i+k*7)%gatewayAgents))
		}
	}
	peak := srv.rss()
	live, resident := srv.settled()
	return figure{Name: "gateway_mem_mib", Value: max(peak, resident) / 1024, Unit: "MiB", Must: 600,
		Others: map[string]float64{"live MiB": live / 1024, "settled MiB": resident / 1024}}
}
