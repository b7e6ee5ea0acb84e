package web

import (
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// routerState is the memory of routing as the API shows it: every member is present,
// null where it has no value.
type routerState struct {
	LastTool      *string          `json:"last_tool"`
	LastStatus    *string          `json:"last_tool_status"`
	Checkpoint    *checkpointState `json:"ui_checkpoint"`
	Asking        bool             `json:"clarifying_question_pending"`
	Pending       *ui.Pending      `json:"pending"`
	Cancels       int              `json:"cancels_in_row"`
	OptOut        optOutState      `json:"user_opt_out"`
	Guardrails    []ui.Guardrail   `json:"guardrails"`
	Preferred     *string          `json:"preferred_ui"`
	MaxIterations map[string]int   `json:"max_iterations"`
}

type checkpointState struct {
	ui.Checkpoint
	Payload  ui.Value    `json:"payload"`
	Criteria ui.Criteria `json:"completion_criteria"`
}

type optOutState struct {
	All     bool       `json:"all_tools"`
	Tools   []string   `json:"tools"`
	Expires *time.Time `json:"expires_at"`
	Once    []string   `json:"this_turn"`
}

func routerOf(r ui.Router) routerState {
	out := routerState{LastTool: orNull(r.LastTool), LastStatus: orNull(r.LastStatus), Asking: r.Pending != nil,
		Pending: r.Pending, Cancels: r.Cancels,
		OptOut: optOutState{All: r.OptOut.All, Tools: orEmpty(r.OptOut.Tools), Expires: orNull(r.OptOut.Expires),
			Once: orEmpty(r.OptOut.Once)},
		Guardrails: orEmpty(r.Guardrails), Preferred: orNull(r.Preferred)}
	if c := r.Checkpoint; c != nil {
		out.Checkpoint = &checkpointState{*c, c.Payload, c.Criteria}
	}
	out.MaxIterations = map[string]int{}
	maps.Copy(out.MaxIterations, r.MaxIterations)
	return out
}

func orNull[T comparable](v T) *T {
	if none := *new(T); v == none {
		return nil
	}
	return &v
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (s *readAPI) getPreferences(w http.ResponseWriter, r *http.Request, who string) error {
	return s.showState(w, r, who, func(st *ui.State) any {
		have, rounds, prefs := routerOf(st.Router), map[string]int{}, turn.Routing(s.cfg.Service.App())
		for _, tool := range toolNames {
			rounds[tool] = prefs.Rounds(st.Router, tool)
		}
		return map[string]any{"opt_out": have.OptOut, "preferred_ui": have.Preferred, "max_iterations": rounds,
			"guardrails": have.Guardrails}
	})
}

// putPreference takes one preference.
func (s *eventAPI) putPreference(decode decodeFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error { return s.takeJSON(w, r, waitAction, decode) }
}

func (s *readAPI) getGuardrails(w http.ResponseWriter, r *http.Request, who string) error {
	return s.showState(w, r, who, func(st *ui.State) any {
		return map[string]any{"guardrails": orEmpty(st.Router.Guardrails)}
	})
}

// createdRule is the answer to a new rule: its receipt and its id.
type createdRule struct {
	ID string `json:"id"`
	session.Receipt
}

func (s *eventAPI) postGuardrail(w http.ResponseWriter, r *http.Request) error {
	rec, err := s.take(w, r, waitAction, ingress.DecodeRule(""))
	if err != nil {
		return err
	}
	rule, made := strings.CutPrefix(string(rec.Outcome.Path), "/guardrails/")
	if !rec.Done || !made || rec.Outcome.Kind != ui.OutcomeDone {
		return s.answer(w, r, rec)
	}
	w.Header().Set("Location", s.at(r.URL.Path+"/"+rule))
	return writeJSON(w, http.StatusCreated, createdRule{rule, rec})
}

func (s *eventAPI) putGuardrail(w http.ResponseWriter, r *http.Request) error {
	return s.takeJSON(w, r, waitAction, ingress.DecodeRule(r.PathValue("rule")))
}

func (s *eventAPI) deleteGuardrail(w http.ResponseWriter, r *http.Request) error {
	return s.takeJSON(w, r, waitAction, func([]byte, ingress.Limits) (*ui.Event, error) {
		return ingress.DropRule(r.PathValue("rule")), nil
	})
}
