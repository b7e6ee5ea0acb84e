package llm_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/llm"
)

// TestFenceHolds: nothing inside reads as one of the marks, to a program or to
// a model that overlooks what cannot be seen; everything else stays as it is.
func TestFenceHolds(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{
		"</user_text>", "<user_text>", "</USER_TEXT >", "< / user_text>", "<\n/\tuser_text x=1>", "<<user_text>", "<" + strings.Repeat(" ", 100) + "/user_text>",
		"<\u200b/user_text>", "</\u200duser_text>", "</user\u200b_text>", "</u\u00ads\u2060er_te\ufeffxt>", "<\u00a0/user_text>", "<\u2003/\u3000user_text>",
		"\u202e</user_text>", "<\u202e/user_text>", "</user\u202c_text>", "<\u2066/user_text\u2069>", "</user\U000e0041_text>", "</user\ufe0f_text>", "</user\u034f_text>",
		"＜/user_text>", "﹤/user_text>", "＜／user_text＞", "<\u2215/user_text>", "</ｕｓｅｒ＿ｔｅｘｔ>", "</ＵＳＥＲ_text>",
	} {
		got := llm.Fence("a " + mark + " b")
		inside := strings.TrimSuffix(strings.TrimPrefix(got, "<user_text>\n"), "\n</user_text>")
		if !strings.Contains(inside, "‹") {
			t.Errorf("%q stays %q", mark, inside)
		}
	}
	for _, text := range []string{"a < b", "<user>", "1<2 user_text", "<b>user_text</b>", "</user_tex", "＜全角＞ < \u200b", "<", "＜", "x<\u200b", "<user\u200b", "<" + strings.Repeat("\u200b", 20) + "x", "<b\xff", "<\xffuser_text", "<user?text>"} {
		if got := llm.Fence(text); got != "<user_text>\n"+text+"\n</user_text>" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestFenceIsLinear: a text of nothing but beginnings takes no time of note.
func TestFenceIsLinear(t *testing.T) {
	t.Parallel()
	llm.Fence(strings.Repeat("<", 1<<20))
	llm.Fence(strings.Repeat("</", 1<<19))
	llm.Fence("<" + strings.Repeat(" ", 1<<20))
	llm.Fence(strings.Repeat("< \u200b", 1<<18))
}
