package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// What an owner and a reader say to each other: the reader sends askLine, the owner answers
// shareLine at once, then, when the database is copied, a shareHead as one line of JSON, and the
// copy.
const (
	askLine   = "variscope read 1\n"
	shareLine = "variscope copy 1\n"
)

// shareHead says what follows: so many bytes, or why nothing does.
type shareHead struct {
	Size  int64  `json:"size"`
	Error string `json:"error,omitempty"`
}

// The bounds of what an owner does for readers. Who has to wait for a place is still served; who
// finds no place at all tries again.
const (
	mostReaders = 64 // at a time
	mostCopies  = 4  // of the database on the disk at a time
	// answerPatience is for lines, sendPatience for a part of the copy. The whole copy has as long
	// as a slow disk needs.
	answerPatience = 10 * time.Second
	sendPatience   = 5 * time.Second
	slowestDisk    = 10 << 20 // bytes per second
)

// share hands out copies of an open workspace's database on a local socket, until it is closed. A
// reader gets the database of one read transaction, which has ended before the first byte is sent:
// no reader can keep it open.
type share struct {
	w        *Workspace
	place    string // of the socket
	listener *net.UnixListener
	ctx      context.Context
	cancel   context.CancelFunc
	readers  chan struct{}
	copies   chan struct{}
	group    sync.WaitGroup
}

// share begins to hand out copies. That nobody else can read a workspace keeps nobody from working
// with it, so where no socket can be made there is none.
func (w *Workspace) share() {
	listener, place, err := listen(w.path)
	if err != nil {
		return
	}
	s := &share{
		w: w, place: place, listener: listener, readers: make(chan struct{}, mostReaders),
		copies: make(chan struct{}, mostCopies),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.group.Go(s.serve)
	w.shared = s
}

// unshare ends it, also for those who are being served. Who waits for it may close the database.
func (w *Workspace) unshare() {
	s := w.shared
	if s == nil {
		return
	}
	s.cancel()
	_ = s.listener.Close()
	s.group.Wait()
	if w.inPlace() == nil { // else another workspace may have its socket there
		unlisten(w.path, s.place)
	}
	w.shared = nil
}

func (s *share) serve() {
	for {
		conn, err := s.listener.Accept()
		switch {
		case s.ctx.Err() != nil:
			if err == nil {
				_ = conn.Close()
			}
			return
		case err != nil: // too many files are open: that passes
			select {
			case <-s.ctx.Done():
			case <-time.After(database.LockRetry):
			}
			continue
		}
		select {
		case s.readers <- struct{}{}:
			s.group.Go(func() {
				defer func() { <-s.readers }()
				s.answer(conn)
			})
		default:
			_ = conn.Close()
		}
	}
}

// answer serves one reader. What goes wrong is told to the reader where that is possible, and to
// nobody else.
func (s *share) answer(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(s.ctx, func() { _ = conn.Close() })()
	_ = conn.SetDeadline(time.Now().Add(answerPatience))
	asked := make([]byte, len(askLine))
	if _, err := io.ReadFull(conn, asked); err != nil || string(asked) != askLine {
		return
	}
	if _, err := io.WriteString(conn, shareLine); err != nil {
		return
	}
	select {
	case s.copies <- struct{}{}:
		defer func() { <-s.copies }()
	case <-s.ctx.Done():
		return
	}
	copied, drop, err := s.copied()
	var head shareHead
	if err == nil {
		defer drop()
		head.Size, err = copied.Seek(0, io.SeekEnd)
	}
	if err == nil {
		_, err = copied.Seek(0, io.SeekStart)
	}
	if err != nil {
		head = shareHead{Error: err.Error()}
	}
	line, _ := json.Marshal(head) // numbers and texts
	out := &timedConn{conn: conn, pause: sendPatience, end: time.Now().Add(wholePatience(head.Size))}
	if _, err := out.Write(append(line, '\n')); err == nil && head.Error == "" {
		_, _ = io.Copy(out, copied)
	}
}

// copied is the database of this moment in a file that goes with drop, and at the next opening
// where nobody dropped it.
func (s *share) copied() (file *os.File, drop func(), err error) {
	place := durable.DraftOf(filepath.Join(s.w.path, database.File))
	if _, err := s.w.CopyDatabase(s.ctx, place); err != nil {
		return nil, nil, err
	}
	file, err = os.Open(place)
	_ = durable.Delete(place) // on Windows not while it is open
	if err != nil {
		return nil, nil, err
	}
	return file, func() {
		_ = file.Close()
		_ = durable.Delete(place)
	}, nil
}

// CopyDatabase writes the database, as one read transaction sees it, into a file and returns that
// transaction; on an error there is none.
func (w *Workspace) CopyDatabase(ctx context.Context, place string) (transaction int, err error) {
	var failed error // of the transaction, whose errors have their own words
	err = durable.Scratch(place, func(out io.Writer) error {
		failed = w.View(func(tx *database.Tx) error {
			if free, err := FreeSpace(w.path); err == nil && free < tx.Size() {
				return fmt.Errorf("%w (a copy of the database needs %s, %s is free)", ErrFull, SizeText(tx.Size()),
					SizeText(free))
			}
			transaction = tx.ID()
			_, err := database.Write(ctx, tx, out)
			return err
		})
		return failed
	})
	if failed != nil {
		return 0, failed
	}
	return transaction, database.Classify(err)
}

// wholePatience is how long a copy may take as a whole, from one process to another.
func wholePatience(size int64) time.Duration {
	return answerPatience + time.Duration(size/slowestDisk)*time.Second
}

// timedConn is a connection over which something must go on all the time, and end in time.
type timedConn struct {
	conn  net.Conn
	pause time.Duration
	end   time.Time
}

func (s *timedConn) deadline() time.Time {
	if next := time.Now().Add(s.pause); next.Before(s.end) {
		return next
	}
	return s.end
}

func (s *timedConn) Write(p []byte) (int, error) {
	if err := s.conn.SetWriteDeadline(s.deadline()); err != nil {
		return 0, err
	}
	return s.conn.Write(p)
}

func (s *timedConn) Read(p []byte) (int, error) {
	if err := s.conn.SetReadDeadline(s.deadline()); err != nil {
		return 0, err
	}
	return s.conn.Read(p)
}

// listen makes the socket of a workspace whose lock is held, so that one that lies there is a
// killed owner's. It lies beside the database, or, where that path is too long or its disk has no
// sockets, in a folder of this user's.
func listen(path string) (l *net.UnixListener, place string, err error) {
	place = filepath.Join(path, database.SocketFile)
	if l, err = listenAt(place); err == nil {
		return l, place, nil
	}
	place = elsewherePlace(path)
	folder := filepath.Dir(place)
	if err := durable.Mkdir(folder); err != nil {
		return nil, "", err
	}
	if !isOwn(folder) {
		return nil, "", fmt.Errorf("%s is somebody else's", folder)
	}
	if err := durable.Private(folder); err != nil {
		return nil, "", err
	}
	l, err = listenAt(place)
	return l, place, err
}

// elsewhereStart begins the names of folders with the socket of a workspace that cannot have it
// beside the database.
const elsewhereStart = "variscope-"

// elsewherePlace is where such a workspace has it: in the folder that the system clears, for this
// user alone where there is one.
func elsewherePlace(path string) string {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(base) {
		base = os.TempDir()
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(base, elsewhereStart+hex.EncodeToString(sum[:8]), database.SocketFile)
}

func listenAt(place string) (*net.UnixListener, error) {
	if info, err := os.Lstat(place); err == nil && info.Mode()&os.ModeSocket == 0 {
		return nil, fmt.Errorf("%s: something else lies there", place)
	} else if err == nil {
		if err := durable.Delete(place); err != nil {
			return nil, err
		}
	}
	l, err := (&net.ListenConfig{Control: privately}).Listen(context.Background(), "unix", place)
	if err != nil {
		return nil, err
	}
	listener := l.(*net.UnixListener)
	listener.SetUnlinkOnClose(false) // the workspace may have been moved
	if err := durable.Private(place); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// unlisten removes the socket.
func unlisten(path, place string) {
	_ = durable.Delete(place)
	if filepath.Dir(place) != filepath.Clean(path) {
		_ = durable.Delete(filepath.Dir(place))
	}
}
