// Command gateway is one of the agents of this example: orders, in A2UI v0.8 as JSON lines. It
// answers a key that it knows without doing it again, so a gateway may ask again after a crash.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

const surface = `{"surfaceUpdate":{"surfaceId":"cart","components":[` +
	`{"id":"all","component":{"Column":{"children":{"explicitList":["count","buy"]}}}},` +
	`{"id":"count","component":{"Text":{"text":{"path":"/count"}}}},` +
	`{"id":"buy-label","component":{"Text":{"text":{"literalString":"Order one more"}}}},` +
	`{"id":"buy","component":{"Button":{"child":"buy-label","action":{"name":"buy"}}}}]}}
{"dataModelUpdate":{"surfaceId":"cart","contents":[{"key":"count","valueString":%q}]}}
{"beginRendering":{"surfaceId":"cart","root":"all"}}
`

// orders is the agent. Its answers by key are what makes it idempotent; a real one keeps them in its
// database, in the transaction that places the order.
type orders struct {
	mu      sync.Mutex
	count   map[string]int    // conversation → orders; guarded by mu
	answers map[string]string // key → answer; guarded by mu
}

func newOrders() *orders { return &orders{count: map[string]int{}, answers: map[string]string{}} }

// ServeHTTP answers one question.
func (o *orders) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var question struct {
		Key, Conversation, Text string
		Message                 struct{ UserAction *struct{ Name string } }
		Surfaces                []string
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&question); err != nil {
		http.Error(w, "want a question of a gateway", http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	answer, known := o.answers[question.Key]
	if !known {
		if question.Message.UserAction != nil {
			o.count[question.Conversation]++
			answer = `{"text":"Ordered."}` + "\n" +
				fmt.Sprintf(`{"dataModelUpdate":{"surfaceId":"cart","contents":[{"key":"count","valueString":%q}]}}`+"\n",
					o.words(question.Conversation))
		} else {
			answer = `{"text":"Here are your orders."}` + "\n"
			if len(question.Surfaces) == 0 {
				answer += fmt.Sprintf(surface, o.words(question.Conversation))
			}
		}
		o.answers[question.Key] = answer
	}
	w.Header().Set("Content-Type", "application/jsonl")
	_, _ = io.WriteString(w, answer) // a gateway that is gone asks again
}

func (o *orders) words(conversation string) string {
	return fmt.Sprintf("%d ordered", o.count[conversation])
}

func main() {
	addr := "127.0.0.1:8092"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	log.Fatal(http.ListenAndServe(addr, newOrders()))
}
