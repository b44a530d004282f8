package command

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/memory"
)

type eiCommand struct {
	Source string `arg:"" study:"path" help:"Workspace, or a model (.onnx, with --suite PATH)."`
	invariance.Options
	File   memory.Options `embed:""`
	output `set:"out=Folder for tables and figures."`
}

func (c *eiCommand) Run(s *Session) error {
	if suffixOf(c.Source) == ".onnx" {
		return c.ofModel(s)
	}
	if err := onlyFile(c.File); err != nil {
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
func (c *eiCommand) ask(ws *store.Workspace) (evaluate.Ask, error) {
	models, err := modelsOf(ws, nil)
	if err != nil {
		return evaluate.Ask{}, err
	}
	if c.Column != "" {
		if err := model.CheckRecord(models, c.Column); err != nil {
			return evaluate.Ask{}, err
		}
	}
	if asked, _ := c.Asked(); asked.Over == invariance.OverSuites && len(c.Models) == 0 && len(models) > 1 {
		return evaluate.Ask{},
			usageError("a study over suites is of one model; name it with --models (or several, for one study each)")
	}
	return askStudy(ws, c.Models, c.Suite, c.Family, invariance.Unsuited)
}

// askStudy is what flags name of a workspace for a study: without families the usual sets that have
// signals, and without models and suites all. unsuited says of a family that is named why it does
// not suit.
func askStudy(
	ws *store.Workspace, models, suites, families []string, unsuited func(transform.Family) error,
) (ask evaluate.Ask, err error) {
	if ask.Models, err = hashes(ws, models); err != nil {
		return ask, err
	}
	for _, name := range suites {
		manifest, err := findSuite(ws, name)
		if err != nil {
			return ask, err
		}
		ask.Suites = append(ask.Suites, manifest.Hash)
	}
	if len(families) > 0 {
		ask.Families, err = canonical(families, unsuited)
		return ask, err
	}
	_, there, err := evaluate.Available(ws)
	if err != nil {
		return ask, err
	}
	ask.Families = slices.DeleteFunc(evaluate.Usual(), func(name string) bool { return !slices.Contains(there, name) })
	switch {
	case len(ask.Families) > 0:
		return ask, nil
	case len(there) > 0:
		return ask, fmt.Errorf("no model of %s has signals under %s; name a family that has some with --family: %s",
			ws.Path(), strings.Join(evaluate.Usual(), " or "), strings.Join(there, ", "))
	}
	return ask, fmt.Errorf("no model of %s has signals; compute them first: variscope run %[1]s --family %[2]s",
		ws.Path(), transform.Rot90)
}

// canonical parses families and sets.
func canonical(texts []string, unsuited func(transform.Family) error) ([]string, error) {
	var list []string
	for _, text := range texts {
		f, err := transform.ParseAny(text)
		if err != nil {
			return nil, err
		}
		if err := unsuited(f); err != nil {
			return nil, err
		}
		if !slices.Contains(list, f.String()) {
			list = append(list, f.String())
		}
	}
	return list, nil
}

// ofModel runs a model that is in no workspace.
func (c *eiCommand) ofModel(s *Session) error {
	_, studied := c.Asked()
	switch {
	case len(c.Suite) != 1:
		return usageError("a model needs one --suite PATH")
	case studied:
		return usageError("a study needs several models or suites; import them into a workspace")
	case len(c.Models) > 0:
		return usageError("--models goes with a workspace")
	}
	families, err := canonical(c.Family, invariance.Unsuited)
	if err != nil {
		return err
	}
	if families == nil {
		families = evaluate.Usual()
	}
	in, err := s.readModel(c.Source, c.Suite[0], c.File, signal.Want{Softmax: true})
	if err != nil {
		return err
	}
	s.sayFile(in)
	return c.measure(s, in.Store, evaluate.Ask{Suites: []string{in.Images.Hash}, Families: families}, in)
}

// measure measures, writes and prints; in is the model file, nil for a workspace. A model file
// runs under one family after the other, and the signals of each are dropped once they are read.
func (c *eiCommand) measure(s *Session, from lookup.Signals, ask evaluate.Ask, in *memory.File) error {
	var found invariance.Found
	parts := [][]string{ask.Families}
	if in != nil {
		parts = slices.Collect(slices.Chunk(ask.Families, 1))
	}
	measure := func(images *evaluate.ImageWriter) error {
		for _, ask.Families = range parts {
			if in != nil {
				if err := c.run(s, in, ask.Families[0]); err != nil {
					return err
				}
			}
			measured, left, err := evaluate.Measure(s.ctx, from, ask, s.bar("invariance"))
			if err == nil && images != nil {
				err = images.Write(s.ctx, from, measured, s.bar("images"))
			}
			if err != nil {
				return err
			}
			found.Measured, found.Left = append(found.Measured, measured...), append(found.Left, left...)
			if in != nil {
				in.Forget(ask.Families[0])
			}
		}
		if len(found.Measured) == 0 {
			return fmt.Errorf("no model of %s can be measured: %s", c.Source, strings.Join(found.LeftOut(), "; "))
		}
		return nil
	}
	var err error
	if c.PerImage {
		err = durable.WriteFile(filepath.Join(c.Out, invariance.Images.Name+".csv"), func(w io.Writer) error {
			images := evaluate.NewImageWriter(w, c.ForSpreadsheets)
			return cmp.Or(measure(images), images.Close())
		})
	} else {
		err = measure(nil)
	}
	if err != nil {
		return err
	}
	if asked, studied := c.Asked(); studied {
		if found.Studies, err = asked.Studies(s.ctx, found.Measured, nil); err == nil {
			err = found.Fruitless()
		}
		if err != nil {
			return err
		}
	}
	a := answer{Document: withFile(in, s.document("ei", &c.Options, found.Sheets()...)), out: c.output}
	a.formats = []string{"svg", "png"}
	for _, one := range found.Studies {
		name := "study"
		if len(found.Studies) > 1 {
			family, _, _ := strings.Cut(one.Rows[0].Family, ":")
			if name += "_" + one.Name() + "_" + family; len(one.Scores) > 1 {
				name += "_" + string(one.Score)
			}
		}
		a.draw(name, one.Figure())
	}
	if c.Out != "" {
		tables := len(a.Sheets)
		if c.PerImage {
			tables++
		}
		a.shown = append(a.shown, []string{fmt.Sprintf("%d rows, %d tables and %d figures in %s",
			len(found.Measured), tables, len(a.figures)*len(a.formats), c.Out)})
	}
	switch notes := found.Remarks(); {
	case found.Studies != nil:
		a.shown = append(a.shown, invariance.Studies.Sheet(invariance.WithGroups(found.Studies)), notes)
	case c.Each:
		a.show(invariance.Transformations.Sheet(invariance.Steps(found.Measured, false)))
	default:
		a.shown = append(a.shown, invariance.Results.Sheet(found.Measured), notes)
	}
	if lines := invariance.PredictedOf(found.Studies); lines != nil {
		a.shown = append(a.shown, below(found.Fits()))
		lines = slices.DeleteFunc(lines, func(p invariance.Predicted) bool { return p.Role != invariance.Unlabelled })
		if len(lines) == 0 {
			a.shown = append(a.shown, []string{"there is no suite without labels to predict"})
		} else {
			a.shown = append(a.shown, invariance.Predictions.Sheet(lines))
		}
	}
	a.lines = found.LeftOut()
	return s.give(a)
}

// run runs a model file under a family, unless the suite's images cannot be put under it, which is
// found out when it is measured.
func (c *eiCommand) run(s *Session, in *memory.File, text string) error {
	family, err := transform.ParseAny(text)
	if err != nil {
		return err
	}
	size := diagnosis.Input(in.Subject, in.Images)
	if size.Channels*size.Height*size.Width > 0 && family.Fits(size.Channels, size.Height, size.Width) != nil {
		return nil
	}
	return s.runFile(in, family, nil)
}
