package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/ratings"
)

type labelCommand struct {
	Workspace string   `arg:"" help:"Workspace folder."`
	Action    string   `arg:"" enum:"round,rounds,close,reopen,list,set,import,merge,invite,open,send" help:"What to do: one of the words above."`
	Files     []string `arg:"" optional:"" help:"Files to open, import or merge; the round for invite, send, close and reopen (default: the newest)."`
	Round     string   `help:"Round, by name or id (default: the newest)."`
	label.Naming
	Models      []string `help:"Models of a new round, by id (default: all with signals)." placeholder:"ID"`
	Suite       string   `help:"Suite of a new round (default: the workspace's current one)."`
	Family      string   `help:"Family of a new round (default: the workspace's current one)."`
	Selection   string   `help:"Makes a round about backgrounds: the selection whose scenes the models ran in, by name or hash; the round has its suite."`
	Modalities  []string `help:"Modalities of a new round (default: the five of ${ml4ml}; with --selection max@CONF and max@HEAD)."`
	Interpolant []string `help:"With --selection: I1, I2, I3, or SIZE,SIGMA,K in pixels of the raster; repeat it (default: the three of ${background})." sep:"none" placeholder:"I"`
	Classes     int      `help:"2 (invariant, variant) or 3 (with borderline); without it 2, and 3 with --selection." default:"0" enum:"0,2,3"`
	label.Protocol
	Annotator string          `help:"Who labels (set) or whose labels (list)."`
	Model     string          `help:"Model to label, by id."`
	Value     string          `help:"invariant, borderline or variant."`
	Unsure    bool            `help:"Mark the label as unsure."`
	Note      string          `help:"Note beside the label."`
	Words     ratings.Options `embed:""`
	desks.InviteOptions
	Out string `help:"Folder for what is printed: its tables, and ACTION.json; for invite and send one for ROUND.vround and ROUND.vlabels, or the name of that file." type:"path"`
	spreadsheetFlag
}

// Help is what stands above the flags; indented lines stay as they are.
func (*labelCommand) Help() string {
	return `At one workspace:

  round        make a round (--name, --annotators, --classes, --repeats ...)
  rounds       list the rounds
  close        end the labelling of a round (--round); then everybody may see all labels
  reopen       let a closed round take labels again
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

func (c *labelCommand) Run(s *session) error {
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
	switch c.Action {
	case "round":
		return c.makeRound(s, ws)
	case "rounds":
		return c.rounds(s, ws)
	case "close", "reopen":
		return c.close(s, ws)
	case "list":
		return c.list(s, ws)
	case "set":
		return c.set(s, ws)
	case "invite":
		return c.invite(s, ws)
	case "open":
		return c.openPackage(s, ws)
	case "send":
		return c.send(s, ws)
	}
	return c.merge(s, ws)
}

func (c *labelCommand) makeRound(s *session, ws *store.Workspace) error {
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
	round.Name, round.Annotators, round.Filter, round.Classes = c.Name, c.Annotators, "all", cmp.Or(c.Classes, round.Classes)
	c.Protocol.Set(&round)
	if round, err = ws.CreateRound(s.ctx, round); err != nil {
		return err
	}
	return c.say(s, c.Out, label.Rounds.Sheet([]label.Round{round}))
}

// say prints a sheet and writes all of them: --out names their folder.
func (c *labelCommand) say(s *session, folder string, sheets ...*result.Sheet) error {
	doc := result.Document{Schema: "variscope.label", Version: 1, Notes: s.notes(), Sheets: sheets}
	return s.give(answer{Document: doc, name: c.Action, folder: folder, forSpreadsheets: c.ForSpreadsheets})
}

// ofFamily is a round on variance matrices.
func (c *labelCommand) ofFamily(ws *store.Workspace) (label.Round, error) {
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return label.Round{}, err
	}
	chosen, err := hashes(ws, c.Models)
	if err == nil && chosen == nil {
		chosen, err = ready(ws, manifest.Hash, family.String())
	}
	return label.Round{
		Kind: label.VarianceRound, Suite: manifest.Hash, Family: family.String(), Modalities: modalityNames(c.Modalities), Classes: 2,
		Guideline: assets.VarianceGuideline, Models: chosen,
	}, err
}

func modalityNames(asked []string) []string {
	if len(asked) > 0 {
		return asked
	}
	return signal.DefaultNames()
}

// ready lists the models that have signals for this suite and family.
func ready(ws *store.Workspace, suite, family string) ([]string, error) {
	models, err := ws.Models()
	if err != nil {
		return nil, err
	}
	var hashes []string
	for _, m := range models {
		_, ok, err := ws.Summary(m, suite, family)
		if err != nil {
			return nil, err
		}
		if ok {
			hashes = append(hashes, m.Hash)
		}
	}
	if len(hashes) == 0 {
		return nil, fmt.Errorf("no model has signals for %s: run them first, or name models with --models", family)
	}
	return hashes, nil
}

func (c *labelCommand) rounds(s *session, ws *store.Workspace) error {
	rounds, err := ws.Rounds()
	if err != nil {
		return err
	}
	return c.say(s, c.Out, label.Rounds.Sheet(rounds))
}

// close closes a round, or opens it again.
func (c *labelCommand) close(s *session, ws *store.Workspace) error {
	round, err := c.named(ws)
	if err != nil {
		return err
	}
	if err := ws.CloseRound(round.ID, c.Action == "close"); err != nil {
		return err
	}
	if round, err = ws.Round(round.ID); err != nil {
		return err
	}
	return c.say(s, c.Out, label.Rounds.Sheet([]label.Round{round}))
}

func (c *labelCommand) list(s *session, ws *store.Workspace) error {
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
	return c.say(s, c.Out, label.Labels.Sheet(rows))
}

func (c *labelCommand) set(s *session, ws *store.Workspace) error {
	round, err := findRound(ws, c.Round)
	if err != nil {
		return err
	}
	m, err := ws.FindModel(c.Model)
	if err != nil {
		return err
	}
	value, err := label.ParseValue(c.Value)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(round.Models, m.Hash):
		return fmt.Errorf("model %s is not in round %s", m.ID, round.Name)
	case !slices.Contains(round.Annotators, c.Annotator):
		return fmt.Errorf("annotator %q is not in round %s; it has %s", c.Annotator, round.Name, strings.Join(round.Annotators, ", "))
	case !slices.Contains(label.Values(round.Classes), value):
		return fmt.Errorf("round %s has two classes: invariant and variant", round.Name)
	}
	events, err := ws.Events(round.ID)
	if err != nil {
		return err
	}
	before := label.Current(events)[label.Key{Model: m.Hash, Annotator: c.Annotator}]
	event, err := ws.Append(label.Event{
		Round: round.ID, Model: m.Hash, Annotator: c.Annotator, Kind: label.Label, Pass: 1, Value: value, Sure: !c.Unsure, Note: c.Note,
		Supersedes: before.ID,
	})
	if err != nil {
		return err
	}
	return c.say(s, c.Out, label.Labels.Sheet([]label.Row{{Event: event, RoundName: round.Name, ModelID: m.ID}}))
}

// warnSecret says, beside what is printed, that it shows what the annotators of a round must not
// see yet. The command line belongs to whoever keeps the workspace, so nothing is held back.
func (s *session) warnSecret(rounds ...label.Round) {
	for _, r := range rounds {
		if r.Secret() {
			fmt.Fprintf(s.stderr, "variscope: round %s is blind and still open: this shows everybody's labels; keep it from its annotators, or end the labelling with: variscope label WORKSPACE close\n", r.Name)
		}
	}
}

// findRound finds a round by name or id; without a name it is the newest.
func findRound(ws *store.Workspace, name string) (label.Round, error) {
	rounds, err := ws.Rounds()
	if err != nil {
		return label.Round{}, err
	}
	if len(rounds) == 0 {
		return label.Round{}, fmt.Errorf("%s has no rounds; make one with: variscope label %s round --name NAME --annotators A,B,C", ws.Path(), ws.Path())
	}
	if name == "" {
		return slices.MaxFunc(rounds, func(a, b label.Round) int { return strings.Compare(a.ID, b.ID) }), nil
	}
	var names []string
	for _, r := range rounds {
		if r.Name == name || r.ID == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return label.Round{}, fmt.Errorf("no round %q in %s; it has %s", name, ws.Path(), strings.Join(names, ", "))
}
