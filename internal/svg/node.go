package svg

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Render draws a Diagram or a Chart; value returns the value at a path. nil is
// nothing to draw, or another node.
func Render(n ui.Node, value func(ui.Path) ui.Value, w ui.Words, style Style) ([]byte, error) {
	switch n := n.(type) {
	case *ui.Diagram:
		return Of(n, value).SVG(n.Label, w, style)
	case *ui.Chart:
		return ChartSVG(n, w, style), nil
	}
	return nil, nil
}

// Content names what Render would render, in 16 hex digits; "" is nothing. It
// changes when the picture does.
func Content(n ui.Node, value func(ui.Path) ui.Value) string {
	var what []byte
	switch n := n.(type) {
	case *ui.Diagram:
		p := Of(n, value)
		if len(p.Steps) == 0 || !p.renderable() {
			return ""
		}
		what, _ = json.Marshal([]any{renderVersion, n.Label, p}) // texts and numbers
	case *ui.Chart:
		if !shows(n) {
			return ""
		}
		what, _ = json.Marshal([]any{renderVersion, n})
	default:
		return ""
	}
	sum := sha256.Sum256(what)
	return hex.EncodeToString(sum[:8])
}

// renderVersion grows whenever the same node is drawn differently: pictures are
// kept by clients until they expire.
const renderVersion = 2

// Address is where a picture is served to clients that cannot draw it: to
// any client that has it, until it expires or something else is drawn there.
type Address struct {
	Conversation string
	Surface      ui.Name
	Epoch        uint32
	Node         ui.KeyPath
	Content      string
	Until        int64 // seconds since 1970
}

// File is the last part of the path: the keys of the node, joined by dots.
func (a Address) File() string { return strings.ReplaceAll(string(a.Node), "/", ".") + ".svg" }

// NodeOf is the key path that File names.
func NodeOf(file string) ui.KeyPath {
	return ui.KeyPath(strings.ReplaceAll(strings.TrimSuffix(file, ".svg"), ".", "/"))
}

// URL is the address /p/{conversation}/{surface}/{epoch}/{file}, signed with the nonce of the surface. The nonce is
// a secret of the conversation, stored with it: so addresses outlive a restart,
// hold on every node, and end with the epoch.
func (a Address) URL(base, nonce string) string {
	return strings.TrimSuffix(base, "/") + "/p/" + url.PathEscape(a.Conversation) + "/" + string(a.Surface) + "/" +
		strconv.FormatUint(uint64(a.Epoch), 10) + "/" + a.File() + "?h=" + a.Content + "&until=" +
		strconv.FormatInt(a.Until, 10) + "&sig=" + hex.EncodeToString(a.sign(nonce))
}

// Signed reports, in constant time, whether sig is the signature of the address.
func (a Address) Signed(nonce, sig string) bool {
	got, err := hex.DecodeString(sig)
	return err == nil && nonce != "" && hmac.Equal(got, a.sign(nonce))
}

func (a Address) sign(nonce string) []byte {
	mac := hmac.New(sha256.New, []byte(nonce))
	for _, part := range []string{"limn-picture", a.Conversation, ui.WireID(a.Surface, a.Epoch), string(a.Node),
		a.Content, strconv.FormatInt(a.Until, 10)} {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return mac.Sum(nil)
}
