package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/matrixfile"
	"github.com/variscope/variscope/store/memory"
)

type matrixCommand struct {
	Source string `arg:"" study:"path" help:"Workspace, model (.onnx, with --suite PATH), or exported matrices (.npz, .npy)."`
	variance.Options
	File      memory.Options `embed:""`
	Format    []string       `help:"Files to write: npz, npy, csv, png, svg, pdf." default:"npz,png" enum:"npz,npy,csv,png,svg,pdf"`
	outFolder `set:"out=Folder for the files; without it a table is printed."`
}

func (c *matrixCommand) Run(s *Session) error {
	made, err := c.matrices(s)
	if err != nil {
		return err
	}
	if c.Out != "" {
		files, err := made.Write(c.Out, c.Format)
		if err != nil {
			return err
		}
		s.say("%d files in %s", len(files), c.Out)
	}
	doc := s.document("matrix", &c.Options, variance.Matrices.Sheet(made.Items))
	if c.Certainty {
		doc.Sheets = append(doc.Sheets, variance.Certainties.Sheet(made.Judged),
			variance.ExtremesOf.Sheet(made.extremes))
	}
	if c.Element != "" {
		var pairs []variance.Pair // the images behind all explained elements
		for _, e := range made.explained {
			pairs = append(pairs, e.Pairs...)
		}
		doc.Sheets = append(doc.Sheets, variance.Explained.Sheet(made.explained), variance.Pairs.Sheet(pairs))
	}
	a := answer{figures: made.Figures()}
	a.show(doc.Sheets...)
	if s.common.JSON || s.taken != nil { // they are many
		doc.Sheets = append(doc.Sheets, variance.Elements(made.Axis.Values).Sheet(variance.RowsOf(made.Items)),
			assess.LeftOuts.Sheet(made.left))
	}
	for _, it := range made.Items {
		if !it.Absent.None() {
			a.lines = append(a.lines, it.Model+", "+it.Modality+": "+it.Absent.Text)
		}
	}
	for _, e := range made.explained {
		a.lines = append(a.lines, e.Model+", "+e.Modality+": "+e.Sentence())
	}
	a.lines = append(a.lines, c.unbanded(made)...)
	for _, l := range made.left {
		a.lines = append(a.lines, l.ID+": left out: "+l.Reason.Text)
	}
	a.Document = withFile(made.of, doc)
	return s.give(a)
}

// bootstrap is what resamples are asked for.
func (c *matrixCommand) bootstrap() variance.Bootstrap {
	return variance.Bootstrap{Resamples: c.Resamples, Seed: c.Seed}
}

// unbanded says what was asked for of matrices that are there and cannot be had: of those of a
// round package nothing that takes signals, of few images no bands.
func (c *matrixCommand) unbanded(made madeMatrices) (notes []string) {
	for _, it := range made.Items {
		say := func(asked bool, what, why string) {
			if asked && it.Absent.None() {
				notes = append(notes, it.Model+", "+it.Modality+": no "+what+": "+why)
			}
		}
		if !slices.Contains(made.packaged, it.Model) {
			say(c.Resamples > 0 && it.Band.Low.N == 0, "intervals", variance.ErrFewImages.Error())
			continue
		}
		const why = "a round package has matrices without signals; run the model here"
		say(c.Resamples > 0, "intervals", why)
		say(c.Certainty, "certainty", why)
		say(c.Element != "", "images behind the element", why)
	}
	return notes
}

// madeMatrices are the matrices of one call of the command.
type madeMatrices struct {
	*matrixfile.Set
	family   transform.Family
	names    []string // of modalities
	wants    []signal.Modality
	at       [2]int               // of --element
	left     []assess.LeftOut     // models without signals
	of       *memory.File         // nil where they are of none
	extremes []variance.ExtremeOf // with --certainty
	packaged []string             // models whose matrices came with a round package
	// explained are the elements of --element, in the order of the matrices that are there.
	explained []variance.Element
}

// look judges the last matrices that were taken, those of q, and explains an element of each, as
// far as that is asked for, from the signals of its model.
func (c *matrixCommand) look(
	s *Session, made *madeMatrices, q store.MatrixRequest, set *signal.Set, classes []int, on suite.Manifest,
) error {
	if !c.Certainty && c.Element == "" {
		return nil
	}
	predictions := set.Predictions()
	images, err := q.Images.Choose(lookup.Labels(on), predictions[len(predictions)/2], classes)
	if errors.Is(err, variance.ErrNoImages) {
		return nil
	}
	if err != nil {
		return err
	}
	items := made.Items[len(made.Items)-len(q.Modalities):]
	if c.Certainty {
		judged, extremes, err := matrixfile.Judge(items, set, on, images)
		if err != nil {
			return err
		}
		made.Judged, made.extremes = append(made.Judged, judged...), append(made.extremes, extremes...)
	}
	if c.Element == "" {
		return nil
	}
	at, values, known := made.at, made.family.Values(), matrixfile.Known(on, set, classes)
	for _, it := range items {
		m, err := signal.ParseModality(it.Modality)
		if err != nil {
			return err
		}
		if !it.Absent.None() {
			continue
		}
		e, err := variance.ElementOf(s.ctx, set, m, images, at, known, c.bootstrap())
		if err != nil {
			return fmt.Errorf("model %s, %s: %w", it.Model, it.Modality, err)
		}
		e.Name(it.Model, it.Modality, [2]float64{values[at[0]], values[at[1]]}, made.family.Unit())
		made.explained = append(made.explained, e)
	}
	return nil
}

// prepare notes what is computed of a family, before anything is.
func (c *matrixCommand) prepare(made *madeMatrices, family transform.Family) (err error) {
	if made.family, err = family.With(transform.Interpolation(c.Interpolation), ""); err != nil {
		return err
	}
	if c.Element != "" {
		if made.at, err = c.At(made.family.Values()); err != nil {
			return err
		}
	}
	made.names = modalityNames(c.Modality)
	made.wants, err = signal.ParseModalities(made.names)
	return err
}

// requests ask for the matrices of models on a suite, one after the other.
func (c *matrixCommand) requests(
	s *Session, made *madeMatrices, on suite.Manifest, models []model.Model,
) []store.MatrixRequest {
	made.Set = matrixfile.New(made.family, on.Name, c.Chosen())
	made.Banded(c.bootstrap())
	bar := s.bar("resamples")
	bar.SetTotal(int64(len(models) * len(made.names) * c.Resamples))
	return each(models, func(m model.Model) store.MatrixRequest {
		return store.MatrixRequest{
			Model: m, Suite: on.Hash, Family: made.family.String(), Modalities: made.names, Images: c.Chosen(),
			Bands: c.bootstrap(), Progress: bar,
		}
	})
}

// matrices computes or reads what the source names.
func (c *matrixCommand) matrices(s *Session) (made madeMatrices, err error) {
	switch suffixOf(c.Source) {
	case ".npz", ".npy":
		made.Set, err = c.ofFile()
		return made, err
	case ".onnx":
		return c.ofModel(s)
	}
	if err := onlyFile(c.File); err != nil {
		return made, err
	}
	ws, err := s.read(c.Source)
	if err != nil {
		return made, err
	}
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return made, err
	}
	if err := c.prepare(&made, family); err != nil {
		return made, err
	}
	chosen, left, err := readyUnder(ws, c.Models, manifest.Hash, made.family.String())
	if err != nil {
		return made, err
	}
	made.left = each(left, func(m model.Model) assess.LeftOut {
		reason := result.Because(signal.NoSignals, "%s", store.ErrNoSignals.Error())
		return assess.LeftOut{ID: m.ID, Hash: m.Hash, Reason: reason}
	})
	for _, q := range c.requests(s, &made, manifest, chosen) {
		m := q.Model
		answer, err := ws.Matrices(s.ctx, q)
		if err := made.Take(m.ID, q.Modalities, answer, err, c.Interval); err != nil {
			return made, err
		}
		if answer.Set == "" {
			made.packaged = append(made.packaged, m.ID)
		} else if c.Certainty || c.Element != "" {
			info, _, err := ws.BestSet(m, q.Suite, q.Family)
			if err != nil {
				return made, err
			}
			set, err := ws.LoadSet(s.ctx, info.Key, store.Want{Modalities: made.wants, Predictions: true})
			if err != nil {
				return made, err
			}
			if err := c.look(s, &made, q, set, info.ClassMap, manifest); err != nil {
				return made, err
			}
		}
	}
	return made, nil
}

// ofFile reads exported matrices, of which models, modalities and the middle can be taken. Which
// images they rest on is settled.
func (c *matrixCommand) ofFile() (*matrixfile.Set, error) {
	computes := c.Suite+c.Family+c.Interpolation+c.Element != "" || c.Resamples > 0 || c.Certainty
	if computes || c.File.Given() || !c.All() {
		return nil, usageError("exported matrices are made already: of the flags that choose what is computed, " +
			"only --models, --modalities and --interval go with them")
	}
	all, err := matrixfile.Read(c.Source)
	if err != nil {
		return nil, err
	}
	some, err := all.Only(c.Models, c.Modality, c.Interval)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Source, err)
	}
	return some, nil
}

// ofModel runs a model that is in no workspace.
func (c *matrixCommand) ofModel(s *Session) (made madeMatrices, err error) {
	if len(c.Models) > 0 {
		return made, usageError("--models names models of a workspace, and " + c.Source + " is one model")
	}
	if c.Suite == "" || c.Family == "" {
		return made, usageError("a model needs --suite PATH and --family, such as rotation:-15:15:1")
	}
	family, err := transform.Parse(c.Family)
	if err == nil {
		err = c.prepare(&made, family)
	}
	if err != nil {
		return made, err
	}
	in, err := s.readModel(c.Source, c.Suite, c.File, signal.Want{Modalities: made.wants})
	if err != nil {
		return made, err
	}
	s.sayFile(in)
	if err := s.runFile(in, made.family, made.names); err != nil {
		return made, err
	}
	set, info := in.Set(made.family.String())
	if set == nil {
		return made, fmt.Errorf("model %s: %w", in.Subject.ID, store.ErrNoSignals)
	}
	made.of = in
	q := c.requests(s, &made, in.Images, []model.Model{in.Subject})[0]
	answer, err := q.Answer(s.ctx, set, lookup.Labels(in.Images), info.ClassMap)
	answer.Skipped = info.Skipped
	err = made.Take(in.Subject.ID, made.names, answer, err, c.Interval)
	if err == nil {
		err = c.look(s, &made, q, set, info.ClassMap, in.Images)
	}
	return made, err
}
