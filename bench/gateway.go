package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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
	gatewayRounds   = 200
	gatewaySide     = 8 // conversations at once
)

const gatewaySize = 1000 // bytes of text in a message

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

// asking asks for one answer, and reads it to its end.
func asking(url, token, body, want string) {
	req, err := http.NewRequest("POST", url, strings.NewReader(body))
	must(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=30")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	must(err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(err)
	if resp.StatusCode != http.StatusOK || !bytes.Contains(b, []byte(want)) {
		panic(fmt.Sprintf("%s: %s %.300s", url, resp.Status, b))
	}
}

// gatewayed measures the time that a gateway adds to a turn, and how many messages of an agent it reads, judges,
// keeps and proves for three versions in a second. Client, gateway and agent are one process; the store is
// in memory.
func gatewayed(count int) []figure {
	many, few := gatewayAnswer(gatewayMessages, gatewaySize), gatewayAnswer(3, 20)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/jsonl")
		answer := few
		if bytes.Contains(b, []byte(`"text":"many"`)) {
			answer = many
		}
		_, _ = w.Write(answer)
	}))
	defer agent.Close()
	c, err := gateway.Load("gateway.yaml", []byte(fmt.Sprintf("agents: [{name: a, url: %q, limits: {rate: 100000, "+
		"messages: 10000, bytes: 8388608}}]\nfallback: a\n", agent.URL)))
	must(err)
	agents, err := upstream.Open(c, ".", nil)
	must(err)
	defer agents.Close()
	front, err := app.New(app.Config{Name: c.Name})
	must(err)
	srv, err := limn.New(limn.Config{App: front, Model: agents, Targets: []string{"v0.9", "v0.8", "v1.0"},
		Limits: limn.Limits{Rate: -1, AddressRate: -1, Conversations: -1, Runs: limn.Runs{Principal: -1},
			Stored: limn.Daily{Principal: -1, Address: -1}}})
	must(err)
	s := httptest.NewServer(srv.Handler())
	defer func() { must(srv.Close(context.Background())); s.Close() }()
	begin := func() (url, token string) {
		var made struct{ ID, Token string }
		(&caller{base: s.URL}).json("POST", "/v1/conversations", nil, &made)
		return s.URL + "/v1/conversations/" + made.ID + "/messages", made.Token
	}
	url, token := begin()
	var through, direct []float64
	for range count * gatewayRounds {
		for list, ask := range map[*[]float64]func(){
			&through: func() { asking(url, token, `{"text":"few"}`, `"done"`) },
			&direct:  func() { asking(agent.URL, "", `{"text":"few"}`, "root") }} {
			began := time.Now()
			ask()
			*list = append(*list, float64(time.Since(began).Nanoseconds())/1e3)
		}
	}
	slices.Sort(through)
	slices.Sort(direct)
	at := func(list []float64, part float64) float64 { return list[int(part*float64(len(list)-1))] }
	added := func(name string, part, most float64) figure {
		return figure{Name: name, Value: at(through, part) - at(direct, part), Unit: "µs", Must: most,
			Others: map[string]float64{"through": at(through, part), "direct": at(direct, part)}}
	}
	rounds := max(1, count*gatewayRounds/100)
	var side sync.WaitGroup
	began := time.Now()
	for range gatewaySide {
		url, token := begin()
		side.Go(func() {
			for range rounds {
				asking(url, token, `{"text":"many"}`, `"done"`)
			}
		})
	}
	side.Wait()
	took, answers := time.Since(began).Seconds(), float64(rounds*gatewaySide)
	return []figure{added("gateway_turn_p50_us", 0.5, 250), added("gateway_turn_p99_us", 0.99, 500),
		{Name: "gateway_msg_s", Value: answers * float64(gatewayMessages+3) / took, Unit: "/s", Must: 15000, AtLeast: true},
		{Name: "gateway_mb_s", Value: answers * float64(len(many)) / took / 1e6, Unit: "MB/s", Must: 50, AtLeast: true}}
}
