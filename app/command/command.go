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

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/internal/papers"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/export"
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

// Common are the flags of every command.
type Common struct {
	Library string `help:"ONNX Runtime library to use; without it VARISCOPE_ONNXRUNTIME, the program's folder, the per-user cache and the system's library path are tried." type:"path" placeholder:"FILE"`
	JSON    bool   `name:"json" help:"Print one JSON document."`
	Verbose bool   `short:"v" help:"Log what happens to stderr."`
	suite.Limits
	worker.Budget
	device.Pick
}

// cli is the command line.
type cli struct {
	Common
	Window     windowCommand     `cmd:"" default:"withargs" hidden:"" help:"Open the window (the default)."`
	Import     importCommand     `cmd:"" help:"Add models (.onnx files, or folders with models.csv), test suites, CSV tables of records, logs of training, and predictions that were made elsewhere."`
	Model      modelCommand      `cmd:"" help:"Show how a model is run: input, recipe, output, classes and positions, each with the place that says so; flags correct it."`
	Run        runCommand        `cmd:"" help:"Compute the signals of models on suites under families of transformations or transformation sets."`
	Matrix     matrixCommand     `cmd:"" help:"Variance matrices, as in ${ml4ml}, as numbers or pictures: from a workspace, a model or exported files."`
	EI         eiCommand         `cmd:"" name:"ei" help:"Effective invariance (EI), as in ${ei}: how consistently and confidently models predict under transformations, without labels."`
	Calibrate  calibrateCommand  `cmd:"" name:"calibration" help:"How well confidences are calibrated: whether models are right as often as they say, with reliability diagrams and the temperature that corrects them, for images as they are and under each transformation."`
	DScore     dscoreCommand     `cmd:"" name:"dscore" help:"D-Score, as in ${dscore}: in which regions the features of a suite lie, where a CNN looks, how robust and fitting that is, and the augmentation that follows."`
	Background backgroundCommand `cmd:"" help:"Background invariance, as in ${background}: keywords of images, association rules and ontology, testing scenes, runs in them, interpolated matrices."`
	Features   featuresCommand   `cmd:"" help:"The 16 features of variance matrices, as in ${ml4ml}: of a file, or of the models of a workspace."`
	Label      labelCommand      `cmd:"" help:"Make, close and reopen rounds; list and set labels; exchange rounds and labels with annotators at other computers."`
	Agreement  agreementCommand  `cmd:"" help:"Measure how far annotators agree, from labels_long.csv, labels_wide.csv or a workspace."`
	Assess     assessCommand     `cmd:"" help:"Train assessors (classifiers that judge a model by its variance matrices, as in ${ml4ml}) on labelled models, compare algorithms, judge models and explain verdicts."`
	Corrupt    corruptCommand    `cmd:"" help:"Make shifted suites: the fifteen common corruptions in five severities, and images shifted to regions, in a workspace or as files."`
	Gate       gateCommand       `cmd:"" help:"Judge one model file with an assessor (a classifier of variance matrices, as in ${ml4ml}); exits 3 if it is judged variant (for CI)."`
	Rank       rankCommand       `cmd:"" help:"Rank models without labels, or with few, by LaF, as in ${laf}, and other methods: from a workspace or from predictions made elsewhere."`
	Study      studyCommand      `cmd:"" help:"Carry out a study file: run what is missing, and write its tables, figures, report and record. Studies of the five papers come with the program."`
	Export     exportCommand     `cmd:"" help:"Write the labelled set and everything that it rests on."`
	Report     reportCommand     `cmd:"" help:"Write a report of models or of a round as one HTML or PDF file."`
	Restore    restoreCommand    `cmd:"" help:"List the backups of a workspace's database, or put one in its place."`
	Doctor     doctorCommand     `cmd:"" help:"Check everything of a workspace that can be checked, and with --repair repair what can be repaired; exits 1 where problems remain."`
	Demo       demoCommand       `cmd:"" help:"Make the demo workspace, run it, and write its matrices and tables."`
	Bench      benchCommand      `cmd:"" help:"Measure how fast models run here, from images to signals on disk, beside the library alone, and where the time goes."`
	Worker     workerCommand     `cmd:"" help:"Compute units of work for a workspace that is elsewhere, by a join line or as a shard of a plan."`
	Version    versionCommand    `cmd:"" help:"Print the versions of the program and of what it uses."`
}

// optionsOf is the struct of a command, whose tags say what the command takes.
func optionsOf(n *kong.Node) any { return n.Target.Addr().Interface() }

// checkOptions refuses what the structs of the program and of the chosen command do not take.
func checkOptions(parsed *kong.Context) error {
	err := option.Check(optionsOf(parsed.Model.Node))
	if at := parsed.Selected(); err == nil && at != nil {
		err = option.Check(optionsOf(at))
	}
	return err
}

// sayBounds puts the bounds of options, and what they go with, behind their help, in every command.
func sayBounds(n *kong.Node) {
	bounds := map[string]string{}
	for _, f := range option.Fields(optionsOf(n)) {
		for _, text := range []string{f.Bounds(), f.Condition()} {
			if text != "" {
				bounds[f.Name] += " " + strings.ToUpper(text[:1]) + text[1:] + "."
			}
		}
	}
	for _, a := range n.Positional {
		a.Help += bounds[a.Name]
	}
	for _, f := range n.Flags {
		f.Help += bounds[f.Name]
	}
	for _, c := range n.Children {
		sayBounds(c)
	}
}

// giveLabels says how labels are given.
const giveLabels = "labels are given in the window, or with: " +
	"variscope label WORKSPACE set --annotator A --model ID --value invariant"

// sentence is an error as the command line prints it, and at the end the flag or command that
// helps.
func sentence(err error) string {
	text := outside.Sentence(err)
	if help := advice(err); help != "" {
		text += "; " + help
	}
	return text
}

// advice names the flag or command that helps with an error of the engine or the store, which
// know no command line. It is empty where there is none.
func advice(err error) string {
	var foreign *export.ForeignError
	switch {
	case errors.As(err, &foreign):
		return "--force writes into it, and what is there stays"
	case errors.Is(err, suite.ErrCorrupt):
		return "--skip-corrupt leaves such images out"
	case errors.Is(err, suite.ErrBadRow):
		return "import --skip-bad-rows leaves such rows out"
	case errors.Is(err, assess.ErrUnlabelled), errors.Is(err, desks.ErrNoLabels):
		return giveLabels
	case errors.Is(err, store.ErrRoundClosed):
		return "variscope label WORKSPACE reopen does so"
	}
	return ""
}
