package background

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

// Editors put a byte order mark in front of a file; it is no part of the first name, nor does it
// hide a remark.
func TestReadLines(t *testing.T) {
	for name, text := range map[string]string{
		"plain": "sky\nsea\n", "remark": "# elements\n\n sky \r\nsea", "mark": "\ufeffsky\nsea\n",
		"mark and remark": "\ufeff# elements\nsky\nsea\n",
	} {
		path := filepath.Join(t.TempDir(), "names.txt")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		if got, err := ReadNames(path); err != nil || !slices.Equal(got, []string{"sky", "sea"}) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
