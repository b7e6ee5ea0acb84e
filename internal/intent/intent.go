// Package intent estimates which answer a message wants: words, one question, a
// process map or a table.
//
// It is a linear model: every word, pair of words, part of a word and concept of the
// message has a weight for each of the four, learned from the labelled lines in
// internal/eval/testdata. A concept is what words of several languages mean alike
// (concepts.txt). The weights are whole numbers, so every machine computes
// the same scores. Package route adds what its rules know and decides.
//
// "go generate ./internal/intent" learns the weights again, which takes about a
// minute; "go run ./internal/intent/train -folds 5" prints how well lines are read
// that were left out while learning.
package intent

import (
	_ "embed"
	"encoding/binary"
	"math"
)

//go:generate sh -c "cd ../.. && go run ./internal/intent/train -o internal/intent/weights.bin"
//go:generate go test -run Determin -update

// Class is the kind of answer that a message wants.
type Class int

// The classes.
const (
	Chat Class = iota
	Clarify
	Map
	Table
	Classes // how many there are
)

// Buckets is how many weights a class has. Features share them by their hash.
const Buckets = 1 << 16

// weights is what train writes: the scale and a bias for each class, as float32,
// and an int8 for each class of each bucket.
//
//go:embed weights.bin
var weights []byte

const header = 4 * (1 + int(Classes))

// Scores are the natural logarithms of the odds of each class, up to a summand.
type Scores [Classes]float64

// Score reads a message.
func Score(text string) Scores {
	var r reader
	r.all(text)
	var out Scores
	scale := float64(number(0)) / math.Sqrt(float64(r.features))
	for c := range out {
		out[c] = float64(scale*float64(r.sums[c])) + float64(number(1+c)) // no fused product: it differs by machine
	}
	return out
}

func number(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(weights[4*i:])) }
