package app

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func testLog(t *testing.T) *logFile {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	l := testdata.Must(openLog())(t)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestLogIsKeptBetweenStarts(t *testing.T) {
	l := testLog(t)
	slog.New(slog.NewTextHandler(l, nil)).Info("first")
	testdata.OK(t, l.Close())
	again := testdata.Must(openLog())(t)
	slog.New(slog.NewTextHandler(again, nil)).Info("second")
	if lines := again.tail(10); len(lines) != 2 || !strings.Contains(lines[0], "first") ||
		!strings.Contains(lines[1], "second") {
		t.Error(lines)
	}
	if lines := again.tail(1); len(lines) != 1 || !strings.Contains(lines[0], "second") {
		t.Error(lines)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestLogTurnsWhenItIsFull(t *testing.T) {
	l := testLog(t)
	line := strings.Repeat("x", 1000) + "\n"
	const lines = 3 * largestLog / 1001
	var all sync.WaitGroup
	for g := range 3 {
		all.Go(func() {
			for i := range lines / 3 {
				fmt.Fprintf(l, "%d/%d %s", g, i, line)
			}
		})
	}
	all.Wait()
	for _, path := range []string{l.path, l.path + ".1"} {
		info, err := os.Stat(path)
		if err != nil || info.Size() > largestLog {
			t.Error(path, info, err)
		}
	}
	if files, err := filepath.Glob(l.path + "*"); err != nil || len(files) != 2 {
		t.Error(files, err)
	}
	if got := l.tail(50); len(got) != 50 {
		t.Errorf("%d lines", len(got))
	}
}

// A line that holds the stack of a fault is long; what stands behind it is the end of the log all
// the same.
func TestTailBehindALongLine(t *testing.T) {
	l := testLog(t)
	fmt.Fprintf(l, "%s\nlast\n", strings.Repeat("x", 200_000))
	if got := l.tail(5); len(got) != 2 || got[1] != "last" {
		t.Errorf("%d lines, without the last one", len(got))
	}
}

func TestALogThatCannotBeWrittenIsNoError(t *testing.T) {
	l := testLog(t)
	testdata.OK(t, l.Close())
	if n, err := l.Write([]byte("lost")); n != 4 || err != nil {
		t.Error(n, err)
	}
}
