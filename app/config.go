package app

import (
	"context"

	"github.com/limn-ui/limn/internal/limits"
	"github.com/limn-ui/limn/ui"
)

// Config is what an application declares. Only Name is required.
type Config struct {
	Name         string   // a key; part of the fingerprint of drawings
	Title        string   // for people; default: Name
	Instructions string   // the beginning of the system prompt
	Suggestions  []string // what to type, shown on an empty conversation
	Agents       []Agent  // who answers in a gateway, as people and clients read it
	// types a model may use; default: every type of the preset that the app has something for
	Directives []string
	Aliases    map[string]string // further names of directive types
	Forms      []Form
	Tables     []Table
	Maps       []Map
	Views      []View
	Actions    []Action
	Records    []RecordSpec // of forms, tables and maps whose records others may use, or are not kept
	// the roles whose users see all conversations and answer in them as persons; Everyone: all users
	Operators []string
	// types of the app's own, beside those of the preset
	DirectiveTypes []DirectiveType
	ModelTools     []ModelTool // functions for models, in runs that declare tools or hybrid
	// how messages are answered; the first that fits. Default: by directives if there are any, else by
	// words
	Messages   []MessageRoute
	Guardrails []ui.Guardrail // every conversation starts with them; users may switch them off
	Tools      Tools
	Limits     ui.Limits
	// of what A2UI clients are sent; a surface above one is a link to its page for that version
	A2UILimits limits.A2UI
	// ids of the catalogs of surfaces that do not have A2UI's basic one: by the name of a surface, such
	// as form:order, by kind (form, table, map or view), or "*"; limn.Config has their documents
	Catalogs map[string]string
	Strict   bool // nothing that a model says is coerced; for development and tests
	// SendDataModel has clients send the data models of forms, tables and maps beside each
	// message and click (A2UI's sendDataModel).
	SendDataModel bool
	Extensions    []string // to A2UI, for clients that ask for them; such as DataSync
	Theme         Theme
	// Languages are the languages that the app can be used in, as BCP 47 tags. A conversation has
	// the one that its first sender prefers (Accept-Language), else the first one. Default: the
	// page.lang of Words alone if that is set, else ui.WordLanguages.
	Languages []string
	Words     ui.Words // replace built-in texts, in the first of Languages
	// Translations are such texts in others of Languages.
	Translations map[string]ui.Words
	Recovery     []Code // replaces single entries of the table of codes (docs/http.md, Problems)
}

// Agent is one agent of a gateway.
type Agent struct {
	Name, Title string
	About       string // its task; "": not said
}

// DataSync is the extension by which clients share drafts while they are typed: the messages
// of A2UI's proposal for data synchronisation, as package datasync has them.
const DataSync = "data-sync/1"

// knownExtensions are those that an app can offer.
var knownExtensions = []string{DataSync}

// Code is the app's entry for a code, or with a trailing '*' a family of
// codes. What is zero stays as it is.
type Code struct {
	Code   ui.Code
	Status int    // HTTP status, 200 to 599
	Do     string // about a surface: soft, surface_fail or reset
	Title  string // one sentence for people
	Hint   string // advice for a program that gets it as a problem
}

// Tools is how the two tools of the tool menu (ui.ToolTable, ui.ToolMap) work
// as long as a user wants nothing else.
type Tools struct {
	MaxIterations map[string]int // tool → rounds of correction after a submit, 0 to 10; default 2
	Preferred     string         // the tool every conversation prefers at first; default none
}

// Form is a declared form. Its surface is form:<Name>; the submitted values go to
// /committed/<Name>.
type Form struct {
	Name     string
	Title    string     // default: Name
	Help     string     // one paragraph above the fields
	Phrases  []string   // further messages that open it: "new client", without a model only; see App.FormFor
	Fields   []ui.Field // at least one
	OnSubmit string     // an action that runs when the fields are right, before anything is committed
	Submit   string     // label of the button
	Done     string     // said after a submit; default: Words submit.done
}

// Table is a declared table. Its surface is table:<Name>.
type Table struct {
	Name     string
	Title    string
	Help     string
	Nouns    []string // what its rows are called in a message: stakeholders, risks; none: its title and name
	Columns  []ui.Field
	MinRows  int
	OnSubmit string
}

// Map is a declared process map. Its surface is map:<Name>.
type Map struct {
	Name     string
	Title    string
	Help     string
	OnSubmit string
}

// Action is something a button does. Exactly one of Handler, Webhook, Run, Reply
// and Call is set.
type Action struct {
	Name       string
	Label      string // for buttons that YAML draws
	Handler    Handler
	Webhook    *Webhook
	Run        string       // ask the model: RunDirectives, RunChat, RunTools or RunHybrid
	Reply      string       // a fixed answer
	Show       string       // a form, table, map or view to open, after Reply if there is one
	Context    []ContextKey // all that its buttons send, and what clients may send beyond
	Repeat     bool         // clicking again is a new intention
	Idempotent bool         // safe to call again with the same key after a crash
	Callers    string       // "": buttons; "client": clients, as a function of A2UI v1.0; "any": both
	Call       *ui.Action   // has a client run a function, as Result.Call

	// When the action is for now. Its buttons are drawn, and clicks on them
	// taken, only then.
	After []string             // forms, tables and maps that were submitted: all of them
	Until []string             // forms, tables and maps that were not submitted yet: none of them
	When  func(*ui.State) bool // in Go; pure
}

// ContextKey declares one key of an action's context and its type.
type ContextKey struct {
	Key  string
	Type ui.FieldType
}

// Webhook is an HTTP endpoint that answers an action. The request is signed as
// Standard Webhooks describes.
type Webhook struct {
	URL    string
	Secret string // whsec_… or plain; a YAML file may name environment variables as ${NAME}, see Env

	// Later answers the action at once and makes the call afterwards, again and
	// again until it succeeds or is given up; its answer is a separate frame.
	Later bool
}

// Handler answers an action. After a crash an action that is Idempotent is called again
// with the same Call.Key; use the key to make its effect happen once. Of another one the
// user reads that the result is not known. A handler must return when ctx ends: five
// seconds later it is left to itself, and the result is not known either.
type Handler func(ctx context.Context, c Call) (Result, error)

// Call is the argument of a Handler.
type Call struct {
	Key          string // event/step: the same for every try of the same effect
	Conversation string
	Principal    string // who sent the event: the name that Authenticate gave, or a stable opaque id
	Action       string
	Surface      ui.Name
	Values       ui.Value     // typed: the checked form, a table's rows under its name, or the action's context
	Record       ui.RecordRef // that Values are saved as if this call, of a submit, succeeds
	Records      Records      // of the application, as far as the principal may use them
	Live         Live         // topics, and the data of other conversations; for this one return Ops
	File         ReadFile     // reads an upload that Values or State names
	State        *ui.State    // read only
}

// Result is the answer of a Handler. Errors keep the surface open and show each one at
// its field (/draft/name) or cell (/draft/table/row/column); then nothing is committed.
type Result struct {
	Text       string
	Toast      string
	Errors     []ui.FieldError
	Directives []Directive
	Ops        ui.Ops     // run after Directives; see DirectiveFunc for the ops it may return
	Warnings   []ui.Error // parts of an answer that could not be used; kept in the frame

	Value ui.Value // the return value for a client that calls the action as a function
	// Call has a client of A2UI v1.0 run a function: Do names it, Context has its arguments,
	// as values, and Name is the action that gets the result, under the keys value and error.
	Call *ui.Action
}
