package app

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/study"
)

type eiCommand struct {
	Source string `arg:"" help:"Workspace, or a model (.onnx, with --suite PATH)."`
	invariance.Options
	fileOptions
	Out string `help:"Folder for tables and figures." type:"path"`
	spreadsheetFlag
}

func (c *eiCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if strings.EqualFold(suffixOf(c.Source), ".onnx") {
		return c.ofModel(s)
	}
	if err := c.onlyFile(); err != nil {
		return err
	}
	ws, err := s.read(c.Source)
	if err != nil {
		return err
	}
	ask, err := c.ask(ws)
	if err != nil {
		return err
	}
	return c.measure(s, ws, ask, nil)
}

// Check says what does not go together besides what invariance.Options knows.
func (c *eiCommand) Check() error {
	if c.PerImage && c.Out == "" {
		return option.Errorf("{per-image} writes a table; say where with {out}")
	}
	return nil
}

// ask is what the flags name of a workspace.
func (c *eiCommand) ask(ws *store.Workspace) (study.Ask, error) {
	var ask study.Ask
	var err error
	if ask.Models, err = hashes(ws, c.Models); err != nil {
		return ask, err
	}
	for _, name := range c.Suite {
		manifest, err := findSuite(ws, name)
		if err != nil {
			return ask, err
		}
		ask.Suites = append(ask.Suites, manifest.Hash)
	}
	models, err := ws.Models()
	if err != nil {
		return ask, err
	}
	if len(models) == 0 {
		return ask, fmt.Errorf("%s has no models; import some: variscope import %s PATH", ws.Path(), ws.Path())
	}
	if c.Column != "" {
		if err := model.CheckRecord(models, c.Column); err != nil {
			return ask, err
		}
	}
	if asked, _ := c.Asked(); asked.Over == invariance.OverSuites && len(c.Models) == 0 && len(models) > 1 {
		return ask, usageError("a study over suites is of one model; name it with --models (or several, for one study each)")
	}
	ask.Families, err = c.families(ws)
	return ask, err
}

// families are those that are named, or the usual sets that have signals.
func (c *eiCommand) families(ws *store.Workspace) ([]string, error) {
	if len(c.Family) > 0 {
		return canonical(c.Family)
	}
	_, there, err := study.Available(ws)
	if err != nil {
		return nil, err
	}
	texts := slices.DeleteFunc(study.Usual(), func(name string) bool { return !slices.Contains(there, name) })
	switch {
	case len(texts) > 0:
		return texts, nil
	case len(there) > 0:
		return nil, fmt.Errorf("no model of %s has signals under %s; name a family that has some with --family: %s",
			ws.Path(), strings.Join(study.Usual(), " or "), strings.Join(there, ", "))
	}
	return nil, fmt.Errorf("no model of %s has signals; compute them first: variscope run %[1]s --family %[2]s",
		ws.Path(), transform.Rot90)
}

// canonical parses families and sets.
func canonical(texts []string) ([]string, error) {
	var list []string
	for _, text := range texts {
		f, err := transform.ParseAny(text)
		if err != nil {
			return nil, err
		}
		if err := invariance.Unsuited(f); err != nil {
			return nil, err
		}
		if !slices.Contains(list, f.String()) {
			list = append(list, f.String())
		}
	}
	return list, nil
}

// ofModel runs a model that is in no workspace.
func (c *eiCommand) ofModel(s *session) error {
	_, studies := c.Asked()
	switch {
	case len(c.Suite) != 1:
		return usageError("a model needs one --suite PATH")
	case studies:
		return usageError("a study needs several models or suites; import them into a workspace")
	case len(c.Models) > 0:
		return usageError("--models goes with a workspace")
	}
	families, err := canonical(c.Family)
	if err != nil {
		return err
	}
	if families == nil {
		families = study.Usual()
	}
	in, err := s.readModel(c.Source, c.Suite[0], c.fileOptions, signal.Want{Softmax: true})
	if err != nil {
		return err
	}
	in.say(s)
	for _, text := range families {
		family, err := transform.ParseAny(text)
		if err != nil {
			return err
		}
		if in.unfit(family) != nil {
			continue // it is listed as left out
		}
		if err := in.run(s, family, nil); err != nil {
			return err
		}
	}
	return c.measure(s, in.Store, study.Ask{Suites: []string{in.suite.Hash}, Families: families}, in)
}

// eiAnswer is what ei found.
type eiAnswer struct {
	measured []invariance.Measured
	left     []invariance.LeftOut
	studies  []*invariance.Studied
}

// measure measures, writes and prints; in is the model file, nil for a workspace.
func (c *eiCommand) measure(s *session, from lookup.Signals, ask study.Ask, in *modelFile) error {
	bar := newBar(s.stderr, "invariance")
	var a eiAnswer
	var err error
	a.measured, a.left, err = study.Measure(s.ctx, from, ask, bar)
	bar.done()
	if err != nil {
		return err
	}
	if len(a.measured) == 0 {
		return fmt.Errorf("no model of %s can be measured: %s", c.Source, strings.Join(a.leftOut(), "; "))
	}
	if asked, studies := c.Asked(); studies {
		if a.studies, err = asked.Studies(s.ctx, a.measured, nil); err != nil {
			return err
		}
		if err := fruitless(a.studies); err != nil {
			return err
		}
	}
	doc := in.told(s.document("ei", &c.Options, a.sheets()...))
	done, err := s.answer(doc, "ei", c.Out, c.ForSpreadsheets)
	if err == nil && c.Out != "" {
		err = c.write(s, from, a, len(doc.Sheets))
	}
	if err != nil || done {
		return err
	}
	return a.print(s.stdout, c.Each)
}

// fruitless is an error where no study has a line.
func fruitless(studies []*invariance.Studied) error {
	var reasons []string
	for _, one := range studies {
		if one.Why.None() {
			return nil
		}
		reasons = append(reasons, fmt.Sprintf("%s, %s: %s", one.Name(), one.Rows[0].FamilyName, one.Why))
	}
	return errors.New("no study over " + studies[0].Over + ": " + strings.Join(reasons, "; "))
}

// sheets are all tables but that of single images.
func (a eiAnswer) sheets() []*result.Sheet {
	list := []*result.Sheet{
		invariance.Results.Sheet(a.measured), invariance.Transformations.Sheet(invariance.Steps(a.measured, false)),
		invariance.LeftOuts.Sheet(a.left),
	}
	if a.studies != nil {
		list = append(list,
			invariance.Studies.Sheet(a.studies), invariance.StudyPoints.Sheet(invariance.PointsOf(a.studies)),
			invariance.StudyLines.Sheet(invariance.LinesOf(a.studies)),
			invariance.Correlated.Sheet(invariance.TestsOf(a.studies)))
	}
	if lines := invariance.PredictedOf(a.studies); lines != nil {
		list = append(list, invariance.Predictions.Sheet(lines))
	}
	return list
}

// print writes the studies where there are some, else every transformation or the means, and below
// what is to know about them and what was left out.
func (a eiAnswer) print(w io.Writer, each bool) error {
	sheet, notes := invariance.Results.Sheet(a.measured), a.notes()
	switch {
	case a.studies != nil:
		sheet, notes = invariance.Studies.Sheet(a.studies), nil
		for _, one := range a.studies {
			if note := one.AboveChance(); note != "" {
				notes = append(notes, fmt.Sprintf("%s, %s: %s", one.Name(), one.Rows[0].FamilyName, note))
			}
		}
	case each:
		sheet, notes = invariance.Transformations.Sheet(invariance.Steps(a.measured, false)), nil
	}
	if err := sheet.Text(w); err != nil {
		return err
	}
	printLines(w, notes)
	if lines := invariance.PredictedOf(a.studies); lines != nil {
		fmt.Fprintln(w)
		for _, one := range a.studies {
			if one.Why.None() {
				printLines(w, []string{fmt.Sprintf("%s, %s: %s", one.Name(), one.Rows[0].FamilyName, one.Facts()[1])})
			}
		}
		lines = slices.DeleteFunc(lines, func(p invariance.Predicted) bool { return p.Role != invariance.Unlabelled })
		if len(lines) == 0 {
			fmt.Fprintln(w, "there is no suite without labels to predict")
		} else if err := invariance.Predictions.Sheet(lines).Text(w); err != nil {
			return err
		}
	}
	printLines(w, a.leftOut())
	return nil
}

// notes are what to know about means, once for each model.
func (a eiAnswer) notes() []string {
	var list []string
	add := func(line string) {
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	for _, m := range a.measured {
		if !m.Missing.None() {
			add(fmt.Sprintf("%s: no js, l2, kl: %s", m.Model.ID, m.Missing))
		}
	}
	for _, m := range a.measured {
		if level := m.Chance.Level(); level.Flagged() {
			add(m.Model.ID + ": " + level.Sentence())
		}
	}
	return list
}

// leftOut is a line per suite, family and reason.
func (a eiAnswer) leftOut() []string {
	var list []string
	for _, l := range invariance.Lacking(a.left) {
		list = append(list, l.String())
	}
	return list
}

// write writes single images and figures, beside so many tables, into the folder that --out names.
func (c *eiCommand) write(s *session, from lookup.Signals, a eiAnswer, tables int) error {
	if c.PerImage {
		tables++
		fill := func(w io.Writer) error { return c.writeImages(s, from, a.measured, w) }
		if err := durable.WriteFile(filepath.Join(c.Out, invariance.Images.Name+".csv"), fill); err != nil {
			return err
		}
	}
	figures, err := writeStudies(c.Out, a.studies)
	if err == nil {
		s.say("%d rows, %d tables and %d figures in %s", len(a.measured), tables, figures, c.Out)
	}
	return err
}

// writeImages streams the values of all images from the signals.
func (c *eiCommand) writeImages(s *session, from lookup.Signals, measured []invariance.Measured, w io.Writer) error {
	bar := newBar(s.stderr, "images")
	defer bar.done()
	bar.SetTotal(int64(len(measured)))
	out := invariance.Images.Stream(w, c.ForSpreadsheets)
	for k := range measured {
		m := &measured[k]
		err := study.PerImage(s.ctx, from, m.Key, func(image, transformation int, v invariance.Values) {
			out.Write(invariance.ImageValue{Of: m, Image: image, Transformation: transformation, Values: v})
		})
		if err != nil {
			return fmt.Errorf("model %s on %s: %w", m.Model.ID, m.SuiteName, err)
		}
		bar.Add(1)
	}
	return out.Close()
}

// writeStudies draws every study that has points to draw, as svg and png: study.svg where it is
// the only one, else study_OF_FAMILY.svg. It returns the number of files.
func writeStudies(folder string, studies []*invariance.Studied) (files int, err error) {
	taken := map[string]bool{}
	for _, one := range studies {
		figure, name := one.Figure(), "study"
		if !figure.Drawable() {
			continue
		}
		if len(studies) > 1 {
			family, _, _ := strings.Cut(one.Rows[0].Family, ":")
			name = durable.Unused(taken, durable.FileName("study_"+one.Name()+"_"+family))
		}
		written, err := writeFigure(folder, name, figure)
		if files += written; err != nil {
			return files, err
		}
	}
	return files, nil
}
