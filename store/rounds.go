package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/database"
)

// Rounds returns all rounds, oldest first.
func (w *Workspace) Rounds() ([]label.Round, error) {
	return viewed(w, database.Rounds.All)
}

// Round returns a round by its id, or ErrNotFound.
func (w *Workspace) Round(id string) (label.Round, error) {
	return viewed(w, func(tx *database.Tx) (label.Round, error) { return getRound(tx, id) })
}

func getRound(tx *database.Tx, id string) (label.Round, error) {
	return database.Rounds.Need(tx, id)
}

// CreateRound stores a new round. ID and Created are filled here; empty fields take their
// defaults: kind variance, the default modalities, filter all, three classes, order seed 1. Family
// and modalities become canonical; suite and models must be in the workspace. Colour ranges that
// are not given are set by RoundRanges as far as signals are there; the others are filled with the
// first label.
func (w *Workspace) CreateRound(ctx context.Context, r label.Round) (label.Round, error) {
	r.ID, r.Created, r.Closings = w.NewID(), database.Now(), nil
	if err := canonical(&r); err != nil {
		return r, fmt.Errorf("round %q: %w", r.Name, err)
	}
	if err := r.Validate(); err != nil {
		return r, err
	}
	if err := w.View(func(tx *database.Tx) error { return needRoundParts(tx, r) }); err != nil {
		return r, fmt.Errorf("round %q: %w", r.Name, err)
	}
	var err error
	if r.Ranges, err = w.RoundRanges(ctx, r); err != nil {
		return r, fmt.Errorf("round %q: %w", r.Name, err)
	}
	return r, w.updateAndTell(RoundChanged, r.ID, func(tx *database.Tx) error { return w.putRound(tx, r) })
}

// canonical fills defaults and writes texts in their canonical form.
func canonical(r *label.Round) error {
	if r.Kind == "" {
		r.Kind = label.VarianceRound
	}
	if r.Classes == 0 {
		r.Classes = 3
	}
	if r.OrderSeed == 0 {
		r.OrderSeed = 1
	}
	if r.Kind == label.BackgroundRound {
		if err := canonicalScenes(r); err != nil {
			return err
		}
	}
	if len(r.Modalities) == 0 {
		r.Modalities = signal.DefaultNames()
	}
	return errors.Join(canonicalModalities(r), canonicalFilter(r), canonicalFamily(r))
}

func canonicalModalities(r *label.Round) error {
	r.Modalities = slices.Clone(r.Modalities)
	for i, text := range r.Modalities {
		if r.Kind == label.BackgroundRound && slices.Contains(feature.BackgroundModalities(), text) {
			continue // it is canonical as it is
		}
		m, err := signal.ParseModality(text)
		if err != nil {
			return err
		}
		r.Modalities[i] = m.String()
	}
	return nil
}

func canonicalFilter(r *label.Round) error {
	if r.Filter == "" {
		r.Filter = variance.AllImages().String()
	}
	filter, err := variance.ParseImages(r.Filter)
	r.Filter = filter.String()
	return err
}

func canonicalFamily(r *label.Round) error {
	if r.Kind != label.VarianceRound {
		return nil
	}
	family, err := transform.Parse(r.Family)
	if err != nil {
		return err
	}
	r.Family = family.String()
	return nil
}

// needRoundParts checks that suite and models are in the workspace.
func needRoundParts(tx *database.Tx, r label.Round) error {
	if err := needSuite(tx, r.Suite); err != nil {
		return err
	}
	for _, hash := range r.Models {
		if !database.Models.Has(tx, hash) {
			return database.NotFound("model", hash)
		}
	}
	return nil
}

// UpdateRound stores a changed round. Once the round has a label only the guideline, the closing
// state and appended models may differ (DESIGN.md section 6); anything else is ErrFrozen.
func (w *Workspace) UpdateRound(r label.Round) error {
	if err := canonical(&r); err != nil {
		return fmt.Errorf("round %q: %w", r.Name, err)
	}
	return w.updateAndTell(RoundChanged, r.ID, func(tx *database.Tx) error {
		old, err := getRound(tx, r.ID)
		if err != nil {
			return err
		}
		frozen, err := database.HasLabels(tx, old)
		if err != nil {
			return err
		}
		if err := old.CheckChange(r, frozen); err != nil {
			if frozen && old.CheckChange(r, false) == nil {
				return fmt.Errorf("%w (%w)", ErrFrozen, err)
			}
			return err
		}
		if err := needRoundParts(tx, r); err != nil {
			return fmt.Errorf("round %q: %w", r.Name, err)
		}
		next := r
		next.Closed, next.Closings = old.Closed, old.Closings // what is there is never forgotten
		w.setClosed(&next, r.Closed)
		return w.putRound(tx, next)
	})
}

// DuplicateRound makes a new, open round from a copy of another, changed by change, without its
// labels. Colour ranges of the copy are kept; change may clear them to have them set anew.
func (w *Workspace) DuplicateRound(ctx context.Context, id string, change func(*label.Round)) (label.Round, error) {
	r, err := w.Round(id)
	if err != nil {
		return r, err
	}
	r.Name += " (copy)"
	r.Closed, r.ByRule = false, false // its labels will be people's
	if change != nil {
		change(&r)
	}
	return w.CreateRound(ctx, r)
}

// RoundRanges returns a colour range per modality of a round: those that the round has, else by
// DESIGN.md section 7: 0..0.3 for signals of CONF, for the others 0..p99 of the matrices of the
// round's models, rounded up. A modality for which there are no signals yet is left out. A round
// of backgrounds has one range for all its interpolated matrices.
func (w *Workspace) RoundRanges(ctx context.Context, r label.Round) (map[string]label.Range, error) {
	if r.Kind == label.BackgroundRound {
		ranges := map[string]label.Range{}
		for _, modality := range r.Modalities {
			ranges[modality] = sceneRange
		}
		maps.Copy(ranges, r.Ranges)
		return ranges, nil
	}
	ranges, err := viewed(w, func(tx *database.Tx) (map[string]label.Range, error) { return summaryRanges(tx, r) })
	if err != nil {
		return nil, err
	}
	for _, modality := range r.Modalities {
		if _, ok := ranges[modality]; ok {
			continue
		}
		values, err := w.roundValues(ctx, r, modality)
		if err != nil {
			return nil, err
		}
		if len(values) > 0 {
			ranges[modality] = defaultRange(modality, values)
		}
	}
	return ranges, nil
}

// summaryRanges is RoundRanges from what the database alone holds: given ranges, those by rule,
// and the default modalities of an unfiltered round.
func summaryRanges(tx *database.Tx, r label.Round) (map[string]label.Range, error) {
	ranges := map[string]label.Range{}
	for _, modality := range r.Modalities {
		if byRule(modality) {
			ranges[modality] = defaultRange(modality, nil)
		}
	}
	if r.Filter == variance.AllImages().String() {
		values, err := summaryValues(tx, r)
		if err != nil {
			return nil, err
		}
		for modality, list := range values {
			ranges[modality] = defaultRange(modality, list)
		}
	}
	maps.Copy(ranges, r.Ranges)
	return ranges, nil
}

func defaultRange(modality string, values []float64) label.Range {
	low, high := render.DefaultRange(modality, values)
	return label.Range{Low: low, High: high}
}

// byRule tells whether the default range of a modality is fixed: signals of CONF.
func byRule(modality string) bool {
	m, err := signal.ParseModality(modality)
	return err == nil && m.Position == model.CONF && !m.Vector()
}

// summaryValues collects the values of the round's matrices per modality that has no range by rule.
func summaryValues(tx *database.Tx, r label.Round) (map[string][]float64, error) {
	values := map[string][]float64{}
	wanted := slices.DeleteFunc(slices.Clone(r.Modalities), func(m string) bool {
		_, given := r.Ranges[m]
		return given || byRule(m)
	})
	if len(wanted) == 0 {
		return values, nil
	}
	for _, hash := range r.Models {
		s, found, err := roundSummary(tx, r, hash)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		for _, modality := range wanted {
			if matrix, ok := s.Matrices[modality]; ok {
				values[modality] = append(values[modality], matrix.Data...)
			}
		}
	}
	return values, nil
}

// roundSummary is the summary of one of the round's models.
func roundSummary(tx *database.Tx, r label.Round, hash string) (database.Summary, bool, error) {
	m, found, err := database.Models.Get(tx, hash)
	if err != nil || !found {
		return database.Summary{}, false, err
	}
	return summaryOf(tx, m, r.Suite, r.Family)
}

// roundSet is the best finished set that fits the model's settings, with an empty key when there
// is none.
func roundSet(tx *database.Tx, r label.Round, hash string) (SetInfo, error) {
	m, found, err := database.Models.Get(tx, hash)
	if err != nil || !found {
		return SetInfo{}, err
	}
	return bestSet(tx, m, r.Suite, r.Family)
}

// roundValues computes a modality's matrices under the round's filter, for those models that have
// its signals.
func (w *Workspace) roundValues(ctx context.Context, r label.Round, modality string) ([]float64, error) {
	m, err := signal.ParseModality(modality)
	if err != nil {
		return nil, err
	}
	filter, err := variance.ParseImages(r.Filter)
	if err != nil {
		return nil, err
	}
	var values []float64
	for _, hash := range r.Models {
		info, err := viewed(w, func(tx *database.Tx) (SetInfo, error) { return roundSet(tx, r, hash) })
		if err != nil {
			return nil, err
		}
		if info.Key == "" {
			continue
		}
		matrix, err := w.Matrix(ctx, info.Key, m, filter)
		if errors.Is(err, signal.ErrAbsent) || errors.Is(err, variance.ErrNoImages) {
			continue
		}
		if err != nil {
			return nil, err
		}
		values = append(values, matrix.Data...)
	}
	return values, nil
}
