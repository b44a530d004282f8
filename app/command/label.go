package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/ratings"
)

type labelCommand struct {
	Workspace string   `arg:"" help:"Workspace folder." study:"-"`
	Action    string   `arg:"" enum:"round,rounds,close,reopen,list,set,import,merge,invite,open,send" help:"What to do: one of the words above."`
	Files     []string `arg:"" optional:"" help:"Files to open, import or merge; the round for invite, send, close and reopen (default: the newest)." study:"name"`
	Round     string   `help:"Round, by name or id (default: the newest)."`
	label.Naming
	Models      []string `help:"Models of a new round, by id (default: all with signals)." placeholder:"ID"`
	Suite       string   `help:"Suite of a new round (default: the workspace's current one)."`
	Family      string   `help:"Family of a new round (default: the workspace's current one)."`
	Selection   string   `help:"Makes a round about backgrounds: the selection whose scenes the models ran in, by name or hash; the round has its suite."`
	Modalities  []string `help:"Modalities of a new round (default: the five of ${ml4ml}; with --selection max@CONF and max@HEAD)."`
	Interpolant []string `help:"With --selection: I1, I2, I3, or SIZE,SIGMA,K in pixels of the raster; repeat it (default: the three of ${background})." sep:"none" placeholder:"I"`
	Classes     int      `help:"2 (invariant, variant) or 3 (with borderline); without it 2, and 3 with --selection." default:"0" enum:"0,2,3"`
	label.Wording
	label.Protocol
	label.Calibration
	label.Showing
	Annotator string          `help:"Who labels (set) or whose labels (list)."`
	Model     string          `help:"Model to label, by id."`
	Value     string          `help:"invariant, borderline or variant, or the round's own word."`
	Unsure    bool            `help:"Mark the label as unsure."`
	Note      string          `help:"Note beside the label."`
	Words     ratings.Options `embed:""`
	desks.InviteOptions
	Yes bool   `help:"Close the round without asking."`
	Out string `help:"Folder for what is printed: its tables, and ACTION.json; for invite and send one for ROUND.vround and ROUND.vlabels, or the name of that file." type:"path" study:"-"`
	spreadsheetFlag
}

// Help is what stands above the flags; indented lines stay as they are.
func (*labelCommand) Help() string {
	return `At one workspace:

  round        make a round (--name, --annotators, --classes, --repeats, --known ...)
  rounds       list the rounds
  close        end the labelling of a round (--round); then everybody may see all labels. It says how many are missing
               and asks; --yes answers
  reopen       let a closed round take labels again; the round keeps when it was closed and opened
  list         list the labels of a round, of one annotator with --annotator
  set          store one label (--annotator, --model, --value)
  import       add labels from labels_long.csv, labels_wide.csv or .vlabels, or from a table that others made (an item
               and a column per annotator; or item, rater, label; or JSON of Label Studio) to a round (--round, --map)

Between three computers without a server:

  invite       write the package of a round (--out NAME.vround)
  open         open packages in a workspace, which is made where there is none
  send         write the labels that were made here (--annotator, --out NAME.vlabels)
  merge        add the files that were sent; doing it twice changes nothing

invite, send, close and reopen take the round as their argument or with --round; without a name it is the newest.`
}

func (c *labelCommand) Run(s *Session) error {
	open := s.open
	switch c.Action {
	case "open":
		open = s.openOrCreate // a package makes a desk of its own
	case "rounds", "list", "send":
		open = s.read
	}
	ws, err := open(c.Workspace)
	if err != nil {
		return err
	}
	do := map[string]func(*Session, *store.Workspace) error{
		"round": c.makeRound, "rounds": c.rounds, "close": c.close, "reopen": c.close, "list": c.list, "set": c.set,
		"invite": c.handOut, "open": c.openPackage, "send": c.handOut, "import": c.merge, "merge": c.merge,
	}
	return do[c.Action](s, ws)
}

func (c *labelCommand) rounds(s *Session, ws *store.Workspace) error {
	rounds, err := ws.Rounds()
	if err != nil {
		return err
	}
	return c.say(s, label.Rounds.Sheet(rounds))
}

func (c *labelCommand) makeRound(s *Session, ws *store.Workspace) error {
	judged := c.ofFamily
	if c.Selection != "" {
		judged = c.ofScenes
	} else if len(c.Interpolant) > 0 {
		return usageError("--interpolant is for rounds about backgrounds; name a --selection")
	}
	round, err := judged(ws)
	if err != nil {
		return err
	}
	round.Name, round.Annotators, round.Filter, round.Classes = c.Name, c.Annotators, "all", cmp.Or(c.Classes,
		round.Classes)
	round.Guideline = assets.Guideline(round.Kind == label.BackgroundRound, round.Classes)
	c.Protocol.Set(&round)
	c.Wording.Set(&round)
	round.Fields, round.Curves, round.Pinned = c.Fields, c.Curves, c.Pinned
	if err := c.calibrate(ws, &round); err != nil {
		return err
	}
	if round, err = ws.CreateRound(s.ctx, round); err != nil {
		return err
	}
	return c.say(s, label.Rounds.Sheet([]label.Round{round}))
}

// calibrate gives a round the models with a known answer.
func (c *labelCommand) calibrate(ws *store.Workspace, round *label.Round) (err error) {
	from := desks.KnownFrom{File: c.Known}
	if c.Known != "" && !namesFile(c.Known) {
		earlier, err := findRound(ws, c.Known)
		if err != nil {
			return err
		}
		from = desks.KnownFrom{Round: earlier.ID}
	}
	if c.KnownModels, err = desks.KnownModels(ws, round.Classes, from, c.KnownModels); err != nil {
		return err
	}
	return c.Calibration.Set(round)
}

// say prints the first sheet and writes all of them: --out names their folder.
func (c *labelCommand) say(s *Session, sheets ...*result.Sheet) error {
	return s.give(c.answer(s, sheets...))
}

func (c *labelCommand) answer(s *Session, sheets ...*result.Sheet) answer {
	to := output{outFolder{c.Out}, c.spreadsheetFlag}
	return answer{Document: s.document("label", nil, sheets...), name: c.Action, out: to}
}

// ofFamily is a round on variance matrices.
func (c *labelCommand) ofFamily(ws *store.Workspace) (label.Round, error) {
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return label.Round{}, err
	}
	chosen, _, err := readyUnder(ws, c.Models, manifest.Hash, family.String())
	return label.Round{
		Kind: label.VarianceRound, Suite: manifest.Hash, Family: family.String(),
		Modalities: modalityNames(c.Modalities), Classes: 2, Models: each(chosen, hashOf),
	}, err
}

func modalityNames(asked []string) []string {
	if len(asked) > 0 {
		return asked
	}
	return signal.DefaultNames()
}

// close closes a round, or opens it again.
func (c *labelCommand) close(s *Session, ws *store.Workspace) error {
	round, err := c.named(ws)
	if err != nil {
		return err
	}
	if c.Action == "close" && !round.Closed && !c.Yes {
		events, err := ws.Events(round.ID)
		if err != nil {
			return err
		}
		said := strings.Join(label.BeforeClosing(round, events), " ")
		if !s.confirm(fmt.Sprintf("Close round %s? %s", round.Name, said)) {
			return fmt.Errorf("round %s stays open: %s To close it say yes, or --yes where nobody can be asked",
				round.Name, said)
		}
	}
	if err := ws.CloseRound(round.ID, c.Action == "close"); err != nil {
		return err
	}
	if round, err = ws.Round(round.ID); err != nil {
		return err
	}
	return c.say(s, label.Rounds.Sheet([]label.Round{round}))
}

func (c *labelCommand) list(s *Session, ws *store.Workspace) error {
	round, err := findRound(ws, c.Round)
	if err != nil {
		return err
	}
	events, err := ws.Events(round.ID)
	if err != nil {
		return err
	}
	if c.Annotator == "" {
		s.warnSecret(round)
	}
	var rows []label.Row
	current := label.Current(events)
	for _, hash := range round.Models {
		m, err := ws.Model(hash)
		if err != nil {
			return err
		}
		for _, annotator := range round.Annotators {
			e, ok := current[label.Key{Model: hash, Annotator: annotator}]
			if ok && (c.Annotator == "" || c.Annotator == annotator) {
				rows = append(rows, label.Row{Event: e, RoundName: round.Name, ModelID: m.ID})
			}
		}
	}
	return c.say(s, label.Labels.Sheet(rows))
}

func (c *labelCommand) set(s *Session, ws *store.Workspace) error {
	round, err := findRound(ws, c.Round)
	if err != nil {
		return err
	}
	m, err := ws.FindModel(c.Model)
	if err != nil {
		return err
	}
	value, err := round.ParseWord(c.Value)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(round.Models, m.Hash):
		return fmt.Errorf("model %s is not in round %s", m.ID, round.Name)
	case !slices.Contains(round.Annotators, c.Annotator):
		return fmt.Errorf("annotator %q is not in round %s; it has %s", c.Annotator, round.Name,
			strings.Join(round.Annotators, ", "))
	}
	events, err := ws.Events(round.ID)
	if err != nil {
		return err
	}
	before := label.Current(events)[label.Key{Model: m.Hash, Annotator: c.Annotator}]
	event, err := ws.Append(label.Event{
		Round: round.ID, Model: m.Hash, Annotator: c.Annotator, Kind: label.Label, Pass: 1, Value: value,
		Sure: !c.Unsure, Note: c.Note,
		Supersedes: before.ID,
	})
	if err != nil {
		return err
	}
	return c.say(s, label.Labels.Sheet([]label.Row{{Event: event, RoundName: round.Name, ModelID: m.ID}}))
}

// warnSecret says, beside what is printed, that it shows what the annotators of a round must not
// see yet. The command line belongs to whoever keeps the workspace, so nothing is held back.
func (s *Session) warnSecret(rounds ...label.Round) {
	for _, r := range rounds {
		if r.Secret() {
			s.tell("round %s is blind and still open: this shows everybody's labels; keep it from its annotators, "+
				"or end the labelling with: variscope label WORKSPACE close", r.Name)
		}
	}
}

// ofScenes is a round on the interpolated matrices of a selection. Without named models it has all
// that ran in its scenes.
func (c *labelCommand) ofScenes(ws *store.Workspace) (label.Round, error) {
	if c.Suite != "" || c.Family != "" {
		return label.Round{},
			usageError("--selection brings its suite and has no family; leave --suite and --family out")
	}
	record, err := findSelection(ws, c.Selection)
	if err != nil {
		return label.Round{}, err
	}
	family, err := record.Family()
	if err != nil {
		return label.Round{}, err
	}
	ran := func(m model.Model) (bool, error) {
		_, reason, err := lookup.Set(ws, m, record.Targets, family)
		return reason.None(), err
	}
	chosen, _, err := ready(ws, c.Models, ran, fmt.Errorf("no model ran in the scenes of selection %s: "+
		"run them first with `variscope background run`, or name models with --models", record.Name))
	return label.Round{
		Kind: label.BackgroundRound, Suite: record.Targets, Selection: record.Hash, Modalities: c.Modalities,
		Interpolants: c.Interpolant,
		Classes:      3, Models: each(chosen, hashOf),
	}, err
}

// named finds the round that the command line names: as an argument, with --round, or else the
// newest.
func (c *labelCommand) named(ws *store.Workspace) (label.Round, error) {
	name := c.Round
	switch {
	case len(c.Files) > 1 || len(c.Files) == 1 && name != "":
		return label.Round{}, usageError("name one round to " + c.Action)
	case len(c.Files) == 1:
		name = c.Files[0]
	}
	return findRound(ws, name)
}

// handOut writes the package of a round, or the labels that were made here.
func (c *labelCommand) handOut(s *Session, ws *store.Workspace) error {
	round, err := c.named(ws)
	if err != nil {
		return err
	}
	what, ending, column := "package", desks.RoundSuffix, "events"
	if c.Action == "send" {
		what, ending, column = "file", desks.LabelsSuffix, "models"
	}
	if c.Out == "" {
		return usageError("name the " + what + " to write with --out NAME" + ending)
	}
	out := fileIn(c.Out, durable.FileName(round.Name)+ending)
	var written desks.Written
	if c.Action == "send" {
		written, err = desks.Send(s.ctx, ws, round.ID, c.Annotator, out)
	} else {
		written, err = desks.Invite(s.ctx, ws, round.ID, out, c.Full, s.bar("invite"))
	}
	if err != nil {
		return err
	}
	c.Out = "" // it is no folder for tables
	return c.say(s, desks.Sent.Place(result.FileOnly, column).Sheet([]desks.Written{written}))
}

// openPackage adds round packages to the workspace, which is made where there is none.
func (c *labelCommand) openPackage(s *Session, ws *store.Workspace) error {
	if len(c.Files) == 0 {
		return usageError("name the round packages to open")
	}
	var reports []store.PackageReport
	for _, path := range c.Files {
		report, err := desks.Open(s.ctx, ws, path, s.bar("open "+filepath.Base(path)))
		if err != nil {
			return err
		}
		reports = append(reports, report)
	}
	return c.say(s, desks.Opened.Sheet(reports))
}

// merge takes all files or, when one of them is refused, none.
func (c *labelCommand) merge(s *Session, ws *store.Workspace) error {
	if len(c.Files) == 0 {
		return usageError("name the files of labels to " + c.Action)
	}
	how := desks.Reading{Options: c.Words}
	if c.Round != "" {
		round, err := findRound(ws, c.Round)
		if err != nil {
			return err
		}
		how.Round = round.ID
	}
	plan, err := desks.Preview(s.ctx, ws, c.Files, how, s.bar(c.Action))
	if err != nil {
		return err
	}
	if err := plan.Problem(); err != nil {
		return err
	}
	if _, err := desks.Merge(ws, plan); err != nil {
		return err
	}
	a := c.answer(s, desks.Files.Sheet(plan.Files), desks.Conflicting.Sheet(plan.Conflicts))
	for _, f := range plan.Files {
		for _, said := range []string{f.Taken, f.Uncounted()} {
			if said != "" && !s.common.JSON {
				s.tell("%s: %s", f.Path, said)
			}
		}
	}
	for _, conflict := range plan.Conflicts {
		a.lines = append(a.lines, "conflict: "+conflict.String())
	}
	return s.give(a)
}
