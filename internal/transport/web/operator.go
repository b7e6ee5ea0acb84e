package web

import (
	"cmp"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// operatorAPI lets operators list the conversations of all and answer in them.
type operatorAPI struct {
	*host
	watches atomic.Int32 // streams of changes
}

// list answers the conversations of all owners.
func (s *operatorAPI) list(w http.ResponseWriter, r *http.Request, who string) error {
	list, next, _, err := s.all(r, who, 0)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, listing{list, next})
}

// all returns a page of the conversations of all owners; limit 0: as the request says.
func (s *operatorAPI) all(r *http.Request, who string, limit int) (list []conversation.Summary, next string,
	q conversation.Listing, err error) {
	query, err := queryOf(r)
	if err == nil {
		q, err = listingOf(query)
	}
	if err != nil {
		return nil, "", q, err
	}
	q.Limit = cmp.Or(limit, q.Limit)
	list, next, err = s.find(r, who, q, s.cfg.Service.FindAll)
	return list, next, q, err
}

// Bounds of the streams that say that the list of all conversations changed.
const (
	maxWatches = 100         // at once, on one node
	watchPause = time.Second // between two events
	watchBeat  = 25 * time.Second
)

// changes is a stream of events without content: the list of all conversations may be another.
func (s *operatorAPI) changes(w http.ResponseWriter, r *http.Request, who string) error {
	wake, cancel, err := s.cfg.Service.Changes(who)
	if err != nil {
		return err
	}
	defer cancel()
	defer s.watches.Add(-1)
	if s.watches.Add(1) > maxWatches {
		return &ui.Error{Code: recovery.CodeBusy, Message: "too many pages of operators are open",
			Hint: "close some; a page without a stream asks for the list again and again"}
	}
	sse.Headers(w.Header())
	to := http.NewResponseController(w)
	to.SetReadDeadline(time.Time{}) //nolint:errcheck // it bounds a body; what has none needs none lifted
	beat := time.NewTicker(watchBeat)
	defer beat.Stop()
	for said := sse.Hello(s.cfg.Retry); ; {
		to.SetWriteDeadline(time.Now().Add(transport.WriteTimeout)) //nolint:errcheck // the write reports the error
		if _, err := io.WriteString(w, said); err != nil || to.Flush() != nil {
			return nil // the client is gone
		}
		to.SetWriteDeadline(time.Time{}) //nolint:errcheck // one that passes resets a stream of HTTP/2
		select {
		case <-time.After(watchPause): // what comes meanwhile is one event
		case <-r.Context().Done():
			return nil
		case <-s.stop.Done():
			return nil
		}
		select {
		case <-wake:
			said = "data: changed\n\n"
		case <-beat.C:
			if !s.cfg.Service.Operates(who) { // any more
				return nil
			}
			said = ":\n\n"
		case <-r.Context().Done():
			return nil
		case <-s.stop.Done():
			return nil
		}
	}
}

// attend has the sender answer in a conversation in place of the model.
func (s *operatorAPI) attend(w http.ResponseWriter, r *http.Request, who string) error {
	var in struct {
		Name string `json:"name"`
	}
	if err := readJSON(r, &in); err != nil {
		return err
	}
	return s.does(w, r, who, builtin.OperatorAttend, in.Name, "")
}

// say takes a message of the operator.
func (s *operatorAPI) say(w http.ResponseWriter, r *http.Request, who string) error {
	var in struct {
		Text string `json:"text"`
	}
	if err := readJSON(r, &in); err != nil {
		return err
	}
	return s.does(w, r, who, builtin.OperatorSay, "", in.Text)
}

// leave gives a conversation back to the model, by its operator or its owner.
func (s *operatorAPI) leave(w http.ResponseWriter, r *http.Request, who string) error {
	access, err := s.cfg.Service.Access(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	do := builtin.OperatorLeave
	if access == conversation.Own {
		do = builtin.OperatorDismiss
	}
	return s.does(w, r, who, do, "", "")
}

func (s *operatorAPI) does(w http.ResponseWriter, r *http.Request, who, do, name, text string) error {
	key, err := keyOf(r)
	if err != nil {
		return err
	}
	rec, err := s.operate(w, r, who, key, do, name, text)
	if err != nil {
		return err
	}
	return s.answer(w, r, rec)
}

func (s *operatorAPI) operate(w http.ResponseWriter, r *http.Request, who, key, do, name,
	text string) (rec session.Receipt, err error) {
	e, err := ingress.OperatorEvent(do, name, text, s.cfg.Limits)
	if err != nil {
		return rec, err
	}
	e.Key = key
	return s.submit(w, r, who, e, waitAction)
}

// form handles the buttons of the page.
func (s *operatorAPI) form(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	do, text := r.PostForm.Get("do"), r.PostForm.Get("text")
	key := formKey(r.PostForm.Get(fieldKey), "operator\x00"+do+"\x00"+text)
	rec, err := s.operate(w, r, who, key, do, r.PostForm.Get("name"), text)
	return s.back(w, r, rec, err, targetQuery(r))
}

// operatorPage lists the conversations of all owners.
type operatorPage struct {
	head
	Search, None, Next string
	Waits              string // how many users wait
	List               []operatorLine
}

type operatorLine struct {
	conversationLine
	Operator string // who attends it
	Waiting  string // since when its user waits for an answer
}

// Home is the address of the operator's own conversation.
func (p operatorPage) Home() string { return p.at("/") }

// Changes is the address of the stream that says when the list is another.
func (p operatorPage) Changes() string { return p.at("/operator/changes") }

// Here is the address of the list.
func (p operatorPage) Here() string { return p.at("/operator") }

func (s *operatorAPI) page(w http.ResponseWriter, r *http.Request, who string) error {
	list, next, q, err := s.all(r, who, listed)
	if err != nil {
		return err
	}
	said := s.saidTo(r)
	p := operatorPage{head: head{site: said, Title: said.Word("operator.title"), script: operatorScript},
		Search: q.Words}
	waits := func(c conversation.Summary) int {
		if c.Waiting.IsZero() {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b conversation.Summary) int { return cmp.Compare(waits(a), waits(b)) })
	waiting := 0
	for _, c := range list {
		line := operatorLine{conversationLine: conversationLine{s.conversationAt(c.ID),
			cmp.Or(c.Title, said.Word("conversations.empty")), said.date(c.Active), c.Ended}}
		if !c.Waiting.IsZero() {
			waiting++
			line.Waiting = said.Word("operator.waiting", "label", said.date(c.Waiting))
		}
		if c.Operator != "" {
			line.Operator = said.Word("operator.here", "label", c.Operator)
		}
		p.List = append(p.List, line)
	}
	switch waiting {
	case 0:
		p.Waits = said.Word("operator.waits.none")
	case 1:
		p.Waits = said.Word("operator.waits.one")
	default:
		p.Waits = said.Word("operator.waits", "n", strconv.Itoa(waiting))
	}
	switch {
	case len(list) > 0:
	case next != "":
		p.None = said.Word("conversations.further")
	default:
		p.None = said.Word("operator.none")
	}
	if next != "" {
		again := placeOf(r.URL.Query())
		again.Set("after", next)
		p.Next = s.at("/operator?" + again.Encode())
	}
	return writePage(w, http.StatusOK, "operator", p)
}

// The parts of the page of a conversation that are about operators.

// Operates reports the page of an operator, in a conversation of another user that has not ended.
func (p conversationPage) Operates() bool { return p.grant.Operator && !p.state.Ended }

// Attending reports that the operator who reads the page attends.
func (p conversationPage) Attending() bool {
	return p.Operates() && p.state.Operator != nil && p.state.Operator.ID == conversation.Owner(p.who)
}

// Attended names the operator who attends, "" if no operator does.
func (p conversationPage) Attended() string {
	if p.state.Operator == nil {
		return ""
	}
	return p.Word("operator.here", "label", p.state.Operator.Name)
}

// As says under which name the operator attends.
func (p conversationPage) As() string { return p.Word("operator.as", "label", p.state.Operator.Name) }

// Who is the name of the reader of the page.
func (p conversationPage) Who() string { return p.who }

// Everybodys is the address of the conversations of all owners; "" for a reader who is no operator.
func (p conversationPage) Everybodys() string {
	if !p.server.cfg.Service.Operates(p.who) {
		return ""
	}
	return p.at("/operator")
}
