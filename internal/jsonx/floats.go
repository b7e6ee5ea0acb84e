package jsonx

import (
	"encoding/json"
	"math"
)

// Floats are numbers with gaps: NaN, which is null in JSON.
type Floats []float64

// MarshalJSON implements json.Marshaler.
func (list Floats) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(list))
	for i := range list {
		if !math.IsNaN(list[i]) {
			out[i] = &list[i]
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (list *Floats) UnmarshalJSON(b []byte) error {
	var in []*float64
	err := json.Unmarshal(b, &in)
	*list = make(Floats, len(in))
	for i, v := range in {
		if (*list)[i] = math.NaN(); v != nil {
			(*list)[i] = *v
		}
	}
	return err
}
