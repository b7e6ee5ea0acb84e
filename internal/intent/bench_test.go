package intent

import "testing"

func BenchmarkScore(b *testing.B) {
	messages := []string{"We have 45 suppliers and need contact and country of each.", "thanks!",
		"First the clerk checks the form, then payroll pays it, and in the end it is filed under the customer's name.",
		"Can I freeze the other 4 portions of soup, or will the potatoes turn to mush?"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Score(messages[i%len(messages)])
	}
}
