package app_test

import (
	"testing"

	"github.com/limn-ui/limn/app"
)

func BenchmarkLoad(b *testing.B) {
	b.SetBytes(int64(len(everything)))
	for b.Loop() {
		if _, err := app.Load("f.yaml", []byte(everything), app.Handle("check_it", nothing), app.Env(hook)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormFor(b *testing.B) {
	a := desk(b)
	for b.Loop() {
		a.FormFor("First finance reviews the invoice, then IT signs off, then CFO approves.")
	}
}
