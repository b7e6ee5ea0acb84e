package wire

// The codes of server→client faults. The part after A2UI_S2C_ is the family
// that recovery maps: ENVELOPE, BEGIN, COMPONENT, DATA, LIMIT.
const (
	EnvelopeInvalid       Code = "A2UI_S2C_ENVELOPE_INVALID"
	EnvelopeClientMessage Code = "A2UI_S2C_ENVELOPE_CLIENT_MESSAGE"
	EnvelopeUnreadable    Code = "A2UI_S2C_ENVELOPE_UNREADABLE"

	BeginMissingRoot      Code = "A2UI_S2C_BEGIN_MISSING_ROOT"
	BeginOrder            Code = "A2UI_S2C_BEGIN_ORDER"
	BeginSurfaceUnknown   Code = "A2UI_S2C_BEGIN_SURFACE_UNKNOWN"
	BeginSurfaceDuplicate Code = "A2UI_S2C_BEGIN_SURFACE_DUPLICATE"
	BeginCatalog          Code = "A2UI_S2C_BEGIN_CATALOG"
	BeginTheme            Code = "A2UI_S2C_BEGIN_THEME"

	ComponentUnknown     Code = "A2UI_S2C_COMPONENT_UNKNOWN"
	ComponentProperty    Code = "A2UI_S2C_COMPONENT_PROPERTY"
	ComponentDuplicate   Code = "A2UI_S2C_COMPONENT_DUPLICATE"
	ComponentDangling    Code = "A2UI_S2C_COMPONENT_DANGLING"
	ComponentCycle       Code = "A2UI_S2C_COMPONENT_CYCLE"
	ComponentOrphan      Code = "A2UI_S2C_COMPONENT_ORPHAN"
	ComponentTypeChanged Code = "A2UI_S2C_COMPONENT_TYPE_CHANGED"
	ComponentIDLiteral   Code = "A2UI_S2C_COMPONENT_ID_LITERAL"
	ComponentURLScheme   Code = "A2UI_S2C_COMPONENT_URL_SCHEME"
	ComponentPathLiteral Code = "A2UI_S2C_COMPONENT_PATH_LITERAL"
	ComponentCallArgs    Code = "A2UI_S2C_COMPONENT_CALL_ARGS"
	ComponentCheck       Code = "A2UI_S2C_COMPONENT_CHECK"
	ComponentAction      Code = "A2UI_S2C_COMPONENT_ACTION"
	ComponentBinding     Code = "A2UI_S2C_COMPONENT_BINDING"
	ComponentCatalog     Code = "A2UI_S2C_COMPONENT_CATALOG"
	ComponentParent      Code = "A2UI_S2C_COMPONENT_UNALLOWED_PARENT"
	ComponentChild       Code = "A2UI_S2C_COMPONENT_UNALLOWED_CHILD"

	DataPath  Code = "A2UI_S2C_DATA_PATH"
	DataValue Code = "A2UI_S2C_DATA_VALUE"

	CallFunction Code = "A2UI_S2C_CALL_FUNCTION"
	CallReply    Code = "A2UI_S2C_CALL_REPLY"

	LimitBytes        Code = "A2UI_S2C_LIMIT_BYTES"
	LimitSurfaceBytes Code = "A2UI_S2C_LIMIT_SURFACE_BYTES"
	LimitBatchBytes   Code = "A2UI_S2C_LIMIT_BATCH_BYTES"
	LimitMessages     Code = "A2UI_S2C_LIMIT_MESSAGES"
	LimitComponents   Code = "A2UI_S2C_LIMIT_COMPONENTS"
	LimitDepth        Code = "A2UI_S2C_LIMIT_DEPTH"
	LimitCallDepth    Code = "A2UI_S2C_LIMIT_CALL_DEPTH"
	LimitDataDepth    Code = "A2UI_S2C_LIMIT_DATA_DEPTH"
	LimitDataEntries  Code = "A2UI_S2C_LIMIT_DATA_ENTRIES"
	LimitString       Code = "A2UI_S2C_LIMIT_STRING"
)

// The codes of client→server messages that DecodeClient refuses.
const (
	ClientInvalid  Code = "A2UI_C2S_ENVELOPE_INVALID"
	ClientTooLarge Code = "A2UI_C2S_CONTEXT_TOO_LARGE"
	// CapabilityCatalog is what Negotiate returns.
	CapabilityCatalog Code = "A2UI_C2S_CAPABILITY_CATALOG"
)

// CodeInfo gives the meaning of a code, and the default recovery of its family: "fatal"
// (send nothing of the batch), "surface" (delete the surface, then say so in text) or
// "refuse" (answer the client with an error).
type CodeInfo struct {
	Code     Code
	Recovery string
	Sentence string
}

// Codes lists every code once, in the order of the constants.
var Codes = []CodeInfo{
	{EnvelopeInvalid, "fatal", "The message is not JSON, or not exactly one known message with its required members."},
	{EnvelopeClientMessage, "fatal", "A client-to-server message stands where a server message belongs."},
	{EnvelopeUnreadable, "fatal", "A block of A2UI in a model's text cannot be read as JSON."},

	{BeginMissingRoot, "surface", "A created surface has no root component."},
	{BeginOrder, "surface",
		"The messages that create a surface are not in the order the clients of this version need."},
	{BeginSurfaceUnknown, "surface", "A message addresses a surface that was never created."},
	{BeginSurfaceDuplicate, "surface", "A surface is created while it is open."},
	{BeginCatalog, "surface", "The catalog id is missing or is not the one the client knows."},
	{BeginTheme, "surface", "The theme has a member or a value that clients refuse."},

	{ComponentUnknown, "surface", "The catalog has no such component type."},
	{ComponentProperty, "surface", "A property is unknown, missing, doubled, or has the wrong kind of value."},
	{ComponentDuplicate, "surface", "One message defines a component id twice."},
	{ComponentDangling, "surface", "A component refers to an id that does not exist where it must."},
	{ComponentCycle, "surface", "Components contain one another in a circle."},
	{ComponentOrphan, "surface", "A component that was sent cannot be reached from the root."},
	{ComponentTypeChanged, "surface", "An update changes the type of a component."},
	{ComponentIDLiteral, "surface",
		"A literal text equals a component id, and clients would draw the component there."},
	{ComponentURLScheme, "surface", "A URL has a scheme that is not allowed."},
	{ComponentPathLiteral, "surface", "A value has a path and a literal, which clients refuse."},
	{ComponentCallArgs, "surface", "A function call is unknown to the catalog or its arguments do not fit."},
	{ComponentCheck, "surface", "A check lacks its condition or its message."},
	{ComponentAction, "surface", "An action is not one the application declared."},
	{ComponentBinding, "surface",
		"A binding has a malformed path, a path out of scope, or one without fitting data; " +
			"or @index stands outside a template."},
	{ComponentCatalog, "surface",
		"A component or a function call names a catalog the client does not have, or there is none to look in."},
	{ComponentParent, "surface", "A component stands in a parent that its catalog does not allow."},
	{ComponentChild, "surface", "A component holds a child that its catalog does not allow."},

	{DataPath, "surface", "A data path is malformed, dangerous or leads through a value that is not a container."},
	{DataValue, "surface", "The data has a value this version cannot carry."},

	{CallFunction, "fatal",
		"A function call to the client lacks its id or its catalog, or is one that the agent may not make."},
	{CallReply, "fatal", "The result of a function call lacks the id of the call, or has both a value and an error."},

	{LimitBytes, "surface", "A message is larger than the limit."},
	{LimitSurfaceBytes, "surface", "A surface is larger than the limit."},
	{LimitBatchBytes, "surface", "The messages of a batch are larger than the limit."},
	{LimitMessages, "surface", "A batch has more messages than the limit."},
	{LimitComponents, "surface", "A surface has more components than the limit."},
	{LimitDepth, "surface", "The component tree is deeper than the limit."},
	{LimitCallDepth, "surface", "Function calls are nested deeper than the limit."},
	{LimitDataDepth, "surface", "The data is nested deeper than the limit."},
	{LimitDataEntries, "surface", "The data model has more entries than the limit."},
	{LimitString, "surface", "A text is longer than the limit."},

	{ClientInvalid, "refuse",
		"The client's message is not JSON, or not exactly one known message with its required members."},
	{ClientTooLarge, "refuse", "The client's message is larger, deeper or longer than the limits."},
	{CapabilityCatalog, "refuse", "The client does not know the catalog that surfaces are made of."},
}
