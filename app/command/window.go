package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/study"
)

// Window opens the window on a workspace, on the demo, or with "" and false on the workspace that
// was open last, and returns when it is closed. Commands need no screen: package app has it.
type Window func(s *Session, workspace string, demo bool) error

type windowCommand struct {
	Workspace string `arg:"" optional:"" help:"Workspace folder to open (default: the last one, at first the demo)."`
	Demo      bool   `help:"Open the demo workspace."`
}

// errNoDisplay is what the window says on a machine without a screen.
var errNoDisplay = errors.New("there is no display to open a window on; the commands work without one: see " +
	"variscope --help")

func (c *windowCommand) Run(s *Session) error {
	if c.Workspace != "" && !exists(c.Workspace) && !isWorkspace(c.Workspace) {
		return usageError(fmt.Sprintf("%q is neither a command nor a workspace (NAME.variscope)", c.Workspace))
	}
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	return s.window(s, c.Workspace, c.Demo)
}

// Held is what a window has open: commands that it carries out work on it.
type Held struct {
	Workspace *store.Workspace
	Engine    *engine.Engine
}

// LookAtStudy says what a study would do on the workspace of a window: its title, and the command
// lines of its steps.
func (s *Session) LookAtStudy(
	ctx context.Context, in Held, o study.Options,
) (title string, lines []string, err error) {
	c, inner := s.studyOn(ctx, in, o)
	title, lines, err = c.look(inner)
	return title, lines, errors.Join(err, inner.close())
}

// CarryOutStudy carries a study out on the workspace of a window. It returns how many files it has
// written, and what its steps could not take. Progress counts steps.
func (s *Session) CarryOutStudy(
	ctx context.Context, in Held, o study.Options, p engine.Progress,
) (files int, failed []string, err error) {
	c, inner := s.studyOn(ctx, in, o)
	sheets, failed, err := c.carryOut(inner, p)
	if err = errors.Join(err, inner.close()); err != nil {
		return 0, nil, err
	}
	return sheets[len(sheets)-1].Len(), failed, nil
}

// studyOn is the command that carries a study out on the workspace of a window, with its session.
func (s *Session) studyOn(ctx context.Context, in Held, o study.Options) (*studyCommand, *Session) {
	return &studyCommand{Options: o, Workspace: in.Workspace.Path()}, &Session{
		ctx: ctx, stdout: io.Discard, stderr: io.Discard, common: s.common, loaded: s.loaded, held: &in,
	}
}
