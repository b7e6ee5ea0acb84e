package transport

import "testing"

func TestRoom(t *testing.T) {
	t.Parallel()
	for descriptors, want := range map[int]int{0: 1, 64: 16, 256: 160, 1024: 736, 1 << 20: 786_400} {
		if got := room(descriptors); got != want {
			t.Errorf("%d streams for %d descriptors, want %d", got, descriptors, want)
		}
	}
	if got := StreamsFor(-1); got != -1 {
		t.Errorf("no limit became %d", got)
	}
	if got := StreamsFor(1); got != 1 {
		t.Errorf("one stream became %d", got)
	}
}
