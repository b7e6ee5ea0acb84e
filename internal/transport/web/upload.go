package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture/sheet"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/filetype"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

func isUpload(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/uploads")
}

// isUploadForm reports a post of a page: its file is always for a field.
func isUploadForm(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/c/") }

// uploads takes files, by themselves or in forms.
type uploads struct {
	*eventAPI
	intake *intake
}

// stored is a file that was taken.
type stored struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"` // sniffed, not the type the client declared
	Size int    `json:"size"`
}

// postUpload stores a file of multipart/form-data under the name "file". With
// the fields of the form it also goes into the upload field they name.
func (s *uploads) postUpload(w http.ResponseWriter, r *http.Request, who string) error {
	up, err := s.takeFile(r, who)
	if err != nil {
		return err
	}
	defer up.release()
	if up.fields[builtin.FieldPath] != "" {
		rec, err := s.attach(w, r, who, up, preferWait(r, waitAction))
		if err != nil {
			return err
		}
		return s.answer(w, r, rec)
	}
	return writeJSON(w, http.StatusCreated, stored{up.blob.ID, up.blob.Name, up.blob.Type, len(up.blob.Body)})
}

// upload is a file that was received: its place was asked for before anything
// looked into it. Its bytes count as held until release is called.
type upload struct {
	blob    *store.Blob
	fields  map[string]string
	event   *ui.Event // puts it into the field of its post; nil without one
	known   bool      // the key of event was recorded before: nothing was stored or read now
	release func()
}

// takeFile receives, admits, reads and stores the file of a multipart post, in this
// order. Its type is what its content says; a file that claims to be another is
// refused. Its bytes are never served.
func (s *uploads) takeFile(r *http.Request, who string) (*upload, error) {
	id := r.PathValue("id")
	h, err := s.cfg.Service.Head(r.Context(), id, who)
	if err != nil {
		return nil, err
	}
	if err := h.Access.Check(conversation.Write); err != nil {
		return nil, err
	}
	key, err := keyOf(r)
	if err != nil {
		return nil, err
	}
	if h.State.Ended && key == "" {
		return nil, errEnded()
	}
	if err := errors.Join(s.chargeAddress(r, startWeight), s.charge(who, startWeight)); err != nil {
		return nil, err
	}
	if err := notEncoded(r); err != nil {
		return nil, err
	}
	size := s.expected(r)
	release, err := s.intake.hold(who, size)
	if err != nil {
		return nil, err
	}
	up := &upload{release: release}
	declared, err := s.receive(r, up, int(size))
	if err == nil {
		err = s.accept(r, who, key, declared, up)
	}
	if err != nil {
		release()
		return nil, err
	}
	return up, nil
}

// expected is the most that a file of a request can have.
func (s *uploads) expected(r *http.Request) int64 {
	if r.ContentLength < 0 {
		return s.cfg.MaxUpload
	}
	return min(r.ContentLength, s.cfg.MaxUpload)
}

func errEnded() error {
	return &ui.Error{Code: ui.CodeEnded, Message: "the conversation has ended", Hint: "what was said can still be read"}
}

// receive reads the parts of a post, and returns the type its sender declares.
// Nothing looks into the file. size is about how large it is.
func (s *uploads) receive(r *http.Request, up *upload, size int) (declared string, err error) {
	mr, err := r.MultipartReader()
	if t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "multipart/form-data" {
		return "", &ui.Error{Code: recovery.CodeMediaType, Path: "Content-Type", Message: "want multipart/form-data",
			Hint: "send the file as the part named " + builtin.FieldFile, Err: err}
	}
	up.fields = map[string]string{}
	for parts := 0; parts < 16; parts++ {
		part, err := mr.NextRawPart() // raw: stored as it was sent
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", bodyError(err)
		}
		name := part.FormName()
		if _, again := up.fields[name]; again || name == builtin.FieldFile && up.blob != nil {
			return "", &ui.Error{Code: ingress.CodeEnvelope, Path: name[:min(len(name), 64)],
				Message: "two parts of one name", Hint: "send each once, and one file in an upload"}
		}
		limit, room := int64(4<<10), 512
		if name == builtin.FieldFile {
			limit, room = s.cfg.MaxUpload, size
		}
		body, err := readPart(part, limit, room)
		if err != nil {
			return "", bodyError(err)
		}
		if int64(len(body)) > limit {
			return "", s.tooLarge(r, name)
		}
		if name == builtin.FieldFile {
			up.blob = &store.Blob{Name: fileName(part.FileName()), Body: body}
			declared = part.Header.Get("Content-Type")
		} else {
			up.fields[name] = strings.ToValidUTF8(string(body), "\uFFFD")
		}
	}
	if up.blob != nil && up.blob.Name != "file" && len(up.blob.Body) == 0 {
		return "", &ui.Error{Code: ingress.CodeEnvelope, Path: builtin.FieldFile, Message: "the file is empty",
			Hint: "choose a file that holds something"}
	}
	if up.blob == nil || len(up.blob.Body) == 0 {
		return "", &ui.Error{Code: ingress.CodeEnvelope, Path: builtin.FieldFile, Message: "no file was sent",
			Hint: "choose a file first"}
	}
	return declared, nil
}

// readPart reads at most limit+1 bytes into a buffer that grows from room, so that a
// body is in memory once and not again in the halves that io.ReadAll leaves.
func readPart(r io.Reader, limit int64, room int) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(room + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, limit+1))
	return b.Bytes(), err
}

// accept admits a file to its place, detects its type, reads it if it is for a table,
// and stores it. A request with a key may be a retry: a retry gets the first answer
// whatever became of its place, and its file is not read again.
func (s *uploads) accept(r *http.Request, who, key, declared string, up *upload) error {
	into := up.fields[builtin.FieldPath] != ""
	var refused error
	if into || isUploadForm(r) {
		if refused = s.hasPlace(r, who, up.fields); refused != nil && key == "" {
			return refused
		}
	}
	ctx := r.Context()
	if err := s.intake.parse(ctx, func(context.Context) { up.blob.Type = filetype.Of(up.blob.Body) }); err != nil {
		return err
	}
	up.blob.ID, up.blob.At = fileID(who, key, up.fields, up.blob.Name, sha256.Sum256(up.blob.Body)), time.Now().UTC()
	if into {
		up.event = attachEvent(up.blob, up.fields)
		up.event.Key = key
		var err error
		if up.known, err = s.cfg.Service.Known(ctx, r.PathValue("id"), who, up.event); err != nil || up.known {
			return err
		}
	}
	if refused != nil {
		return refused
	}
	table := ingress.Path(up.fields[builtin.FieldPath]) == worksheet.ImportPath
	if !table { // a table's reader says more, at its box
		if err := filetype.Check(up.blob.Name, declared, up.blob.Type); err != nil {
			return err
		}
	}
	h, err := s.cfg.Service.Head(ctx, r.PathValue("id"), who) // the body took its time
	switch {
	case err != nil:
		return err
	case h.State.Ended:
		return errEnded()
	}
	if _, err := s.putFile(ctx, h.Owner, r.PathValue("id"), *up.blob); err != nil || !table {
		return err
	}
	var f ui.FormFile
	err = s.intake.parse(ctx, func(ctx context.Context) { s.imported(ctx, r, up.blob, &f) })
	about := [][2]string{{"text", f.Text}, {"notes", f.Notes}}
	if f.Code != "" {
		about = [][2]string{{"code", string(f.Code)}, {"why", f.Why}}
	}
	for _, m := range about {
		a := up.event.Action
		a.Context.Members = append(a.Context.Members, jsonx.Member{Key: m[0], Value: jsonx.Of(m[1])})
	}
	if err != nil && key == "" { // under a key the next try finds the file
		s.dropFile(r, who, up.blob.ID, up.fields)
	}
	return err
}

// fileID names a file by its content and, under a key, by its sender, its declared type
// and its place. A retry therefore sends the same file, and a file that is refused
// because its key was used for another place is another one. Without a key each file
// has a new id.
func fileID(who, key string, fields map[string]string, name string, sum [sha256.Size]byte) string {
	own := make([]byte, 8)
	if key == "" {
		rand.Read(own) //nolint:errcheck // never fails, crypto/rand
	} else {
		of := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %x %q %q %q", conversation.Owner(who), key, name, sum,
			fields[builtin.FieldSurface], fields[builtin.FieldNonce], fields[builtin.FieldPath]))
		copy(own, of[:])
	}
	return files.New(sum, own)
}

// hasPlace refuses a file for a place that its conversation does not have, or that
// takes none any more, before it is stored. The turn looks again.
func (s *uploads) hasPlace(r *http.Request, who string, fields map[string]string) error {
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who) // the body took its time
	if err != nil {
		return err
	}
	if h.State.Ended {
		return errEnded()
	}
	_, err = ingress.Admit(h.State, attachEvent(&store.Blob{}, fields).Action, ingress.Policy{})
	name, _, _ := ui.ParseWireID(fields[builtin.FieldSurface])
	if code := ui.CodeOf(err); (code == ingress.CodeStale || code == ingress.CodeSubmitted) &&
		(h.State.Surface(name) != nil || h.State.FailedSurface(name) != nil) {
		return &closed{err, name}
	}
	return err
}

// closed is an error about a surface that can be regenerated.
type closed struct {
	error
	surface ui.Name
}

func (e *closed) Unwrap() error { return e.error }

// dropTime is how long a store may take to remove a file.
const dropTime = 10 * time.Second

// attach submits a stored file for the upload field that its post names. One that
// does not come into it is not kept.
func (s *uploads) attach(w http.ResponseWriter, r *http.Request, who string, up *upload,
	wait time.Duration) (session.Receipt, error) {
	e := up.event
	rec, err := s.submit(w, r, who, e, wait)
	refused := false
	switch code := ui.CodeOf(err); {
	case up.known: // nothing was stored
	case err == nil:
		refused = rec.Done && rec.Outcome.Kind != ui.OutcomeDone
	case e.Key != "": // another try may have been recorded, or will be, with this very file
		refused = code == recovery.CodeKeyReused || code == ui.CodeEnded
	default:
		refused = code != conversation.CodeStore // a store that failed may have recorded it all the same
	}
	if refused {
		s.dropFile(r, who, up.blob.ID, up.fields)
	}
	return rec, err
}

// dropFile removes a file, unless its form holds it. One that cannot be removed
// stays and counts.
func (s *uploads) dropFile(r *http.Request, who, blob string, fields map[string]string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), dropTime)
	defer cancel()
	id := r.PathValue("id")
	h, err := s.cfg.Service.Head(ctx, id, who)
	if err == nil {
		name, _, _ := ui.ParseWireID(fields[builtin.FieldSurface])
		if sf := h.State.Surface(name); sf != nil {
			if v, _ := sf.Get(ingress.Path(fields[builtin.FieldPath])); v.Text() == blob {
				return
			}
		}
		err = s.cfg.Blobs.DropBlob(ctx, id, blob)
	}
	if err != nil {
		s.cfg.Log.WarnContext(ctx, "a file that went nowhere stays", where(r), "file", blob, "err", logs.Quiet(err))
	}
}

// putFile stores a file, if the owner of the conversation may still store as much.
// created is false for one that is there already.
func (s *uploads) putFile(ctx context.Context, owner, id string, b store.Blob) (created bool, err error) {
	err = s.byPrincipal.hold(ctx, owner, func(ctx context.Context) error {
		if _, err := s.cfg.Blobs.Blob(ctx, id, b.ID); err == nil {
			return nil // a retry
		}
		if s.cfg.Allow.FileBytes >= 0 {
			used, err := s.cfg.Service.Usage(ctx, owner)
			if err != nil {
				return err
			}
			if used.Bytes+int64(len(b.Body)) > s.cfg.Allow.FileBytes {
				s.cfg.Meter.Series(metric.RateLimited, "quota").Add(1)
				return &ui.Error{Code: recovery.CodeQuota, Path: builtin.FieldFile,
					Message: "your files would be more than may be kept",
					Hint:    "send a smaller file, or ask who runs this server for more room"}
			}
		}
		// it came to another node meanwhile
		if err := s.cfg.Blobs.PutBlob(ctx, id, b); err != nil && !errors.Is(err, store.ErrExists) {
			return &ui.Error{Code: conversation.CodeStore, Message: "the file could not be saved", Err: err}
		}
		created = true
		return nil
	})
	return created, err
}

func (s *uploads) tooLarge(r *http.Request, name string) error {
	return &ui.Error{Code: recovery.CodeBodyTooLarge, Path: name, Hint: "choose a smaller file",
		Message: s.saidTo(r).Word("upload.limit", "max", ui.Size(s.cfg.MaxUpload))}
}

func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &ui.Error{Code: recovery.CodeBodyTooLarge, Message: "the file is above the limit", Err: err}
	}
	return &ui.Error{Code: ingress.CodeEnvelope, Message: "the upload could not be read", Err: err}
}

// fileName keeps the last element of a file name sent by a browser, for display only.
func fileName(s string) string {
	s = strings.ToValidUTF8(path.Base(strings.ReplaceAll(s, `\`, "/")), "")
	s = strings.ReplaceAll(s, "%22", `"`) // how browsers write a quote in a file name
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) {
			return -1 // control and direction marks make a name read as another
		}
		return r
	}, s)
	if s = excerpt.Head(s, 200); s == "." || s == "/" {
		return "file"
	}
	return s
}

// formUpload stores a file for an upload field and writes its id into the draft.
func (s *host) formUpload(w http.ResponseWriter, r *http.Request, who string) error {
	fromPage := r.URL.Query().Has("surface")
	up, err := s.takeFile(r, who)
	if text := s.fileProblem(r, err); fromPage && text != "" {
		return s.uploadForm(w, r, who, text)
	}
	if err != nil {
		return err
	}
	defer up.release()
	rec, err := s.attach(w, r, who, up, waitAction)
	if err != nil {
		return err
	}
	switch from, ok := up.fields[fieldFrom]; {
	case fromPage && rec.Outcome.Kind == ui.OutcomeAsked:
		return s.uploadForm(w, r, who, rec.Outcome.Message)
	case ok && rec.Outcome.Kind != ui.OutcomeRefused:
		return s.uploaded(w, r, r.PathValue("id"), from, rec)
	}
	return s.showForm(w, r, who, rec)
}

// fileProblem describes the fault of a file, or returns "" for an error about something
// else.
func (s *host) fileProblem(r *http.Request, err error) string {
	var e *ui.Error
	if !errors.As(err, &e) || e.Path != builtin.FieldFile {
		return ""
	}
	text := strings.TrimSuffix(e.Message, ".") + ". "
	if e.Hint != "" {
		text += strings.ToUpper(e.Hint[:1]) + e.Hint[1:] + "."
	}
	return s.reason(r, e, strings.ToUpper(text[:1])+text[1:])
}

// fieldFrom is the hidden input of the upload page: the drawing it was opened
// from, "" where the browser does not say.
const fieldFrom = "limn_from"

// uploaded is the page after an upload: the page it came from may be in another
// tab, with text that was not sent.
type uploaded struct {
	head
	Back string
}

func (s *host) uploaded(w http.ResponseWriter, r *http.Request, id, from string, rec session.Receipt) error {
	back := s.conversationAt(id)
	if from != "" {
		back += "?" + url.Values{"draw": {from}}.Encode()
	}
	return writePage(w, http.StatusOK, "uploaded", uploaded{head{site: s.saidTo(r), Title: rec.Outcome.Message}, back})
}

// uploadPage is where an A2UI drawing sends the user to choose a file.
func (s *host) uploadPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.principal(r)
	if err != nil {
		return s.unknownSender(err)
	}
	return s.uploadForm(w, r, who, "")
}

// uploadForm writes the page for the field that the query names; problem is what
// was wrong with the file before. It posts to an address with the same query, so
// that it can be shown again.
func (s *host) uploadForm(w http.ResponseWriter, r *http.Request, who, problem string) error {
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	name, epoch, err := ui.ParseWireID(q.Get("surface"))
	at := ingress.Path(q.Get("path"))
	sf := h.State.Surface(name)
	switch {
	case err != nil || sf == nil || sf.Epoch != epoch || sf.Status != ui.StatusOpen:
		return &ui.Error{Code: ingress.CodeStale, Path: "surface", Message: "this form is no longer there",
			Hint: "go back to the conversation; it shows what is open"}
	case sf.UploadAt(at) == nil:
		return &ui.Error{Code: ingress.CodeEnvelope, Path: "path",
			Message: "no upload field of this form is bound there"}
	}
	from := q.Get(fieldFrom)
	if u, err := url.Parse(r.Referer()); err == nil && strings.HasPrefix(u.Path, s.at("/c/")) && !q.Has(fieldFrom) {
		from = u.Query().Get("draw")
	}
	field, said := sf.UploadAt(at), s.saidIn(h.State, r)
	help := []string{field.Help}
	if len(field.Accept) > 0 {
		help = append(help, said.Word("field.accept", "label", field.Title(), "list", strings.Join(field.Accept, ", ")))
	}
	help = append(help, said.Word("upload.limit", "max", ui.Size(s.cfg.MaxUpload)))
	query := url.Values{"surface": {sf.WireID()}, "path": {string(at)}, fieldFrom: {from}}
	return writePage(w, http.StatusOK, "upload", uploadForm{head: head{site: said, Title: sf.Title},
		Action:  s.conversationAt(h.State.ID) + "/uploads?" + query.Encode(),
		Surface: sf.WireID(), Nonce: sf.Nonce, Path: at, From: from, Problem: problem,
		Label: field.Title(), Help: strings.TrimSpace(strings.Join(help, " ")),
		Accept: strings.Join(field.Accept, ",")})
}

// uploadForm is the page that takes a file for an upload field.
type uploadForm struct {
	head
	Action, Surface, Nonce string
	Path                   ui.Path
	From, Problem          string
	Label, Help, Accept    string
}

// attachEvent puts a stored file into the upload field that the fields of its
// post name.
func attachEvent(blob *store.Blob, fields map[string]string) *ui.Event {
	context := []jsonx.Member{{Key: "id", Value: jsonx.Of(blob.ID)}, {Key: "name", Value: jsonx.Of(blob.Name)},
		{Key: "type", Value: jsonx.Of(blob.Type)}}
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: &ui.ActionEvent{
		Surface: fields[builtin.FieldSurface], Nonce: fields[builtin.FieldNonce],
		Name: builtin.ActionAttach, Form: true,
		Component: fields[builtin.FieldPath], Context: jsonx.OfObject(context...)}}
}

// reason returns text, an English sentence about the fault, or the title of the code
// where the app has replaced it.
func (s *answers) reason(r *http.Request, e *ui.Error, text string) string {
	if entry := s.cfg.Service.Recovery(s.language(r)).Problem(e.Code); entry.Worded {
		return entry.Title
	}
	return text
}

// imported reads the file that a table imports into f: its text, or why it has none.
func (s *uploads) imported(ctx context.Context, r *http.Request, blob *store.Blob, f *ui.FormFile) {
	file := sheet.File{Name: blob.Name, MediaType: blob.Type, Data: blob.Body}
	text, info, err := sheet.Text(file, sheet.Limits{Text: worksheet.MaxPaste, Stop: ctx.Err})
	if err != nil {
		e := ui.AsError(err, sheet.CodeUnreadable, "the file cannot be read")
		f.Code, f.Why = e.Code, s.reason(r, e, strings.TrimSpace(e.Message+". "+e.Hint))
		return
	}
	f.Text, f.Notes = text, strings.Join(info.Notes(s.saidTo(r).words), " ")
}
