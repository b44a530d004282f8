package command

import (
	"cmp"
	"errors"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

type backgroundScenesCommand struct {
	Workspace string `arg:"" help:"Workspace folder." study:"-"`
	background.SceneOptions
	Show   int      `help:"Targets whose scenes are printed; those of all are in --out and --json." default:"1" min:"0"`
	Out    string   `help:"Folder for scenes.csv, the table of targets and scenes, or the name of that file." type:"path" placeholder:"FILE.csv" study:"-"`
	Sheet  string   `help:"Folder for a contact sheet per target, the target first, then its composites with their reasons." type:"path" placeholder:"DIR" study:"written"`
	Images string   `name:"composites" aliases:"images" help:"Folder to store the composites in as PNG files; they are stored nowhere without it." type:"path" placeholder:"DIR" study:"written"`
	Beside []string `help:"Further selections, by name or hash, whose distances stand beside those of this one." sep:"none" source:"selections" placeholder:"NAME"`
	Only   []string `help:"Targets that --sheet and --composites are made of, by name (default: all)." placeholder:"TARGET"`
	spreadsheetFlag
}

// Check says what does not go together besides what background.SceneOptions knows.
func (c *backgroundScenesCommand) Check() error {
	if len(c.Only) > 0 && c.Sheet+c.Images == "" {
		return option.Errorf("{only} goes with {sheet} or {composites}")
	}
	return cmp.Or(option.NeedFolder("sheet", c.Sheet), option.NeedFolder("composites", c.Images))
}

func (c *backgroundScenesCommand) Run(s *Session) error {
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
	names := each(w.plan.WithoutKeywords, w.targets.ImageName)
	without := each(names, func(name string) background.ImageKeywords {
		return background.ImageKeywords{Row: background.Row{File: name}}
	})
	scenesSheet, diversity := background.ScenesTable.Sheet(list), chosen.Diversity(chosen.Far())
	diverse := []background.ScenesOf{{Name: w.record.Name, Diversity: diversity}}
	for _, other := range w.beside {
		diverse = append(diverse, background.ScenesOf{
			Name: other.Name, Diversity: other.Selection.Diversity(other.Selection.Far()),
		})
	}
	if err := c.write(c.Out, scenesSheet); err != nil {
		return err
	}
	files, err := w.draw()
	if err != nil {
		return err
	}
	a := answer{
		figures: []result.Drawn{{Name: "distances", Figure: w.distances()}}, shown: []any{},
		Document: w.s.document("background_scenes", &c.SceneOptions,
			background.Selections.Sheet([]background.Named{{
				Name: w.record.Name, Hash: w.record.Hash, Selection: chosen,
			}}),
			scenesSheet, background.LevelTable.Sheet(background.Levels(w.plan.Expansions, c.Levels)),
			background.SpreadTable.Sheet([]background.Spread{diversity.Distance}),
			background.DiversityTable.Sheet(diverse),
			background.ReasonTable.Sheet(diversity.Reasons()), background.WithoutKeywords.Sheet(without)),
	}
	if shown := min(len(list), c.Show*chosen.N()); shown > 0 {
		a.shown, a.lines = append(a.shown, background.ScenesTable.Sheet(list[:shown])), []string{""}
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
	s           *Session
	ws          *store.Workspace
	targets     suite.Manifest
	backgrounds suite.Manifest
	ask         scenes.Ask
	plan        scenes.Plan
	record      store.SelectionRecord
	beside      []store.SelectionRecord
}

// distances is the histogram of the distances of this selection and of those beside it, named by
// the ways of choosing where these differ (Fig. 11 of the background paper).
func (w *scenesWork) distances() result.Figure {
	own := w.record
	own.Selection = w.plan.Selection // a new record has no scenes
	return scenes.SelectionDistances("Distances of "+own.Name, append([]store.SelectionRecord{own}, w.beside...))
}

// find finds the suites, masks and the ontology that the flags name.
func (w *scenesWork) find() error {
	asked := w.command.SceneOptions
	var err error
	if w.targets, err = suiteNamed(w.ws, asked.Targets); err != nil {
		return err
	}
	if w.backgrounds, err = suiteNamed(w.ws, asked.Backgrounds); err != nil {
		return err
	}
	asked.Targets, asked.Backgrounds = w.targets.Hash, w.backgrounds.Hash
	if kept, err := w.ws.MaskSet(asked.Masks); err != nil || kept.Suite != w.targets.Hash {
		masks, err := findMasks(w.s, w.ws, w.targets, asked.Masks, asked.Copy)
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
	for _, name := range w.command.Beside {
		other, err := findSelection(w.ws, name)
		if err != nil {
			return err
		}
		w.beside = append(w.beside, other)
	}
	if w.command.Veto == "" {
		return nil
	}
	names, err := scenes.ReadLines(w.command.Veto)
	if err != nil {
		return err
	}
	if w.ask.Vetoed, err = imagesNamed(w.backgrounds, names); err != nil {
		return fmt.Errorf("%s: %w", w.command.Veto, err)
	}
	slices.Sort(w.ask.Vetoed)
	w.ask.Vetoed = slices.Compact(w.ask.Vetoed)
	return nil
}

// imagesNamed are the numbers of images by their paths in the suite, of which leading folders may
// be missing on either side.
func imagesNamed(m suite.Manifest, names []string) (list []int, err error) {
	for _, name := range names {
		at := 0
		for ; at < m.Images; at++ {
			is := m.ImageName(at)
			if is == name || strings.HasSuffix(is, "/"+name) || strings.HasSuffix(name, "/"+is) {
				break
			}
		}
		if at == m.Images {
			return nil, fmt.Errorf("suite %s has no image %s", m.Name, name)
		}
		list = append(list, at)
	}
	return list, nil
}

// choose makes the selection and keeps it. Scenes that are there already get its name besides their
// own.
func (w *scenesWork) choose() error {
	var err error
	if w.plan, err = scenes.Select(w.s.ctx, w.ws, w.ask, w.s.bar("scenes")); err != nil {
		return err
	}
	name := strings.TrimSpace(w.command.Name)
	w.record, err = w.ws.Selection(w.plan.Selection.Hash())
	there := err == nil
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case there && name != "" && name != w.record.Name:
		w.s.tell("these scenes are there as %s; %s is a further name of them", w.record.Name, name)
	}
	if there && (name == "" || w.record.Called(name)) {
		return nil
	}
	if name, err = w.ask.Name(w.ws, name); err != nil {
		return err
	}
	if there {
		return w.ws.NameSelection(w.record.Hash, name)
	}
	w.record, err = w.ws.AddSelection(name, w.plan.Selection)
	return err
}

// draw writes composites and contact sheets, at the size of the suite's images, where these are
// asked for, and returns the number of pictures.
func (w *scenesWork) draw() (files int, err error) {
	if w.command.Sheet+w.command.Images == "" {
		return 0, nil
	}
	list, err := imagesNamed(w.targets, w.command.Only)
	if err != nil {
		return 0, err
	}
	for i := range w.targets.Images {
		if len(w.command.Only) == 0 {
			list = append(list, i)
		}
	}
	composites, err := scenes.OpenContext(w.s.ctx, w.ws, w.record.Hash)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, composites.Close()) }()
	write := func(path string, fill func(io.Writer) error) error {
		files++
		w.s.wrote = append(w.s.wrote, path)
		return durable.WriteFile(path, fill)
	}
	draw := func(path, format string, f result.Figure) error {
		return write(path+"."+format, func(out io.Writer) error { return render.Draw(out, f, render.Part{}, format) })
	}
	if w.command.Sheet != "" {
		if err := draw(filepath.Join(w.command.Sheet, "distances"), "svg", w.distances()); err != nil {
			return 0, err
		}
	}
	bar := w.s.bar("pictures")
	bar.SetTotal(int64(len(list)))
	for _, i := range list {
		pictures, err := composites.Pictures(w.s.ctx, i)
		if err != nil {
			return 0, err
		}
		for j, picture := range pictures {
			if w.command.Images == "" {
				break
			}
			path := filepath.Join(composites.Below(w.command.Images, i), fmt.Sprintf("%02d.png", j))
			if err := write(path, func(out io.Writer) error { return png.Encode(out, picture.RGBA()) }); err != nil {
				return 0, err
			}
		}
		if w.command.Sheet != "" {
			sheet := composites.Sheet(i, pictures, w.plan.Keywords.Items)
			if err := draw(composites.Below(w.command.Sheet, i), "png", sheet); err != nil {
				return 0, err
			}
		}
		bar.Add(1)
	}
	return files, nil
}
