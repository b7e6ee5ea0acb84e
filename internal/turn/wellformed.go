package turn

import (
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// WellFormed checks that an event is one that a client or the application can send, with all
// that its kind needs. Errors are ingress.CodeEnvelope and those of execute.CheckPreference.
func WellFormed(e *ui.Event) error {
	switch {
	case e.Kind == ui.EventMessage, e.Kind == ui.EventCancel, e.Kind == ui.EventEnd,
		e.Kind == ui.EventRegenerate && e.Surface != "", e.Kind == ui.EventAction && e.Action != nil,
		e.Kind == ui.EventError && e.Error != nil, e.Kind == ui.EventRecord,
		e.Kind == ui.EventReply && e.Results.Kind == jsonx.Array,
		e.Kind == ingress.KindOpen && (e.Text == "") != (e.Surface == ""),
		e.Kind == ui.EventDraft && e.Model.Kind == jsonx.Object, e.Kind == ui.EventShared && e.Shared != nil,
		(e.Kind == ui.EventData || e.Kind == ui.EventOperator) && e.Data.Kind() == ui.MapValue:
		return nil
	case e.Kind == ui.EventPreference && e.Preference != nil:
		return execute.CheckPreference(e.Preference)
	}
	return &ui.Error{Code: ingress.CodeEnvelope, Message: "no event that a client can send"}
}
