// Package builtin has the names and numbers that several packages share and no application
// needs: Limn's own keys, actions, inputs of forms, catalogs, actors, limits.
package builtin

import "errors"

// Keys of the parts a rowset draws around its rows. No node key and no row id contains
// '!', so they never collide with one.
const (
	KeyAdd     = "!add"
	KeyRemove  = "!remove" // below the row's id
	KeyDetach  = "!detach" // below an upload field, or a cell of one
	KeyUp      = "!up"     // below the row's id
	KeyDown    = "!down"   // below the row's id
	KeyShow    = "!show"   // below the row's id: the page it is on
	KeyPrev    = "!prev"
	KeyNext    = "!next"
	KeyRestore = "!restore"
	KeyEdit    = "!edit"  // below the root of an answered surface: its record once more
	KeyError   = "!error" // below an input, or a cell
)

// Names of the actions Limn itself answers. They are always allowed.
const (
	ActionAddRow     = "limn.add_row"
	ActionRemoveRow  = "limn.remove_row"
	ActionRestoreRow = "limn.restore_row" // put back the row that was removed last
	ActionMoveRow    = "limn.move_row"
	ActionPage       = "limn.page"
	ActionPaste      = "limn.paste"       // read pasted text and show the rows it would add
	ActionPasteApply = "limn.paste_apply" // add the rows of the preview
	ActionPasteDrop  = "limn.paste_drop"  // forget the preview
	ActionSubmit     = "limn.submit"      // a form: check and commit; a tool: check
	ActionConfirm    = "limn.confirm"     // a tool that was checked: commit
	ActionAccept     = "limn.accept"      // a tool that stays incomplete: commit as it is
	ActionEdit       = "limn.edit"        // a tool that asks whether to submit fewer rows: go on filling it in
	ActionCancel     = "limn.cancel"
	ActionRegenerate = "limn.regenerate"
	ActionOffer      = "limn.offer"  // a button of an offer; its context says which
	ActionAttach     = "limn.attach" // an uploaded file for an upload field; not a button's
	ActionDetach     = "limn.detach" // remove the file of an upload field
)

// The actions of lists of records. Every app with records has them.
const (
	ActionRecords      = "limn.records"       // show a page
	ActionRecordEdit   = "limn.record_edit"   // open the form of a record
	ActionRecordDelete = "limn.record_delete" // delete it, after asking
)

// Names of the hidden inputs and of the buttons of a form; all other names are Paths.
// Nonce and revision go by the same names in the context of every action.
const (
	FieldSurface      = "limn_surface"      // wire id
	FieldNonce        = "limn_nonce"        // the epoch's nonce
	FieldRev          = "limn_rev"          // decimal
	FieldComponent    = "limn_component"    // component id of the button pressed
	FieldAction       = "limn_action"       // action name, only on an expired surface
	FieldPath         = "limn_path"         // an upload by itself: the Path the file is for
	FieldConversation = "limn_conversation" // beside a record: where it is edited
	FieldFile         = "file"              // an upload by itself: the file
)

// These begin the name of a run that asks agents in place of a model: their names follow, with commas between.
const (
	RunAgent  = "agent:"  // one after the other
	RunChoose = "choose:" // the one of them that a model chooses
)

// OriginAgent is the kind of the origin of a surface of another agent.
const OriginAgent = "agent"

// Catalogs is how the ids of Limn's own catalogs begin.
const Catalogs = "https://limn-ui.dev/catalogs/"

// Orders of an operator: member "do" of ui.EventOperator.
const (
	OperatorAttend  = "attend"
	OperatorSay     = "say"
	OperatorLeave   = "leave"
	OperatorDismiss = "dismiss" // by the owner of the conversation
)

// Actors of shared drafts that are not clients. A user who fills in a form without the
// extension is ActorUser and a hash.
const (
	ServerActors = "limn."
	ActorAgent   = ServerActors + "agent"
	ActorApp     = ServerActors + "app"
	ActorUser    = ServerActors + "user."
)

// The limits of the literal data of a Diagram, and of the drawing of a process.
const (
	MaxDiagramSteps = 200
	MaxDiagramEdges = 1000
)

// ListMember is the one member of an object that a shared list is sent as.
const ListMember = "@list"

// The limits of a store, in bytes unless they count something.
const (
	MaxTitle = 512  // of store.Conversation's Title and First
	MaxSaid  = 4096 // of store.Commit's Said
	MaxTerm  = 128  // of the text of a store.Term
	MaxTerms = 128  // terms of a store.Record
	MaxWhere = 8    // conditions of a store.Query

	MaxBodies = 8 << 20 // of the records of one page, which ends with the one that reaches it
)

// The limits of an app.RecordQuery.
const (
	MaxFilters     = 2
	MaxSearchWords = 5
)

// ErrConditions is a query beyond one of them, or with more words than a store looks for.
var ErrConditions = errors.New("too many conditions")

// What local actions do on the client, besides functions of its catalog.
const (
	DoOpen = "open"
	DoCopy = "copy"
)
