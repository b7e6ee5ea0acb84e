package conformance

import (
	"regexp"
	"testing"

	"github.com/limn-ui/limn/a2ui"
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
	string(a2ui.EnvelopeUnreadable):    {parseError},

	string(a2ui.BeginMissingRoot):      {validationError, integrityError},
	string(a2ui.BeginOrder):            {validationError, integrityError},
	string(a2ui.BeginSurfaceUnknown):   {integrityError},
	string(a2ui.BeginSurfaceDuplicate): {integrityError, validationError},
	string(a2ui.BeginCatalog):          {catalogError},
	string(a2ui.BeginTheme):            {validationError},

	string(a2ui.ComponentUnknown):     {validationError},
	string(a2ui.ComponentProperty):    {validationError},
	string(a2ui.ComponentDuplicate):   {integrityError, validationError},
	string(a2ui.ComponentDangling):    {integrityError, validationError},
	string(a2ui.ComponentCycle):       {integrityError, recursionError, validationError},
	string(a2ui.ComponentOrphan):      {integrityError, validationError},
	string(a2ui.ComponentTypeChanged): {integrityError, validationError},
	string(a2ui.ComponentIDLiteral):   {validationError},
	string(a2ui.ComponentURLScheme):   {validationError},
	string(a2ui.ComponentPathLiteral): {validationError},
	string(a2ui.ComponentCallArgs):    {validationError},
	string(a2ui.ComponentCheck):       {validationError},
	string(a2ui.ComponentAction):      {validationError},
	string(a2ui.ComponentBinding):     {validationError, dataError},
	string(a2ui.ComponentCatalog):     {catalogError},
	string(a2ui.ComponentParent):      {validationError},
	string(a2ui.ComponentChild):       {validationError},

	string(a2ui.CallFunction):      {validationError},
	string(a2ui.CallReply):         {validationError},
	string(a2ui.CapabilityCatalog): {catalogError},

	string(a2ui.DataPath):  {dataError, validationError},
	string(a2ui.DataValue): {dataError, validationError},

	string(a2ui.LimitBytes):       {validationError},
	string(a2ui.LimitMessages):    {validationError},
	string(a2ui.LimitComponents):  {validationError},
	string(a2ui.LimitDepth):       {recursionError},
	string(a2ui.LimitCallDepth):   {recursionError},
	string(a2ui.LimitDataDepth):   {recursionError},
	string(a2ui.LimitDataEntries): {validationError},
	string(a2ui.LimitString):      {validationError},

	string(a2ui.ClientInvalid):  {validationError},
	string(a2ui.ClientTooLarge): {validationError},

	"STATE_ERROR":            {integrityError},
	"VALIDATION_ERROR":       {validationError},
	"DATA_ERROR":             {dataError},
	"EXPRESSION_ERROR":       {expressionError},
	"CYCLIC_REFERENCE":       {integrityError, recursionError, validationError},
	"UNKNOWN_COMPONENT_TYPE": {validationError},
	"CATALOG_ERROR":          {catalogError},
	"UNALLOWED_PARENT":       {validationError},
	"UNALLOWED_CHILD":        {validationError},
}

// details are the codes of ours that cases name in details and that do not come
// from the path.
var details = map[string]string{
	string(a2ui.ComponentUnknown): "invalid_value",
	string(a2ui.ComponentParent):  "UNALLOWED_PARENT",
	string(a2ui.ComponentChild):   "UNALLOWED_CHILD",
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
	row(`not found in response|part is empty|(?i)failed to parse`, a2ui.EnvelopeUnreadable).anyName(),
	row(`Duplicate component ID`, a2ui.ComponentDuplicate),
	row(`Missing root component`, a2ui.BeginMissingRoot),
	row(`(?i)dangling reference|non-existent component`, a2ui.ComponentDangling),
	row(`(?i)circular (component )?reference|self-reference|cycle`, a2ui.ComponentCycle).or("CYCLIC_REFERENCE"),
	row(`(?i)is not reachable|orphan`, a2ui.ComponentOrphan),
	row(`(?i)recursion limit.*function|function.*recursion limit|functionCall depth`, a2ui.LimitCallDepth),
	row(`(?i)recursion limit|too deep|nesting depth`, a2ui.LimitDepth, a2ui.LimitDataDepth, a2ui.LimitCallDepth),
	row(`(?i)invalid path syntax|JSON pointer`, a2ui.DataPath, a2ui.ComponentBinding).or("DATA_ERROR"),
	row(`(?i)primitive|scalar|non-numeric|non-integer|cannot (set|use|traverse|index)|array index|out of (range|bounds)|forbidden path`, a2ui.DataPath, a2ui.DataValue).or("DATA_ERROR"),

	row(`(?i)action '\w+' is not supported|not supported in protocol version`, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)no (valid )?(update |known )?(action|message)|(unknown|unrecognized|invalid) (message|action)`, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)multiple (conflicting )?update`, a2ui.EnvelopeInvalid),
	row(`(?i)surface not found`, a2ui.BeginSurfaceUnknown).or("STATE_ERROR"),
	row(`(?i)surface.*already exists|already exists`, a2ui.BeginSurfaceDuplicate).or("STATE_ERROR"),
	row(`(?i)must be a string|must be an? (object|array|list|boolean|number)|non-string`, a2ui.EnvelopeInvalid, a2ui.ComponentProperty),
	row(`(?i)missing an? 'id'|missing 'id'`, a2ui.EnvelopeInvalid),
	row(`(?i)without a type|missing (a )?'?component'?( type)?$`, a2ui.EnvelopeInvalid).anyName(),
	row(`(?i)protocol version mismatch|is not supported by surface`, a2ui.ComponentCatalog, a2ui.BeginCatalog).anyName(),
	row(`(?i)version`, a2ui.EnvelopeInvalid).anyName(),

	row(`(?i)for theme|theme`, a2ui.BeginTheme, a2ui.EnvelopeInvalid),
	row(`(?i)must be a valid.*identifier|UAX|Component id '.*' must be`, a2ui.ComponentProperty, a2ui.EnvelopeInvalid),
	row(`(?i)cannot be placed under|allowed parents`, a2ui.ComponentParent),
	row(`(?i)cannot contain|allowed children`, a2ui.ComponentChild),
	row(`(?i)unrecognized function|unknown function`, a2ui.ComponentCallArgs),
	row(`^@`, a2ui.ComponentCallArgs, a2ui.ComponentProperty), // a system function, or a reserved key
	row(`(?i)no default catalogId`, a2ui.ComponentCatalog),
	row(`(?i)catalog not found|legacy-`, a2ui.BeginCatalog, a2ui.ComponentCatalog, a2ui.CallFunction),
	row(`(?i)unknown component|component .*not (found|registered|defined)`, a2ui.ComponentUnknown).anyName(),
	row(`(?i)cannot (set|write|traverse|resolve|create)|non-container|primitive`, a2ui.DataPath, a2ui.DataValue).or("DATA_ERROR").anyName(),
	row(`^catalogId$`, a2ui.EnvelopeInvalid, a2ui.ComponentProperty),

	// Python's jsonschema, where the names are its own quotations.
	row(`is not of type`, a2ui.ComponentProperty, a2ui.ComponentCallArgs, a2ui.EnvelopeInvalid).anyName(),
	row(`is not one of \[`, a2ui.ComponentProperty, a2ui.ComponentCallArgs).anyName(),
	row(`is a required property`, a2ui.ComponentProperty, a2ui.ComponentCallArgs, a2ui.EnvelopeInvalid).anyName(),
	row(`was unexpected`, a2ui.ComponentUnknown, a2ui.ComponentProperty, a2ui.EnvelopeInvalid),
	row(`Additional properties are not allowed`, a2ui.ComponentProperty, a2ui.ComponentCallArgs, a2ui.EnvelopeInvalid).anyName(),
	row(`is not valid under any of the given schemas|does not match`, a2ui.ComponentProperty, a2ui.ComponentCallArgs, a2ui.ComponentBinding,
		a2ui.ComponentAction, a2ui.ComponentCheck, a2ui.EnvelopeInvalid, a2ui.DataPath).anyName(),
	row(`Validation failed for component|^'\w+'$`, a2ui.ComponentProperty, a2ui.ComponentUnknown, a2ui.ComponentCallArgs),
	row(`^Validation failed`, a2ui.EnvelopeInvalid, a2ui.ComponentUnknown, a2ui.ComponentProperty, a2ui.ComponentCallArgs, a2ui.DataValue).anyName(),
}

// Every code has its category, so that no fault can be filed under none.
func TestEveryCodeHasACategory(t *testing.T) {
	for _, info := range a2ui.Codes() {
		if len(categories[string(info.Code)]) == 0 {
			t.Errorf("no category for %s", info.Code)
		}
	}
}
