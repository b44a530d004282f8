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
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// read opens a workspace that is open elsewhere.
func read(t *testing.T, path string) *Workspace {
	t.Helper()
	w := testdata.Must(Read(t.Context(), path))(t)
	t.Cleanup(func() {
		must(t, w.Close())
	})
	if w.Reading() == nil {
		t.Fatal("it was not open elsewhere")
	}
	return w
}

// TestReadWhileOpen: a reader sees the database as it was when it asked, and the files; it changes
// nothing, and what it may keep goes with it.
func TestReadWhileOpen(t *testing.T) {
	w, m, _, r := labelling(t)
	spec := testdata.Must(roundSpec(w, r))(t)
	storetest.RunModel(t, w, m, spec)
	got := read(t, w.Path())
	text := got.Reading().String()
	if !strings.HasPrefix(text, "as of ") || !strings.Contains(text,
		fmt.Sprintf("quiet is open in Variscope (process %d on host ", os.Getpid())) {
		t.Error(text)
	}
	storetest.AddModel(t, w, "later")
	testdata.Is(t, "models", len(testdata.Must(got.Models())(t)), 1)
	must(t, testdata.Err(got.LoadSet(t.Context(), spec.Key(), Want{Everything: true})))
	must(t, got.KeepValue("k", 7))
	var value int
	if found, err := got.KeptValue("k", &value); !found || value != 7 || err != nil {
		t.Error(found, value, err)
	}
	if found, err := w.KeptValue("k", &value); found || err != nil {
		t.Error("the owner has what a reader kept", err)
	}
	_, _, model := got.AddModel(model.Model{ID: "n"}, strings.NewReader("n"))
	for name, err := range map[string]error{
		"setting": got.SetSetting("k", 1), "model": model, "ask": got.MayChange(),
		"label":  testdata.Err(got.Append(storetest.LabelEvent(r, m.Hash, "A", label.Variant))),
		"unit":   got.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)),
		"backup": testdata.Err(got.Backup(t.Context())),
	} {
		var elsewhere *database.OpenElsewhereError
		if !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), "quiet is open in Variscope") {
			t.Errorf("%s: %v", name, err)
		}
	}
	testdata.Equal(t, "copies with a name", copies(t), nil)
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
		w := testdata.Must(Create(filepath.Join(t.TempDir(), name)))(t)
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
		testdata.Is(t, "beside the database", filepath.Dir(place) == w.Path(), name == "short")
		checkAndClose(t, w)
		testdata.ErrorIs(t, "the socket is left", testdata.Err(os.Lstat(place)), os.ErrNotExist)
		must(t, os.MkdirAll(filepath.Dir(place), 0o700))
		stale := testdata.Must(net.ListenUnix("unix", &net.UnixAddr{Name: place}))(t)
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
		must(t, testdata.Err(donor.CopyDatabase(context.Background(), path)))
		db := testdata.Must(bbolt.Open(path, 0o600, nil))(t)
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
	const strange, ended, damaged = "no Variscope that this one understands", "it has ended meanwhile",
		"the database is damaged"
	half := string(whole[:len(whole)/2])
	for name, c := range map[string]struct {
		answer func(net.Conn)
		want   string
	}{
		"nothing":                  {func(net.Conn) {}, ended},
		"another program":          {say("HTTP/1.1 400 Bad Request\r\n\r\n"), strange},
		"endless head":             {say(shareLine, strings.Repeat("x", 1<<20)), strange},
		"no head":                  {say(shareLine, "[]\n"), strange},
		"negative":                 {say(head(-1)), strange},
		"larger than the database": {say(head(1 << 40)), strange},
		"cut off":                  {say(head(len(whole)), half), ended},
		"zeros":                    {say(head(len(whole)), string(make([]byte, len(whole)))), damaged},
		"half":                     {say(head(len(half)), half), damaged},
		"newer":                    {say(head(len(newer)), string(newer)), "made by a newer Variscope"},
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
	info := testdata.Must(os.Stat(filepath.Join(w.Path(), database.File)))(t)
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
	}
	ctx, stop := context.WithCancel(t.Context())
	var writer, readers sync.WaitGroup
	slowest := time.Duration(0)
	writer.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			start := time.Now()
			if err := w.SetSetting("counter", i); err != nil {
				t.Error(err)
			}
			slowest = max(slowest, time.Since(start))
			time.Sleep(time.Millisecond)
		}
	})
	size := fileSize(t, w)
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
	stop()
	writer.Wait()
	if grown := fileSize(t, w) - size; slowest > 5*time.Second || grown > 40<<20 { // bbolt adds 16 MB at a time
		t.Errorf("readers hold the owner up: a change took %v, and its file grew by %s", slowest, SizeText(grown))
	}
	if left := storetest.Parts(t, w.Path()); len(left) > mostCopies {
		t.Errorf("copies are left: %v", left)
	}
	start := time.Now()
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
	got := testdata.Must(Read(t.Context(), w.Path()))(t)
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
		got := testdata.Must(Read(t.Context(), w.Path()))(t)
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
	who := testdata.Must(database.ReadOwner(w.Path()))(t)
	// a place that the owner file names is believed only in a folder of its kind
	l := testdata.Must(net.Listen("unix", filepath.Join(t.TempDir(), database.SocketFile)))(t)
	defer l.Close()
	who.Socket = l.Addr().String()
	text := testdata.Must(json.Marshal(who))(t)
	must(t, os.WriteFile(filepath.Join(w.Path(), database.OwnerFile), text, 0o600))
	testdata.ErrorIs(t, "dial", testdata.Err(dial(t.Context(), w.Path())), errNobody)
}
