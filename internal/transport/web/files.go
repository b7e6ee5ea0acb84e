package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/filetype"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// A form with an upload field is multipart. Its fields and files are one action:
// each file is stored while the body is read, under an id made from its content
// and its place, and the action carries the ids. So the same form sent again is
// the same action, and a file that is refused is an error at its field.

// formFiles is how many files of the largest size a form may send. Those that are
// too large are read and thrown away, so that the rest of the form is not lost.
const formFiles = 16

// formSize is how many times the limit of a body the inputs of a form may have:
// what percent-encoding makes of a byte in the other encoding.
const formSize = 3

// filePost is a multipart form while it is read.
type filePost struct {
	s       *uploads
	r       *http.Request
	who     string
	owner   string // of the conversation
	key     string // Idempotency-Key
	state   *ui.State
	values  url.Values
	size    int
	files   []ui.FormFile
	created []ui.FormFile // stored by this request
	charged bool
}

func isMultipart(r *http.Request) bool {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && t == "multipart/form-data"
}

// readFiles reads a multipart form and stores its files.
func (s *uploads) readFiles(r *http.Request, who string) (*filePost, error) {
	if err := notEncoded(r); err != nil {
		return nil, err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return nil, err
	}
	if err := h.Access.Check(conversation.Write); err != nil {
		return nil, err
	}
	p := &filePost{s: s, r: r, who: who, owner: h.Owner, state: h.State, values: url.Values{}}
	if p.key, err = keyOf(r); err != nil {
		return nil, err
	}
	mr, err := r.MultipartReader()
	if err != nil {
		return nil, bodyError(err)
	}
	most := cmp.Or(s.cfg.Limits.Entries, 10_000)
	for parts := 0; err == nil; parts++ {
		var part *multipart.Part
		if part, err = mr.NextRawPart(); errors.Is(err, io.EOF) {
			return p, nil
		}
		switch {
		case err != nil:
			err = bodyError(err)
		case parts >= most:
			err = ui.Errorf(ingress.CodeTooLarge, "", "more than %d inputs", most)
		default:
			err = p.part(part)
		}
	}
	p.drop()
	return nil, err
}

// part reads one input or one file.
func (p *filePost) part(part *multipart.Part) error {
	_, params, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if _, isFile := params["filename"]; isFile {
		return p.file(part)
	}
	most := formSize*p.s.cfg.Limits.Bytes - p.size
	body, err := io.ReadAll(io.LimitReader(part, int64(most)+1))
	if err != nil {
		return bodyError(err)
	}
	name := part.FormName()
	if p.size += len(name) + len(body); p.size > formSize*p.s.cfg.Limits.Bytes {
		return &ui.Error{Code: recovery.CodeBodyTooLarge, Message: "the form is above the limit",
			Hint: "submit less at once"}
	}
	p.values.Add(name, string(body))
	return nil
}

// file admits a file, reads it and stores it. A browser sends an empty part for an
// input without a choice: the file that is there stays.
func (p *filePost) file(part *multipart.Part) error {
	first := make([]byte, 1)
	n, err := io.ReadFull(part, first)
	if err != nil && !errors.Is(err, io.EOF) {
		return bodyError(err)
	}
	if n == 0 && part.FileName() == "" {
		return nil
	}
	f := ui.FormFile{Path: ingress.Path(part.FormName()), Name: fileName(part.FileName())}
	open, err := p.admit(f.Path)
	if err != nil {
		return err
	}
	words := p.s.saidTo(p.r).words
	sum, keep := sha256.New(), &bytes.Buffer{}
	var to io.Writer = sum
	if open {
		release, err := p.s.intake.hold(p.who, p.s.expected(p.r))
		if err != nil {
			return err
		}
		defer release()
		to = io.MultiWriter(sum, keep)
	}
	size, err := io.Copy(to, io.LimitReader(io.MultiReader(bytes.NewReader(first[:n]), part), p.s.cfg.MaxUpload+1))
	if err != nil {
		return bodyError(err)
	}
	switch {
	case size == 0:
		f.Code, f.Why = ingress.CodeEnvelope, words.Say("upload.empty", "label", f.Name)
	case size > p.s.cfg.MaxUpload:
		f.Code, f.Why = recovery.CodeBodyTooLarge,
			words.Say("upload.large", "label", f.Name, "max", ui.Size(p.s.cfg.MaxUpload))
	default:
		f.ID = p.id(f, sum)
		if !open { // only the first answer to this very form can count
			f.Code = ingress.CodeStale
			break
		}
		if err := p.store(&f, keep.Bytes(), part.Header.Get("Content-Type")); err != nil {
			return err
		}
	}
	p.files = append(p.files, f)
	return nil
}

// admit looks at the place of a file before the file is read. open is false for a
// surface that takes none any more: its form may be one that is sent again.
func (p *filePost) admit(at ui.Path) (open bool, err error) {
	for _, f := range p.files {
		if f.Path == at {
			return false, &ui.Error{Code: ingress.CodeEnvelope, Path: string(at), Message: "two files for one field",
				Hint: "send one"}
		}
	}
	if !p.charged {
		if err := errors.Join(p.s.chargeAddress(p.r, startWeight), p.s.charge(p.who, startWeight)); err != nil {
			return false, err
		}
		p.charged = true
	}
	if p.state.Ended {
		return false, nil
	}
	fields := map[string]string{builtin.FieldPath: string(at)}
	for _, name := range []string{builtin.FieldSurface, builtin.FieldNonce} {
		if fields[name] = p.values.Get(name); fields[name] == "" {
			return false, &ui.Error{Code: ingress.CodeEnvelope, Path: name,
				Message: "the form does not say where its file goes", Hint: "send " + name + " before files"}
		}
	}
	_, err = ingress.Admit(p.state, attachEvent(&store.Blob{}, fields).Action, ingress.Policy{})
	if code := ui.CodeOf(err); code == ingress.CodeStale || code == ingress.CodeSubmitted {
		return false, nil // the turn says so, and keeps the text
	}
	return err == nil, err
}

// id names a file by who sends what where.
func (p *filePost) id(f ui.FormFile, sum hash.Hash) string {
	key := p.key
	if key == "" {
		key = "form"
	}
	return fileID(p.who, key, map[string]string{builtin.FieldSurface: p.values.Get(builtin.FieldSurface),
		builtin.FieldNonce: p.values.Get(builtin.FieldNonce), builtin.FieldPath: string(f.Path)}, f.Name,
		[sha256.Size]byte(sum.Sum(nil)))
}

// store puts a file into the store, or says in it why not.
func (p *filePost) store(f *ui.FormFile, body []byte, declared string) error {
	words := p.s.saidTo(p.r).words
	blob := store.Blob{ID: f.ID, Name: f.Name, Body: body, At: time.Now().UTC()}
	err := p.s.intake.parse(p.r.Context(), func(ctx context.Context) {
		blob.Type = filetype.Of(body)
		if f.Path == worksheet.ImportPath {
			p.s.imported(ctx, p.r, &blob, f)
		}
	})
	if err != nil {
		return err
	}
	f.Type = blob.Type
	if f.Path != worksheet.ImportPath && filetype.Check(blob.Name, declared, blob.Type) != nil {
		f.Code, f.Why = filetype.CodeMismatch,
			words.Say("upload.invalid", "label", f.Name, "form",
				strings.ToUpper(strings.TrimPrefix(path.Ext(f.Name), ".")))
	}
	if f.Code != "" {
		return nil
	}
	created, err := p.s.putFile(p.r.Context(), p.owner, p.r.PathValue("id"), blob)
	switch {
	case ui.CodeOf(err) == recovery.CodeQuota:
		f.Code, f.Why = recovery.CodeQuota, words.Say("upload.quota", "label", f.Name)
		return nil
	case created:
		p.created = append(p.created, *f)
	}
	return err
}

// formFileAction submits the action of a multipart form. Files that did not come
// into their fields are not kept.
func (s *uploads) formFileAction(w http.ResponseWriter, r *http.Request, who string) (session.Receipt, error) {
	p, err := s.readFiles(r, who)
	if err != nil {
		return session.Receipt{}, err
	}
	e, err := ingress.DecodeForm(p.values, s.cfg.Limits)
	if err != nil {
		p.drop()
		return session.Receipt{}, err
	}
	e.Key, e.Action.Files = p.key, p.files
	rec, err := s.submit(w, r, who, e, waitAction)
	switch code := ui.CodeOf(err); {
	case code == recovery.CodeKeyReused, code == ui.CodeEnded,
		err == nil && rec.Done && rec.Outcome.Kind != ui.OutcomeDone:
		p.drop()
	}
	return rec, err
}

// drop removes the files that this request stored, but those that the form holds.
func (p *filePost) drop() {
	for _, f := range p.created {
		p.s.dropFile(p.r, p.who, f.ID, map[string]string{builtin.FieldSurface: p.values.Get(builtin.FieldSurface),
			builtin.FieldPath: string(f.Path)})
	}
}
