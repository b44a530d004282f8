package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

type backgroundScenesCommand struct {
	Workspace string `arg:"" help:"Workspace folder."`
	background.SceneOptions
	Show   int      `help:"Targets whose scenes are printed; those of all are in --out and --json." default:"1" min:"0"`
	Out    string   `help:"Folder for scenes.csv, the table of targets and scenes, or the name of that file." type:"path" placeholder:"FILE.csv"`
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
	c.Out = fileIn(c.Out, "scenes.csv")
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
	list := scenes.ChosenScenes(chosen, w.targets, w.backgrounds, w.plan.Keywords.Items, nil)
	var without []background.ImageKeywords
	var names []string
	for _, i := range w.plan.Bare {
		names = append(names, w.targets.ImageName(i))
		without = append(without, background.ImageKeywords{Row: background.Row{File: w.targets.ImageName(i)}})
	}
	scenesSheet, diversity := background.ScenesTable.Sheet(list), chosen.Diversity(chosen.Far())
	if err := c.write(c.Out, scenesSheet); err != nil {
		return err
	}
	files, err := w.draw()
	if err != nil {
		return err
	}
	a := answer{tables: []*result.Sheet{}, Document: w.s.document("background_scenes", &c.SceneOptions,
		background.Selections.Sheet([]background.Named{{Name: w.record.Name, Hash: w.record.Hash, Selection: chosen}}),
		scenesSheet, background.LevelTable.Sheet(background.Levels(w.plan.Expansions, c.Levels)),
		background.SpreadTable.Sheet([]background.Spread{diversity.Distance}),
		background.DiversityTable.Sheet([]background.ScenesOf{{Name: w.record.Name, Diversity: diversity}}),
		background.ReasonTable.Sheet(diversity.Reasons()), background.BareTable.Sheet(without))}
	if shown := min(len(list), c.Show*chosen.N()); shown > 0 {
		a.tables, a.lines = append(a.tables, background.ScenesTable.Sheet(list[:shown])), []string{""}
	}
	a.lines = append(a.lines,
		fmt.Sprintf("selection %s: %s for each of %s, %s of %s", w.record.Name, result.Counted(chosen.N(), "scene"),
			result.Counted(len(chosen.Chosen), "target"), result.Counted(diversity.Different,
				"different background"), result.Whole(w.backgrounds.Images)),
		"distances: "+diversity.Distance.String(), "hash "+w.record.Hash)
	if len(names) > 0 {
		a.lines = append(a.lines, fmt.Sprintf("%s without any keyword, with the nearest scenes instead: %s",
			result.Counted(len(names), "target"), result.Some(names)))
	}
	if files > 0 {
		a.lines = append(a.lines, result.Counted(files, "picture"))
	}
	return w.s.give(a)
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
	asked := w.command.SceneOptions
	var err error
	if w.targets, err = wholeSuite(w.ws, asked.Targets); err != nil {
		return err
	}
	if w.backgrounds, err = wholeSuite(w.ws, asked.Backgrounds); err != nil {
		return err
	}
	asked.Targets, asked.Backgrounds = w.targets.Hash, w.backgrounds.Hash
	if kept, err := w.ws.MaskSet(asked.Masks); err != nil || kept.Suite != w.targets.Hash {
		masks, err := masksOf(w.s, w.ws, w.targets, asked.Masks, asked.Copy)
		if err != nil {
			return err
		}
		asked.Masks = masks.Hash
	}
	if asked.Ontology == "" {
		table, err := findTable(w.ws, asked.Table)
		if err != nil {
			return err
		}
		asked.Table = table.Hash
	}
	if w.ask, err = scenes.AskOf(w.ws, asked); err != nil {
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
	if w.record, err = w.ws.Selection(w.plan.Selection.Hash()); !errors.Is(err, store.ErrNotFound) {
		return err // it is there already
	}
	name, err := w.ask.Name(w.ws, w.command.Name)
	if err != nil {
		return err
	}
	w.record, err = w.ws.AddSelection(name, w.plan.Selection)
	return err
}
