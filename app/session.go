package app

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

// session is what one command works with; what it opens, it closes in reverse order.
type session struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	common *common
	closes []func() error
}

func (s *session) close() error {
	var err error
	for i := len(s.closes) - 1; i >= 0; i-- {
		err = errors.Join(err, s.closes[i]())
	}
	s.closes = nil
	return err
}

func (s *session) onClose(f func() error) { s.closes = append(s.closes, f) }

// log writes warnings, or with --verbose everything, to stderr, and everything to file where that is not nil.
func (s *session) log(file *logFile) *slog.Logger {
	level := slog.LevelWarn
	if s.common.Verbose {
		level = slog.LevelInfo
	}
	screen := slog.NewTextHandler(s.stderr, &slog.HandlerOptions{Level: level})
	if file == nil {
		return slog.New(screen)
	}
	return slog.New(slog.NewMultiHandler(screen, slog.NewTextHandler(file, nil)))
}

// runtime loads ONNX Runtime for this command.
func (s *session) runtime() (*onnx.Runtime, error) {
	runtime, err := onnx.Load(s.common.Library)
	if err != nil {
		return nil, err
	}
	s.onClose(runtime.Close)
	return runtime, nil
}

// open opens an existing workspace and backs its database up.
func (s *session) open(path string) (*store.Workspace, error) {
	ws, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	s.own(ws)
	return ws, nil
}

// own closes the workspace at the end of the command. That its database cannot be backed up keeps no command from its work.
func (s *session) own(ws *store.Workspace) {
	s.onClose(ws.Close)
	if _, err := ws.BackupNowAndThen(s.ctx); err != nil {
		fmt.Fprintf(s.stderr, "variscope: %v\n", err)
	}
}

// openOrCreate opens the workspace, or makes it where nothing is there yet.
func (s *session) openOrCreate(path string) (*store.Workspace, error) {
	ws, err := s.openOrCreateUnowned(path)
	if err != nil {
		return nil, err
	}
	s.own(ws)
	return ws, nil
}

// openOrCreateUnowned is openOrCreate for a caller who closes the workspace himself.
func (s *session) openOrCreateUnowned(path string) (*store.Workspace, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return store.Create(path)
	}
	return store.Open(path)
}

// print writes v as JSON when --json was given, else a table made by rows: the first row is the header.
func (s *session) print(v any, rows [][]string) error {
	if s.common.JSON {
		return writeJSON(s.stdout, v)
	}
	table := tabwriter.NewWriter(s.stdout, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// report is print that also writes NAME.json and NAME.csv into the folder out, where that is not empty.
func (s *session) report(out, name string, v any, rows [][]string) error {
	if out != "" {
		err := errors.Join(
			writeFile(filepath.Join(out, name+".json"), func(w io.Writer) error { return writeJSON(w, v) }),
			writeFile(filepath.Join(out, name+".csv"), func(w io.Writer) error { return writeCSV(w, rows) }),
		)
		if err != nil {
			return err
		}
	}
	return s.print(v, rows)
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// writeCSV writes a table for people as one for programs: a dash is an empty cell, text that a spreadsheet would take for
// a formula is guarded, and remarks below the table are left out.
func writeCSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			continue
		}
		cells := make([]string, len(row))
		for i, cell := range row {
			if cell != "-" {
				cells[i] = export.Guard(cell)
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// say writes a line for people; nothing with --json.
func (s *session) say(format string, args ...any) {
	if !s.common.JSON {
		fmt.Fprintf(s.stdout, format+"\n", args...)
	}
}

// isWorkspace tells a workspace folder from a file or any other folder.
func isWorkspace(path string) bool {
	return strings.HasSuffix(filepath.Clean(path), ".variscope")
}

// writeFile writes beside and renames, so that a reader never sees half a file.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := errors.Join(write(file), file.Sync(), file.Chmod(0o644), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(file.Name(), path)
}

// openFile opens a file for reading with an error that says what was wanted.
func openFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return file, nil
}
