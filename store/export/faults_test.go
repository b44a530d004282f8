package export

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/testdata"
)

// TestEveryWriteFails lets each step of exporting fail, into a new folder and over an earlier
// export: what is there then is the earlier export, the new one, or says that it is not whole;
// nothing half-written is left, and the next export mends it.
func TestEveryWriteFails(t *testing.T) {
	first := map[string]string{"a.csv": "1", "gone.csv": "3"}
	second := map[string]string{"a.csv": "one", "b/new.csv": "four"}
	for name, earlier := range map[string]map[string]string{"new": nil, "over another": first} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			d := faults.Watch(t, root)
			out := filepath.Join(root, "out")
			d.Every(t, 1, func(start func()) error {
				testdata.OK(t, os.RemoveAll(out))
				if earlier != nil {
					testdata.OK(t, put(t, out, false, earlier))
				}
				start()
				return put(t, out, false, second)
			}, func(what string, err error) {
				faults.Told(t, what, err)
				got := state(t, out)
				if err == nil && got != "whole" || got == "mixed" || got == "nothing" && earlier != nil {
					t.Errorf("%s: %v, and the folder is %s", what, err, got)
				}
				if err := put(t, out, false, second); err != nil {
					t.Errorf("%s: the next export: %v", what, err)
				}
				if got := strings.Join(listing(t, out), " "); got != "README.md a.csv b b/new.csv" {
					t.Errorf("%s: after the next export there are %s", what, got)
				}
			})
		})
	}
}

// state compares a folder with its card.
func state(t *testing.T, out string) string {
	t.Helper()
	if _, err := os.Stat(out); err != nil {
		return "nothing"
	}
	card, err := os.ReadFile(filepath.Join(out, cardName))
	if err != nil {
		return "mixed"
	}
	if strings.Contains(string(card), cardUnfinished) {
		return "unfinished"
	}
	list := testdata.Must(formerFiles(out))(t)
	for _, w := range list {
		data, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(w.path)))
		sum := sha256.Sum256(data)
		if err != nil || hex.EncodeToString(sum[:]) != w.hash {
			return "mixed"
		}
	}
	return "whole"
}
