package export

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/sums"
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
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && path != folder {
			inside, _ := filepath.Rel(folder, path)
			list = append(list, filepath.ToSlash(inside))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFolderMakesWhatIsMissing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "deep", "out")
	if err := put(t, out, false, map[string]string{"a.csv": "1", "m/x/p.png": "2"}); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, filepath.Dir(out)); !slices.Equal(got,
		[]string{"out", "out/README.md", "out/a.csv", "out/m", "out/m/x", "out/m/x/p.png"}) {
		t.Errorf("files %v", got)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder is private: %v", info.Mode())
	}
}

func TestFolderOfOthers(t *testing.T) {
	out := t.TempDir()
	mine := filepath.Join(out, "mine.txt")
	if err := os.WriteFile(mine, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	var foreign *ForeignError
	if err := put(t, out, false, nil); !errors.As(err, &foreign) || !strings.Contains(err.Error(), "mine.txt") {
		t.Errorf("%v", err)
	}
	if got := listing(t, out); !slices.Equal(got, []string{"mine.txt"}) {
		t.Errorf("a refused export left %v", got)
	}
	if err := put(t, out, true, map[string]string{"a.csv": "1"}); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, out); !slices.Equal(got, []string{"README.md", "a.csv", "mine.txt"}) {
		t.Errorf("files %v", got)
	}
}

// A new export replaces an old one: what is no longer part of it goes, but not what was changed
// since or never listed.
func TestFolderReplacesAnExport(t *testing.T) {
	out := t.TempDir()
	first := map[string]string{"a.csv": "1", "m/x/p.png": "2", "m/y/p.png": "3", "edited.csv": "4"}
	if err := put(t, out, false, first); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"edited.csv": "by hand", "notes.txt": "mine"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := put(t, out, false, map[string]string{"a.csv": "new", "m/x/p.png": "2"}); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, out); !slices.Equal(got, []string{
		"README.md", "a.csv", "edited.csv", "m", "m/x", "m/x/p.png",
		"notes.txt",
	}) {
		t.Errorf("files %v", got)
	}
	if data, err := os.ReadFile(filepath.Join(out, "a.csv")); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
}

// A card that names files elsewhere removes nothing there.
func TestFolderStaysInside(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(top, "outside.txt")
	if err := os.WriteFile(outside, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(top, "out")
	if err := put(t, out, false, nil); err != nil {
		t.Fatal(err)
	}
	card := cardMark + "\n" + fileLine(written{"../outside.txt", sums.Hash("x")}) + "\n"
	if err := os.WriteFile(filepath.Join(out, cardName), []byte(card), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := put(t, out, false, map[string]string{"a.csv": "1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file outside was removed")
	}
}

func TestFolderErrors(t *testing.T) {
	if _, err := openFolder("", false); err == nil || !strings.Contains(err.Error(), "name a folder") {
		t.Errorf("no folder: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{file, filepath.Join(file, "below")} {
		if _, err := openFolder(out, true); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", out, err)
		}
	}
	f, err := openFolder(filepath.Join(t.TempDir(), "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("wrong")
	if err := f.create("a.csv", func(io.Writer) error { return wrong }); !errors.Is(err, wrong) ||
		!strings.Contains(err.Error(), "a.csv") {
		t.Errorf("%v", err)
	}
	if err := f.discard(); err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(filepath.Join(out, cardName), []byte(card), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := formerFiles(out); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", card, got, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(out, cardName), []byte("# Something else\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if isExport(out) {
		t.Error("any README.md is taken for the card of an export")
	}
}
