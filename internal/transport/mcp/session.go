package mcp

import (
	"crypto/rand"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
)

// client is a client as it describes itself.
type client struct {
	elicits bool // it asks its user for the fields of a form
	apps    bool // it shows MCP Apps
	mark    string
	token   string // that it is known by, if it sends none itself
}

// Marks of clients that did not choose a drawing.
const (
	unsaid  = "-"
	nothing = "text" // has no catalog in common with this server
)

// session is the id of a new session of a client: all that is known of it, and no other session has it.
func (c client) session() string {
	can := "-"
	if c.elicits {
		can += "e"
	}
	if c.apps {
		can += "a"
	}
	return strings.Join([]string{"s", can + rand.Text(), c.mark, c.token}, "_") // rand.Text has capitals alone
}

// maxSession bounds the id of a session.
const maxSession = 256

// parseSession reads an id.
func parseSession(id string) (c client, ok bool) {
	p := strings.SplitN(id, "_", 4)
	if len(id) > maxSession || len(p) != 4 || p[0] != "s" || !strings.HasPrefix(p[1], "-") {
		return c, false
	}
	c.elicits, c.apps = strings.Contains(p[1], "e"), strings.Contains(p[1], "a")
	c.mark, c.token = p[2], p[3]
	return c, true
}

// The extension of MCP Apps.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appType       = "text/html;profile=mcp-app"
)

// abilities reads the capabilities of a client.
func abilities(v jsonx.Value) (c client) {
	c.mark = unsaid
	if e, ok := v.Get("elicitation"); ok && e.Kind == jsonx.Object {
		_, form := e.Get("form")
		c.elicits = form || len(e.Members) == 0
	}
	for _, m := range v.At("extensions").At(appsExtension).At("mimeTypes").Items {
		c.apps = c.apps || strings.ReplaceAll(m.Text(), " ", "") == appType
	}
	return c
}

// Members of the metadata of a request.
const (
	metaPrefix       = "io.modelcontextprotocol/"
	metaVersion      = metaPrefix + "protocolVersion"
	metaCapabilities = metaPrefix + "clientCapabilities"
	metaSubscription = metaPrefix + "subscriptionId"
)

// metadata is the part of a request that is about A2UI.
type metadata struct {
	door.Metadata
	key string // under which an event counts once
}

// readMetadata reads the metadata of a request, and capabilities as the guide of A2UI has
// them: under a2ui.clientCapabilities.
func readMetadata(meta, capabilities jsonx.Value, lim ingress.Limits) (m metadata, err error) {
	for _, of := range []jsonx.Value{capabilities, meta} {
		if c, ok := of.At("a2ui").Get("clientCapabilities"); ok {
			if m.Speaks, err = a2ui.DecodeCapabilities(jsonx.Append(nil, c), lim.A2UI()); err != nil {
				return m, wrong(invalidParams, "/a2ui/clientCapabilities", excerpt.Head(err.Error(), 256), door.AsGiven)
			}
		}
	}
	if meta.Kind != jsonx.Object {
		return m, nil
	}
	if m.key = meta.At("limn_key").Text(); len(m.key) > 128 {
		return m, wrong(invalidParams, "/params/_meta/limn_key", "longer than 128 bytes", "a UUID will do")
	}
	if !slices.ContainsFunc(meta.Members, func(m jsonx.Member) bool { return strings.HasPrefix(m.Key, "a2ui") }) {
		return m, nil
	}
	if err := m.ReadMetadata(meta, lim); err != nil {
		return m, wrong(invalidParams, "/params/_meta", err.Error(), door.AsGiven)
	}
	return m, nil
}
