package conformance

import (
	"regexp"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Categories of the cases.
const (
	parseError      = "ParseError"
	validationError = "ValidationError"
	catalogError    = "CatalogError"
	integrityError  = "IntegrityError"
	recursionError  = "RecursionError"
	dataError       = "DataError"
	expressionError = "ExpressionError"
)

// categories tells under which names the cases may file a fault of ours. Several,
// because suites disagree: a circle is a RecursionError, an IntegrityError or a
// ValidationError.
var categories = map[string][]string{
	string(a2ui.EnvelopeInvalid):       {validationError, parseError},
	string(a2ui.EnvelopeClientMessage): {validationError},
	string(wire.EnvelopeUnreadable):    {parseError},

	string(wire.BeginMissingRoot):      {validationError, integrityError},
	string(wire.BeginOrder):            {validationError, integrityError},
	string(wire.BeginSurfaceUnknown):   {integrityError},
	string(wire.BeginSurfaceDuplicate): {integrityError, validationError},
	string(wire.BeginCatalog):          {catalogError},
	string(wire.BeginTheme):            {validationError},

	string(a2ui.ComponentUnknown):     {validationError},
	string(wire.ComponentProperty):    {validationError},
	string(wire.ComponentDuplicate):   {integrityError, validationError},
	string(wire.ComponentDangling):    {integrityError, validationError},
	string(wire.ComponentCycle):       {integrityError, recursionError, validationError},
	string(wire.ComponentOrphan):      {integrityError, validationError},
	string(wire.ComponentTypeChanged): {integrityError, validationError},
	string(wire.ComponentIDLiteral):   {validationError},
	string(wire.ComponentURLScheme):   {validationError},
	string(wire.ComponentPathLiteral): {validationError},
	string(wire.ComponentCallArgs):    {validationError},
	string(wire.ComponentCheck):       {validationError},
	string(wire.ComponentAction):      {validationError},
	string(wire.ComponentBinding):     {validationError, dataError},
	string(wire.ComponentCatalog):     {catalogError},
	string(wire.ComponentParent):      {validationError},
	string(wire.ComponentChild):       {validationError},

	string(wire.CallFunction):      {validationError},
	string(wire.CallReply):         {validationError},
	string(a2ui.CapabilityCatalog): {catalogError},

	string(wire.DataPath):  {dataError, validationError},
	string(wire.DataValue): {dataError, validationError},

	string(a2ui.LimitBytes):        {validationError},
	string(a2ui.LimitMessages):     {validationError},
	string(wire.LimitSurfaceBytes): {validationError},
	string(wire.LimitBatchBytes):   {validationError},
	string(a2ui.LimitComponents):   {validationError},
	string(a2ui.LimitDepth):        {recursionError, validationError},
	string(wire.LimitCallDepth):    {recursionError, validationError},
	string(wire.LimitDataDepth):    {recursionError, validationError},
	string(wire.LimitDataEntries):  {validationError},
	string(wire.LimitString):       {validationError},

	string(a2ui.ClientInvalid):  {validationError},
	string(wire.ClientTooLarge): {validationError},

	"STATE_ERROR":            {integrityError},
	"VALIDATION_ERROR":       {validationError},
	"DATA_ERROR":             {dataError},
	"EXPRESSION_ERROR":       {expressionError},
	"CYCLIC_REFERENCE":       {integrityError, recursionError, validationError},
	"UNKNOWN_COMPONENT_TYPE": {validationError},
	"CATALOG_ERROR":          {catalogError},
	"DUPLICATE":              {validationError},
	"UNALLOWED_PARENT":       {validationError},
	"UNALLOWED_CHILD":        {validationError},
}

// details are the codes of ours that cases name in details and that do not come
// from the path.
var details = map[string]string{
	string(a2ui.ComponentUnknown): "invalid_value",
	string(wire.ComponentParent):  "UNALLOWED_PARENT",
	string(wire.ComponentChild):   "UNALLOWED_CHILD",
}

// reason is one row: an expected text of another SDK, and the codes it means.
type reason struct {
	text  *regexp.Regexp
	codes []string
	loose bool // the names in the text are that SDK's own
}

func row(text string, codes ...a2ui.Code) reason {
	r := reason{text: regexp.MustCompile(text)}
	for _, c := range codes {
		r.codes = append(r.codes, string(c))
	}
	return r
}

func (r reason) or(codes ...string) reason {
	r.codes = append(r.codes, codes...)
	return r
}

func (r reason) anyName() reason {
	r.loose = true
	return r
}

// reasons are read from the top; the first row that knows a text counts.
var reasons = []reason{
	row(`not found in response|part is empty|(?i)failed to parse`, wire.EnvelopeUnreadable).anyName(),
	row(`Duplicate component ID`, wire.ComponentDuplicate),
	row(`(?i)missing root component|no root component`, wire.BeginMissingRoot),
	row(`(?i)dangling reference|non-existent component`, wire.ComponentDangling),
	row(`(?i)circular (component )?reference|self-reference|cycle`, wire.ComponentCycle).or("CYCLIC_REFERENCE"),
	row(`(?i)is not reachable|orphan`, wire.ComponentOrphan),
	row(`(?i)recursion limit.*function|function.*recursion limit|functionCall depth`, wire.LimitCallDepth),
	row(`(?i)recursion limit|too deep|nesting depth`, a2ui.LimitDepth, wire.LimitDataDepth, wire.LimitCallDepth),
	row(`(?i)invalid path syntax|JSON pointer`, wire.DataPath, wire.ComponentBinding).or("DATA_ERROR"),
	row(`(?i)primitive|scalar|non-numeric|non-integer|cannot (set|use|traverse|index)|array index|out of (range|bounds)|forbidden path`, wire.DataPath, wire.DataValue).or("DATA_ERROR"),

	row(`(?i)action '\w+' is not supported|not supported in protocol version`, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)no (valid )?(update |known )?(action|message)|(unknown|unrecognized|invalid) (message|action)`, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)multiple (conflicting )?update`, a2ui.EnvelopeInvalid),
	row(`(?i)surface not found`, wire.BeginSurfaceUnknown).or("STATE_ERROR"),
	row(`(?i)surface.*already exists|already exists`, wire.BeginSurfaceDuplicate).or("STATE_ERROR"),
	row(`(?i)must be a string|must be an? (object|array|list|boolean|number)|non-string`, a2ui.EnvelopeInvalid, wire.ComponentProperty),
	row(`(?i)missing an? 'id'|missing 'id'`, a2ui.EnvelopeInvalid),
	row(`(?i)without a type|missing (a )?'?component'?( type)?$`, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)protocol version mismatch|is not supported by surface`, wire.ComponentCatalog, wire.BeginCatalog, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)version`, a2ui.EnvelopeInvalid).anyName(),

	row(`(?i)for theme|theme`, wire.BeginTheme, a2ui.EnvelopeInvalid),
	row(`(?i)must be a valid.*identifier|UAX|Component id '.*' must be`, wire.ComponentProperty, a2ui.EnvelopeInvalid),
	row(`(?i)cannot be placed under|allowed parents`, wire.ComponentParent),
	row(`(?i)cannot contain|allowed children`, wire.ComponentChild),
	row(`(?i)unrecognized function|unknown function`, wire.ComponentCallArgs),
	row(`^@`, wire.ComponentCallArgs, wire.ComponentProperty), // a system function, or a reserved key
	row(`(?i)no default catalogId`, wire.ComponentCatalog),
	row(`(?i)catalog not found|legacy-`, wire.BeginCatalog, wire.ComponentCatalog, wire.CallFunction),
	row(`(?i)unknown component|component .*not (found|registered|defined)`, a2ui.ComponentUnknown).anyName(),
	row(`(?i)cannot (set|write|traverse|resolve|create)|non-container|primitive`, wire.DataPath, wire.DataValue).or("DATA_ERROR").anyName(),
	row(`^catalogId$`, a2ui.EnvelopeInvalid, wire.ComponentProperty),

	// Python's jsonschema, where the names are its own quotations.
	row(`is not of type`, wire.ComponentProperty, wire.ComponentCallArgs, a2ui.EnvelopeInvalid).anyName(),
	row(`is not one of \[`, wire.ComponentProperty, wire.ComponentCallArgs).anyName(),
	row(`is a required property`, wire.ComponentProperty, wire.ComponentCallArgs, a2ui.EnvelopeInvalid).anyName(),
	row(`was unexpected`, a2ui.ComponentUnknown, wire.ComponentProperty, a2ui.EnvelopeInvalid),
	row(`Additional properties are not allowed`, wire.ComponentProperty, wire.ComponentCallArgs, a2ui.EnvelopeInvalid).anyName(),
	row(`is not valid under any of the given schemas|does not match`, wire.ComponentProperty, wire.ComponentCallArgs, wire.ComponentBinding,
		wire.ComponentAction, wire.ComponentCheck, a2ui.EnvelopeInvalid, wire.DataPath).anyName(),
	row(`Validation failed for component|^'\w+'$`, wire.ComponentProperty, a2ui.ComponentUnknown, wire.ComponentCallArgs),
	row(`^Validation failed`, a2ui.EnvelopeInvalid, a2ui.ComponentUnknown, wire.ComponentProperty, wire.ComponentCallArgs, wire.DataValue).anyName(),
}

// Every code has its category, so that no fault can be filed under none.
func TestEveryCodeHasACategory(t *testing.T) {
	for _, info := range a2ui.Codes() {
		if len(categories[string(info.Code)]) == 0 {
			t.Errorf("no category for %s", info.Code)
		}
	}
}
