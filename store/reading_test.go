//go:build unix

package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// read opens a workspace that is open elsewhere.
func read(t *testing.T, path string) *Workspace {
	t.Helper()
	w, err := Read(t.Context(), path)
	must(t, err)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	if w.Reading() == nil {
		t.Fatal("it was not open elsewhere")
	}
	return w
}

// TestReadWhileOpen: a reader sees the database as it was when it asked, and the files; it changes
// nothing, and what it may keep goes with it.
func TestReadWhileOpen(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	spec, err := roundSpec(w, r)
	must(t, err)
	storetest.RunModel(t, w, m, spec)
	got := read(t, w.Path())
	text := got.Reading().String()
	if !strings.HasPrefix(text, "as of ") || !strings.Contains(text,
		fmt.Sprintf("quiet is open in Variscope (process %d on host ", os.Getpid())) {
		t.Error(text)
	}
	storetest.AddModel(t, w, "later")
	if list, err := got.Models(); len(list) != 1 || err != nil {
		t.Error(list, err)
	}
	if _, err := got.LoadSet(t.Context(), spec.Key(), Want{Everything: true}); err != nil {
		t.Error(err)
	}
	if err := got.KeepValue("k", 7); err != nil {
		t.Error(err)
	}
	var value int
	if found, err := got.KeptValue("k", &value); !found || value != 7 || err != nil {
		t.Error(found, value, err)
	}
	if found, err := w.KeptValue("k", &value); found || err != nil {
		t.Error("the owner has what a reader kept", err)
	}
	for name, change := range map[string]func() error{
		"setting": func() error { return got.SetSetting("k", 1) },
		"label": func() error {
			_, err := got.Append(storetest.LabelEvent(r, m.Hash, "A",
				label.Variant))
			return err
		},
		"model":  func() error { _, _, err := got.AddModel(model.Model{ID: "n"}, strings.NewReader("n")); return err },
		"unit":   func() error { return got.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)) },
		"backup": func() error { _, err := got.Backup(t.Context()); return err },
		"ask":    got.MayChange,
	} {
		var elsewhere *database.OpenElsewhereError
		if err := change(); !errors.As(err, &elsewhere) ||
			!strings.Contains(err.Error(), "quiet is open in Variscope") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left := copies(t); len(left) != 0 {
		t.Errorf("the reader's copy has a name: %v", left)
	}
	unit := w.unitFile(spec.UnitKey(0))
	must(t, os.Rename(unit, unit+".away"))
	again := read(t, w.Path())
	var damaged *DamagedError
	if _, err := again.LoadSet(t.Context(), spec.Key(), Want{Everything: true}); !errors.As(err, &damaged) ||
		!strings.Contains(err.Error(), "removed since; ask again") {
		t.Error(err)
	}
	must(t, os.Rename(unit+".away", unit))
	if has, err := w.Has(spec.UnitKey(0)); !has || err != nil {
		t.Error("a reader has changed what the owner knows", err)
	}
}

// copies are those of databases that this process has in the temporary folder.
func copies(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf(".%s-*-%d-*", copyName, os.Getpid())))
	must(t, err)
	return list
}

// TestSocketIsTheOwners: only its user may use it, wherever it lies; a killed owner's is replaced;
// it goes with the workspace.
func TestSocketIsTheOwners(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	for _, name := range []string{"short", strings.Repeat("long", 30)} {
		w, err := Create(filepath.Join(t.TempDir(), name))
		must(t, err)
		if w.shared == nil {
			t.Fatal("nothing is handed out")
		}
		place := w.shared.place
		info, err := os.Lstat(place)
		if err != nil || info.Mode().Perm() != 0o600 || info.Mode()&os.ModeSocket == 0 {
			t.Fatal(info, err)
		}
		if folder, err := os.Stat(filepath.Dir(place)); err != nil || name != "short" && folder.Mode().Perm() != 0o700 {
			t.Error(folder, err)
		}
		if beside := filepath.Dir(place) == w.Path(); beside != (name == "short") {
			t.Error(place)
		}
		checkAndClose(t, w)
		if _, err := os.Lstat(place); !errors.Is(err, os.ErrNotExist) {
			t.Error("the socket is left:", err)
		}
		must(t, os.MkdirAll(filepath.Dir(place), 0o700))
		stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: place})
		must(t, err)
		stale.SetUnlinkOnClose(false)
		must(t, stale.Close())
		again := reopen(t, w.Path())
		read(t, again.Path())
	}
}

// owned holds the lock of a workspace and answers readers by answer in place of an owner.
func owned(t *testing.T, answer func(net.Conn)) string {
	t.Helper()
	w := fresh(t)
	w.unshare()
	l, place, err := listen(w.Path())
	must(t, err)
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				answer(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		group.Wait()
		unlisten(w.Path(), place)
	})
	return w.Path()
}

// TestForeignOwners: whatever answers in an owner's place is one sentence, and nothing of it is
// believed.
func TestForeignOwners(t *testing.T) {
	donor := fresh(t)
	changed := func(change func(tx *bbolt.Tx) error) []byte {
		path := filepath.Join(t.TempDir(), "db")
		if _, err := donor.CopyDatabase(context.Background(), path); err != nil {
			t.Fatal(err)
		}
		db, err := bbolt.Open(path, 0o600, nil)
		must(t, err)
		must(t, errors.Join(db.Update(change), db.Close()))
		data := storetest.Read(t, path)
		return data[:min(len(data), int(fileSize(t, donor)))]
	}
	whole := changed(func(*bbolt.Tx) error { return nil })
	newer := changed(func(tx *bbolt.Tx) error { return database.Meta.In(tx).Put(database.KeySchema, []byte("99")) })
	head := func(size int) string {
		text, _ := json.Marshal(shareHead{Size: int64(size)})
		return shareLine + string(text) + "\n"
	}
	say := func(parts ...string) func(net.Conn) {
		return func(conn net.Conn) {
			_, _ = io.ReadFull(conn, make([]byte, len(askLine)))
			for _, p := range parts {
				_, _ = io.WriteString(conn, p)
			}
		}
	}
	for name, c := range map[string]struct {
		answer func(net.Conn)
		want   string
	}{
		"nothing":         {func(net.Conn) {}, "it has ended meanwhile"},
		"another program": {say("HTTP/1.1 400 Bad Request\r\n\r\n"), "no Variscope that this one understands"},
		"endless head": {
			say(shareLine, strings.Repeat("x", 1<<20)), "no Variscope that this one understands",
		},
		"no head":                  {say(shareLine, "[]\n"), "no Variscope that this one understands"},
		"negative":                 {say(head(-1)), "no Variscope that this one understands"},
		"larger than the database": {say(head(1 << 40)), "no Variscope that this one understands"},
		"cut off":                  {say(head(len(whole)), string(whole[:len(whole)/2])), "it has ended meanwhile"},
		"zeros": {
			say(head(len(whole)), string(make([]byte, len(whole)))), "the database is damaged",
		},
		"half":  {say(head(len(whole)/2), string(whole[:len(whole)/2])), "the database is damaged"},
		"newer": {say(head(len(newer)), string(newer)), "made by a newer Variscope"},
		"refuses": {
			say(shareLine, `{"error":"the disk is full\u001b[31m\u202e"}`+"\n"),
			"it cannot copy its database: the disk is full?[31m?",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := owned(t, c.answer)
			start := time.Now()
			_, err := Read(t.Context(), path)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	path := owned(t, say(head(len(whole)), string(whole)))
	read(t, path)
	t.Cleanup(func() { // after all cases
		if left := copies(t); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

func fileSize(t *testing.T, w *Workspace) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(w.Path(), database.File))
	must(t, err)
	return info.Size()
}

// TestSilentOwner: a reader gives up, at once when it is told to.
func TestSilentOwner(t *testing.T) {
	over := make(chan struct{})
	path := owned(t, func(net.Conn) { <-over })
	defer close(over)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Read(ctx, path); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Error(err, time.Since(start))
	}
}

// TestManyReaders: twenty readers at once get whole copies while the owner writes; others that
// stall, ask for something else or go away keep neither them nor the owner, whose memory stays
// small and whose database stays as small as without them.
func TestManyReaders(t *testing.T) {
	w := unsynced(fresh(t))
	for i := range 40 { // some 10 MB
		err := w.SetSetting(fmt.Sprintf("filling %d", i), strings.Repeat("x", 1<<18))
		must(t, err)
	}
	var stalling []net.Conn
	for i := range 2 * mostCopies {
		conn, err := dial(t.Context(), w.Path())
		must(t, err)
		defer conn.Close()
		switch i % 4 {
		case 0, 1:
			_, err = io.WriteString(conn, askLine) // and reads nothing
		case 2:
			_, err = io.WriteString(conn, "GET / HTTP/1.1\r\n\r\n")
		}
		must(t, err)
		stalling = append(stalling, conn)
	}
	stop := make(chan struct{})
	var writer, readers sync.WaitGroup
	slowest := time.Duration(0)
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			start := time.Now()
			if err := w.SetSetting("counter", i); err != nil {
				t.Error(err)
			}
			slowest = max(slowest, time.Since(start))
			time.Sleep(time.Millisecond)
		}
	})
	size := fileSize(t, w)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	before := memory.Sys
	start := time.Now()
	for range 20 {
		readers.Go(func() {
			got, err := Read(t.Context(), w.Path())
			if err != nil {
				t.Error(err)
				return
			}
			if !checkTree(t, got) {
				t.Error("the copy is closed")
			}
			var text string
			if found, err := got.Setting("filling 39", &text); !found || err != nil || len(text) != 1<<18 {
				t.Error(found, err, len(text))
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	took := time.Since(start)
	close(stop)
	writer.Wait()
	runtime.ReadMemStats(&memory)
	t.Logf("20 readers of %s took %v beside %d that stall; the slowest of the owner's changes took %v; its file grew "+
		"by %s, this process by %s",
		SizeText(size), took, len(stalling), slowest, SizeText(fileSize(t, w)-size), SizeText(int64(memory.Sys-before)))
	if grown := fileSize(t, w) - size; slowest > 5*time.Second || grown > 40<<20 { // bbolt adds 16 MB at a time
		t.Error("readers hold the owner up")
	}
	if left := storetest.Parts(t, w.Path()); len(left) > mostCopies {
		t.Errorf("copies are left: %v", left)
	}
	start = time.Now()
	checkAndClose(t, w)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("closing took %v", took)
	}
}

// TestReadBetweenOwners: a workspace that is closed while a reader asks is opened.
func TestReadBetweenOwners(t *testing.T) {
	w := fresh(t)
	w.unshare()
	time.AfterFunc(500*time.Millisecond, func() { _ = w.Close() })
	got, err := Read(t.Context(), w.Path())
	must(t, err)
	if got.Reading() != nil {
		t.Error("nobody else has it open")
	}
	checkAndClose(t, got)
}

// TestReadOfReadOnly: a workspace that cannot be written is read, by two at once; nothing comes
// into being beside it.
func TestReadOfReadOnly(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	disk := faults.Watch(t, w.Path())
	for _, op := range []durable.Op{durable.Create, durable.Open, durable.MakeFolder} {
		disk.Refuse(op, syscall.EROFS)
	}
	before, err := os.ReadDir(w.Path())
	must(t, err)
	for range 2 {
		got, err := Read(t.Context(), w.Path())
		must(t, err)
		defer func() { must(t, got.Close()) }()
		if list, err := got.Models(); len(list) != 1 || err != nil || got.Reading() != nil {
			t.Error(list, err, got.Reading())
		}
		must(t, got.KeepValue("k", 7))
		must(t, got.SetSetting("k", 1)) // in the copy that is read
		var kept int
		if ok, err := got.Setting("k", &kept); !ok || kept != 1 || err != nil {
			t.Error(ok, kept, err)
		}
		if err := got.PutAnnotator(Annotator{ID: "A", Name: "A"}); !errors.Is(err, ErrReadOnly) ||
			!strings.HasPrefix(err.Error(), "workspace "+w.Name()) {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(w.Path()); len(left) != len(before) || err != nil {
		t.Errorf("%v are there, %v before", left, before)
	}
}

// TestReadOfSilent: a workspace whose owner hands nothing out is refused as by Open.
func TestReadOfSilent(t *testing.T) {
	w := fresh(t)
	w.unshare()
	_, err := Read(t.Context(), w.Path())
	var elsewhere *database.OpenElsewhereError
	if !errors.As(err, &elsewhere) || !strings.HasSuffix(err.Error(), "close it there or work on a copy") {
		t.Error(err)
	}
	who, err := database.ReadOwner(w.Path())
	must(t, err)
	// a place that the owner file names is believed only in a folder of its kind
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), database.SocketFile))
	must(t, err)
	defer l.Close()
	who.Socket = l.Addr().String()
	text, err := json.Marshal(who)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(w.Path(), database.OwnerFile), text, 0o600))
	if _, err := dial(t.Context(), w.Path()); !errors.Is(err, errNobody) {
		t.Error(err)
	}
}
