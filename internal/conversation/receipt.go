package conversation

import (
	"encoding/json"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Receipt is the status of an event: it is durable, and when Done, how it ended.
type Receipt struct {
	Event   ui.EventID `json:"event"`
	Seq     uint64     `json:"seq"` // of its frame; while not Done, of the newest frame
	Done    bool       `json:"-"`
	Outcome ui.Outcome `json:"outcome"`
}

// ReceiptOf is the answer a frame gives to its event.
func ReceiptOf(f *ui.Frame) Receipt {
	return Receipt{Event: f.Event, Seq: f.Seq, Done: true, Outcome: f.Outcome}
}

// ReplySuffix ends the id of a model's reply to an action.
const ReplySuffix = ".reply"

// ReplyTo is the event of the model's reply to an action. There is one, known to
// session.Service.Receipt before the frame of the action, if a model is asked because of it.
func ReplyTo(action ui.EventID) ui.EventID { return action + ReplySuffix }

// Encode returns the answer in the form that the store keeps.
func (r Receipt) Encode() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return b
}

// ParseReceipt reads the answer that the store keeps with an event.
func ParseReceipt(r *store.Event) (Receipt, error) {
	var out Receipt
	if err := json.Unmarshal(r.Answer, &out); err != nil {
		return Receipt{}, &ui.Error{Code: CodeStore, Message: "the recorded answer cannot be read",
			Err: err}
	}
	out.Done = true
	return out, nil
}
