package ui

// Op is one change to a State. All ops are in this file; Apply says what each does.
type Op interface{ apply(*applier) error }

// About a surface as a whole.
type (
	// Open shows a new surface. If one with that name is there, it is replaced
	// under the next epoch.
	Open struct {
		Surface Name   `json:"surface"`
		Nonce   string `json:"nonce"`
		Origin  Origin `json:"origin"`
		Title   string `json:"title"`
		Root    Nodes  `json:"root"`
		Draft   Value  `json:"draft,omitzero"`
		UIState Value  `json:"ui_state,omitzero"`
	}
	// Update replaces the node tree of an open surface; its data stay. With Live, for data
	// of the application that a view shows, Guard stays too as long as the buttons and
	// inputs are the same: a click on a view that changes all the time still counts.
	Update struct {
		Surface Name  `json:"surface"`
		Root    Nodes `json:"root"`
		Live    bool  `json:"live,omitempty"`
	}
	// Lock marks a surface as submitted: shown, not editable.
	Lock struct {
		Surface Name      `json:"surface"`
		Record  RecordRef `json:"record,omitzero"` // the saved version; zero: no record
	}
	// Expire leaves a stub of a surface with a button that opens it again: it is
	// out of date ("regenerate") or, with Canceled, the user canceled it ("undo").
	// Its data stay.
	Expire struct {
		Surface  Name `json:"surface"`
		Canceled bool `json:"canceled,omitempty"`
	}
	// Close removes a surface. Its epoch is remembered, and with Failed, when it
	// could not be shown, all of it.
	Close struct {
		Surface Name `json:"surface"`
		Failed  bool `json:"failed,omitempty"`
	}
	// Reset gives a surface a new epoch and nonce with the same content, so that
	// every client rebuilds it.
	Reset struct {
		Surface Name   `json:"surface"`
		Nonce   string `json:"nonce"`
	}
	// Mark counts a fault of a surface that was seen in an epoch; without one of
	// no surface in particular.
	Mark struct {
		Surface Name   `json:"surface"`
		Epoch   uint32 `json:"epoch"`
		Print   string `json:"print"`
	}
)

// About data.
type (
	// Draft records values the user sent with an action. It is not echoed to
	// open clients, and it is how an answered action moves rev. An expired surface
	// keeps it for the one that is rendered again.
	Draft struct {
		Surface Name   `json:"surface"`
		Values  []Leaf `json:"values,omitempty"`
	}
	// Stamp keeps when draft leaves were written, and by which actor, so that what comes
	// later from elsewhere can be merged. Actors replace those of the same names.
	Stamp struct {
		Surface Name             `json:"surface"`
		Writes  map[Path]string  `json:"writes,omitempty"` // path → stamp
		Actors  map[string]Actor `json:"actors,omitempty"`
	}
	// Patch is the server's own change of /draft or /ui_state.
	Patch struct {
		Surface Name       `json:"surface"`
		Changes []PatchOne `json:"changes"`
	}
	// StandIn has a surface shown as a text and a link to clients of more versions of A2UI, until an
	// Update: it is above a limit there.
	StandIn struct {
		Surface Name     `json:"surface"`
		Targets []string `json:"targets"` // such as v0.8
	}
	// Errors replaces the errors shown on a surface.
	Errors struct {
		Surface Name         `json:"surface"`
		Errors  []FieldError `json:"errors,omitempty"`
	}
	// Commit keeps a submitted form under /committed/<form>, and with Record as that
	// version of a record of the application.
	Commit struct {
		Form   string    `json:"form"`
		Values Value     `json:"values"`
		Record RecordRef `json:"record,omitzero"`
	}
)

// About the conversation.
type (
	// Set replaces the router state.
	Set struct {
		Router Router `json:"router"`
	}
	// Say adds a line to the transcript; the words of the assistant are the frame's
	// Text.
	Say struct {
		Role Role   `json:"role"`
		By   string `json:"by,omitempty"` // the operator or the agent who says it as the assistant, as users read it
		// the names of the agents of a gateway that say it or, of words of the user, that answered them
		Agents []string `json:"agents,omitempty"`
		Text   string   `json:"text"`
	}
	// Attend has an operator answer in place of the model, from now; without an id the
	// model answers again.
	Attend struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	}
	// Toast is a short message that is shown once and not kept.
	Toast struct {
		Text string `json:"text"`
	}
	// End closes every surface and ends the conversation: no op follows it.
	End struct{}
)

// Leaf is a value at a path under /draft.
type Leaf struct {
	Path  Path  `json:"path"`
	Value Value `json:"value"`
}

// PatchOne is one change of a Patch. Set replaces; Delete removes; Append and
// Insert add to a list, or a row (a map) to rows: Insert before row or index
// Before, "" = at the end. Row names the new row's id, "" = the next free one.
// Append of rows to rows adds them all, under their own ids.
// Move takes the row named Row before the row Before ("" = to the end); no cell
// is written.
type PatchOne struct {
	Do     PatchVerb `json:"do"`
	Path   Path      `json:"path"`
	Value  Value     `json:"value,omitzero"`
	Before string    `json:"before,omitempty"`
	Row    string    `json:"row,omitempty"`
}

// PatchVerb names the change that a PatchOne makes.
type PatchVerb string

// The verbs of a PatchOne.
const (
	PatchSet    PatchVerb = "set"
	PatchDelete PatchVerb = "delete"
	PatchAppend PatchVerb = "append"
	PatchInsert PatchVerb = "insert"
	PatchMove   PatchVerb = "move"
)

// Ops is a list of ops with a JSON form: each op is an object whose first
// member "op" names its type. An unknown op is an error.
type Ops []Op

var opTypes = newUnion("op", &Open{}, &Update{}, &Lock{}, &Expire{}, &Close{}, &Reset{},
	&Draft{}, &Patch{}, &StandIn{}, &Errors{}, &Commit{}, &Set{}, &Say{}, &Attend{}, &Toast{}, &Mark{}, &End{},
	&Stamp{})

// MarshalJSON implements json.Marshaler.
func (ops Ops) MarshalJSON() ([]byte, error) { return marshalList(opTypes, ops) }

// UnmarshalJSON implements json.Unmarshaler.
func (ops *Ops) UnmarshalJSON(b []byte) (err error) {
	*ops, err = unmarshalList[Op](opTypes, b)
	return err
}
