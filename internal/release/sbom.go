package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// bom is an SBOM as CycloneDX 1.6 has it, as far as Limn fills it in.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licences []licence `json:"licenses,omitempty"`
	Purl     string    `json:"purl"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

// sbom lists the modules that a program was linked from, and the packages in its page.
func (r *release) sbom(p product, npm []npmPackage) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(p.program))
	if err != nil {
		return nil, fmt.Errorf("read what %s is linked from: %w", p.name, err)
	}
	b := bom{Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6",
		Version: 1, Serial: serial(p.program)}
	b.Metadata.Timestamp = r.date.Format(time.RFC3339)
	limn := golang(info.Main.Path, r.version)
	limn.Type, limn.Licences = "application", []licence{{"Apache-2.0"}}
	limn.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(p.program))}}
	b.Metadata.Component = limn
	b.Components = append(b.Components, golang("std", strings.TrimPrefix(info.GoVersion, "go")))
	for _, m := range info.Deps {
		m = cmp.Or(m.Replace, m)
		if r.licences[m.Path+" "+m.Version] == nil {
			return nil, fmt.Errorf("%s is linked into %s, and no licence of it was found: "+
				"report this as a fault of internal/release", m.Path, p.name)
		}
		b.Components = append(b.Components, golang(m.Path, m.Version))
	}
	for _, n := range npm {
		c, err := n.component()
		if err != nil {
			return nil, err
		}
		b.Components = append(b.Components, c)
	}
	all := dependency{Ref: limn.Ref}
	for _, c := range b.Components {
		all.On = append(all.On, c.Ref)
	}
	b.Dependencies = []dependency{all}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), checkBOM(text)
}

// serial is a number that two different programs never share (RFC 9562, section 5.8).
func serial(program []byte) string {
	s := fmt.Sprintf("%x", sha256.Sum256(program))
	return "urn:uuid:" + s[:8] + "-" + s[8:12] + "-8" + s[13:16] + "-8" + s[17:20] + "-" + s[20:32]
}

func golang(path, version string) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: "library", Ref: purl, Name: path, Version: version, Purl: purl}
}

func (p npmPackage) component() (component, error) {
	purl := "pkg:npm/" + strings.Replace(p.name(), "@", "%40", 1) + "@" + p.Version
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Integrity, "sha512-"))
	if err != nil || len(sum) != 64 || p.Licence == "" {
		return component{}, fmt.Errorf("web/package-lock.json lacks the sha512 sum or the licence of %s: "+
			"run 'npm install --prefix web' and commit the file", p.name())
	}
	return component{Type: "library", Ref: purl, Name: p.name(), Version: p.Version, Purl: purl,
		Hashes: []hash{{"SHA-512", fmt.Sprintf("%x", sum)}}, Licences: []licence{{p.Licence}}}, nil
}

var serialForm = regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// checkBOM holds an SBOM to what CycloneDX 1.6 requires of the members that Limn writes.
func checkBOM(text []byte) error {
	var b bom
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	if err := read.Decode(&b); err != nil {
		return fmt.Errorf("read the SBOM: %w", err)
	}
	_, err := time.Parse(time.RFC3339, b.Metadata.Timestamp)
	if b.Format != "CycloneDX" || b.Spec != "1.6" || b.Version < 1 || !serialForm.MatchString(b.Serial) || err != nil {
		return fmt.Errorf("the SBOM lacks a format, a version, a serial number or a time")
	}
	refs := map[string]bool{}
	for _, c := range append([]component{b.Metadata.Component}, b.Components...) {
		switch {
		case c.Type == "" || c.Name == "" || c.Version == "" || c.Ref == "" || !strings.HasPrefix(c.Purl, "pkg:"):
			return fmt.Errorf("the SBOM has a component without a type, name, version, bom-ref or purl: %+v", c)
		case refs[c.Ref]:
			return fmt.Errorf("the SBOM has %s twice", c.Ref)
		}
		refs[c.Ref] = true
	}
	for _, d := range b.Dependencies {
		for _, ref := range append(d.On, d.Ref) {
			if !refs[ref] {
				return fmt.Errorf("the SBOM depends on %s, which it does not have", ref)
			}
		}
	}
	return nil
}
