package export

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// put exports the given files into out, with a card.
func put(t *testing.T, out string, force bool, files map[string]string) error {
	t.Helper()
	f, err := openFolder(out, force)
	if err != nil {
		return err
	}
	defer func() { _ = f.discard() }()
	for path, content := range files {
		if err := f.create(path, text(content)); err != nil {
			return err
		}
	}
	lines := []string{cardMark}
	for _, w := range f.listed() {
		lines = append(lines, fileLine(w))
	}
	if err := f.create(cardName, text(strings.Join(lines, "\n"))); err != nil {
		return err
	}
	_, err = f.publish()
	return err
}

func listing(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	testdata.OK(t, filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && path != folder {
			inside, _ := filepath.Rel(folder, path)
			list = append(list, filepath.ToSlash(inside))
		}
		return err
	}))
	return list
}

func TestFolderOfOthers(t *testing.T) {
	out := t.TempDir()
	mine := filepath.Join(out, "mine.txt")
	testdata.OK(t, os.WriteFile(mine, []byte("x"), 0o644))
	var foreign *ForeignError
	if err := put(t, out, false, nil); !errors.As(err, &foreign) || !strings.Contains(err.Error(), "mine.txt") {
		t.Errorf("%v", err)
	}
	if got := listing(t, out); !slices.Equal(got, []string{"mine.txt"}) {
		t.Errorf("a refused export left %v", got)
	}
	testdata.OK(t, put(t, out, true, map[string]string{"a.csv": "1"}))
	if got := listing(t, out); !slices.Equal(got, []string{"README.md", "a.csv", "mine.txt"}) {
		t.Errorf("files %v", got)
	}
}

// A card that names files elsewhere removes nothing there.
func TestFolderStaysInside(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(top, "outside.txt")
	testdata.OK(t, os.WriteFile(outside, []byte("x"), 0o644))
	out := filepath.Join(top, "out")
	testdata.OK(t, put(t, out, false, nil))
	card := cardMark + "\n" + fileLine(written{"../outside.txt", sums.Hash("x")}) + "\n"
	testdata.OK(t, os.WriteFile(filepath.Join(out, cardName), []byte(card), 0o644))
	testdata.OK(t, put(t, out, false, map[string]string{"a.csv": "1"}))
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file outside was removed")
	}
}

func TestFolderErrors(t *testing.T) {
	testdata.Refused(t, "no folder", testdata.Err(openFolder("", false)), "name a folder")
	file := filepath.Join(t.TempDir(), "file")
	testdata.OK(t, os.WriteFile(file, nil, 0o644))
	for _, out := range []string{file, filepath.Join(file, "below")} {
		testdata.Refused(t, out, testdata.Err(openFolder(out, true)), file)
	}
	f := testdata.Must(openFolder(filepath.Join(t.TempDir(), "out"), false))(t)
	wrong := errors.New("wrong")
	if err := f.create("a.csv", func(io.Writer) error { return wrong }); !errors.Is(err, wrong) ||
		!strings.Contains(err.Error(), "a.csv") {
		t.Errorf("%v", err)
	}
	testdata.OK(t, f.discard())
	if got := listing(t, filepath.Dir(f.out)); len(got) != 0 {
		t.Errorf("a discarded export left %v", got)
	}
}

func TestFormerFiles(t *testing.T) {
	out := t.TempDir()
	if _, err := formerFiles(out); err == nil {
		t.Error("a folder without a card is taken for an export")
	}
	for card, want := range map[string][]written{
		cardMark: nil,
		cardMark + "\n" + fileLine(written{"a b%20c.png", sums.Hash("a")}): {{"a b%20c.png", sums.Hash("a")}},
		cardMark + "\n - `x` sha256 " + sums.Hash("a"):                     nil,
		cardMark + "\n- `x` sha256 short":                                  nil,
		cardMark + "\n" + fileLine(written{"/etc/x", sums.Hash("a")}):      nil,
		cardMark + "\n" + fileLine(written{"a/../../x", sums.Hash("a")}):   nil,
	} {
		testdata.OK(t, os.WriteFile(filepath.Join(out, cardName), []byte(card), 0o644))
		if got, err := formerFiles(out); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", card, got, err, want)
		}
	}
	testdata.OK(t, os.WriteFile(filepath.Join(out, cardName), []byte("# Something else\n"), 0o644))
	if isExport(out) {
		t.Error("any README.md is taken for the card of an export")
	}
}

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
