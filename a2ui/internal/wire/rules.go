package wire

import (
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limits"
)

// Features lists the features of a dialect and the needs of its clients, so that no
// code outside a2ui asks for a version number.
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
	DateAndTime     bool // a DateTimeInput takes a date and a time unless it says otherwise, else neither
	SliderUnnamed   bool // clients leave out the label of a Slider
	KeepsOmitted    bool // an update of a component keeps the properties it leaves out
	Inline          bool // the surface may be created with its components, data and metadata
	OwnCatalogs     bool // components and calls may name their catalog, so that a surface mixes several or has none
	Remote          bool // function calls and their results travel as messages, both ways
	Index           bool // the system function @index
	// a check's condition is a binding or a call that returns the fault; its message is optional
	VerdictChecks bool
	ObjectValues  bool   // a dynamic value may be a plain object
	ThemeMember   string // the member of a catalog document that describes the theme; "" = none
	// a catalog document has $defs.anyComponent and $defs.anyFunction, which the message schema refers
	// to
	AnyDefs     bool
	PartLists   bool   // an A2A data part holds a list of messages, else one message
	MediaType   string // of one A2A or MCP part
	Theme       bool   // CreateSurface has a theme
	ReturnTypes bool   // a Call names its return type
	UserMessage bool   // an Event says the user's action in words
	NullDeletes bool   // null removes a data key, and is not a value there
	SliderSteps bool   // Slider has steps

	CapabilitiesMember string // the transport's metadata that holds a client's capabilities
	DataModelMember    string // and its data models; "" = it sends none
}

// Limits bound the messages that are read and sent.
type Limits = limits.A2UI

// JSONLimits returns the limits of the parser. They are wide enough that the validator,
// which names the parts that are too large, sees all that a message of MessageBytes can
// hold.
func JSONLimits(l Limits) jsonx.Limits {
	return jsonx.Limits{Bytes: l.MessageBytes, String: l.String, Depth: 64}
}
