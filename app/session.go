package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/durable"
)

// session is what one command works with; what it opens, it closes in reverse order.
type session struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	common *common
	closes []func() error
	loaded *worker.Pool         // nil until a command asks for it
	others *cluster.Coordinator // of other machines that take part in runs; nil for none

	reading *store.Reading // nil unless another program has the workspace open that is read
}

func (s *session) close() error {
	var err error
	for i := len(s.closes) - 1; i >= 0; i-- {
		err = errors.Join(err, s.closes[i]())
	}
	s.closes, s.loaded, s.others = nil, nil, nil
	return err
}

func (s *session) onClose(f func() error) { s.closes = append(s.closes, f) }

// log writes warnings, or with --verbose everything, to stderr, and everything to file where that
// is not nil.
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

// runtime starts the first worker process for this command.
func (s *session) runtime() (*worker.Pool, error) {
	if s.loaded != nil {
		return s.loaded, nil
	}
	choice, err := s.common.Choice()
	if err != nil {
		return nil, usageError("--device: " + err.Error())
	}
	runtime, err := onnx.Workers(s.common.Library, choice.Devices(), s.common.Budget.Bounds())
	if err != nil {
		return nil, err
	}
	s.loaded = runtime
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

// read opens a workspace for a command that changes nothing in it. Where another program has it
// open, what is read is as of now, and said to be.
func (s *session) read(path string) (*store.Workspace, error) {
	ws, err := store.Read(s.ctx, path)
	if err != nil {
		return nil, err
	}
	reading := ws.Reading()
	if reading == nil {
		s.own(ws)
		return ws, nil
	}
	s.onClose(ws.Close)
	s.reading = reading
	fmt.Fprintf(s.stderr, "variscope: %s\n", reading)
	return ws, nil
}

// workspace opens a workspace to change it, or to read it.
func (s *session) workspace(path string, change bool) (*store.Workspace, error) {
	if change {
		return s.open(path)
	}
	return s.read(path)
}

// notes are what documents say of what they rest on.
func (s *session) notes() []string {
	if s.reading == nil {
		return nil
	}
	return []string{s.reading.String()}
}

// missed says of a file that is not there that whoever has the workspace open may have removed it.
func (s *session) missed(err error) error {
	var damaged *store.DamagedError // it says so itself
	if s.reading == nil || !errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged) {
		return err
	}
	return fmt.Errorf("%w; this was read %s", err, s.reading.Missed())
}

// own closes the workspace at the end of the command. That its database cannot be backed up keeps
// no command from its work.
func (s *session) own(ws *store.Workspace) {
	s.onClose(ws.Close)
	if _, err := ws.BackupNowAndThen(s.ctx); err != nil {
		fmt.Fprintf(s.stderr, "variscope: %v\n", err)
	}
}

// openOrCreate opens the workspace, or makes it where nothing is there yet. One that was made goes again at the end of the command
// where nothing has come into it, such as a package that was refused.
func (s *session) openOrCreate(path string) (*store.Workspace, error) {
	_, err := os.Stat(path)
	made := errors.Is(err, os.ErrNotExist)
	ws, err := s.openOrCreateUnowned(path)
	if err != nil {
		return nil, err
	}
	empty := false
	if made {
		s.onClose(func() error {
			if !empty {
				return nil
			}
			return durable.DeleteAll(ws.Path())
		})
	}
	s.own(ws)
	if made {
		s.onClose(func() (err error) {
			empty, err = ws.Empty()
			return err
		})
	}
	return ws, nil
}

// openOrCreateUnowned is openOrCreate for a caller that closes the workspace.
func (s *session) openOrCreateUnowned(path string) (*store.Workspace, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return store.Create(path)
	}
	return store.Open(path)
}

// spreadsheetFlag guards texts of CSV files.
type spreadsheetFlag struct {
	ForSpreadsheets bool `help:"Put an apostrophe before texts of tables that a spreadsheet would take for formulas."`
}

// write writes a table as a CSV file, where one is named.
func (f spreadsheetFlag) write(path string, sheet *result.Sheet) error {
	if path == "" {
		return nil
	}
	return durable.WriteFile(path, func(w io.Writer) error { return sheet.CSV(w, f.ForSpreadsheets) })
}

// answer writes the document as NAME.json and its sheets, with more that are for files only, as
// CSV files into a folder, if one is named, and with --json prints the document; done tells that
// it has.
func (s *session) answer(doc result.Document, name, folder string, forSpreadsheets bool, more ...*result.Sheet) (done bool, err error) {
	if folder != "" {
		if err := writeDocument(folder, name+".json", doc, forSpreadsheets, more...); err != nil {
			return false, err
		}
	}
	if !s.common.JSON {
		return false, nil
	}
	return true, doc.JSON(s.stdout)
}

// needFolder refuses what is no folder, before any work is done: a file, and the name of a table,
// which would become a folder of that name.
func needFolder(out string) error {
	if out == "" {
		return nil
	}
	info, err := os.Stat(out)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return usageError("--out takes a folder to write into, and " + out + " is a file")
	}
	switch strings.ToLower(filepath.Ext(out)) {
	case ".csv", ".json", ".parquet":
		return usageError("--out takes a folder to write into, and " + filepath.Base(out) + " looks like a file")
	}
	return nil
}

// suffixOf is a path's ending.
func suffixOf(path string) string { return filepath.Ext(filepath.Clean(path)) }

// fileIn is the file that --out names where a command writes one: the name itself where it has an
// ending, else the file of this name in the folder.
func fileIn(out, name string) string {
	info, err := os.Stat(out)
	if out != "" && (err == nil && info.IsDir() || err != nil && filepath.Ext(out) == "") {
		return filepath.Join(out, name)
	}
	return out
}

// say writes lines for people; nothing with --json.
func (s *session) say(format string, args ...any) {
	if !s.common.JSON {
		fmt.Fprintln(s.stdout, outside.VisibleLines(fmt.Sprintf(format, args...)))
	}
}

// isWorkspace tells the name of a workspace folder from that of a file or any other folder.
func isWorkspace(path string) bool {
	return strings.HasSuffix(filepath.Clean(path), ".variscope")
}

// meansWorkspace also takes a folder that is a workspace under another name, and a name whose
// ending was left out.
func meansWorkspace(path string) bool {
	if isWorkspace(path) {
		return true
	}
	if _, err := os.Stat(filepath.Join(path, "workspace.db")); err == nil {
		return true
	}
	if _, err := os.Stat(path); err == nil || path == "" {
		return false
	}
	_, err := os.Stat(path + ".variscope")
	return err == nil
}
