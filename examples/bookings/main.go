// Command bookings is the endpoint of the webhook in docs/tutorial.md: it accepts
// a booking unless the room is taken on that day.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
)

// secret is what "secret: whsec_…" of app.yaml encodes.
const secret = "tutorial"

// diary has who booked the room, by day, and the answer of each call by its key.
type diary struct {
	mu      sync.Mutex
	days    map[string]string
	answers map[string][]byte
}

// ServeHTTP answers one call. A call that comes again under the same key gets the
// answer of the first.
func (d *diary) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil || !signed(r.Header, body) {
		http.Error(w, "not signed with our secret", http.StatusUnauthorized)
		return
	}
	var call struct {
		Key    string
		Values struct{ Who, Day string }
	}
	if err := json.Unmarshal(body, &call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	answer, known := d.answers[call.Key]
	if !known {
		answer = d.book(call.Values.Who, call.Values.Day)
		d.answers[call.Key] = answer
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer) //nolint:errcheck // the caller asks again
}

func (d *diary) book(who, day string) []byte {
	answer := map[string]any{"text": "The room is yours on " + day + ", " + who + "."}
	if other := d.days[day]; other != "" {
		answer = map[string]any{"errors": []map[string]string{
			{"path": "/draft/day", "code": "FIELD_TAKEN", "text": other + " has the room that day."}}}
	} else {
		d.days[day] = who
	}
	out, _ := json.Marshal(answer) // strings alone
	return out
}

// signed holds a call against its signature, as Standard Webhooks describes it.
func signed(h http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(h.Get("Webhook-Id") + "." + h.Get("Webhook-Timestamp") + "."))
	mac.Write(body)
	got, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(h.Get("Webhook-Signature"), "v1,"))
	return err == nil && hmac.Equal(got, mac.Sum(nil))
}

func newDiary() *diary {
	return &diary{days: map[string]string{}, answers: map[string][]byte{}}
}

func main() {
	log.Print("bookings are taken at http://127.0.0.1:9000/book")
	log.Fatal(http.ListenAndServe("127.0.0.1:9000", newDiary()))
}
