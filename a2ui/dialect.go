package a2ui

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Dialect names one wire form of A2UI.
type Dialect uint8

// The dialects Limn knows. v1.0 has three spellings: V10RC is that of its release
// candidate (path, call, version "v1.0"); V10Oct that of 2026-10-06, with @path and
// @call; V10 has @catalogId, @accessibility, @metadata and @checks too, and the
// version "1.0". The reserved keys distinguish V10Oct from V10RC. A message decoded as
// V10 may have the members of its components without @.
const (
	V08 Dialect = iota + 1
	V09
	V091
	V10RC
	V10
	V10Oct
)

var dialectNames = [...]string{V08: "v0.8", V09: "v0.9", V091: "v0.9.1", V10RC: "v1.0-rc", V10: "v1.0",
	V10Oct: "v1.0-2026-10"}

// String returns the name that ParseDialect reads, such as "v0.9".
func (d Dialect) String() string {
	if d == 0 || int(d) >= len(dialectNames) {
		return fmt.Sprintf("dialect(%d)", uint8(d))
	}
	return dialectNames[d]
}

// Protocol returns the version as catalog documents and extension addresses
// write it, such as "0.9"; every spelling of v1.0 is "1.0".
func (d Dialect) Protocol() string {
	version, _, _ := strings.Cut(d.String(), "-")
	return strings.TrimPrefix(version, "v")
}

// sameVersion reports whether messages of both dialects may be about one surface: the
// spellings of v1.0 are one version, and v0.9.1 reads v0.9.
func (d Dialect) sameVersion(o Dialect) bool {
	return d.Protocol() == o.Protocol() || d.Features() == o.Features()
}

// Dialects returns those that Limn knows, the newest last.
func Dialects() []Dialect { return []Dialect{V08, V09, V091, V10RC, V10Oct, V10} }

// ParseDialect reads the name of a dialect, such as "v0.9".
func ParseDialect(s string) (Dialect, error) {
	for d, name := range dialectNames {
		if name != "" && name == s {
			return Dialect(d), nil
		}
	}
	known := make([]string, len(Dialects()))
	for i, d := range Dialects() {
		known[i] = d.String()
	}
	return 0, fmt.Errorf("unknown A2UI version %q: want one of %s", s, strings.Join(known, ", "))
}

// Features lists the abilities of a dialect and the needs of its clients, so that
// no code outside a2ui asks for a version number.
type Features = wire.Features

// Features returns the table of a dialect.
func (d Dialect) Features() Features {
	switch d {
	case V08:
		return Features{CreateLast: true, Theme: true, LeafKey: "v", FlatData: true, SelfContained: true,
			HeadingVariant: true, MarkdownText: true, LiteralsAreRefs: true, ParsesJSONText: true, SplitsKeys: true,
			LocalTemplates: true,
			ListText:       true, EmptyShown: true, SliderUnnamed: true, LocalMoments: true, DateAndTime: true,
			CapabilitiesMember: "a2uiClientCapabilities",
			ThemeMember:        "styles", MediaType: "application/json+a2ui"}
	case V09, V091:
		return Features{RootID: "root", Delete: true, BareValues: true, Calls: true, Checks: true, ManyChoice: true,
			ChoiceLooks: true, HeadingVariant: true,
			KeepsOmitted: true,
			Theme:        true, ReturnTypes: true, CapabilitiesMember: "a2uiClientCapabilities",
			DataModelMember: "a2uiClientDataModel",
			ThemeMember:     "theme", AnyDefs: true, PartLists: true, MediaType: "application/a2ui+json"}
	case V10RC, V10Oct, V10:
		return Features{MarkdownText: true, RootID: "root", Delete: true, BareValues: true, Calls: true, Checks: true,
			ManyChoice: true, ChoiceLooks: true, Placeholder: true,
			KeepsOmitted: true, Inline: true, OwnCatalogs: true, Remote: true, Index: true, VerdictChecks: true,
			ObjectValues: true,
			UserMessage:  true, NullDeletes: true, SliderSteps: true,
			CapabilitiesMember: "a2uiRendererCapabilities", DataModelMember: "a2uiRendererDataModel",
			AnyDefs: true, PartLists: true, MediaType: "application/a2ui+json"}
	}
	return Features{}
}

// WireName returns what d calls a property of a component, or with "" the component
// type, such as MultipleChoice for ChoicePicker on v0.8.
func (d Dialect) WireName(component, prop string) string {
	if prop == "" {
		return d.names().OfType(component)
	}
	return d.names().OfProp(component, prop)
}

// WireEnum returns how d writes one of the listed values of a property.
func (d Dialect) WireEnum(component, prop, value string) string {
	if n := d.names(); n != nil && n.Enum != nil {
		return n.Enum(component, prop, value)
	}
	return value
}

func (d Dialect) names() *wire.Names {
	if c := d.codec(); c != nil {
		return c.Names
	}
	return nil
}
