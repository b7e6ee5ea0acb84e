package ui

// Merge returns v changed by a patch as RFC 7396 merges JSON: the maps of both are merged
// key by key, null removes a value, and everything else, rows and lists among it,
// replaces it.
func (v Value) Merge(patch Value) Value {
	if patch.kind != MapValue {
		return patch
	}
	if v.kind != MapValue {
		v = Map()
	}
	for _, p := range patch.pairs {
		if p.Value.IsNull() {
			v = v.without(p.Key)
			continue
		}
		old, _ := v.child(p.Key)
		v = v.withKey(p.Key, old.Merge(p.Value))
	}
	return v
}
