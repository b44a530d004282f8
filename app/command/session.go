package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/durable"
)

// Session is what one command works with; what it opens, it closes in reverse order.
type Session struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	common *Common
	window Window // nil where there is none to open
	closes []func() error
	loaded *worker.Pool         // nil until a command asks for it
	others *cluster.Coordinator // of other machines that take part in runs; nil for none
	shown  *bar                 // the progress of what is at work; nil for none

	reading *store.Reading // nil unless another program has the workspace open that is read

	outer *Session     // of the study that this command is a step of; nil for none
	held  *Held        // what the window that carries out a study has open; nil for none
	taken func(answer) // takes what the command finds in place of files and terminal; nil for these
	told  []string     // what was said beside what is printed
	wrote []string     // files and folders that a step of a study has written itself
}

func (s *Session) close() error {
	s.clear()
	var err error
	for _, f := range slices.Backward(s.closes) {
		err = errors.Join(err, f())
	}
	s.closes, s.loaded, s.others = nil, nil, nil
	return err
}

// Context ends when the command is interrupted.
func (s *Session) Context() context.Context { return s.ctx }

// Common are the flags of every command, which the window's settings may change.
func (s *Session) Common() *Common { return s.common }

// OnClose has f called at the end of the command, before what was opened earlier is closed.
func (s *Session) OnClose(f func() error) { s.closes = append(s.closes, f) }

// Log writes warnings, or with --verbose everything, to stderr, and everything to file where that
// is not nil.
func (s *Session) Log(file io.Writer) *slog.Logger {
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

// Runtime starts the first worker process for this command.
func (s *Session) Runtime() (*worker.Pool, error) {
	if s.outer != nil {
		return s.outer.Runtime()
	}
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
	s.OnClose(runtime.Close)
	return runtime, nil
}

// at is what the window that carries out this command has open, where path is its workspace; else
// nil.
func (s *Session) at(path string) *Held {
	for s.outer != nil {
		s = s.outer
	}
	if s.held == nil || s.held.Workspace.Path() != path {
		return nil
	}
	return s.held
}

// open opens an existing workspace and backs its database up.
func (s *Session) open(path string) (*store.Workspace, error) {
	if d := s.at(path); d != nil {
		return d.Workspace, nil
	}
	ws, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	s.own(ws)
	return ws, nil
}

// read opens a workspace for a command that changes nothing in it, a read-only one, too. Where
// another program has it open, what is read is as of now, and said to be.
func (s *Session) read(path string) (*store.Workspace, error) {
	if d := s.at(path); d != nil {
		return d.Workspace, nil
	}
	ws, err := store.Read(s.ctx, path)
	if err != nil {
		return nil, err
	}
	if ws.MayChange() == nil {
		s.own(ws)
		return ws, nil
	}
	s.OnClose(ws.Close)
	if s.reading = ws.Reading(); s.reading != nil {
		s.mention("%s", s.reading)
	}
	return ws, nil
}

// workspace opens a workspace to change it, or to read it.
func (s *Session) workspace(path string, change bool) (*store.Workspace, error) {
	if change {
		return s.open(path)
	}
	return s.read(path)
}

// missed says of a file that is not there that whoever has the workspace open may have removed it.
func (s *Session) missed(err error) error {
	var damaged *store.DamagedError // it says so itself
	if s.reading == nil || !errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged) {
		return err
	}
	return fmt.Errorf("%w; this was read %s", err, s.reading.Missed())
}

// own closes the workspace at the end of the command. That its database cannot be backed up keeps
// no command from its work.
func (s *Session) own(ws *store.Workspace) {
	s.OnClose(ws.Close)
	if _, err := ws.BackupNowAndThen(s.ctx); err != nil {
		s.mention("%v", err)
	}
}

// openOrCreate opens the workspace, or makes it where nothing is there yet. One that was made goes
// again at the end of the command where nothing has come into it, such as a package that was
// refused.
func (s *Session) openOrCreate(path string) (*store.Workspace, error) {
	if d := s.at(path); d != nil {
		return d.Workspace, nil
	}
	made := Absent(path)
	ws, err := openOrCreate(path)
	if err != nil {
		return nil, err
	}
	empty := false
	if made {
		s.OnClose(func() error {
			if !empty {
				return nil
			}
			return durable.DeleteAll(ws.Path())
		})
	}
	s.own(ws)
	if made {
		s.OnClose(func() (err error) {
			empty, err = ws.Empty()
			return err
		})
	}
	return ws, nil
}

// openOrCreate opens a workspace, or makes it, for a caller that closes it.
func openOrCreate(path string) (*store.Workspace, error) {
	if Absent(path) {
		return store.Create(path)
	}
	return store.Open(path)
}

// openSuite opens the images of a workspace's suite, scan those of a suite at a path.
func (s *Session) openSuite(ws *store.Workspace, hash string) (*suite.Suite, error) {
	opened, err := ws.OpenSuiteContext(s.ctx, hash)
	if err == nil {
		s.OnClose(opened.Close)
	}
	return opened, err
}

func (s *Session) scan(path string, skipCorrupt bool) (*suite.Suite, error) {
	m, err := suite.Scan(s.ctx, path, suite.Options{SkipCorrupt: skipCorrupt}, s.bar(filepath.Base(path)))
	if err != nil {
		return nil, err
	}
	opened, err := suite.Open(m, m.Root)
	if err == nil {
		s.OnClose(opened.Close)
	}
	return opened, err
}

// exists tells that something lies at a path; where that cannot be found out, it does not, and
// Absent is false as well.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Absent tells that nothing lies at a path.
func Absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// bar begins to show the progress of work. What is printed next, or the next bar, ends it.
func (s *Session) bar(what string) *bar {
	s.clear()
	s.shown = newBar(s.stderr, what)
	return s.shown
}

// clear ends the line that shows progress.
func (s *Session) clear() {
	if s.shown != nil {
		s.shown.done()
	}
	s.shown = nil
}

// say writes lines for people; nothing with --json.
func (s *Session) say(format string, args ...any) {
	s.clear()
	if !s.common.JSON {
		fmt.Fprintln(s.stdout, outside.VisibleLines(fmt.Sprintf(format, args...)))
	}
}

// tell says something beside what is printed, on stderr and, where the command is a step of a
// study, among its remarks.
func (s *Session) tell(format string, args ...any) {
	s.mention(format, args...)
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

// mention says something on stderr that is about this call and not about its answer.
func (s *Session) mention(format string, args ...any) {
	s.clear()
	fmt.Fprintf(s.stderr, "variscope: "+format+"\n", args...)
}

// suffixOf is a path's ending in lower case.
func suffixOf(path string) string { return strings.ToLower(filepath.Ext(filepath.Clean(path))) }

// isWorkspace tells the name of a workspace folder from that of a file or any other folder.
func isWorkspace(path string) bool {
	return strings.HasSuffix(filepath.Clean(path), ".variscope")
}

// meansWorkspace also takes a folder that is a workspace under another name, and a name whose
// ending was left out.
func meansWorkspace(path string) bool {
	return isWorkspace(path) || store.Is(path) ||
		path != "" && !exists(path) && exists(path+".variscope")
}

// confirm asks on a terminal whether to go on, and is false for every answer but yes or y, where
// nobody can be asked, and when the command is cancelled.
func (s *Session) confirm(question string) bool {
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || s.held != nil {
		return false
	}
	s.clear()
	fmt.Fprintf(s.stderr, "%s (yes or no) ", question)
	answer := make(chan string, 1)
	go func() { // a terminal cannot be read with a bound; after a cancel the program ends, and this with it
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-s.ctx.Done():
		return false
	case said := <-answer:
		return said == "yes" || said == "y"
	}
}

// DemoPath is where the demo workspace lies: in XDG_DATA_HOME or its usual place, in the user's
// configuration folder where there is no such convention. Its folder is made where it is missing.
func DemoPath() (path string, err error) {
	base := os.Getenv("XDG_DATA_HOME")
	switch unix := filepath.Separator == '/'; {
	case filepath.IsAbs(base):
	case unix:
		base, err = os.UserHomeDir()
		base = filepath.Join(base, ".local", "share")
	default:
		base, err = os.UserConfigDir()
	}
	folder := filepath.Join(base, "variscope")
	if err == nil {
		err = durable.Folders(folder)
	}
	if err != nil {
		return "", fmt.Errorf("make a folder for the demo workspace: %w; name one: variscope demo DIR", err)
	}
	return filepath.Join(folder, "demo.variscope"), nil
}

// workerCachePath is where a worker keeps models and images, in the user's cache folder, else
// beside other temporary files.
func workerCachePath() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "variscope", "worker")
}

// tuningPath is the file that keeps what calibrations found out about this computer, in the user's
// cache folder; empty where there is no such folder.
func tuningPath() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "variscope", "tuning.json")
}
