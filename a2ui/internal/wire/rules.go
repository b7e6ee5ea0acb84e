package wire

import "github.com/limn-ui/limn/internal/jsonx"

// Features says what a dialect can express and what its clients need, so that
// no code outside a2ui asks for a version number.
type Features struct {
	CreateLast bool   // the surface is created after its components and data (v0.8 beginRendering)
	RootID     string // the id the root component must have; "" = any, named by CreateSurface.Root
	LeafKey    string // data leaves sit one level deeper, under this key; "" = no
	// data is a map of typed scalars or of one more map of them, contexts are scalars: no list, no
	// null
	FlatData        bool
	SelfContained   bool // an UpdateComponents must hold every component it refers to
	Delete          bool // a data key can be deleted
	BareValues      bool // literals and lists are bare JSON, without a wrapper for their type
	Calls           bool // function calls in values, checks and actions
	Checks          bool // checks on inputs
	ManyChoice      bool // ChoicePicker with several selections
	ChoiceLooks     bool // ChoicePicker has displayStyle and filterable, in each published file
	HeadingVariant  bool // Text has variants h1…h5
	Placeholder     bool // TextField has a placeholder
	MarkdownText    bool // a Text is Markdown in every variant, headings and captions too
	LiteralsAreRefs bool // a literal equal to a component id is taken for that component
	ParsesJSONText  bool // a data string that looks like a JSON array or object is parsed
	SplitsKeys      bool // dots and brackets in data keys and paths are taken for steps
	LocalTemplates  bool // inside a template every path is relative, a leading '/' too
	ListText        bool // the list of a ChoicePicker travels as its JSON text, which clients read as a list
	EmptyShown      bool // a Text without characters is shown as a word of the client's
	LocalMoments    bool // a date is read as UTC and a time not at all, unless they are moments of local time
	SliderUnnamed   bool // clients leave out the label of a Slider
	KeepsOmitted    bool // an update of a component keeps the properties it leaves out
	Inline          bool // the surface may be created with its components, data and metadata
	OwnCatalogs     bool // components and calls may name their catalog, so that a surface mixes several or has none
	Remote          bool // function calls and their results travel as messages, both ways
	Index           bool // the system function @index
	// a check's condition is a binding or a call that returns what is wrong; its message is optional
	VerdictChecks bool
	ObjectValues  bool   // a dynamic value may be a plain object
	ThemeMember   string // the member of a catalog document that describes the theme; "" = none
	// a catalog document has $defs.anyComponent and $defs.anyFunction, which the message schema refers
	// to
	AnyDefs     bool
	PartLists   bool   // an A2A data part holds a list of messages, else one message
	MediaType   string // of one A2A or MCP part
	Theme       bool   // CreateSurface has a theme
	ReturnTypes bool   // a Call says what it returns
	UserMessage bool   // an Event says the user's action in words
	NullDeletes bool   // null removes a data key, and is no value of its own there
	SliderSteps bool   // Slider has steps

	CapabilitiesMember string // the transport's metadata that holds a client's capabilities
	DataModelMember    string // and its data models; "" = it sends none
}

// Limits bound what is read and what is sent. A zero field takes its default;
// every limit is inclusive.
type Limits struct {
	MessageBytes int // one encoded message; default 512 KiB, about what 2,000 components take
	SurfaceBytes int // one surface, as it is drawn: ids, keys and texts, and 16 for each part; default 4 MiB
	BatchBytes   int // all messages of one batch; default 8 MiB
	Messages     int // of one batch; default 1,000: where data is flat, each row of a table is one
	Components   int // of one surface, as it is drawn; default 2,000
	Depth        int // of a component tree, the root is 1; default 50
	CallDepth    int // of function calls inside one another; default 5
	DataDepth    int // containers inside one another, from the root of the model; default 16
	DataEntries  int // members and items of a surface's model, containers too; default 20,000
	String       int // bytes of one text, key or id; default 64 KiB
}

// WithDefaults fills the fields that are zero.
func (l Limits) WithDefaults() Limits {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	set(&l.MessageBytes, 512<<10)
	set(&l.SurfaceBytes, 4<<20)
	set(&l.BatchBytes, 8<<20)
	set(&l.Messages, 1000)
	set(&l.Components, 2000)
	set(&l.Depth, 50)
	set(&l.CallDepth, 5)
	set(&l.DataDepth, 16)
	set(&l.DataEntries, 20_000)
	set(&l.String, 64<<10)
	return l
}

// JSON returns the limits of the parser: wide enough that the validator, which
// names what is too large, sees all that a message of MessageBytes can hold.
func (l Limits) JSON() jsonx.Limits {
	return jsonx.Limits{Bytes: l.MessageBytes, String: l.String, Depth: 64}
}
