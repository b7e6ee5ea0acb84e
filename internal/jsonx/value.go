package jsonx

import (
	"math"
	"slices"
	"strconv"
)

// Kind is the JSON type of a Value.
type Kind uint8

// The six JSON types. The zero Kind is Null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the kind as JSON does.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Value Value
}

// Value is one parsed JSON value. Str holds the text of a String, or the exact
// text of a Number as it stood in the input.
type Value struct {
	Kind    Kind
	Bool    bool
	Str     string
	Items   []Value
	Members []Member
}

// Get returns the member of an object by key, and whether it is there.
func (v Value) Get(key string) (Value, bool) {
	for i := range v.Members {
		if v.Members[i].Key == key {
			return v.Members[i].Value, true
		}
	}
	return Value{}, false
}

// At is Get without the presence flag: a missing member is Null.
func (v Value) At(key string) Value {
	m, _ := v.Get(key)
	return m
}

// Text returns the text of a String and "" for anything else.
func (v Value) Text() string {
	if v.Kind == String {
		return v.Str
	}
	return ""
}

// Float returns a Number as float64; ok is false for other kinds and for
// numbers a float64 cannot hold.
func (v Value) Float() (f float64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Str, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// Int returns a Number that is written as an integer within int64.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Str, 10, 64)
	return n, err == nil
}

// Of builds a String value; OfBool, OfInt, OfNumber, OfArray and OfObject build
// the others.
func Of(s string) Value { return Value{Kind: String, Str: s} }

// OfBool builds a Bool value.
func OfBool(b bool) Value { return Value{Kind: Bool, Bool: b} }

// OfInt builds a Number value from an integer.
func OfInt(n int64) Value { return Value{Kind: Number, Str: strconv.FormatInt(n, 10)} }

// OfNumber builds a Number value from valid JSON number text.
func OfNumber(text string) Value { return Value{Kind: Number, Str: text} }

// OfArray builds an Array value.
func OfArray(items ...Value) Value { return Value{Kind: Array, Items: items} }

// OfObject builds an Object value in the given order.
func OfObject(members ...Member) Value { return Value{Kind: Object, Members: members} }

// Equal reports values that are the same JSON: members may come in any order, and numbers are
// the same if they are written alike.
func Equal(a, b Value) bool {
	if a.Kind != b.Kind || a.Bool != b.Bool || a.Str != b.Str || len(a.Items) != len(b.Items) ||
		len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !Equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	get := func(i int, _ string) (Value, bool) { return b.Members[i].Value, true }
	if !slices.EqualFunc(a.Members, b.Members, func(a, b Member) bool { return a.Key == b.Key }) {
		byKey := make(map[string]Value, len(b.Members))
		for _, m := range b.Members {
			byKey[m.Key] = m.Value
		}
		get = func(_ int, key string) (v Value, ok bool) { v, ok = byKey[key]; return v, ok }
	}
	for i, m := range a.Members {
		if other, ok := get(i, m.Key); !ok || !Equal(m.Value, other) {
			return false
		}
	}
	return true
}
