package foreign

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// Click returns the message to the agent about a click of the user on a component.
func (s *Surface) Click(e *ui.ActionEvent, component string, context a2ui.Data) ([]byte, error) {
	return a2ui.AppendClient(nil, s.Dialect, &a2ui.Action{Name: e.Name, SurfaceID: s.ID, Component: component,
		Timestamp: e.Timestamp, Context: context})
}

// Call returns the message to the agent about a client's call of one of its functions. The arguments are values.
func (s *Surface) Call(e *ui.ActionEvent, args ui.Value) ([]byte, error) {
	m := &a2ui.CallAgent{SurfaceID: s.ID, CallID: e.Call, Call: a2ui.Call{Func: e.Name, CatalogID: s.Catalog}}
	for _, p := range args.Pairs() {
		data, err := a2ui.ParseData(p.Value.AppendJSON(nil))
		if err != nil {
			return nil, err
		}
		m.Call.Args = append(m.Call.Args, a2ui.Prop{Name: p.Key, Value: a2ui.Literal{Data: data}})
	}
	return a2ui.AppendClient(nil, s.Dialect, m)
}

// Report returns the message to the agent about an error that a client reports.
func (s *Surface) Report(e *ui.ErrorEvent) ([]byte, error) {
	return a2ui.AppendClient(nil, s.Dialect, &a2ui.ClientError{Code: e.Code, SurfaceID: s.ID, Path: e.Path,
		Message: e.Message})
}
