package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/store"
)

// Database is one transaction of either database, as the statements that read records
// need it. Their arguments are written as ?.
type Database struct {
	// Query runs a statement and calls row for each of its rows.
	Query func(sql string, args []any, row func(scan func(...any) error) error) error
	// Walk asks for plans that go along an index rather than sort; nil if the
	// statement says so itself, as it does for SQLite.
	Walk func() error
	Text func(s string) any   // makes an argument of any bytes
	Name func(to *string) any // scans what Text made
	Bounds
}

// Bounds are how many records one Find looks at.
type Bounds struct {
	Few  int // matches that are gathered and sorted; of more, an index is walked
	Most int // records that a walk meets, if not all that it meets fit
}

// Usual keeps a Find below 20 ms.
func Usual() Bounds { return Bounds{Few: 2000, Most: 1000} }

// Numbered turns the arguments of a statement into $1, $2 and so on.
func Numbered(sql string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(sql, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		sql = after
	}
}

// FieldOf returns the number of a field of the records of a name: 63 bits of a hash, so
// that no table of fields has to be kept.
func FieldOf(name, field string) int64 {
	b := binary.AppendUvarint(nil, uint64(len(name))) // or names with a zero byte could meet
	sum := sha256.Sum256(append(append(append(b, name...), 0), field...))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// Terms are the terms of a record as they are kept.
type Terms struct {
	Fields []int64
	Texts  []string
	Names  []byte // of the fields, since Fields holds only hashes
}

// TermsOf sorts and encodes the terms of r.
func TermsOf(r store.Record) (t Terms) {
	t.Names = []byte{}
	last := ""
	for _, term := range store.SortTerms(r.Terms) {
		t.Fields, t.Texts = append(t.Fields, FieldOf(r.Name, term.Field)), append(t.Texts, term.Text)
		if term.Field != last {
			last = term.Field
			t.Names = append(binary.AppendUvarint(t.Names, uint64(len(last))), last...)
		}
	}
	return t
}

// fieldsIn reads Terms.Names, by FieldOf.
func fieldsIn(name string, names []byte) map[int64]string {
	fields := map[int64]string{}
	for len(names) > 0 {
		n, read := binary.Uvarint(names)
		if read <= 0 || n > uint64(len(names)-read) {
			break // not by us
		}
		field := string(names[read : read+int(n)])
		fields[FieldOf(name, field)] = field
		names = names[read+int(n):]
	}
	return fields
}

const (
	newestColumns = `r.n, r.name, r.id, r.version, r.owner, r.created, r.author, r.conv, r.event, r.at, r.body`
	oldColumns    = `r.n, r.name, r.id, o.version, r.owner, r.created, o.author, o.conv, o.event, o.at, o.body`
	fromOld       = ` FROM app_record r JOIN app_record_old o ON o.record = r.n `
)

// kept is a record as it was read.
type kept struct {
	store.Record
	n int64
}

// record scans newestColumns, or oldColumns, and more.
func (d Database) record(scan func(...any) error, more ...any) (r kept, err error) {
	var created, at int64
	err = scan(append([]any{&r.n, d.Name(&r.Name), d.Name(&r.ID), &r.Version, d.Name(&r.Owner), &created,
		d.Name(&r.Author), d.Name(&r.Conversation), d.Name(&r.Event), &at, &r.Body}, more...)...)
	r.Created, r.At = Instant(created), Instant(at)
	return r, err
}

// errFull ends a statement whose page has enough bytes.
var errFull = errors.New("the page is full")

// page runs a statement until row returns errFull.
func (d Database) page(sql string, args []any, row func(scan func(...any) error) error) error {
	err := d.Query(sql, args, row)
	if errors.Is(err, errFull) {
		return nil
	}
	return err
}

func (d Database) records(sql string, args ...any) (list []store.Record, err error) {
	err = d.Query(sql, args, func(scan func(...any) error) error {
		r, err := d.record(scan)
		list = append(list, r.Record)
		return err
	})
	return list, err
}

// Read implements store.Records.ReadRecord.
func (d Database) Read(name, id string, version uint64) (store.Record, error) {
	list, err := d.records(`SELECT `+newestColumns+` FROM app_record r WHERE r.name = ? AND r.id = ?`,
		d.Text(name), d.Text(id))
	if err == nil && len(list) > 0 && version != 0 && version != list[0].Version {
		list, err = d.records(`SELECT `+oldColumns+fromOld+`WHERE r.name = ? AND r.id = ? AND o.version = ?`,
			d.Text(name), d.Text(id), Integer(version))
	}
	switch {
	case err != nil:
		return store.Record{}, err
	case len(list) == 0:
		return store.Record{}, store.ErrNotFound
	}
	return list[0], nil
}

// Versions implements store.Records.RecordVersions. The newest version is read by itself:
// to sort it in, a database would read the bodies of all.
func (d Database) Versions(name, id string, before uint64, limit int) (list []store.Record, err error) {
	below := Integer(before)
	if before == 0 {
		below = Integer(before - 1) // the greatest
	}
	list, err = d.records(`SELECT `+newestColumns+` FROM app_record r WHERE r.name = ? AND r.id = ? AND r.version < ?`,
		d.Text(name), d.Text(id), below)
	size := 0
	for _, r := range list {
		below, size = Integer(r.Version), len(r.Body)
	}
	if err != nil || store.Limit(limit) == len(list) {
		return list, err
	}
	err = d.page(`SELECT `+oldColumns+fromOld+`WHERE r.name = ? AND r.id = ? AND o.version < ?
		ORDER BY o.version DESC LIMIT ?`, []any{d.Text(name), d.Text(id), below, store.Limit(limit) - len(list)},
		func(scan func(...any) error) error {
			if size >= builtin.MaxBodies {
				return errFull
			}
			r, err := d.record(scan)
			list, size = append(list, r.Record), size+len(r.Body)
			return err
		})
	return list, err
}

// maxNewest is how many newest versions Export reads at once, or as many as have 8 MiB.
const maxNewest = 100

// Export implements store.Records.ExportRecords, but for the one moment: that is the
// transaction's.
func (d Database) Export(each func([]store.Record) error) error {
	for name, id := "", ""; ; { // no name is empty
		page, err := d.newest(name, id)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, r := range page {
			var versions []store.Record
			if r.Version > 1 {
				versions, err = d.records(`SELECT `+oldColumns+fromOld+`WHERE r.n = ? ORDER BY o.version`, r.n)
				if err != nil {
					return err
				}
			}
			if err := each(append(versions, r.Record)); err != nil {
				return err
			}
			name, id = r.Name, r.ID
		}
	}
}

// newest reads the newest versions after the record of name and id, with their terms. It
// asks for their sizes first.
func (d Database) newest(name, id string) (page []kept, err error) {
	fields := map[int64]map[int64]string{}
	var args []any
	total := 0
	err = d.page(`SELECT r.n, r.name, length(r.body), r.fields FROM app_record r WHERE (r.name, r.id) > (?, ?)
		ORDER BY r.name, r.id LIMIT ?`, []any{d.Text(name), d.Text(id), maxNewest},
		func(scan func(...any) error) error {
			if total >= builtin.MaxBodies {
				return errFull
			}
			var n int64
			var name string
			var size int
			var names []byte
			err := scan(&n, d.Name(&name), &size, &names)
			args, total, fields[n] = append(args, n), total+size, fieldsIn(name, names)
			return err
		})
	if err != nil || len(args) == 0 {
		return nil, err
	}
	among := ` IN (?` + strings.Repeat(", ?", len(args)-1) + `)`
	err = d.Query(`SELECT `+newestColumns+` FROM app_record r WHERE r.n`+among+` ORDER BY r.name, r.id`, args,
		func(scan func(...any) error) error {
			r, err := d.record(scan)
			page = append(page, r)
			return err
		})
	if err != nil {
		return nil, err
	}
	terms := map[int64][]store.Term{}
	err = d.Query(`SELECT n, field, text FROM app_term WHERE n`+among, args,
		func(scan func(...any) error) error {
			var n, field int64
			var text string
			err := scan(&n, &field, &text)
			terms[n] = append(terms[n], store.Term{Field: fields[n][field], Text: text})
			return err
		})
	for i, r := range page {
		page[i].Terms = store.SortTerms(terms[r.n])
	}
	return page, err
}

// NextLocks puts versions into the order in which all transactions lock their records.
func NextLocks(list []store.Record) []store.Record {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b store.Record) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}
