// Package command is the command line: its commands and flags, what they print, and what they exit
// with. Each command reads its flags, calls the packages that do the work and gives what came out;
// the work itself is elsewhere.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/papers"
	"github.com/variscope/variscope/store/durable"
)

// The exit codes of DESIGN.md section 9.
const (
	exitOK          = 0
	exitBadInput    = 1
	exitUsage       = 2
	exitGate        = 3
	exitInterrupted = 130
)

// Run carries out one command line (without the program's name) and returns the exit code. It
// serves as a worker process when it was started as one. An interrupt or SIGTERM ends the command.
// open opens the window.
func Run(args []string, stdout, stderr io.Writer, open Window) int {
	onnx.ServeWorker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, stdout, stderr, open)
}

// run is Run until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, open Window) int {
	var commands cli
	printed := &checked{Writer: stdout}
	session := &Session{
		ctx: ctx, stdout: printed, stderr: outside.Terminal{Writer: stderr}, common: &commands.Common, window: open,
	}
	parsed, code := parse(&commands, args, session)
	if parsed == nil {
		return code
	}
	suite.SetLimits(commands.Limits)
	err := errors.Join(session.missed(parsed.Run(session)), session.close())
	if printed.err != nil {
		err = printed.err
	}
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		session.tell("interrupted; what a run had finished is kept")
		return exitInterrupted
	}
	var usage usageError
	var gate notMet
	if wrong := (*option.Error)(nil); errors.As(err, &usage) || errors.As(err, &wrong) {
		session.tell("%v; see %s", err, helpOn(parsed))
		return exitUsage
	}
	session.tell("%s", sentence(err))
	if errors.As(err, &gate) {
		return exitGate
	}
	return exitBadInput
}

// checked remembers the first error of a writer: who reads what was printed must know that more was
// to come.
type checked struct {
	io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("print: %w", durable.Classify(err))
	}
	return n, err
}

// usageError is a command line that kong accepts and the command does not.
type usageError string

func (e usageError) Error() string { return string(e) }

// parse reads arguments into the program's commands, or into one. It returns nil and an exit code
// when there is nothing to run: wrong usage, or help was asked for.
func parse(commands any, args []string, s *Session) (*kong.Context, int) {
	exited := -1
	parser, err := newParser(commands, s, func(code int) { exited = code })
	if err != nil {
		s.tell("%v", err)
		return nil, exitUsage
	}
	parsed, err := parser.Parse(args)
	if err == nil && exited < 0 {
		err = cmp.Or(givenOnce(parsed), checkOptions(parsed))
	}
	switch {
	case exited >= 0:
		return nil, exited
	case err != nil:
		if failed := (*kong.ParseError)(nil); errors.As(err, &failed) {
			parsed = failed.Context
		}
		s.tell("%v; see %s", err, helpOn(parsed))
		return nil, exitUsage
	}
	return parsed, exitOK
}

// givenOnce refuses a flag that takes one value and was given several times: kong would take the
// last one and say nothing.
func givenOnce(parsed *kong.Context) error {
	times := map[*kong.Flag]int{}
	for _, p := range parsed.Path {
		if p.Flag == nil || p.Resolved || p.Flag.IsCumulative() {
			continue
		}
		if times[p.Flag]++; times[p.Flag] > 1 {
			return fmt.Errorf("--%s is given more than once, and takes one value", p.Flag.Name)
		}
	}
	return nil
}

// helpOn is how the help of the command in use is called, that of the program where no command was
// found.
func helpOn(c *kong.Context) string {
	path := "variscope"
	if at := c.Selected(); at != nil && !at.Hidden {
		path = at.FullPath()
	}
	return path + " --help"
}

// newParser knows the whole command line, or that of one command. exit is called after help was
// printed.
func newParser(commands any, s *Session, exit func(code int)) (*kong.Kong, error) {
	vars := kong.Vars{"version": Version}
	for name, p := range map[string]papers.Paper{
		"ml4ml": papers.ML4ML, "background": papers.Background, "ei": papers.EI, "laf": papers.LaF,
		"dscore": papers.DScore,
	} {
		vars[name] = p.Short()
	}
	parser, err := kong.New(commands,
		kong.Name("variscope"),
		kong.Description("See how invariant image classifiers are, label them, and measure how far people agree. "+
			"Without a command it opens the window."),
		kong.Writers(s.stdout, s.stderr),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		vars,
	)
	if err == nil {
		cite(parser.Model.Node, "")
		sayBounds(parser.Model.Node)
	}
	return parser, err
}

// cite puts the papers that the help of a command names, or that of the command above it, below
// its description.
func cite(n *kong.Node, above string) {
	text := above + n.Help
	all := text
	for _, f := range n.Flags {
		all += f.Help
	}
	for _, p := range papers.All() {
		if n.Type == kong.CommandNode && strings.Contains(all, p.Mark()) {
			n.Detail = strings.TrimPrefix(n.Detail+"\n\n"+p.Mark()+" "+p.Citation(), "\n\n")
		}
	}
	for _, c := range n.Children {
		cite(c, text)
	}
}
