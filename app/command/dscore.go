package command

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/memory"
)

type dscoreCommand struct {
	Source string `arg:"" study:"path" help:"Workspace, a model (.onnx, with --suite PATH), or a table of accuracies (.csv, a row per region, such as regions.csv of --out)."`
	dscore.Options
	augmented.Files
	workersFlag
	File     memory.Options `embed:""`
	output   `set:"out=Folder for dscore.json, tables, recipes and pictures."`
	Pictures bool `help:"Draw pictures of the distributions into --out." default:"true" negatable:""`
}

func (c *dscoreCommand) Run(s *Session) error {
	c.N, c.T = dscore.Ascending(c.N), dscore.Ascending(c.T)
	switch suffixOf(c.Source) {
	case ".onnx":
		return c.ofModel(s)
	case ".csv":
		return c.ofTable(s)
	}
	only := c.File
	only.ClassMap = "" // goes with a workspace, too: dscore runs what is missing
	if err := onlyFile(only); err != nil {
		return err
	}
	ws, err := s.read(c.Source)
	if err != nil {
		return err
	}
	w := &dscoreWork{dscoreCommand: c, s: s, ws: ws, work: diagnosis.Work{From: ws}}
	for _, name := range orOne(c.Suite) {
		manifest, err := suiteNamed(ws, name)
		if err != nil {
			return err
		}
		if err := w.addSuite(manifest); err != nil {
			return err
		}
	}
	if w.work.Models, err = modelsOf(ws, c.Models); err != nil {
		return err
	}
	return w.do()
}

// Check says what does not go together besides what dscore.Options knows.
func (c *dscoreCommand) Check() error {
	switch {
	case (c.Augment == "") != (c.Train == ""):
		return option.Errorf("{augment} DIR and {train} SUITE go together: where to write, and what to augment")
	case c.Augment == "" &&
		(len(c.P) > 0 || slices.ContainsFunc(c.Methods,
			func(m augmented.Method) bool { return m != augmented.Guided })):
		return option.Errorf("{augmentation} and {p} say how {augment} DIR augments")
	case len(c.P) > 0 && !slices.Contains(c.Methods, augmented.Guided):
		return option.Errorf("{p} goes with {augmentation} guided; the others have no p")
	case c.Augment != "" && len(c.N)*len(c.T) > 1:
		return option.Errorf("{augment} follows one score; give one {n} and one {t}")
	}
	return option.NeedFolder("augment", c.Augment)
}

// ofTable scores accuracies that were measured before, here or elsewhere.
func (c *dscoreCommand) ofTable(s *Session) error {
	given := slices.Concat(option.Args(&c.Options), option.Args(&c.Files), option.Args(&c.File))
	if len(given) > 0 {
		return usageError("a table of accuracies goes with --out alone; leave out " + strings.Join(given, " "))
	}
	in, err := outside.Open(c.Source, outside.Table)
	if err != nil {
		return err
	}
	scores, err := dscore.ReadAccuracies(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", c.Source, err)
	}
	found := dscore.Found{Scores: scores}
	a := answer{
		Document: s.document("dscore", nil, dscore.Scores.Sheet(scores),
			dscore.Regions.Sheet(dscore.RegionsOf(scores))),
		out: c.output, lines: found.Remarks(),
	}
	a.show(found.Shown()...)
	return s.give(a)
}

// ofModel measures a model that is in no workspace.
func (c *dscoreCommand) ofModel(s *Session) error {
	switch {
	case len(c.Suite) != 1:
		return usageError("a model needs one --suite PATH")
	case len(c.Models) > 0:
		return usageError("--models goes with a workspace")
	}
	if Absent(c.Source) {
		return fmt.Errorf("model %s: there is no such file", c.Source)
	}
	in, err := s.readModel(c.Source, c.Suite[0], c.File, signal.Want{})
	if err != nil {
		return err
	}
	s.sayFile(in)
	work := diagnosis.Work{From: in.Store, Models: []model.Model{in.Subject}}
	w := &dscoreWork{dscoreCommand: c, s: s, file: in, work: work}
	if err := w.addSuite(in.Images); err != nil {
		return err
	}
	return w.do()
}

// dscoreWork is one call of the command on a workspace or a model file.
type dscoreWork struct {
	*dscoreCommand
	s       *Session
	ws      *store.Workspace // nil for a model file
	file    *memory.File     // nil for a workspace
	work    diagnosis.Work
	classes map[string]string // of --class-map
}

// addSuite takes a suite whose images have labels, each suite once.
func (w *dscoreWork) addSuite(m suite.Manifest) error {
	if !m.Labelled() {
		return fmt.Errorf("suite %s has no labels, and a D-Score is made of accuracies", m.Name)
	}
	if !slices.ContainsFunc(w.work.Suites, func(other suite.Manifest) bool { return other.Hash == m.Hash }) {
		w.work.Suites = append(w.work.Suites, m)
	}
	return nil
}

// do runs what is missing, computes the scores and says what came out.
func (w *dscoreWork) do() (err error) {
	if w.Augment != "" && len(w.work.Models)*len(w.work.Suites) > 1 {
		return usageError("--augment follows the score of one model on one suite; name them with --models and --suite")
	}
	if w.classes, err = job.ReadClassMap(w.File.ClassMap); err != nil {
		return err
	}
	w.work.Options, w.work.Workers, w.work.Open, w.work.Run = w.Options, w.Workers, w.open, w.run
	if err := w.work.Prepare(); err != nil {
		return err
	}
	found := dscore.Found{Options: w.Options}
	if found.Scores, found.Left, err = w.work.Scores(w.s.ctx, w.s.bar("D-Score")); err != nil {
		return err
	}
	if err := found.Fruitless(w.Source, len(w.work.Models)); err != nil {
		return err
	}
	if w.PerLayer {
		if found.Layers, err = w.work.Layers(w.s.ctx, found.Scores, w.s.bar("layers")); err != nil {
			return err
		}
	}
	if w.Compare {
		if found.Pairs, err = w.work.Compare(w.s.ctx, w.s.bar("differences")); err != nil {
			return err
		}
	}
	if w.Over != "" {
		if found.Over, err = dscore.OverOf(found.Scores, w.Over); err != nil {
			return fmt.Errorf("--over: %w", err)
		}
	}
	if w.Augment != "" {
		if found.Augmented, err = w.augment(found.Scores[0]); err != nil {
			return err
		}
	}
	a := answer{
		Document: withFile(w.file, w.s.document("dscore", &w.Options, found.Sheets()...)), out: w.output,
		lines: found.Remarks(), formats: []string{"svg", "png"},
	}
	a.show(found.Shown()...)
	stems := w.stems(found.Scores)
	for k, d := range found.Scores {
		fill := func(out io.Writer) error { return augmented.WriteRecipe(out, w.recipeOf(d)) }
		if w.Out == "" {
			break
		}
		if err := durable.WriteFile(filepath.Join(w.Out, "recipe"+stems[k]+".json"), fill); err != nil {
			return err
		}
	}
	if !w.s.wants(w.output) {
		return w.s.give(a)
	}
	for k, f := range dscore.OverFigures(found.Over, w.Over) {
		name := "over" + map[bool]string{true: fmt.Sprint("_", k+1)}[k > 0]
		a.figures = append(a.figures, result.Drawn{Name: name, Figure: f})
	}
	if w.Pictures {
		maps, err := w.maps(found.Scores, stems)
		if err != nil {
			return err
		}
		a.figures = append(a.figures, maps...)
	}
	return w.s.give(a)
}

// open reads a model's file, where it is here.
func (w *dscoreWork) open(m model.Model) (diagnosis.MapsOf, error) {
	var data []byte
	var err error
	switch {
	case w.ws == nil:
		data, err = readWhole(w.Source)
	case w.ws.HasFile(m.Hash):
		data, err = os.ReadFile(w.ws.ModelPath(m.Hash)) // in one piece
	default:
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.ID, err)
	}
	return func(input model.Input, masks transform.Masks) ([]model.FeatureMap, []int, error) {
		return onnx.Maps("model "+m.ID, data, input, masks)
	}, nil
}

// readWhole reads a model's file with the data that lie beside it.
func readWhole(path string) ([]byte, error) {
	_, open, err := onnx.Read(path)
	if err != nil {
		return nil, err
	}
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // read only: nothing is lost
	return io.ReadAll(in)
}

// run computes the signals of models under a set that are missing. A model that fails is left out
// with the reason.
func (w *dscoreWork) run(suite, set string, models []model.Model) (failed map[string]string, err error) {
	req := job.Request{Suite: suite, Family: set, ClassMap: w.classes}
	failed = map[string]string{}
	for _, m := range models {
		_, there, err := w.work.From.BestSet(m, suite, set)
		if err == nil && there && w.classes == nil {
			// What is wrong with a model's settings is said by the run, and another table of
			// classes is set by it.
			continue
		}
		req.Models = append(req.Models, m.Hash)
	}
	all := func(why string) (map[string]string, error) {
		for _, hash := range req.Models {
			failed[hash] = why
		}
		return failed, nil
	}
	if len(req.Models) == 0 {
		return nil, nil
	}
	var report job.Ended
	limits := engine.Limits{Workers: w.Workers}
	if w.file != nil {
		report, err = w.s.computeFile(w.file, req, limits)
	} else if no := w.ws.MayChange(); no != nil {
		return all("its signals are missing, and cannot be computed now: " + no.Error())
	} else {
		report, err = runAndWait(w.s, w.ws, req, limits)
	}
	switch {
	case w.s.ctx.Err() != nil:
		return nil, errors.Join(err, w.s.ctx.Err())
	case errors.Is(err, job.ErrNothingToRun) && len(w.work.Models) > 1:
		return all(err.Error())
	case err != nil:
		return nil, err
	}
	for _, m := range report.Models {
		if m.Reason != "" {
			failed[m.Hash] = m.Reason
		}
	}
	return failed, nil
}

// stems tell the names of several scores apart: "_s11_n3_t5", with the suite's name where there are
// several suites.
func (w *dscoreWork) stems(found []dscore.Diagnosis) []string {
	taken := map[string]bool{}
	return each(found, func(d dscore.Diagnosis) string {
		if len(found) == 1 {
			return ""
		}
		name := d.Model.ID
		if len(w.work.Suites) > 1 {
			name += "_" + d.SuiteName
		}
		return durable.Unused(taken, durable.FileName(fmt.Sprintf("_%s_n%d_t%d", name, d.N, d.T)))
	})
}

// recipeOf is what recipe.json holds of a score.
func (w *dscoreWork) recipeOf(d dscore.Diagnosis) augmented.Recipe {
	return augmented.Recipe{
		Model: d.Model.ID, Suite: d.SuiteName, Grid: d.N, T: d.T, Mask: d.Mask, Shift: d.Shift, Seed: w.Seed,
		Accuracies: d.Accuracies, Score: d.Score, Augmentation: d.Recipe(),
	}
}

// augment writes the training set as the score recommends, or as else is asked for.
func (w *dscoreWork) augment(d dscore.Diagnosis) (sets []dscore.Augmented, err error) {
	opened, err := w.training()
	if err != nil {
		return nil, err
	}
	from := w.recipeOf(d)
	for _, method := range w.Methods {
		list := []float64{math.NaN()} // only guided sets have a p
		if method == augmented.Guided && len(w.P) > 0 {
			list = w.P
		} else if method == augmented.Guided {
			list = []float64{d.Score.P}
		}
		for _, p := range list {
			o := augmented.Options{
				Out: w.Augment, Format: imageset.Format(w.Format), Method: method, Seed: w.Seed, Version: Version,
				From: &from,
			}
			if method == augmented.Guided {
				o.P = p
			}
			done, err := augmented.Write(w.s.ctx, opened, o, w.s.bar("augment"))
			if err != nil {
				return nil, err
			}
			w.s.wrote = append(w.s.wrote, done.Folder)
			sets = append(sets, dscore.Augmented{
				Folder: done.Folder, Format: w.Format, Method: string(method), P: p, Seed: w.Seed, Images: done.Images,
				Changed: done.Padded, There: done.There,
			})
		}
	}
	return sets, nil
}

// training opens the training set: a suite of the workspace, or what lies at a path.
func (w *dscoreWork) training() (*suite.Suite, error) {
	if w.ws != nil {
		m, err := w.ws.FindSuite(w.Train)
		if err == nil {
			return w.s.openSuite(w.ws, m.Hash)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	if _, err := os.Stat(w.Train); err != nil {
		return nil, fmt.Errorf("--train %s: there is no such training set: %w", w.Train, err)
	}
	return w.s.scan(w.Train, false)
}

// maps are the maps of every score over the average image: features where there is one score, else
// features_MODEL_nN_tT. Where a suite's images are gone, its maps are drawn without one.
func (w *dscoreWork) maps(rows []dscore.Diagnosis, stems []string) (list []result.Drawn, err error) {
	const averaged = 2000 // images of the suite
	average := map[string]suite.Image{}
	bar := w.s.bar("pictures")
	bar.SetTotal(int64(len(rows)))
	for k, one := range rows {
		image, there := average[one.Suite]
		if !there {
			image, err = diagnosis.Average(w.s.ctx, w.work.From, one.Suite, averaged, engine.NoProgress{})
			if w.s.ctx.Err() != nil {
				return nil, w.s.ctx.Err()
			}
			if err != nil {
				w.s.tell("the maps are drawn without the average image: %v", err)
			}
			average[one.Suite] = image
		}
		maps := []dscore.Distributions{one.Distributions()}
		dscore.ScaleTogether(maps, &render.Viridis)
		for kind := range dscore.Kinds {
			list = append(list, result.Drawn{
				Name: dscore.KindKey(kind) + stems[k], Figure: maps[0].Figure(kind, image),
			})
		}
		bar.Add(1)
	}
	return list, nil
}
