package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/memory"
)

type modelCommand struct {
	Workspace    string `arg:"" help:"Workspace folder." study:"-"`
	ID           string `arg:"" name:"model" help:"The model, by id or hash."`
	modelOptions `embed:""`
}

// modelOptions correct how a model is run.
type modelOptions struct {
	intake.CorrectionOptions
	Drop bool `help:"Drop what was corrected before; what other flags say is corrected anew."`
}

func (c *modelCommand) Run(s *Session) error {
	correct := c.Drop || !c.None()
	ws, err := s.workspace(c.Workspace, correct)
	if err != nil {
		return err
	}
	m, err := ws.FindModel(c.ID)
	if err != nil {
		return err
	}
	change := func(m *model.Model) error {
		if c.Drop {
			m.Correction = model.Correction{}
		}
		if err := c.Correct(m); err != nil {
			return err
		}
		_, err := m.Settings()
		return err
	}
	if correct {
		if err := ws.UpdateModel(m.Hash, change); err != nil {
			return err
		}
		if m, err = ws.Model(m.Hash); err != nil {
			return err
		}
	}
	settings, err := m.Settings()
	if err != nil {
		return err
	}
	sheet := inventory.Settings.Sheet(inventory.SettingsOf(m, settings))
	return s.give(answer{Document: s.document("model", &c.modelOptions, sheet)})
}

// onlyFile is the usage error of options that go with a model file, given for a workspace.
func onlyFile(o memory.Options) error {
	switch {
	case o.SkipCorrupt:
		return usageError("--skip-corrupt goes with a model; a workspace has its suites read already")
	case o.ClassMap != "":
		return usageError("--class-map goes with a model; a workspace has its classes matched already")
	case o.Workspace != "":
		return usageError("--workspace goes with a model file")
	case o.Given():
		return usageError("--recipe, --mean, --std, --output, --batch and --position go with a model file; " +
			"how a model of a workspace is run is changed with: variscope model WORKSPACE ID")
	}
	return nil
}

// readModel reads a model file and a suite at a path. want are the signals that are kept of runs.
func (s *Session) readModel(path, on string, o memory.Options, want signal.Want) (*memory.File, error) {
	runtime := func() (engine.Runtime, error) { return s.Runtime() }
	return memory.Read(s.ctx, runtime, onnx.Read, path, on, o, want, func(note intake.Note) {
		s.tell("%s: %s", note.ID, note.Text)
	})
}

// runFile computes the signals under a family, and warns of a model that is no better than chance
// or looks as if it wants another recipe.
func (s *Session) runFile(f *memory.File, family transform.Family, modalities []string) error {
	names, vectors, err := job.Positions(nil, modalities)
	if err != nil {
		return err
	}
	one, err := s.computeFile(f, job.Request{Family: family.String(), Positions: names, Vectors: vectors},
		engine.Limits{})
	for _, doubt := range job.Doubts([]job.Ended{one}) {
		if f.Doubt(doubt) {
			s.warn(doubt)
		}
	}
	return errors.Join(err, joined(job.Reasons(one), false))
}

// computeFile is a run that has ended, of a request without suite, models and table of classes.
func (s *Session) computeFile(f *memory.File, req job.Request, limits engine.Limits) (job.Ended, error) {
	m, err := f.Model(f.Subject.Hash) // with what earlier runs have found
	if err == nil {
		req.ClassMap, err = job.ReadClassMap(f.ClassMap)
	}
	if err != nil {
		return job.Ended{}, err
	}
	start := func(eng *engine.Engine, rt engine.Runtime) (string, []job.Refused, error) {
		return job.StartFile(s.ctx, f.Store, eng, rt, m, f.Images, req)
	}
	status, refused, err := s.runToEnd(f.Store, limits, start)
	if err != nil {
		return job.Ended{}, err
	}
	one := job.EndedAs(status, f.Images.Hash, refused)
	look, _, err := f.Look(f.Subject, f.Images.Hash)
	for k := range one.Models {
		one.Models[k].Looks, one.Models[k].Chance = look.Looks, f.Chance(req.Family)
	}
	return one, err
}

func (s *Session) warn(note string) { s.tell("warning: %s", outside.Visible(note)) }

// sayFile warns of the notes and prints how the model is run.
func (s *Session) sayFile(f *memory.File) {
	for _, note := range f.Notes {
		s.warn(note)
	}
	of := &f.Images
	if f.ClassMap != "" {
		of = nil // the map says it
	}
	words := strings.Join(intake.ModelOutcome(f.Subject, of, nil).Details, "; ")
	s.say("%s", outside.Visible(f.Subject.ID+": "+words))
}

// withFile is a document with the options of a model file and how it was run, in the table
// settings. A nil file adds nothing.
func withFile(f *memory.File, doc result.Document) result.Document {
	if f == nil {
		return doc
	}
	list := inventory.SettingsOf(f.Subject, f.Settings)
	for _, note := range f.Notes {
		list = append(list, inventory.Setting{Name: "warning", Value: note})
	}
	doc.Options = slices.Concat(doc.Options.(option.Settings), option.Record(&f.Options))
	doc.Sheets = append(doc.Sheets, inventory.Settings.Sheet(list))
	return doc
}
