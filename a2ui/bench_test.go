package a2ui_test

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

func benchEncode(b *testing.B, d a2ui.Dialect) {
	msgs := form(d, 30)
	var buf []byte
	var err error
	b.ReportAllocs()
	for b.Loop() {
		buf = buf[:0]
		for _, m := range msgs {
			if buf, err = a2ui.AppendMessage(buf, d, m); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkEncodeV09(b *testing.B) { benchEncode(b, a2ui.V09) }
func BenchmarkEncodeV08(b *testing.B) { benchEncode(b, a2ui.V08) }

func benchDecode(b *testing.B, d a2ui.Dialect) {
	var lines [][]byte
	for _, m := range form(d, 30) {
		line, err := a2ui.AppendMessage(nil, d, m)
		if err != nil {
			b.Fatal(err)
		}
		lines = append(lines, line)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			if _, _, err := a2ui.DecodeMessage(line); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecodeV09(b *testing.B) { benchDecode(b, a2ui.V09) }
func BenchmarkDecodeV08(b *testing.B) { benchDecode(b, a2ui.V08) }

func benchSafe(b *testing.B, d a2ui.Dialect) {
	msgs := form(d, 30)
	b.ReportAllocs()
	for b.Loop() {
		if p := a2ui.Validate(a2ui.Rules{Dialect: d, Profile: a2ui.Safe}, msgs); p != nil {
			b.Fatal(list(p))
		}
	}
}

func BenchmarkValidateSafe(b *testing.B)    { benchSafe(b, a2ui.V09) }
func BenchmarkValidateSafeV08(b *testing.B) { benchSafe(b, a2ui.V08) }

// BenchmarkValidateUpdate checks an update of one field and the rev on a form of
// 30 fields that is open.
func BenchmarkValidateUpdate(b *testing.B) {
	msgs := form(a2ui.V09, 30)
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe})
	if p := v.Check(msgs); p != nil {
		b.Fatal(list(p))
	}
	all := msgs[3].(*a2ui.UpdateComponents)
	update := []a2ui.Message{
		&a2ui.UpdateComponents{SurfaceID: all.SurfaceID, Components: all.Components[3:4]},
		&a2ui.UpdateData{SurfaceID: all.SurfaceID, Path: "/ui_state/rev", Value: jsonx.OfInt(2)},
	}
	b.ReportAllocs()
	for b.Loop() {
		if p := v.Check(update); p != nil {
			b.Fatal(list(p))
		}
	}
}
