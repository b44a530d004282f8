package app

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

type backgroundScenesCommand struct {
	Workspace string `arg:"" help:"Workspace folder."`
	background.SceneOptions
	Show   int      `help:"Targets whose scenes are printed; those of all are in --out and --json." default:"1" min:"0"`
	Out    string   `help:"File to write the table of targets and scenes to." type:"path" placeholder:"FILE.csv"`
	Sheet  string   `help:"Folder for a contact sheet per target, the target first, then its composites with their reasons." type:"path" placeholder:"DIR"`
	Images string   `name:"composites" aliases:"images" help:"Folder to store the composites in as PNG files; they are stored nowhere without it." type:"path" placeholder:"DIR"`
	Only   []string `help:"Targets that --sheet and --composites are made of, by name (default: all)." placeholder:"TARGET"`
	spreadsheetFlag
}

// Check says what does not go together besides what background.SceneOptions knows.
func (c *backgroundScenesCommand) Check() error {
	if len(c.Only) > 0 && c.Sheet+c.Images == "" {
		return option.Errorf("{only} goes with {sheet} or {images}")
	}
	return nil
}

func (c *backgroundScenesCommand) Run(s *session) error {
	for _, folder := range []string{c.Sheet, c.Images} {
		if err := needFolder(folder); err != nil {
			return usageError(strings.Replace(err.Error(), "--out takes", "--sheet and --composites take", 1))
		}
	}
	if err := needFile(c.Out); err != nil {
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
	return w.answer()
}

// answer writes and prints what was chosen and why.
func (w *scenesWork) answer() error {
	c, chosen := w.command, w.plan.Selection
	var list []background.ChosenScene
	for i, row := range chosen.Chosen {
		for k, scene := range row {
			one := background.ChosenScene{
				Target: w.targets.ImageName(i), Rank: k + 1, Background: w.backgrounds.ImageName(scene.Background), Scene: scene,
			}
			if scene.Keyword >= 0 {
				one.Word = w.plan.Keywords.Items[scene.Keyword]
			}
			list = append(list, one)
		}
	}
	var without []background.ImageKeywords
	var names []string
	for _, i := range w.plan.Bare {
		names = append(names, w.targets.ImageName(i))
		without = append(without, background.ImageKeywords{Row: background.Row{File: w.targets.ImageName(i)}})
	}
	scenesSheet, diversity := background.ScenesTable.Sheet(list), chosen.Diversity(chosen.Far())
	if c.Out != "" {
		fill := func(out io.Writer) error { return scenesSheet.CSV(out, c.ForSpreadsheets) }
		if err := durable.WriteFile(c.Out, fill); err != nil {
			return err
		}
	}
	files, err := w.draw()
	if err != nil {
		return err
	}
	if w.s.common.JSON {
		return document("background_scenes", &c.SceneOptions,
			background.Selections.Sheet([]background.Named{{Name: w.record.Name, Hash: w.record.Hash, Selection: chosen}}),
			scenesSheet, background.LevelTable.Sheet(background.Levels(w.plan.Expansions, c.Levels)),
			background.SpreadTable.Sheet([]background.Spread{diversity.Distance}),
			background.DiversityTable.Sheet([]background.ScenesOf{{Name: w.record.Name, Diversity: diversity}}),
			background.ReasonTable.Sheet(diversity.Reasons()), background.BareTable.Sheet(without)).JSON(w.s.stdout)
	}
	var lines []string
	if shown := min(len(list), c.Show*chosen.N()); shown > 0 {
		if err := background.ScenesTable.Sheet(list[:shown]).Text(w.s.stdout); err != nil {
			return err
		}
		lines = append(lines, "")
	}
	lines = append(lines,
		fmt.Sprintf("selection %s: %s for each of %s, %s of %s", w.record.Name, result.Counted(chosen.N(), "scene"),
			result.Counted(len(chosen.Chosen), "target"), result.Counted(diversity.Different,
				"different background"), result.Whole(w.backgrounds.Images)),
		"distances: "+diversity.Distance.String(), "hash "+w.record.Hash)
	if len(names) > 0 {
		lines = append(lines, fmt.Sprintf("%s without any keyword, with the nearest scenes instead: %s",
			result.Counted(len(names), "target"), result.Some(names)))
	}
	if files > 0 {
		lines = append(lines, result.Counted(files, "picture"))
	}
	printLines(w.s.stdout, lines)
	return nil
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
		Targets: w.targets.Hash, Backgrounds: w.backgrounds.Hash, Masks: masks.Hash, Expansion: c.Expansion(), Choice: c.Choice(),
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
	record := store.OntologyRecord{Table: table.Hash, Rule: c.Of(classes)}
	record.MinSupport, record.MinConfidence = c.Thresholds(0, 0)
	return record, nil
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
	return store.OntologyRecord{}, fmt.Errorf("ontology %s is not in %s; it has %s", name, ws.Path(),
		strings.Join(names, ", "))
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
