package directive

import (
	stdhtml "html"
	"regexp"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/internal/jsonx"
)

// foreignTurn opens a turn that is not the model's.
const foreignTurn = `<\|im_start\|>\s*(?:user|system|developer|tool)|<\|start_header_id\|>\s*(?:user|system|tool|ipython)|<start_of_turn>\s*user|<\|start(?:_of_role)?\|>\s*(?:user|system|developer|tool|functions)|<\|(?:user|system|developer|tool|observation|USER_TOKEN|SYSTEM_TOKEN)\|>|<｜User｜>|\[INST\]`

// What templates of models leave around an answer. These patterns run only
// where an answer is not one JSON text already.
var (
	thoughtTag = regexp.MustCompile(`(?i)<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think|antthinking|inner_monologue)>|\[(/?)THINK\]|◁(/?)think▷|<\|(?:begin|(end))_of_thought\|>|<\|(?:start|(end))_thinking\|>`)
	ownTurn    = regexp.MustCompile(`<\|im_start\|>\s*assistant|<\|start_header_id\|>\s*assistant|<start_of_turn>\s*model|<\|start(?:_of_role)?\|>\s*assistant|<\|(?:assistant|CHATBOT_TOKEN)\|>|<｜Assistant｜>|\[/INST\]`)
	foreign    = regexp.MustCompile(foreignTurn)
	turnEnd    = regexp.MustCompile(foreignTurn + `|<\|(?:im_end|eot_id|eom_id|end|endoftext|return|end_of_text|eot|call|end_of_turn|end_of_sentence)\|>|<(?:end_of_turn|eos|/s|EOS)>|<｜end▁of▁sentence｜>|\[/INST\]|\n(?:Human|User|### ?(?:User|Instruction|Human)):`)
	played     = regexp.MustCompile(`<\|(?:return|call)\|>|<\|start\|>\s*(?:user|system|developer|tool|functions)`) // in the harmony format
	turnStart  = regexp.MustCompile(`<\|(?:im_start|start_header_id|start|start_of_role)\|>\s*(?:assistant)?\s*(?:<\|end_(?:header_id|of_role)\|>)?|<start_of_turn>(?:model)?|<\|[a-zA-Z0-9_]{1,40}\|>|<(?:s|bos|unk|pad)>|<｜[^<>｜\n]{1,30}｜>`)
	edgeTag    = regexp.MustCompile(`^(?:<[a-zA-Z/][\w:-]{0,30}>)+|(?:</?[a-zA-Z][\w:-]{0,30}>)+$`)

	channelCall  = regexp.MustCompile(`(?s)to=(?:functions?\.)?([\w./:-]+)[^{]{0,80}<\|message\|>(.*?)(?:<\|(?:call|end|return)\|>|$)`)
	functionTag  = regexp.MustCompile(`(?s)<(?:function|invoke|tool)(?:=|\s+name=)["']?([\w./:-]+)["']?\s*>(.*?)</(?:function|invoke|tool)>`)
	parameterTag = regexp.MustCompile(`(?s)\s*<parameter(?:=|\s+name=)["']?([\w.-]+)["']?[^>]*>(.*?)</parameter>`)
	glmCall      = regexp.MustCompile(`(?s)<tool_call>\s*([\w./:-]+)\s*((?:<arg_key>.*?</arg_value>\s*)*)</tool_call>`)
	glmArg       = regexp.MustCompile(`(?s)<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>`)
	separated    = regexp.MustCompile("(?s)<｜tool▁call▁begin｜>(?:function)?(?:<｜tool▁sep｜>)?([\\w./:-]+)(?:<｜tool▁sep｜>)?\\s*(?:```json)?\\s*(.*?)\\s*(?:```)?\\s*<｜tool▁call▁end｜>")
	kimiCall     = regexp.MustCompile(`(?s)<\|tool_call_begin\|>\s*(?:functions?\.)?([\w./:-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>(.*?)<\|tool_call_end\|>`)
	reactCall    = regexp.MustCompile(`(?s)^(.*\n)?Action:\s*([\w./:-]+)\s*\nAction Input:\s*(\{.*\})\s*$`)
	reactThought = regexp.MustCompile(`(?m)^Thought:.*$`)
	toolFrame    = regexp.MustCompile(`</?(?:tool_calls?|function_calls?|tools?|tool_code|antml:function_calls|minimax:tool_call)>|<\|?/?(?:tool_calls?(?:_section)?(?:_begin|_end)?|python_tag)\|?>|\[/?TOOL_CALLS?\]|<｜tool▁calls▁(?:begin|end)｜>`)
	toolRest     = regexp.MustCompile(`<\|?/?(?:tool_call|function|invoke|parameter|arg_key|tool_use|call)\b|\[TOOL_CALL|<｜tool|Action Input:|to=functions\.\w|^functions\.\w|<\|?(?:channel|message|constrain|start|recipient)\|?>|<function_calls>|` + "```tool_code")
	yamlEnvelope = regexp.MustCompile(`(?m)^\s*-?\s*(?:directives|payload)\s*:\s*$|^\s*-\s*type\s*:`)
	toolMark     = regexp.MustCompile(`<\|?/?(?:tool_call|function_call|function=|invoke name|parameter[= ])|\[TOOL_CALL|<｜tool`)
	protocolTag  = regexp.MustCompile(`^<[a-z]+_[a-z_]+>`)
	answerTag    = regexp.MustCompile(`(?is)^<(?:answer|response|output|final|reply|message|text|result|assistant)>(.*)</(?:answer|response|output|final|reply|message|text|result|assistant)>$`)
	asked        = regexp.MustCompile(`(?s)^\s*(?:User|Human):.*?\n(?:Assistant|AI):`)
	commented    = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	userText     = regexp.MustCompile(`(?is)<user_text>.*?(?:</user_text>|$)`)
)

// tidy strips what surrounds an answer in all modes: byte order marks, white
// space, and the thoughts some models print first.
func tidy(s string) string {
	s = trim(s)
	if strings.HasPrefix(s, "<think>") {
		if _, rest, ok := strings.Cut(s, "</think>"); ok {
			s = trim(rest)
		}
	}
	return s
}

func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r >= 0x80 && blank(string(r)) > 0
	})
}

// peel takes an answer that is not one JSON text out of what templates put
// around it: thoughts, channels, the marks of turns, and what the user wrote.
// Calls in the syntaxes of tools become JSON objects on lines of their own.
func peel(s string) string {
	if strings.Contains(s, "\nAction Input:") {
		if m := reactCall.FindStringSubmatch(s); m != nil {
			s = reactThought.ReplaceAllString(m[1], "") + call(m[2], m[3])
		}
	}
	if marked(s) {
		s = commented.ReplaceAllString(userText.ReplaceAllString(s, ""), "")
		s = asked.ReplaceAllString(s, "")
		s = finalChannel(s)
		s = thoughtless(s)
		s = calls(s)
		s = oneTurn(s)
	}
	if rest, ok := strings.CutPrefix(s, "Thought:"); ok {
		if _, final, ok := strings.Cut(rest, "\nFinal Answer:"); ok {
			s = final
		}
	}
	for _, role := range []string{"Assistant:", "assistant:", "Final Answer:"} {
		s = trim(strings.TrimPrefix(s, role))
	}
	if rest, ok := strings.CutPrefix(s, "analysis"); ok { // channels whose marks were lost
		if _, final, ok := strings.Cut(rest, "assistantfinal"); ok {
			s = final
		}
	}
	s = trim(s)
	switch {
	case strings.HasPrefix(s, `{\`): // escaped once too often, without its quotes
		if v, err := jsonx.ParseString(`"`+s+`"`, jsonx.Limits{Bytes: len(s) + 2, String: len(s) + 2}); err == nil {
			s = trim(v.Str)
		}
	case strings.Contains(s, "{&quot;") || strings.Contains(s, "{&#34;") || strings.Contains(s, "{&#x22;") || strings.Contains(s, "{\n  &quot;"):
		s = trim(stdhtml.UnescapeString(s))
	}
	return s
}

// marked reports what any of the marks of templates begins with, as looking for
// each of them takes its time.
func marked(s string) bool {
	for _, m := range []string{"<", "◁", "[THINK", "[TOOL_CALL", "[/TOOL_CALL", "INST]", "User:", "Human:", "\n###"} {
		if strings.Contains(s, m) {
			return true
		}
	}
	return false
}

// finalChannel keeps the final channel of an answer in OpenAI's harmony format,
// which ends the model's turn. Analysis is thought; commentary to a function is a
// call, which ends it, too.
func finalChannel(s string) string {
	first := strings.Index(s, "<|channel|>")
	if first < 0 {
		return s
	}
	if at := played.FindStringIndex(s[first:]); at != nil { // behind its turn the model plays the others
		s = s[:first+at[0]]
	}
	if i := strings.Index(s, "<|channel|>final"); i >= 0 {
		if _, text, ok := strings.Cut(s[i:], "<|message|>"); ok {
			text, _, _ = strings.Cut(text, "<|channel|>")
			text, _, _ = strings.Cut(text, "<|end|>")
			return text
		}
	}
	out := ""
	for _, m := range channelCall.FindAllStringSubmatch(s, -1) {
		out += call(m[1], m[2])
	}
	return out
}

// thoughtless drops thoughts: between their tags, all before a closing tag that
// was never opened, and all behind one that is never closed.
func thoughtless(s string) string {
	var out strings.Builder
	from, open := 0, false
	for _, m := range thoughtTag.FindAllStringSubmatchIndex(s, -1) {
		closing := false
		for g := 2; g < len(m); g += 2 {
			closing = closing || m[g] >= 0 && m[g] < m[g+1]
		}
		switch {
		case closing && !open:
			out.Reset()
		case !closing && !open:
			out.WriteString(s[from:m[0]])
		}
		open = !closing
		from = m[1]
	}
	if !open {
		out.WriteString(s[from:])
	}
	return out.String()
}

// oneTurn keeps what stands before the end of the model's turn: behind it the
// model plays the others.
func oneTurn(s string) string {
	if at := foreign.FindStringIndex(s); at != nil && unmarked(s[:at[0]]) == "" { // the prompt again, or only somebody else's part
		mine := ownTurn.FindStringIndex(s[at[1]:])
		if mine == nil {
			return ""
		}
		if s = s[at[1]+mine[1]:]; foreign.MatchString(s) { // which of the answers is the one?
			return ""
		}
	}
	from := 0
	for _, at := range turnEnd.FindAllStringIndex(s, -1) {
		if s[at[0]] == '\n' && !answered(s[at[1]:]) {
			continue // a line like "User: Ada" of a list
		}
		if head := unmarked(s[from:at[0]]); head != "" && head != "assistant" {
			s = s[:at[0]]
			break
		}
		from = at[1]
	}
	s = s[from:]
	if !strings.Contains(s, "<") {
		return s
	}
	return turnStart.ReplaceAllString(s, "\n")
}

// unmarked is text without the marks that begin a turn.
func unmarked(s string) string { return trim(turnStart.ReplaceAllString(s, "\n")) }

// answered reports a dialogue that goes on with the model's own part.
func answered(s string) bool {
	for _, m := range []string{"Assistant:", "AI:", "### Response", "###Response", "### Assistant"} {
		if strings.Contains(s, m) {
			return true
		}
	}
	return false
}

// calls writes the tool syntaxes that are clear as JSON.
func calls(s string) string {
	replace := func(re *regexp.Regexp, mark, name, args string) {
		if strings.Contains(s, mark) {
			s = re.ReplaceAllStringFunc(s, func(m string) string {
				sub := re.FindStringSubmatchIndex(m)
				return call(string(re.ExpandString(nil, name, m, sub)), string(re.ExpandString(nil, args, m, sub)))
			})
		}
	}
	replace(glmCall, "<tool_call>", "$1", "$2")
	for _, mark := range []string{"<function", "<invoke", "<tool"} {
		replace(functionTag, mark, "$1", "$2")
	}
	replace(separated, "<｜tool▁call▁begin｜>", "$1", "$2")
	replace(kimiCall, "<|tool_call_begin|>", "$1", "$2")
	return toolFrame.ReplaceAllString(s, "\n")
}

// call writes one call as {"name":…,"arguments":…} on a line of its own.
// Arguments that are neither JSON nor tags stay as they are, to be refused.
func call(name, args string) string {
	args = strings.TrimSpace(args)
	var pairs [][]string
	switch {
	case args == "":
		args = "{}"
	case strings.HasPrefix(args, "{"):
	case parameterTag.ReplaceAllString(args, "") == "":
		pairs = parameterTag.FindAllStringSubmatch(args, -1)
	case strings.TrimSpace(glmArg.ReplaceAllString(args, "")) == "":
		pairs = glmArg.FindAllStringSubmatch(args, -1)
	}
	if pairs != nil {
		args = "{"
		for i, p := range pairs {
			if i > 0 {
				args += ","
			}
			val := strings.TrimSpace(p[2])
			if !strings.HasPrefix(val, "{") && !strings.HasPrefix(val, "[") {
				val = string(jsonx.AppendString(nil, val))
			}
			args += string(jsonx.AppendString(nil, strings.TrimSpace(p[1]))) + ":" + val
		}
		args += "}"
	}
	return "\n" + `{"name":` + string(jsonx.AppendString(nil, name)) + `,"arguments":` + args + "}\n"
}

// unsayable reports text that nobody should read: machine code, broken
// protocols, bytes.
func unsayable(s string) bool {
	if looksLikeJSON(s) || mentionsEnvelope(s) || toolRest.MatchString(s) || yamlEnvelope.MatchString(s) && strings.Contains(s, "type") {
		return true
	}
	switch s {
	case "[object Object]", "undefined", "NaN", "None", "nil", "true", "false":
		return true
	}
	if strings.Contains(s, "\uFFFD\uFFFD") || protocolTag.MatchString(s) || circles(s) {
		return true
	}
	if strings.Contains(s, promptLead) || strings.Trim(s, "{}[]()<>\"',:;` \t\r\n") == "" {
		return true
	}
	if strings.Contains(s, `":`) && (strings.Count(s, "{") != strings.Count(s, "}") || strings.Count(s, "[") != strings.Count(s, "]")) {
		return true // a piece of JSON
	}
	low := strings.ToLower(s[:min(len(s), 64)])
	if strings.HasPrefix(low, "<!doctype") || strings.HasPrefix(low, "<html") || strings.HasPrefix(low, "<?xml") || strings.HasPrefix(low, "traceback (most recent call") || strings.HasPrefix(low, "%7b") || strings.HasPrefix(low, "data: {") || strings.HasPrefix(low, "data: [") {
		return true
	}
	plain := true // one long word of ASCII without a space: encoded bytes
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return true
		}
		plain = plain && (isWord(c) && c != '.' || c == '+' || c == '/' || c == '=' || c == '-')
	}
	return plain && strings.HasPrefix(s, "eyJ") || plain && len(s) >= 64 && strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s
}

// circles reports words that a model repeats until it is stopped.
func circles(s string) bool {
	for p := 1; p <= 200; p++ {
		n := max(12*p, 160)
		if n > len(s) {
			return false
		}
		if tail := s[len(s)-n:]; tail[p:] == tail[:n-p] {
			return true
		}
	}
	return false
}
