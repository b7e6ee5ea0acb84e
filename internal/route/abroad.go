package route

import (
	"strings"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// The rules for languages other than English. Those with a Lexicon are read by
// the classes of their words; Chinese and Japanese, which have no spaces, by the
// words that the text contains.

var (
	questionAbroad, explainsAbroad = the("questionAbroad"), the("explainsAbroad")
	givesAbroad, editsAbroad       = the("givesAbroad"), the("editsAbroad")
	pastesAbroad, approvalAbroad   = the("pastesAbroad"), the("approvalAbroad")
)

// foreign reports a text with a Lexicon that is not English.
func (r *reading) foreign() bool { return r.t.Lang != prose.English }

// shapeAbroad is shapeOf: erkläre … · gib mir 5 Ideen · ändere den Namen.
func (r *reading) shapeAbroad(s, b int, mark byte) string {
	switch {
	case mark == '?' && r.at(questionAbroad, s, b), r.at(explainsAbroad, s, b):
		return "chat.explain"
	case r.at(givesAbroad, s, b):
		return "chat.assistant_produces"
	case r.at(editsAbroad, s, b):
		return "chat.single_item"
	}
	return ""
}

// explicitAbroad: zeig mir eine Tabelle · muéstrame una tabla.
func (r *reading) explicitAbroad(c *candidate) bool {
	if r.t.CJK {
		src := r.head()
		c.tool = r.toolsCJK()
		return (c.tool == table || c.tool == processMap) &&
			hasAny(src, "打开", "打開", "显示", "给我", "開いて", "表示して", "見せて", "出して", "作って", "画一", "创建") &&
			!hasAny(src, "不要", "ないで", "别")
	}
	for i := range r.t.Toks {
		n := r.toolNoun(i)
		if n == 0 || r.denies(i, true) || r.class(i)&prose.Sheet != 0 {
			continue
		}
		for j := max(0, i-5); j < min(len(r.t.Toks), i+4); j++ {
			if r.class(j)&prose.Shows != 0 && r.class(j)&prose.Function == 0 || r.class(j)&prose.Shows != 0 && j < i {
				c.tool = n
				return true
			}
		}
	}
	return false
}

// cjk is what Chinese and Japanese texts say, by rule.
var cjk = struct{ question, negation, paste, listed, sheet, approval, process, core, produce, yes, no []string }{
	question: []string{"什么", "什麼", "为什么", "怎么", "如何", "吗", "とは", "何です", "なぜ", "どうして", "どのよう", "ですか"},
	negation: []string{"没有", "沒有", "不是", "ません", "ありません", "いません", "ではない", "じゃない"},
	paste:    []string{"粘贴", "貼り付け", "貼付", "导入", "匯入", "インポート", "上传", "コピペ"},
	listed:   []string{"列表", "名单", "清单", "リスト", "一覧", "名簿", "数据", "データ"},
	sheet:    []string{"电子表格", "スプレッドシート", "エクセル"},
	approval: []string{"审批流程", "批准流程", "承認プロセス", "承認フロー", "承認の流れ", "稟議", "パイプライン", "流水线", "迁移步骤", "移行手順"},
	process:  []string{"流程", "プロセス", "手順", "工程", "ワークフロー", "業務フロー"},
	core:     []string{"风险", "風險", "利益相关者", "リスク", "関係者", "ステークホルダー", "課題"},
	yes:      []string{"はい", "お願い", "好", "是", "可以", "行", "네", "예", "हाँ", "हां", "जी", "نعم", "да"},
	no:       []string{"不", "いいえ", "いや", "아니", "नहीं", "لا"},
	produce:  []string{"给我举", "举例", "推荐", "建议", "教えて", "提案して", "挙げて", "考えて"},
}

// controlCJK: 不要再显示表格 · 表をもう二度と表示しないで · 取消 · 続けて.
func (r *reading) controlCJK(state ui.Router) (c controlMessage) {
	if len(r.t.Toks) > maxOrder {
		return c
	}
	src, n := r.t.Visible(), len(r.t.Toks)
	named := r.toolsCJK()
	open := state.LastStatus == ui.StatusToolOpen
	switch {
	case named != 0 && (hasAny(src, "不要再", "别再", "別再", "以后不要", "永远不要", "再也不") ||
		hasAny(src, "二度と", "もう", "今後") && hasAny(src, "ないで", "やめて", "しない")):
		c = controlMessage{kind: ControlOptOut, tool: named.name(), b: n}
	case named != 0 && (state.OptOut.All || len(state.OptOut.Tools) > 0) &&
		hasAny(src, "重新", "恢复", "可以再", "また使", "再び", "有効に") && !hasAny(src, cjk.negation...):
		c = controlMessage{kind: ControlOptIn, tool: named.name(), b: n}
	case open && n <= 6 && hasAny(src, "やめ", "キャンセル", "閉じ", "取消", "关闭", "算了"):
		c.kind = ControlCancel
	case open && n <= 6 && hasAny(src, "続け", "続き", "再開", "继续", "回到"):
		c.kind = ControlResume
	}
	return c
}

// toolsCJK returns the tools that Chinese or Japanese text names.
func (r *reading) toolsCJK() (t tools) {
	src := r.head()
	if hasAny(src, "表格", "表を", "表は", "表が", "テーブル") {
		t |= table
	}
	if hasAny(src, "流程图", "流程圖", "プロセスマップ", "フロー図") {
		t |= processMap
	}
	if hasAny(src, "工具", "ツール", "表单", "フォーム") {
		t = both
	}
	return t
}

// shapeCJK is shapeOf for a sentence of Chinese or Japanese.
func (r *reading) shapeCJK(a, b int, mark byte) string {
	src := r.t.Src[r.t.Toks[a].Start:r.t.Toks[b-1].End]
	switch {
	case hasAny(src, cjk.paste...):
		return ""
	case hasAny(src, cjk.produce...):
		return "chat.assistant_produces"
	case (mark == '?' || hasAny(src, "とは", "什么是", "ですか", "为什么", "なぜ")) && hasAny(src, cjk.question...):
		return "chat.explain"
	case hasAny(src, cjk.negation...):
		return "chat.negation"
	}
	return ""
}

// holds reports one of the words in Chinese or Japanese text that is not muted.
func (r *reading) holds(words []string) bool { return r.t.CJK && hasAny(r.head(), words...) }

// inlineCJK: 供应商：甲、乙、丙.
func (r *reading) inlineCJK(c *candidate) bool {
	for i := range r.t.Toks {
		if r.t.Toks[i].Kind != prose.Colon || i == 0 || r.t.Toks[i-1].Kind != prose.Word {
			continue
		}
		if items := r.t.Enumeration(i + 1); len(items) >= 3 {
			c.tool, c.n = table, len(items)
			c.seed = r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End]
			return true
		}
	}
	return false
}

// head is what is visible of the first 4 KB: no one names a subject later.
func (r *reading) head() string {
	src := r.t.Visible()
	return src[:min(len(src), 4096)]
}

// starts reports that the text itself starts with one of these: scripts that
// have no Lexicon.
func (r *reading) starts(prefixes ...string) bool {
	if r.t.Src == "" || r.t.Src[0] < 0x80 {
		return false
	}
	for _, p := range prefixes {
		if strings.HasPrefix(r.t.Src, p) {
			return true
		}
	}
	return false
}

func hasAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
