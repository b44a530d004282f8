package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// Reading says that a workspace is read which another process has open, and as of when. What that
// process changes later is not seen.
type Reading struct {
	AsOf  time.Time
	Owner database.OpenElsewhereError
}

// String is a sentence's beginning for people: "as of TIME, NAME is open in ...".
func (r *Reading) String() string {
	return fmt.Sprintf("as of %s, workspace %s", r.AsOf.Local().Format("2006-01-02 15:04:05"), r.Owner.Where())
}

// Missed is the rest of a sentence about a file that was there when the database was copied.
func (r *Reading) Missed() string {
	return fmt.Sprintf("%s, where it may have been changed or removed since; ask again", r)
}

// Reading is nil unless another process owns the workspace.
func (w *Workspace) Reading() *Reading { return w.reading }

// MayChange is nil for a workspace that this process owns, else the error that every change would
// be. It is for what takes long before its first change.
func (w *Workspace) MayChange() error { return w.readOnly }

// How long Read tries to get an answer from a process that is about to open or close the
// workspace, and how long a whole answer may take to begin.
const (
	ownerMoment  = 2 * time.Second
	copyPatience = time.Minute
)

// mostHead bounds the line that says what follows.
const mostHead = 4 << 10

// Read opens a workspace to read it. Where another process has it open, that process hands out a
// copy of its database as it is now; one that cannot be written is copied by this process. Files
// are read where they lie. Every change of such a workspace is *OpenElsewhereError or ErrReadOnly,
// but what can be computed again is kept in the copy, and goes with it. Errors are those of Open;
// *OpenElsewhereError says that the other process hands nothing out.
func Read(ctx context.Context, path string) (*Workspace, error) {
	for start := time.Now(); ; {
		w, err := Open(path)
		if errors.Is(err, ErrReadOnly) {
			w, err = readCopy(ctx, path, err)
		}
		var owner *database.OpenElsewhereError
		if !errors.As(err, &owner) {
			return w, err
		}
		w, err = readFrom(ctx, path, owner)
		if err == nil {
			return w, nil
		}
		switch passing := errors.Is(err, errNobody) || errors.Is(err, errAway); {
		case !passing:
			return nil, err
		case time.Since(start) < ownerMoment: // it may be opening or closing the workspace
		case errors.Is(err, errNobody):
			return nil, owner
		default:
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(database.LockRetry):
		}
	}
}

// errNobody: nobody listens where the owner should.
var errNobody = errors.New("nobody answers")

// readFrom opens the copy that the owner of a workspace hands out.
func readFrom(ctx context.Context, path string, owner *database.OpenElsewhereError) (*Workspace, error) {
	path, err := database.Locate(path)
	if err != nil {
		return nil, err
	}
	w := &Workspace{path: path, readOnly: owner, reading: &Reading{AsOf: time.Now(), Owner: *owner}}
	conn, err := dial(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if err := w.openCopy(ctx, func(to *os.File) error { return w.fetch(conn, to) }); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, fmt.Errorf("read workspace %s, which is open elsewhere: %w", owner.Where(), database.Classify(err))
	}
	return w, nil
}

// readCopy opens a copy of a workspace's database that cannot be written, for the reason readOnly.
func readCopy(ctx context.Context, path string, readOnly error) (*Workspace, error) {
	path, err := database.Locate(path)
	if err != nil {
		return nil, err
	}
	w := &Workspace{path: path, readOnly: readOnly}
	from, err := os.Open(filepath.Join(path, database.File))
	if err != nil {
		return nil, readOnly
	}
	defer func() { _ = from.Close() }() // and gives the lock free
	if err := database.Lock(from, database.LockPatience); errors.Is(err, database.ErrLocked) {
		return nil, database.OpenElsewhere(path)
	} else if err != nil {
		return nil, fmt.Errorf("lock workspace %s to read it: %w", w.Name(), err)
	}
	if err := w.openCopy(ctx, func(to *os.File) error {
		_, err := io.Copy(to, from)
		return err
	}); err != nil {
		return nil, restorable(path, fmt.Errorf("read workspace %s, which is read-only: %w", w.Name(),
			database.Classify(err)))
	}
	return w, nil
}

// openCopy opens a copy of the database, which fill writes into a file of this process alone. It is
// checked like the database of any workspace.
func (w *Workspace) openCopy(ctx context.Context, fill func(*os.File) error) error {
	place := durable.DraftOf(filepath.Join(os.TempDir(), copyName))
	durable.RemoveDrafts(filepath.Join(os.TempDir(), copyName))
	file, err := os.OpenFile(place, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w.copied = place
	_ = durable.Delete(place) // it stays until it is closed; on Windows it goes then
	err = fill(file)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = w.openFetched(ctx, file)
	}
	if err != nil {
		_ = file.Close()
		_ = durable.Delete(place)
		return err
	}
	return nil
}

// copyName is what copies of databases are called in the system's temporary folder, as drafts are.
const copyName = "variscope-reading.db"

// fetch reads the owner's answer, which may be anything, into a file.
func (w *Workspace) fetch(conn net.Conn, file *os.File) error {
	in := &timedConn{conn: conn, pause: answerPatience, end: time.Now().Add(copyPatience)}
	from := bufio.NewReaderSize(in, mostHead)
	if err := conn.SetWriteDeadline(time.Now().Add(answerPatience)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, askLine); err != nil {
		return earlyEnd(err)
	}
	greeting := make([]byte, len(shareLine))
	if _, err := io.ReadFull(from, greeting); err != nil {
		return earlyEnd(err)
	}
	if string(greeting) != shareLine {
		return errForeign
	}
	in.pause = copyPatience // the owner copies first, and others may come before
	line, err := from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return errForeign
	} else if err != nil {
		return earlyEnd(err)
	}
	var head shareHead
	if json.Unmarshal(line, &head) != nil {
		return errForeign
	}
	if head.Error != "" {
		return fmt.Errorf("it cannot copy its database: %s", database.Clean(head.Error))
	}
	// A copy is never larger than what it is of.
	if info, err := os.Stat(filepath.Join(w.path, database.File)); err != nil {
		return err
	} else if head.Size <= 0 || head.Size > info.Size() {
		return errForeign
	}
	if free, err := FreeSpace(os.TempDir()); err == nil && free < head.Size {
		return fmt.Errorf("%w (a copy of the database needs %s, %s is free in %s)", ErrFull, SizeText(head.Size),
			SizeText(free), os.TempDir())
	}
	in.pause, in.end = answerPatience, time.Now().Add(wholePatience(head.Size))
	if _, err := io.CopyN(file, from, head.Size); err != nil {
		return earlyEnd(err)
	}
	return nil
}

var (
	errForeign = errors.New("what answers there is no Variscope that this one understands; " +
		"work on a copy, or close it there")
	errSilent = errors.New("it does not answer in time; try again, or close it there")
	errAway   = errors.New("it has ended meanwhile; try again")
)

// earlyEnd says why an answer ended early.
func earlyEnd(err error) error {
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return errSilent
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network):
		return errAway
	}
	return err
}

// openFetched opens a copy of a database, which is this process's own.
func (w *Workspace) openFetched(ctx context.Context, file *os.File) (err error) {
	if w.db, err = database.OpenScratch(ctx, file); err != nil {
		return err
	}
	err = w.migrate(database.CurrentSchema())
	if err == nil {
		err = w.readDesk()
	}
	if err != nil {
		_ = w.db.Close()
	}
	return err
}

// dial reaches the owner of a workspace. A place elsewhere that the owner's file names is believed
// only where it is a socket in a folder of this user's, so that nobody is led to what others
// listen on.
func dial(ctx context.Context, path string) (net.Conn, error) {
	place := filepath.Join(path, database.SocketFile)
	if who, err := database.ReadOwner(path); err == nil && who.Socket != "" {
		folder := filepath.Dir(who.Socket)
		if filepath.Base(who.Socket) != database.SocketFile ||
			!strings.HasPrefix(filepath.Base(folder), elsewhereStart) ||
			!isOwn(folder) {
			return nil, errNobody
		}
		place = who.Socket
	}
	if info, err := os.Lstat(place); err != nil || info.Mode()&os.ModeSocket == 0 {
		return nil, errNobody
	}
	conn, err := (&net.Dialer{Timeout: answerPatience}).DialContext(ctx, "unix", place)
	if err != nil {
		return nil, errNobody
	}
	return conn, nil
}
