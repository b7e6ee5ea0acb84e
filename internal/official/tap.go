package official

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Tap judges a stream of server→client messages by sample: the first of each
// shape, and one in a hundred of the others. The shape of a message is the sorted
// set of its key paths, each with the type of its value and, for a component, its
// name; ids and texts do not count. The zero value is ready, and all methods may
// be called from any goroutine.
type Tap struct {
	mu      sync.Mutex // guards what follows
	shapes  map[[sha256.Size]byte]bool
	seen    int
	judged  int
	missing bool
}

// one message in sampled is judged whatever its shape.
const sampled = 100

// See takes one message of a dialect. The error is that of the published schema;
// without the schemas no message is checked.
func (t *Tap) See(dialect string, message []byte) error {
	v, err := jsonx.Parse(message, jsonx.Limits{Bytes: 64 << 20, String: 64 << 20})
	if err != nil {
		return fmt.Errorf("a message that is no JSON: %w", err)
	}
	if !t.wants(shapeOf(dialect, v)) {
		return nil
	}
	schema, err := Server(dialect)
	if errors.Is(err, ErrMissing) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.missing = true
		return nil
	}
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.judged++
	t.mu.Unlock()
	if err := schema.Check(message); err != nil {
		return fmt.Errorf("%s: %w\n%s", dialect, err, message)
	}
	return nil
}

// wants counts a message and reports whether it is one to judge.
func (t *Tap) wants(shape [sha256.Size]byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shapes == nil {
		t.shapes = map[[sha256.Size]byte]bool{}
	}
	known := t.shapes[shape]
	t.shapes[shape] = true
	t.seen++
	return !known || t.seen%sampled == 0
}

// String says what came through, for the log of a test.
func (t *Tap) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.missing {
		return fmt.Sprintf("%d messages, none judged: %v", t.seen, ErrMissing)
	}
	return fmt.Sprintf("%d messages of %d shapes, %d judged by the published schemas", t.seen, len(t.shapes), t.judged)
}

func shapeOf(dialect string, v jsonx.Value) (sum [sha256.Size]byte) {
	var paths []string
	shape(&paths, "", v)
	slices.Sort(paths)
	h := sha256.New()
	io.WriteString(h, dialect) //nolint:errcheck // a hash does not fail
	for _, p := range slices.Compact(paths) {
		io.WriteString(h, "\n"+p) //nolint:errcheck // a hash does not fail
	}
	h.Sum(sum[:0])
	return sum
}

func shape(paths *[]string, at string, v jsonx.Value) {
	*paths = append(*paths, fmt.Sprintf("%s %d", at, v.Kind))
	for _, item := range v.Items {
		shape(paths, at+"[]", item)
	}
	if name := v.At("component"); name.Kind == jsonx.String {
		at += "<" + name.Text() + ">"
	}
	for _, m := range v.Members {
		shape(paths, at+"/"+m.Key, m.Value)
	}
}
