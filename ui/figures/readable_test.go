package figures

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/storage"

	"github.com/variscope/variscope/internal/testdata"
)

// TestReadable: a file chooser lists nothing whose reading might never end, whatever its name.
func TestReadable(t *testing.T) {
	folder := t.TempDir()
	table, empty, socket := filepath.Join(folder, "table.csv"), filepath.Join(folder, "empty.csv"),
		filepath.Join(folder, "s.csv")
	testdata.OK(t, errors.Join(os.WriteFile(table, []byte("a"), 0o600), os.WriteFile(empty, nil, 0o600)))
	l := testdata.Must(net.Listen("unix", socket))(t)
	defer l.Close()
	for _, c := range []struct {
		path  string
		of    Readable
		match bool
	}{
		{table, nil, true},
		{table, Readable{".csv"}, true},
		{table, Readable{".onnx"}, false},
		{socket, Readable{".csv"}, false},
		{socket, nil, false},
		{empty, nil, false},
		{filepath.Join(folder, "gone.csv"), nil, false},
	} {
		if got := c.of.Matches(storage.NewFileURI(c.path)); got != c.match {
			t.Errorf("%s of %q is listed: %t", filepath.Base(c.path), c.of, got)
		}
	}
}
