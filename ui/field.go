package ui

// FieldType is the declared type of a field or a table column.
type FieldType string

// The field types. The value committed for each stands beside it.
const (
	TypeText     FieldType = "text"     // string, one line
	TypeLongText FieldType = "longtext" // string, several lines
	TypeNumber   FieldType = "number"   // number
	TypeEmail    FieldType = "email"    // string
	TypeURL      FieldType = "url"      // string, http or https
	TypeDate     FieldType = "date"     // string YYYY-MM-DD
	TypeTime     FieldType = "time"     // string HH:MM
	TypeDateTime FieldType = "datetime" // string YYYY-MM-DDTHH:MM
	TypeChoice   FieldType = "choice"   // string, one of Options
	TypeChoices  FieldType = "choices"  // list of strings out of Options
	TypeBoolean  FieldType = "boolean"  // bool; required means true
	TypeSlider   FieldType = "slider"   // number between Min and Max
	TypeTags     FieldType = "tags"     // list of strings; drafted as comma separated text
	TypeUpload   FieldType = "upload"   // string, id of an upload of this conversation
)

// FieldTypes lists every FieldType.
var fieldTypes = []FieldType{TypeText, TypeLongText, TypeNumber, TypeEmail, TypeURL, TypeDate, TypeTime, TypeDateTime,
	TypeChoice, TypeChoices, TypeBoolean, TypeSlider, TypeTags, TypeUpload}

// FieldTypes returns every FieldType in the order of the documentation.
func FieldTypes() []FieldType { return append([]FieldType(nil), fieldTypes...) }

// Field is what an app declares about one input: of a form, or as the column
// of a table. Zero members mean "no rule".
type Field struct {
	Name        string    `json:"name"` // a key: [a-z][a-z0-9_-]{0,63}
	Label       string    `json:"label,omitempty"`
	Type        FieldType `json:"type"`
	Required    bool      `json:"required,omitempty"`
	Help        string    `json:"help,omitempty"`
	Placeholder string    `json:"placeholder,omitempty"`
	Min         string    `json:"min,omitempty"` // number: value; text, tags, choices: length or count; date and time: ISO bound
	Max         string    `json:"max,omitempty"`
	Step        string    `json:"step,omitempty"`    // slider and number
	Pattern     string    `json:"pattern,omitempty"` // RE2, unanchored, text types only
	Options     []Option  `json:"options,omitempty"`
	Accept      []string  `json:"accept,omitempty"` // upload: media types
	Default     Value     `json:"default,omitzero"`
	Clear       bool      `json:"clear,omitempty"` // emptied again after a successful submit
}

// Option is one choice: the submitted value and what people read.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label,omitempty"` // default: Value
}

// Text returns what people read.
func (o Option) Text() string {
	if o.Label != "" {
		return o.Label
	}
	return o.Value
}

// Title returns the label, or the name where none is declared.
func (f Field) Title() string {
	if f.Label != "" {
		return f.Label
	}
	return f.Name
}

// Blank returns the draft value of an untouched field: the default in draft
// form, else the empty value of its type. Every bound leaf has one, so that no
// client ever binds a path without a value.
func (f Field) Blank() Value {
	if !f.Default.IsNull() {
		return f.Draft(f.Default)
	}
	switch f.Type {
	case TypeBoolean:
		return Bool(false)
	case TypeChoices:
		return Strings()
	case TypeSlider:
		if n, ok := Number(f.Min); ok {
			return n
		}
		return Int(0)
	}
	return String("")
}

// Draft turns a typed value into the kind the draft of this field holds: text
// inputs draft text whatever they mean, so nothing typed is ever rewritten.
func (f Field) Draft(v Value) Value {
	switch f.Type {
	case TypeBoolean:
		return Bool(v.True() || v.Kind() == StringValue && v.Text() == "true")
	case TypeChoices:
		if v.Kind() == StringsValue {
			return v
		}
		if v.Empty() {
			return Strings()
		}
		return Strings(v.Text())
	case TypeSlider:
		if v.Kind() == NumberValue {
			return v
		}
		if n, ok := Number(v.Text()); ok {
			return n
		}
		return f.sliderFloor()
	}
	return String(v.Text())
}

func (f Field) sliderFloor() Value {
	if n, ok := Number(f.Min); ok {
		return n
	}
	return Int(0)
}

// FieldError is one thing wrong with a draft. Text is for the user, made from
// Words; Row and Column say where in a table.
type FieldError struct {
	Path Path   `json:"path"`
	Code Code   `json:"code"`
	Text string `json:"text"`
}
