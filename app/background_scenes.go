package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

type backgroundScenesCommand struct {
	Workspace   string  `arg:"" help:"Workspace folder."`
	Targets     string  `help:"Suite of the targets, by name or hash (default: the workspace's current one)." placeholder:"SUITE"`
	Backgrounds string  `required:"" help:"Suite of the backgrounds, by name or hash." placeholder:"SUITE"`
	Masks       string  `help:"Folder with the masks of the targets' foregrounds, to import (default: the newest masks of the suite)." type:"path" placeholder:"DIR"`
	Copy        bool    `help:"Copy the masks into the workspace."`
	Table       string  `help:"Keyword table of the workspace, by name or hash (default: the newest)." placeholder:"NAME"`
	Ontology    string  `help:"Ontology that is kept in the workspace, with its table, rule, thresholds and edits (default: one that is made for this)." placeholder:"NAME"`
	Method      string  `help:"How scenes are chosen: keywords, intervals, nearest or random." enum:"keywords,intervals,nearest,random" default:"keywords"`
	N           int     `name:"n" help:"Scenes per target." default:"32" min:"1"`
	Seed        uint64  `help:"Seed of random and of --jitter." default:"1"`
	Jitter      bool    `help:"Draw among the three nearest (keywords) and inside the interval (intervals) in place of the nearest."`
	Veto        string  `help:"File with names of backgrounds that are never chosen, one per line." type:"path" placeholder:"FILE"`
	Feather     float64 `help:"Pixels over which a foreground's edge is blended (default: none)." min:"0" max:"64" unit:"pixels"`
	Align       string  `help:"Where the foreground lies: keep, centre or ground (in the middle at the bottom)." enum:"keep,centre,ground" default:"keep"`
	miningFlags
	ruleFlags
	expansionFlags
	Name   string   `help:"Name of the selection (default: made of the method, n and the seed)."`
	Show   int      `help:"Targets whose scenes are printed; those of all are in --out and --json." default:"1" min:"0"`
	Out    string   `help:"File to write the table of targets and scenes to." type:"path" placeholder:"FILE.csv"`
	Sheet  string   `help:"Folder for a contact sheet per target, the target first, then its composites with their reasons." type:"path" placeholder:"DIR"`
	Images string   `help:"Folder to store the composites in as PNG files; they are stored nowhere without it." type:"path" placeholder:"DIR"`
	Only   []string `help:"Targets that --sheet and --images are made of, by name (default: all)." placeholder:"TARGET"`
}

// scenesReport is what background scenes prints with --json.
type scenesReport struct {
	Selection selectionReport `json:"selection"`
	Targets   int             `json:"targets"`
	Expansion []levelRow      `json:"expansion"`
	Distances distances       `json:"distances"`
	Diversity diversityReport `json:"diversity"`
	Bare      []string        `json:"without_keywords"`
	Chosen    []chosenRow     `json:"chosen"`
	Files     int             `json:"files,omitempty"`
}

// selectionReport names a selection and what it was made of.
type selectionReport struct {
	Hash        string               `json:"hash"`
	Name        string               `json:"name"`
	Method      background.Method    `json:"method"`
	N           int                  `json:"n"`
	Seed        uint64               `json:"seed"`
	Jitter      bool                 `json:"jitter"`
	Targets     string               `json:"targets"`
	Backgrounds string               `json:"backgrounds"`
	Masks       string               `json:"masks"`
	Table       string               `json:"table"`
	Ontology    string               `json:"ontology"`
	Edits       int                  `json:"edits"`
	Rule        background.Rule      `json:"rule"`
	Expansion   background.Expansion `json:"expansion"`
	Feather     float64              `json:"feather"`
	Align       background.Alignment `json:"align"`
	Vetoed      []int                `json:"vetoed"`
	Far         float64              `json:"d"` // the end of the axes
}

// distances are quantiles of the semantic distances of all chosen scenes.
type distances struct {
	Min    float64 `json:"min"`
	Q25    float64 `json:"q25"`
	Median float64 `json:"median"`
	Q75    float64 `json:"q75"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
}

// diversityReport says how different the scenes are.
type diversityReport struct {
	Different  int     `json:"different_backgrounds"`
	MostUsed   int     `json:"most_used"`          // targets that have the background that is used most
	Filled     float64 `json:"intervals_filled"`   // share of n equal intervals of [0, d] that hold a scene, mean over targets
	Even       float64 `json:"evenness"`           // 1 where each holds one, 0 where one holds all
	ByLevel    []int   `json:"scenes_by_level"`    // chosen for a keyword of level 0, 1, ...
	ByDistance int     `json:"scenes_by_distance"` // chosen by distance, by chance or to fill up
}

// chosenRow is one testing scene of a target.
type chosenRow struct {
	Target     string  `json:"target"`
	Rank       int     `json:"rank"` // from 1
	Background string  `json:"background"`
	Keyword    *string `json:"keyword"` // null where the method goes by distance or filled up
	Level      *int    `json:"level"`
	Distance   float64 `json:"distance"`
}

func (c *backgroundScenesCommand) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	w := &scenesWork{command: c, s: s, ws: ws}
	if err := w.find(); err != nil {
		return err
	}
	if err := w.choose(); err != nil {
		return err
	}
	report := w.report()
	if c.Out != "" {
		if err := report.sheet().saveAs(c.Out); err != nil {
			return err
		}
	}
	if report.Files, err = w.draw(); err != nil {
		return err
	}
	return w.print(report)
}

func (c *backgroundScenesCommand) check() error {
	switch {
	case c.Jitter && (c.Method == string(background.Nearest) || c.Method == string(background.Random)):
		return usageError("--jitter goes with --method keywords or intervals")
	case c.Ontology != "" && (c.Table != "" || c.given() || c.MinSupport+c.MinConfidence > 0):
		return usageError("--ontology has its table, rule and thresholds; change it with variscope background rules")
	case len(c.Only) > 0 && c.Sheet+c.Images == "":
		return usageError("--only goes with --sheet or --images")
	}
	for _, folder := range []string{c.Sheet, c.Images} {
		if err := needFolder(folder); err != nil {
			return usageError(strings.Replace(err.Error(), "--out takes", "--sheet and --images take", 1))
		}
	}
	return needFile(c.Out)
}

// scenesWork is one call of background scenes.
type scenesWork struct {
	command     *backgroundScenesCommand
	s           *session
	ws          *store.Workspace
	targets     suite.Manifest
	backgrounds suite.Manifest
	ask         scenes.Ask
	plan        scenes.Plan
	record      store.SelectionRecord
}

// find finds the suites, masks and the ontology that the flags name.
func (w *scenesWork) find() error {
	c := w.command
	var err error
	if w.targets, err = wholeSuite(w.ws, c.Targets); err != nil {
		return err
	}
	if w.backgrounds, err = wholeSuite(w.ws, c.Backgrounds); err != nil {
		return err
	}
	masks, err := masksOf(w.s, w.ws, w.targets, c.Masks, c.Copy)
	if err != nil {
		return err
	}
	w.ask = scenes.Ask{
		Targets: w.targets.Hash, Backgrounds: w.backgrounds.Hash, Masks: masks.Hash, Expansion: c.expansion(),
		Choice:  background.Choice{Method: background.Method(c.Method), N: c.N, Seed: c.Seed, Jitter: c.Jitter},
		Feather: c.Feather, Align: background.Alignment(c.Align),
	}
	if w.ask.Ontology, err = w.ontology(); err != nil {
		return err
	}
	w.ask.Vetoed, err = w.vetoed()
	return err
}

// wholeSuite is a suite with its labels and files.
func wholeSuite(ws *store.Workspace, name string) (suite.Manifest, error) {
	m, err := suiteNamed(ws, name)
	if err != nil {
		return m, err
	}
	return ws.Suite(m.Hash)
}

// ontology is the kept one that was named, or the making of a new one. Words that name a class of
// the targets are no keywords.
func (w *scenesWork) ontology() (store.OntologyRecord, error) {
	c := w.command
	if c.Ontology != "" {
		return findOntology(w.ws, c.Ontology)
	}
	table, err := findTable(w.ws, c.Table)
	if err != nil {
		return store.OntologyRecord{}, err
	}
	var classes []string
	if w.targets.Named {
		classes = w.targets.Classes
	}
	return store.OntologyRecord{
		Table: table.Hash, Rule: c.rule(classes),
		MinSupport:    firstAbove0(c.MinSupport, itemset.DefaultMinSupport),
		MinConfidence: firstAbove0(c.MinConfidence, itemset.DefaultMinConfidence),
	}, nil
}

func findOntology(ws *store.Workspace, name string) (store.OntologyRecord, error) {
	list, err := ws.Ontologies()
	if err != nil {
		return store.OntologyRecord{}, err
	}
	var names []string
	for _, o := range slices.Backward(list) { // the newest first
		if o.Name == name || o.ID == name {
			return o, nil
		}
		names = append(names, o.Name)
	}
	if len(names) == 0 {
		return store.OntologyRecord{}, fmt.Errorf("%s keeps no ontology; keep one: variscope background rules %s --name NAME", ws.Path(), ws.Path())
	}
	return store.OntologyRecord{}, fmt.Errorf("ontology %s is not in %s; it has %s", name, ws.Path(), strings.Join(names, ", "))
}

// vetoed are the backgrounds that --veto lists, by their path in the suite or by the end of it.
func (w *scenesWork) vetoed() ([]int, error) {
	if w.command.Veto == "" {
		return nil, nil
	}
	names, err := scenes.ReadLines(w.command.Veto)
	if err != nil {
		return nil, err
	}
	var list []int
	for _, name := range names {
		i, err := imageNamed(w.backgrounds, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.command.Veto, err)
		}
		list = append(list, i)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// imageNamed is the number of an image by its path in the suite, of which leading folders may be
// missing on either side.
func imageNamed(m suite.Manifest, name string) (int, error) {
	for i := range m.Images {
		if sameTail(m.ImageName(i), name) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("suite %s has no image %s", m.Name, name)
}

func sameTail(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// choose makes the selection and keeps it.
func (w *scenesWork) choose() error {
	err := withBar(w.s, "scenes", func(p engine.Progress) (err error) {
		w.plan, err = scenes.Select(w.s.ctx, w.ws, w.ask, p)
		return err
	})
	if err != nil {
		return err
	}
	name, err := w.name()
	if err != nil {
		return err
	}
	w.record, err = w.ws.AddSelection(name, w.plan.Selection)
	return err
}

// name is a name that no other selection has.
func (w *scenesWork) name() (string, error) {
	hash := w.plan.Selection.Hash()
	list, err := w.ws.Selections()
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, s := range list {
		if s.Hash == hash {
			return s.Name, nil // it is there already
		}
		taken[s.Name] = true
	}
	switch c := w.command; {
	case c.Name != "" && taken[c.Name]:
		return "", fmt.Errorf("selection %s is there already, with other scenes; take another --name", c.Name)
	case c.Name != "":
		return c.Name, nil
	}
	return unused(taken, w.plain()), nil
}

// plain is the name that says how scenes were chosen.
func (w *scenesWork) plain() string {
	choice := w.ask.Choice
	name := fmt.Sprintf("%s-%d", choice.Method, choice.N)
	if choice.Jitter {
		name += "-jitter"
	}
	if choice.Jitter || choice.Method == background.Random {
		name += fmt.Sprintf("-seed-%d", choice.Seed)
	}
	return name
}
