package app

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
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

// measure measures, writes and prints; in is the model file, nil for a workspace.
func (c *eiCommand) measure(s *session, from lookup.Signals, ask study.Ask, in *modelFile) error {
	var found invariance.Found
	err := withBar(s, "invariance", func(p engine.Progress) (err error) {
		found.Measured, found.Left, err = study.Measure(s.ctx, from, ask, p)
		return err
	})
	if err != nil {
		return err
	}
	if len(found.Measured) == 0 {
		return fmt.Errorf("no model of %s can be measured: %s", c.Source, strings.Join(found.LeftOut(), "; "))
	}
	if asked, studies := c.Asked(); studies {
		if found.Studies, err = asked.Studies(s.ctx, found.Measured, nil); err != nil {
			return err
		}
		if err := found.Fruitless(); err != nil {
			return err
		}
	}
	doc := in.told(s.document("ei", &c.Options, found.Sheets()...))
	done, err := s.answer(doc, "ei", c.Out, c.ForSpreadsheets)
	if err == nil && c.Out != "" {
		err = c.write(s, from, found, len(doc.Sheets))
	}
	if err != nil || done {
		return err
	}
	return printInvariance(s.stdout, found, c.Each)
}

// printInvariance writes the studies where there are some, else every transformation or the means,
// and below what is to know about them and what was left out.
func printInvariance(w io.Writer, found invariance.Found, each bool) error {
	sheet, notes := invariance.Results.Sheet(found.Measured), found.Remarks()
	switch {
	case found.Studies != nil:
		sheet = invariance.Studies.Sheet(found.Studies)
	case each:
		sheet, notes = invariance.Transformations.Sheet(invariance.Steps(found.Measured, false)), nil
	}
	if err := sheet.Text(w); err != nil {
		return err
	}
	printLines(w, notes)
	if lines := invariance.PredictedOf(found.Studies); lines != nil {
		printLines(w, append([]string{""}, found.Fits()...))
		lines = slices.DeleteFunc(lines, func(p invariance.Predicted) bool { return p.Role != invariance.Unlabelled })
		if len(lines) == 0 {
			fmt.Fprintln(w, "there is no suite without labels to predict")
		} else if err := invariance.Predictions.Sheet(lines).Text(w); err != nil {
			return err
		}
	}
	printLines(w, found.LeftOut())
	return nil
}

// write writes single images, and every study that has points to draw, as svg and png: study.svg
// where it is the only one, else study_OF_FAMILY.svg. tables are those that are there already.
func (c *eiCommand) write(s *session, from lookup.Signals, found invariance.Found, tables int) error {
	if c.PerImage {
		tables++
		err := withBar(s, "images", func(p engine.Progress) error {
			return durable.WriteFile(filepath.Join(c.Out, invariance.Images.Name+".csv"), func(w io.Writer) error {
				return study.WriteImages(s.ctx, from, found.Measured, w, c.ForSpreadsheets, p)
			})
		})
		if err != nil {
			return err
		}
	}
	taken, figures := map[string]bool{}, 0
	for _, one := range found.Studies {
		figure, name := one.Figure(), "study"
		if !figure.Drawable() {
			continue
		}
		if len(found.Studies) > 1 {
			family, _, _ := strings.Cut(one.Rows[0].Family, ":")
			name = durable.Unused(taken, durable.FileName("study_"+one.Name()+"_"+family))
		}
		written, err := writeFigure(c.Out, name, figure)
		if figures += written; err != nil {
			return err
		}
	}
	s.say("%d rows, %d tables and %d figures in %s", len(found.Measured), tables, figures, c.Out)
	return nil
}
