package kill_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
)

// The checks of exports take what a kill has left; where it is there after an undisturbed export,
// nothing may be missing.

// again lets an export be done again: then it is there, and no draft is left.
func (g *ground) again(t *testing.T, args []string, out string, check func(t *testing.T, there bool) error) error {
	program(t, args...)
	return errors.Join(check(t, true), leftovers(out), beside(out))
}

var fileLine = regexp.MustCompile("(?m)^- `([^`]+)` sha256 ([0-9a-f]{64})$")

// wholeSet: the folder of an export is not there, or its card lists every file as it is, or says
// that it is not whole.
func (g *ground) wholeSet(folder string, there bool) (err error) {
	card, readErr := os.ReadFile(filepath.Join(folder, "README.md"))
	if errors.Is(readErr, fs.ErrNotExist) && !there {
		entries, _ := os.ReadDir(folder)
		if len(entries) > 0 {
			return fmt.Errorf("%s has files and no card", folder)
		}
		return nil
	}
	if readErr != nil {
		return readErr
	}
	unfinished := bytes.Contains(card, []byte("This export is not whole"))
	if unfinished && there {
		return fmt.Errorf("the card of %s says that the export is not whole", folder)
	}
	if unfinished {
		return nil
	}
	listed := fileLine.FindAllStringSubmatch(string(card), -1)
	if len(listed) < 5 {
		return fmt.Errorf("the card lists %d files", len(listed))
	}
	for _, l := range listed {
		data, readErr := os.ReadFile(filepath.Join(folder, filepath.FromSlash(l[1])))
		if readErr != nil || hash(data) != l[2] {
			err = errors.Join(err, fmt.Errorf("%s is not as the card says: %w", l[1], readErr))
		}
	}
	return err
}

// wholeReports: what has the name of a report ends as a report does.
func wholeReports(out string, there bool) (err error) {
	for name, end := range map[string]string{"r.html": "</html>", "r.pdf": "%%EOF"} {
		data, readErr := os.ReadFile(filepath.Join(out, name))
		if errors.Is(readErr, fs.ErrNotExist) && !there {
			continue
		}
		if readErr != nil {
			err = errors.Join(err, readErr)
			continue
		}
		if !bytes.HasSuffix(bytes.TrimSpace(data), []byte(end)) {
			err = errors.Join(err, fmt.Errorf("%s is cut", name))
		}
	}
	return err
}

// wholePackage opens the package at another desk.
func (g *ground) wholePackage(t *testing.T, path string, there bool) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !there {
		return nil
	}
	ws, err := store.Create(filepath.Join(t.TempDir(), "other"))
	must(t, err)
	report, err := desk.Open(t.Context(), ws, path, engine.NoProgress{})
	if err == nil && len(report.Round.Models) != len(modelIDs) {
		err = fmt.Errorf("the package has %d models", len(report.Round.Models))
	}
	return errors.Join(err, modelsWhole(ws), ws.Close())
}

// suitesAsFiles is how many folders of images one corruption in one severity makes.
const suitesAsFiles = 1

// wholeSuites: a folder of images is not there, or has every image and its card.
func wholeSuites(out string, there bool) (err error) {
	folders, _ := os.ReadDir(out)
	folders = slices.DeleteFunc(folders, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) // drafts
	if there && len(folders) != suitesAsFiles {
		err = fmt.Errorf("%s has %d folders, not %d", out, len(folders), suitesAsFiles)
	}
	for _, folder := range folders {
		at := filepath.Join(out, folder.Name())
		if _, absent := os.Stat(filepath.Join(at, "README.md")); absent != nil {
			err = errors.Join(err, absent)
		}
		images, _ := filepath.Glob(filepath.Join(at, "*", "*.png"))
		if len(images) != 36 {
			err = errors.Join(err, fmt.Errorf("%s has %d images", at, len(images)))
		}
		for _, path := range images {
			data, _ := os.ReadFile(path)
			if _, decodeErr := png.Decode(bytes.NewReader(data)); decodeErr != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", path, decodeErr))
			}
		}
	}
	return err
}

// wholeTables: every CSV file can be read and ends with a line feed.
func wholeTables(out string, there bool) (err error) {
	tables, _ := filepath.Glob(filepath.Join(out, "*.csv"))
	if there && len(tables) == 0 {
		return fmt.Errorf("%s has no table", out)
	}
	for _, path := range tables {
		data, _ := os.ReadFile(path)
		rows, readErr := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if readErr != nil || len(rows) < 2 || data[len(data)-1] != '\n' {
			err = errors.Join(err, fmt.Errorf("%s is cut: %d rows, %w", path, len(rows), readErr))
		}
	}
	return err
}
