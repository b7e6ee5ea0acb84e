package jsonx

// MarshalJSON lets a Value be part of structs that encoding/json writes.
func (v Value) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// UnmarshalJSON reads all that MarshalJSON writes of values that Parse has read, alone or put into others: the
// caller has bounded b.
func (v *Value) UnmarshalJSON(b []byte) (err error) {
	*v, err = Parse(b, Limits{Bytes: len(b), String: len(b), Entries: len(b), Depth: 128})
	return err
}
