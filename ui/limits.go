package ui

// Limits bound a State. Every limit is inclusive; one above it is CodeLimit.
// The zero value of a member takes the default beside it.
type Limits struct {
	Surfaces   int // surfaces of one conversation: 32
	Nodes      int // nodes of one surface: 1,000
	Depth      int // nested nodes: 32
	Rows       int // rows of one table: 2,000
	Options    int // options of one choice: 500
	StringSize int // bytes of one string value: 64 KiB
	DraftSize  int // bytes of one surface's data as JSON: 1 MiB
	Transcript int // entries kept: 200
	TextSize   int // bytes of one transcript entry: 32 KiB
	Committed  int // bytes of everything committed as JSON: 8 MiB
}

// WithDefaults fills in the members that are zero.
func (l Limits) WithDefaults() Limits {
	for _, d := range []struct {
		at    *int
		value int
	}{
		{&l.Surfaces, 32}, {&l.Nodes, 1000}, {&l.Depth, 32}, {&l.Rows, 2000}, {&l.Options, 500},
		{&l.StringSize, 64 << 10}, {&l.DraftSize, 1 << 20}, {&l.Transcript, 200}, {&l.TextSize, 32 << 10}, {&l.Committed, 8 << 20},
	} {
		if *d.at == 0 {
			*d.at = d.value
		}
	}
	return l
}
