package agent

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the conversation in a prompt.
const (
	maxEntry    = 4 << 10  // bytes of one transcript entry
	maxText     = 16 << 10 // bytes of the user's message
	maxData     = 16 << 10 // bytes of an event's data
	leastTokens = 256      // of the user's message, however small the model
	maxHistory  = 40       // transcript entries
	historyStep = 8        // frames that leave the history at once
	perMessage  = 4        // tokens around a message
	imageTokens = 1600     // of an image, about, whatever its size
	leastFile   = 64       // tokens of a text that are worth a place
	maxImages   = 2
)

// The system prompt is the same for every request of an application, so that a
// provider's cache knows it; everything that changes is in the messages.
func directiveSystem(c Config) string {
	return join(c.Instructions, fence.Notice, c.Registry.Prompt())
}

func chatSystem(c Config) string {
	return join(c.Instructions, fence.Notice, "Answer in plain text, in the user's language.")
}

// Prompt returns the first request of a run in that mode, as the run makes it of the same
// input, without its tools: ModeChat and ModeTools answer in words, all others with directives.
func Prompt(mode Mode, c Config, caps llm.Capabilities, in Input) llm.Request {
	system := directiveSystem
	switch mode {
	case ModeChat:
		system = chatSystem
	case ModeTools:
		system = toolSystem
	}
	c = c.withDefaults()
	return compose(c, caps, system(c), in)
}

func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}

// compose makes the request of a run within its budget: the subject of the run
// first, then the screen, then as much of the conversation as still fits.
func compose(c Config, caps llm.Capabilities, system string, in Input) llm.Request {
	r := llm.Request{System: system, Params: c.Params, Tokens: llm.Tokens(system) + perMessage}
	room := budget(c, caps)
	about := subject(in, max((room-r.Tokens)*3/4, leastTokens))
	r.Tokens += llm.Tokens(about) + 2*perMessage
	seen := screen(in.State, (room-r.Tokens)/2)
	r.Tokens += llm.Tokens(seen)
	shown, images := shownFiles(in.Files, caps, (room-r.Tokens)/2)
	r.Tokens += llm.Tokens(shown) + len(images)*imageTokens
	said, n := history(in, room-r.Tokens)
	r.Tokens += n
	for _, e := range said {
		r.Messages = add(r.Messages, message(e))
	}
	r.Messages = add(r.Messages, llm.Message{Role: llm.RoleUser, Text: join(seen, shown, about), Images: images})
	return r
}

// budget returns how many tokens a request may have: as many as the app wants, if the model
// can read them and still has room to answer.
func budget(c Config, caps llm.Capabilities) int {
	if caps.Context == 0 {
		return c.Tokens
	}
	return min(c.Tokens, caps.Context-min(caps.Context/4, 4096))
}

// subject is the message or event of the run, in at most so many tokens.
func subject(in Input, tokens int) string {
	var text string
	if in.Event != "" {
		text = in.Event
		if !in.Data.IsNull() {
			text += "\n" + fence.Text(fit(string(in.Data.AppendJSON(nil)), maxData, tokens))
		}
	}
	if in.Text != "" || in.Event == "" {
		text = join(text, fence.Text(fit(in.Text, maxText, tokens)))
	}
	return text
}

// fit is the beginning of a text in at most size bytes and so many tokens. Words take three
// bytes of a token and more; of figures and marks each can be one.
func fit(text string, size, tokens int) string {
	text = excerpt.Of(text, min(size, 3*tokens))
	if llm.Tokens(text) <= tokens {
		return text
	}
	n := sort.Search(len(text), func(n int) bool { return llm.Tokens(text[:n]) > tokens-perMessage })
	return excerpt.Of(text, max(n-1, 0))
}

// shownFiles is the content of files in at most so many tokens: each is named, and each
// text gets the tokens left by the ones before it. Names and texts are fenced, as data. The
// model reads what of a file it does not see.
func shownFiles(list []files.Shown, caps llm.Capabilities, tokens int) (text string, images []llm.Image) {
	abouts, names := make([]string, len(list)), make([]string, len(list))
	for i, f := range list {
		abouts[i] = fmt.Sprintf("File %s, %s, %d bytes", f.ID, oneLine(f.Type, 64), f.Size)
		names[i] = "named " + strconv.Quote(oneLine(f.Name, 80))
		tokens -= llm.Tokens(abouts[i]+fence.Text(names[i])) + perMessage
		if tokens < 0 { // no room even for the names of the others
			list = list[:i]
			break
		}
	}
	var parts []string
	for i, f := range list {
		about, data := abouts[i], names[i]
		switch {
		case f.Text != "" && tokens >= leastFile:
			body := fit(f.Text, len(f.Text), tokens)
			if f.Cut || body != f.Text {
				about += ", of which this is the beginning"
			}
			data += "\n" + body
			tokens -= llm.Tokens(body)
		case f.Image != nil && caps.Images && len(images) < maxImages && tokens >= imageTokens:
			about += ", the picture " + strconv.Itoa(len(images)+1)
			images = append(images, llm.Image{Type: f.Type, Data: f.Image})
			tokens -= imageTokens
		default:
			about += ", not shown"
		}
		parts = append(parts, about+":\n"+fence.Text(data))
	}
	return join(parts...), images
}

// add appends a message; two of one role in a row become one, as some models
// take turns only.
func add(list []llm.Message, m llm.Message) []llm.Message {
	if n := len(list); n > 0 && list[n-1].Role == m.Role {
		list[n-1].Text += "\n\n" + m.Text
		list[n-1].Images = append(list[n-1].Images, m.Images...)
		return list
	}
	return append(list, m)
}

func message(e *ui.Entry) llm.Message {
	text := excerpt.Of(e.Text, maxEntry)
	if e.Role == ui.RoleAssistant {
		return llm.Message{Role: llm.RoleAssistant, Text: fence.Unmark(text)}
	}
	return llm.Message{Role: llm.RoleUser, Text: fence.Text(text)}
}

// history picks the transcript entries to send: the newest that have room. The
// oldest leave several frames at a time, so that most requests begin like the
// one before. The message of the run may already be the last entry; it is
// not sent twice. The tokens are those of all that had room.
func history(in Input, room int) (list []*ui.Entry, tokens int) {
	if in.State == nil {
		return nil, 0
	}
	all := in.State.Transcript
	if n := len(all); n > 0 && in.Text != "" && all[n-1].Role == ui.RoleUser && all[n-1].Text == in.Text {
		all = all[:n-1]
	}
	from := len(all)
	for from > 0 && len(all)-from < maxHistory {
		n := llm.Tokens(message(all[from-1]).Text) + perMessage
		if tokens+n > room {
			break
		}
		tokens += n
		from--
	}
	for i := from; i > 0 && i < len(all); i++ {
		if all[i].Seq/historyStep != all[i-1].Seq/historyStep {
			return all[i:], tokens
		}
	}
	return all[from:], tokens
}

// oneLine makes a name fit for a list: no line breaks, quotes or angle
// brackets, at most n bytes.
func oneLine(s string, n int) string {
	s = excerpt.Of(s, n)
	if plain(s) {
		return strings.Trim(s, " ")
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case r == '<':
			return '‹'
		case r < ' ' || r == 0x7f || r == 0x85 || r == '\u2028' || r == '\u2029':
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// plain reports that s has nothing that oneLine would replace, as most names do.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '<' {
			return false
		}
	}
	return true
}
