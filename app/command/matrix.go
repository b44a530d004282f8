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
	shown := []any{doc.Sheets[0]}
	if c.Certainty {
		certainty, extremes := variance.Certainties.Sheet(made.Judged), variance.ExtremesOf.Sheet(made.extremes)
		doc.Sheets, shown = append(doc.Sheets, certainty, extremes), append(shown, certainty, extremes)
	}
	if c.Element != "" {
		doc.Sheets = append(doc.Sheets, variance.Explained.Sheet(made.explained), variance.Pairs.Sheet(made.pairs()))
		shown = append(shown, doc.Sheets[len(doc.Sheets)-2], doc.Sheets[len(doc.Sheets)-1])
	}
	if s.common.JSON || s.taken != nil { // they are many
		doc.Sheets = append(doc.Sheets, variance.Elements(made.Axis.Values).Sheet(variance.RowsOf(made.Items)),
			assess.LeftOuts.Sheet(made.left))
	}
	var notes []string
	for _, it := range made.Items {
		if !it.Absent.None() {
			notes = append(notes, it.Model+", "+it.Modality+": "+it.Absent.Text)
		}
	}
	for _, e := range made.explained {
		notes = append(notes, e.Model+", "+e.Modality+": "+e.Sentence())
	}
	notes = append(notes, c.unbanded(made)...)
	for _, l := range made.left {
		notes = append(notes, l.ID+": left out: "+l.Reason.Text)
	}
	return s.give(answer{Document: withFile(made.of, doc), shown: shown, lines: notes, figures: made.Figures()})
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
	left     []assess.LeftOut     // models without signals
	of       *memory.File         // nil where they are of none
	extremes []variance.ExtremeOf // with --certainty
	packaged []string             // models whose matrices came with a round package
	// explained are the elements of --element, in the order of the matrices that are there.
	explained []variance.Element
}

// pairs are the images behind all explained elements.
func (made *madeMatrices) pairs() (list []variance.Pair) {
	for _, e := range made.explained {
		list = append(list, e.Pairs...)
	}
	return list
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
	family, err := transform.Parse(q.Family)
	if err != nil {
		return err
	}
	at, err := c.At(family.Values())
	if err != nil {
		return err
	}
	known := matrixfile.Known(on, set, classes)
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
		e.Name(it.Model, it.Modality, [2]float64{family.Values()[at[0]], family.Values()[at[1]]}, family.Unit())
		made.explained = append(made.explained, e)
	}
	return nil
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
	if family, err = family.With(transform.Interpolation(c.Interpolation), ""); err != nil {
		return made, err
	}
	if c.Element != "" {
		if _, err := c.At(family.Values()); err != nil {
			return made, err
		}
	}
	chosen, left, err := readyUnder(ws, c.Models, manifest.Hash, family.String())
	if err != nil {
		return made, err
	}
	made.left = each(left, func(m model.Model) assess.LeftOut {
		reason := result.Because(signal.NoSignals, "%s", store.ErrNoSignals.Error())
		return assess.LeftOut{ID: m.ID, Hash: m.Hash, Reason: reason}
	})
	made.Set = matrixfile.New(family, manifest.Name, c.Chosen())
	made.Banded(c.bootstrap())
	bar, names := s.bar("resamples"), modalityNames(c.Modality)
	bar.SetTotal(int64(len(chosen) * len(names) * c.Resamples))
	modalities, err := signal.ParseModalities(names)
	if err != nil {
		return made, err
	}
	for _, m := range chosen {
		q := store.MatrixRequest{
			Model: m, Suite: manifest.Hash, Family: family.String(), Modalities: names, Images: c.Chosen(),
			Bands: c.bootstrap(), Progress: bar,
		}
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
			set, err := ws.LoadSet(s.ctx, info.Key, store.Want{Modalities: modalities, Predictions: true})
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
		family, err = family.With(transform.Interpolation(c.Interpolation), "")
	}
	if err != nil {
		return made, err
	}
	if c.Element != "" {
		if _, err := c.At(family.Values()); err != nil {
			return made, err
		}
	}
	names := modalityNames(c.Modality)
	modalities, err := signal.ParseModalities(names)
	if err != nil {
		return made, err
	}
	in, err := s.readModel(c.Source, c.Suite, c.File, signal.Want{Modalities: modalities})
	if err != nil {
		return made, err
	}
	s.sayFile(in)
	if err := s.runFile(in, family, names); err != nil {
		return made, err
	}
	set, info := in.Set(family.String())
	if set == nil {
		return made, fmt.Errorf("model %s: %w", in.Subject.ID, store.ErrNoSignals)
	}
	bar := s.bar("resamples")
	bar.SetTotal(int64(len(names) * c.Resamples))
	q := store.MatrixRequest{
		Model: in.Subject, Suite: in.Images.Hash, Family: family.String(), Modalities: names, Images: c.Chosen(),
		Bands: c.bootstrap(), Progress: bar,
	}
	made = madeMatrices{Set: matrixfile.New(family, in.Images.Name, q.Images), of: in}
	made.Banded(q.Bands)
	answer, err := q.Answer(s.ctx, set, lookup.Labels(in.Images), info.ClassMap)
	answer.Skipped = info.Skipped
	err = made.Take(in.Subject.ID, names, answer, err, c.Interval)
	if err == nil {
		err = c.look(s, &made, q, set, info.ClassMap, in.Images)
	}
	return made, err
}
