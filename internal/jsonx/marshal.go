package jsonx

// MarshalJSON lets a Value be part of structs that encoding/json writes.
func (v Value) MarshalJSON() ([]byte, error) { return Append(nil, v), nil }

// UnmarshalJSON reads with the default limits, as Parse does.
func (v *Value) UnmarshalJSON(b []byte) (err error) {
	*v, err = Parse(b, Limits{Bytes: 16 << 20, String: 16 << 20})
	return err
}
