package kit

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/storage"

	"github.com/variscope/variscope/ui/background"
)

func TestProgressText(t *testing.T) {
	start := time.Now()
	now := background.Snapshot{Name: "Import", Done: 25, Total: 100, Started: start, Counting: start}
	if got := progressText(now, start.Add(time.Minute)); !strings.Contains(got, "25 of 100, about 3 min left") {
		t.Error(got)
	}
	if got := progressText(now, start.Add(time.Second)); got != "Import: 25 of 100" {
		t.Error(got)
	}
	now.Counting = start.Add(9 * time.Minute) // a later stage, with steps of its own
	if got := progressText(now, start.Add(10*time.Minute)); !strings.Contains(got, "25 of 100, about 3 min left") {
		t.Error(got)
	}
	now.Cancelling = true
	if got := progressText(now, start); !strings.Contains(got, "cancelling") {
		t.Error(got)
	}
	large := background.Snapshot{Name: "Check", Started: start, Done: 28701466, Total: 84033537}
	if got := progressText(large, start); got != "Check: 28,701,466 of 84,033,537" {
		t.Errorf("large numbers read %q", got)
	}
	if got := progressText(background.Snapshot{Name: "Import", Started: start}, start); got != "Import" {
		t.Error(got)
	}
}

// TestReadable: a file chooser lists nothing whose reading might never end, whatever its name.
func TestReadable(t *testing.T) {
	folder := t.TempDir()
	table, empty, socket := filepath.Join(folder, "table.csv"), filepath.Join(folder, "empty.csv"), filepath.Join(folder, "s.csv")
	if err := errors.Join(os.WriteFile(table, []byte("a"), 0o600), os.WriteFile(empty, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct {
		path  string
		of    readable
		match bool
	}{
		{table, nil, true},
		{table, readable{".csv"}, true},
		{table, readable{".onnx"}, false},
		{socket, readable{".csv"}, false},
		{socket, nil, false},
		{empty, nil, false},
		{filepath.Join(folder, "gone.csv"), nil, false},
	} {
		if got := c.of.Matches(storage.NewFileURI(c.path)); got != c.match {
			t.Errorf("%s of %q is listed: %t", filepath.Base(c.path), c.of, got)
		}
	}
}
