package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/job"
)

type dscoreCommand struct {
	Source string `arg:"" help:"Workspace, or a model (.onnx, with --suite PATH)."`
	dscore.Options
	augmented.Files
	Workers int `help:"Goroutines (default: one per processor)." min:"0"`
	fileOptions
	Out string `help:"Folder for dscore.json, tables, recipes and pictures." type:"path"`
	spreadsheetFlag
	Pictures bool `help:"Draw pictures of the distributions into --out." default:"true" negatable:""`
}

func (c *dscoreCommand) Run(s *session) error {
	c.N, c.T = dscore.Ascending(c.N), dscore.Ascending(c.T)
	if err := needFolder(c.Augment); err != nil {
		return usageError(strings.Replace(err.Error(), "--out", "--augment", 1))
	}
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if strings.EqualFold(suffixOf(c.Source), ".onnx") {
		return c.ofModel(s)
	}
	only := c.fileOptions
	only.ClassMap = "" // goes with a workspace, too: dscore runs what is missing
	if err := only.onlyFile(); err != nil {
		return err
	}
	ws, err := s.read(c.Source)
	if err != nil {
		return err
	}
	w := &dscoreWork{dscoreCommand: c, s: s, ws: ws, work: diagnosis.Work{From: ws}}
	for _, name := range orCurrent(c.Suite) {
		manifest, err := wholeSuite(ws, name)
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
	case c.Augment != "" && len(c.N)*len(c.T) > 1:
		return option.Errorf("{augment} follows one score; give one {n} and one {t}")
	}
	return nil
}

// ofModel measures a model that is in no workspace.
func (c *dscoreCommand) ofModel(s *session) error {
	switch {
	case len(c.Suite) != 1:
		return usageError("a model needs one --suite PATH")
	case len(c.Models) > 0:
		return usageError("--models goes with a workspace")
	}
	if _, err := os.Stat(c.Source); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("model %s: there is no such file", c.Source)
	}
	in, err := s.readModel(c.Source, c.Suite[0], c.fileOptions, signal.Want{})
	if err != nil {
		return err
	}
	in.say(s)
	work := diagnosis.Work{From: in.Store, Models: []model.Model{in.model}}
	w := &dscoreWork{dscoreCommand: c, s: s, file: in, work: work}
	if err := w.addSuite(in.suite); err != nil {
		return err
	}
	return w.do()
}

// dscoreWork is one call of the command on a workspace or a model file.
type dscoreWork struct {
	*dscoreCommand
	s       *session
	ws      *store.Workspace // nil for a model file
	file    *modelFile       // nil for a workspace
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
	if w.classes, err = w.classMap(); err != nil {
		return err
	}
	w.work.Options, w.work.Workers, w.work.Open, w.work.Run = w.Options, w.Workers, w.open, w.run
	if err := w.work.Prepare(); err != nil {
		return err
	}
	var a dscoreAnswer
	err = withBar(w.s, "D-Score", func(p engine.Progress) (err error) {
		a.scores, a.left, err = w.work.Scores(w.s.ctx, p)
		return err
	})
	if err == nil && len(a.scores) == 0 {
		err = w.nothing(a.left)
	}
	if err == nil && w.PerLayer {
		err = withBar(w.s, "layers", func(p engine.Progress) (err error) {
			a.layers, err = w.work.Layers(w.s.ctx, a.scores, p)
			return err
		})
	}
	if err == nil && w.Augment != "" {
		a.augmented, err = w.augment(a.scores[0])
	}
	if err == nil && w.Out != "" {
		err = w.write(a.scores)
	}
	if err != nil {
		return err
	}
	return w.s.give(answer{
		Document: w.file.told(w.s.document("dscore", &w.Options, w.sheets(a)...)), name: "dscore", folder: w.Out,
		forSpreadsheets: w.ForSpreadsheets, tables: w.tables(a), lines: w.remarks(a),
	})
}

// nothing is the sentence for no score at all.
func (w *dscoreWork) nothing(left []dscore.LeftOut) error {
	if len(w.work.Models) == 1 && len(left) > 0 {
		return errors.New(left[0].Reason.Text)
	}
	text := fmt.Sprintf("no model of %s has a D-Score", w.Source)
	if lines := dscore.LeftOutLines(left); len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	return errors.New(text)
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
		report, err = w.file.compute(w.s, req, limits)
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
