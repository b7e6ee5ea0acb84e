package wire

import "github.com/limn-ui/limn/internal/jsonx"

// Data is a plain JSON value with exact numbers and ordered members: the data
// model, literals and action contexts.
type Data = jsonx.Value

// Member is one key of a Data object.
type Member = jsonx.Member

// Message is one server→client message in neutral form, modelled on v0.9. The
// codecs of each dialect write and read it.
type Message interface {
	isMessage()
	Surface() string // the surface id it addresses; "" = none
}

// CreateSurface makes a surface known and shown: createSurface, or on v0.8
// beginRendering.
type CreateSurface struct {
	SurfaceID     string
	CatalogID     string
	Root          string // v0.8: the id of the root component; elsewhere "root" or ""
	Theme         Data   // Null = none
	SendDataModel bool
	Components    []Component // v1.0: sent along; nil = none
	Data          Data        // v1.0: the whole model, an Object; Null = none
	Metadata      Data        // v1.0: {extensions}; Null = none
	Extra         []Member    // unknown members, kept
}

// UpdateComponents adds or replaces components by id.
type UpdateComponents struct {
	SurfaceID  string
	Components []Component
	Extra      []Member
}

// UpdateData replaces the value at Path ("" or "/" = the whole model), or with
// Delete removes the key.
type UpdateData struct {
	SurfaceID string
	Path      string // JSON Pointer
	Value     Data
	Delete    bool
	Extra     []Member
}

// DeleteSurface removes a surface.
type DeleteSurface struct {
	SurfaceID string
	Extra     []Member
}

// CallRenderer asks the client to run a function (v1.0 callRendererFunction);
// Call.CatalogID is required.
type CallRenderer struct {
	CallID string
	Call   Call
	Extra  []Member
}

// Reply is the result of a function call, in both directions (v1.0
// agentFunctionResponse, rendererFunctionResponse): Value, or Err.
type Reply struct {
	CallID string
	Value  Data
	Err    *CallError // nil = Value holds the result
	Extra  []Member
}

// CallError says why a function call failed.
type CallError struct{ Code, Message string }

func (*CallRenderer) isMessage()     {}
func (*Reply) isMessage()            {}
func (*CreateSurface) isMessage()    {}
func (*UpdateComponents) isMessage() {}
func (*UpdateData) isMessage()       {}
func (*DeleteSurface) isMessage()    {}

// Surface implements Message.
func (m *CreateSurface) Surface() string { return m.SurfaceID }

// Surface implements Message.
func (m *UpdateComponents) Surface() string { return m.SurfaceID }

// Surface implements Message.
func (m *UpdateData) Surface() string { return m.SurfaceID }

// Surface implements Message.
func (m *DeleteSurface) Surface() string { return m.SurfaceID }

// Surface implements Message: calls belong to no surface.
func (*CallRenderer) Surface() string { return "" }

// Surface implements Message: replies belong to no surface.
func (*Reply) Surface() string { return "" }

// Component is one component under its v0.9 type and property names; Props are
// written in their order. Weight 0 means none.
type Component struct {
	ID        string
	Type      string
	CatalogID string // v1.0: the catalog of Type; "" = the surface's
	Weight    float64
	Props     []Prop
}

// Prop is one property of a component.
type Prop struct {
	Name  string
	Value Value
}

// Value is the value of a property. All implementations follow.
type Value interface{ isValue() }

type (
	// String is a literal string, Bool a literal boolean.
	String string
	Bool   bool
	// Literal is any other literal: numbers, string lists, objects.
	Literal struct{ Data Data }
	// Path is a binding: an absolute JSON Pointer, or a relative one inside a template.
	Path string
	// Ref is one child component id, Refs a list of them.
	Ref  string
	Refs []string
	// Template repeats Component for each item at Path.
	Template struct{ Component, Path string }
	// Call is a function call; Args are written in their order.
	Call struct {
		Func       string
		Args       []Prop
		ReturnType string // "" = not written
		CatalogID  string // v1.0; "" = not written
	}
	// List is a list with at least one Path, Call or List in it, as the arguments
	// of and/or hold; a list of plain data is a Literal.
	List []Value
	// Object is an object with at least one Path, Call, List or Object in it, as
	// accessibility may hold; an object of plain data is a Literal.
	Object []Prop
	// Options are the choices of a ChoicePicker.
	Options []Option
	// Tabs are the tabs of a Tabs component.
	Tabs []Tab
	// Event is an action that is sent to the server: a name and a context.
	Event struct {
		Name        string
		Context     []Prop
		UserMessage Value // v1.0: String, Path or Call; nil = none
	}
	// Local is an action that runs a function on the client.
	Local struct{ Call Call }
	// Checks are validation rules of an input.
	Checks []Check
)

// Option is one choice: the label shown and the value submitted.
type Option struct {
	Label Value // String, Path or Call
	Value string
}

// Tab is one tab: its title and its child component id.
type Tab struct {
	Title Value
	Child string
}

// Check shows Message while Condition (Call, Path or Bool) is false. v1.0 has no
// literal conditions, and "" for no message.
type Check struct {
	Condition Value
	Message   string
}

// Get returns the value of a property, argument or context entry, nil for none of
// that name.
func Get(props []Prop, name string) Value {
	for i := range props {
		if props[i].Name == name {
			return props[i].Value
		}
	}
	return nil
}

// Computed reports whether a client computes v, which then is no plain data.
func Computed(v Value) bool {
	switch v.(type) {
	case Path, Call, List, Object:
		return true
	}
	return false
}

func (String) isValue()   {}
func (Bool) isValue()     {}
func (Literal) isValue()  {}
func (Path) isValue()     {}
func (Ref) isValue()      {}
func (Refs) isValue()     {}
func (Template) isValue() {}
func (Call) isValue()     {}
func (List) isValue()     {}
func (Object) isValue()   {}
func (Options) isValue()  {}
func (Tabs) isValue()     {}
func (Event) isValue()    {}
func (Local) isValue()    {}
func (Checks) isValue()   {}

// ClientMessage is one client→server message: *Action, *ClientError, *CallAgent
// or *Reply.
type ClientMessage interface{ isClientMessage() }

// Action is a user's click with its resolved context (v0.8 userAction).
type Action struct {
	Name      string
	SurfaceID string
	Component string // sourceComponentId
	Timestamp string // RFC 3339, as sent
	Context   Data   // an Object
	// UserMessage (v1.0) says the action in words; "" = none.
	UserMessage string
	Metadata    Data     // v1.0: {extensions}; Null = none
	Extra       []Member // unknown members, kept
}

// ClientError is the error report of a renderer. v0.8 leaves its form open: a member
// missing there is "".
type ClientError struct {
	Code      string
	SurfaceID string
	Path      string // JSON Pointer into the message
	Message   string
	CallID    string // v1.0: of the function call that failed, instead of SurfaceID
	Extra     []Member
}

// CallAgent asks the server to run a function (v1.0 callAgentFunction).
type CallAgent struct {
	SurfaceID string
	CallID    string
	Call      Call
	Extra     []Member
}

func (*CallAgent) isClientMessage()   {}
func (*Reply) isClientMessage()       {}
func (*Action) isClientMessage()      {}
func (*ClientError) isClientMessage() {}
