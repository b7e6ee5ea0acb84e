package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/limn-ui/limn/internal/sqlstore"
)

// act wraps a non-nil err with the act that failed, "append frame 2": errors of
// the port as they are, that of the caller's context as the context has it, others
// with server and hint. Our own time-out does not match the caller's context errors.
func (s *driver) act(ctx context.Context, err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	if sqlstore.IsPort(err) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if errors.Is(err, errGaveUp) {
		return fmt.Errorf("%s: %w", what, ctx.Err())
	}
	return s.explain(what+" in", err)
}

// errGaveUp says that the caller's context ended before anything was sent.
var errGaveUp = errors.New("gave up")

// fault is an error of the server or of the connection. It does not unwrap to its
// cause: a deadline of ours must not pass for the caller's.
type fault struct{ text string }

func (f *fault) Error() string { return f.text }

// explain wraps err with the act, the server and a hint.
func (s *driver) explain(what string, err error) error {
	text := fmt.Sprintf("%s %s: %s", what, s.where, reason(err))
	if h := hint(err); h != "" {
		text += " (" + h + ")"
	}
	return &fault{text}
}

// reason is the text of err on one line. No error of pgx but that of parsing a
// connection string, which never gets here, repeats the password.
func reason(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// hint says what an operator can do about err; "" if nothing is known.
func hint(err error) string {
	switch {
	case errors.Is(err, errNewer):
		return "run the newer program, or restore a backup from before the upgrade"
	case errors.Is(err, sqlstore.ErrOlder):
		return sqlstore.ForOlder
	case errors.Is(err, errForeign):
		return "name another schema with ?search_path=NAME; nothing was changed in this one"
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return hintOf(e.Code)
	}
	var op *net.OpError
	switch {
	case errors.As(err, &op) && op.Op == "dial":
		return "is PostgreSQL running, and reachable from here?"
	case pgconn.SafeToRetry(err):
		return "nothing of this was written"
	case errors.Is(err, context.DeadlineExceeded):
		return "PostgreSQL did not answer in time; " + unknown
	case op != nil, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the connection was lost; " + unknown
	}
	return ""
}

const unknown = "whether a write became durable shows when the conversation is opened again"

func hintOf(code string) string {
	switch code {
	case "28P01", "28000":
		return "user and password must be right, and pg_hba.conf must let this host in"
	case "3D000":
		return "create it first: createdb NAME"
	case "42501":
		return "the user must own the schema, or may create one: GRANT CREATE ON DATABASE ... TO ..."
	case "53300":
		return "raise max_connections, or lower pool_max_conns in --store"
	case "53100":
		return "the server's disk is full; nothing of this was written"
	case "25006":
		return "this is a standby; name the primary, or add target_session_attrs=read-write"
	case "57P01", "57P02", "57P03":
		return "the server is stopping or starting; " + unknown
	case "42P01", "42703":
		return "the schema was changed or removed while the program ran; start it again"
	}
	return ""
}
