// Package readme runs the commands of README.md as they stand there.
package readme

import (
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestCommands runs every indented line of README.md but those that begin with make, one after
// the other, in an empty folder that has the assets of the repository and the program at their
// places. It is asked for by `make readme`. Afterwards the files that the lines make are there,
// the round is closed with all labels, and the picture of README.md is the one that was drawn.
func TestCommands(t *testing.T) {
	if os.Getenv("VARISCOPE_README") == "" {
		return
	}
	folder := t.TempDir()
	for _, name := range []string{"assets", "build"} {
		if err := os.Symlink(filepath.Join(testdata.Root(), name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	lines := commands(t)
	const fewest = 15
	if n := strings.Count(lines, "build/variscope "); n < fewest {
		t.Fatalf("README.md calls the program %d times; at least %d were expected:\n%s", n, fewest, lines)
	}
	run(t, folder, lines)

	const round = `build/variscope label study.variscope `
	if list := run(t, folder, round+"list --json"); strings.Count(list, `"label": "`) != 8 {
		t.Errorf("the round does not hold 8 labels:\n%s", list)
	}
	if rounds := run(t, folder, round+"rounds"); !strings.Contains(rounds, "closed") {
		t.Errorf("the round is not closed:\n%s", rounds)
	}
	for _, name := range []string{
		"round.html", "judge.vassessor", "labelled-set/labels_long.csv",
		"labelled-set/features.csv",
	} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written: %v", name, err)
		}
	}
	samePicture(t, filepath.Join(testdata.Root(), "docs", "pictures", "matrix.png"),
		filepath.Join(folder, "matrices", "s25_max@CONF.png"))
}

// commands are the indented lines of README.md without those for make.
func commands(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testdata.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(text)) {
		if command, indented := strings.CutPrefix(line, "    "); indented && !strings.HasPrefix(command, "make ") {
			lines.WriteString(command)
		}
	}
	return lines.String()
}

// run runs lines in the shell, which stops at the first that fails.
func run(t *testing.T, folder, lines string) string {
	t.Helper()
	shell := exec.Command("sh", "-e", "-c", lines)
	shell.Dir = folder
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v; the end of what was printed:\n%s", err, out[max(0, len(out)-2000):])
	}
	return string(out)
}

// samePicture compares pixels. Another processor may move a colour by a step of the map.
func samePicture(t *testing.T, want, got string) {
	t.Helper()
	a, b := open(t, want), open(t, got)
	if a.Bounds() != b.Bounds() {
		t.Fatalf("%s is %v, %s is %v", want, a.Bounds(), got, b.Bounds())
	}
	const step = 8 << 8
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r, g, blue, _ := a.At(x, y).RGBA()
			r2, g2, blue2, _ := b.At(x, y).RGBA()
			if max(r, r2)-min(r, r2) > step || max(g, g2)-min(g, g2) > step ||
				max(blue, blue2)-min(blue, blue2) > step {
				t.Fatalf("%s is not what the commands draw: copy %s there (first difference at %d, %d)", want,
					filepath.Base(got), x, y)
			}
		}
	}
}

func open(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, _, err := image.Decode(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return picture
}
