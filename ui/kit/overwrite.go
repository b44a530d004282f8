package kit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
)

// Overwriting does what writes files and folders: at once where nothing is there yet, otherwise
// after a person has agreed that it is written over. An empty folder counts as nothing.
func (h *Host) Overwriting(paths []string, do func()) {
	h.overwriting(new(jobs.Latest), func() bool { return false }, paths, do)
}

// overwriting is Overwriting for a button that may be pressed again: the last press counts, and
// none once it is given up.
func (h *Host) overwriting(latest *jobs.Latest, givenUp func() bool, paths []string, do func()) {
	jobs.Load(h.Work, latest, "look for files", func(context.Context) (string, error) { return occupied(paths) },
		func(question string, err error) {
			switch {
			case givenUp():
			case err != nil:
				h.Fail(err)
			case question == "":
				do()
			default:
				h.Confirm("Write over what is there?", question, "Write over", widget.DangerImportance, do)
			}
		})
}

// mostNamed is how many files and folders the question names.
const mostNamed = 5

// occupied says what lies at the paths, "" where nothing does.
func occupied(paths []string) (question string, err error) {
	var lines []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", fmt.Errorf("look for %s: %w", path, err)
		}
		line := "The file %s is there already. It is replaced."
		if info.IsDir() {
			inside, err := os.ReadDir(path)
			if err != nil {
				return "", fmt.Errorf("look into folder %s: %w", path, err)
			}
			if len(inside) == 0 {
				continue
			}
			line = "The folder %s holds files already. Those that are written anew are replaced; files of others stay."
		}
		lines = append(lines, fmt.Sprintf(line, outside.Visible(path)))
	}
	if more := len(lines) - mostNamed; more > 0 {
		lines = append(lines[:mostNamed], fmt.Sprintf("The same goes for %s more.", result.Counted(more, "file")))
	}
	return strings.Join(lines, "\n"), nil
}
