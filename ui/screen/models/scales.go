package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// scales are the shared colour scales by modality (DESIGN.md section 7), of the sets of one list.
type scales struct {
	sets    string // digest of the sets that they are derived from
	colours string // name of the colour map
	by      map[string]render.Scale
	current store.Current
	// was are the scales before they changed because other models were computed, fresh those that
	// wait while somebody looks at these; nil for none.
	was, fresh map[string]render.Scale
}

// next are the scales after others were derived. While somebody looks at the same suite and
// family, scales that would change stay.
func (s scales) next(made scales, looking bool) scales {
	same := s.current == made.current && s.colours == made.colours && len(s.by) > 0
	changed := false
	for name, scale := range made.by {
		old, ok := s.by[name]
		changed = changed || ok && (old.Low != scale.Low || old.High != scale.High)
	}
	switch {
	case !same || !changed:
	case looking:
		made.fresh, made.by, made.was = made.by, s.by, s.was
	default:
		made.was = s.by
	}
	return made
}

// taken are the scales with those that wait in force.
func (s scales) taken() scales {
	if s.fresh != nil {
		s.by, s.was, s.fresh = s.fresh, s.by, nil
	}
	return s
}

// rangesOf are scales as the view wants them.
func rangesOf(by map[string]render.Scale) evidence.Ranges {
	ranges := evidence.Ranges{}
	for name, scale := range by {
		ranges[name] = label.Range{Low: scale.Low, High: scale.High}
	}
	return ranges
}

// digestOf names a list's sets.
func digestOf(rows []inventory.Row) string {
	sum := sha256.New()
	for _, r := range rows {
		if r.Set != "" {
			sum.Write([]byte(r.Set))
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// colourMap is the map of that name; a name that this program does not know is the default.
func colourMap(name string) *render.Map {
	if m, ok := render.MapByName(name); ok {
		return m
	}
	return &render.Viridis
}

// scalesOf are the scales of the default modalities: those that were derived for the same sets
// before, else new ones.
func scalesOf(ctx context.Context, from Store, rows []inventory.Row, colours string) (scales, error) {
	saved := map[string]savedRange{}
	if _, err := from.Setting(settingRanges, &saved); err != nil {
		return scales{}, err
	}
	s := scales{sets: digestOf(rows), colours: colours, by: map[string]render.Scale{}}
	for _, name := range evidence.DefaultModalities() {
		if have, ok := saved[name]; ok && have.Sets == s.sets {
			s.by[name] = render.Scale{Low: have.Low, High: have.High, Map: colourMap(colours)}
		}
	}
	if len(s.by) == len(evidence.DefaultModalities()) {
		return s, nil
	}
	s, err := derive(ctx, from, rows, colours)
	if err != nil {
		return s, err
	}
	for name, scale := range s.by {
		saved[name] = savedRange{s.sets, scale.Low, scale.High}
	}
	return s, from.SetSetting(settingRanges, saved)
}

// derive makes the scales of the default modalities from the matrices of all models. It is slow
// (all summaries).
func derive(ctx context.Context, from Store, rows []inventory.Row, colours string) (scales, error) {
	s := scales{sets: digestOf(rows), colours: colours, by: map[string]render.Scale{}}
	values := map[string][]float64{}
	for _, r := range rows {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		if r.Set == "" {
			continue
		}
		summary, ok, err := from.SetSummary(r.Set)
		if err != nil {
			return s, fmt.Errorf("model %s: %w", r.Model.ID, err)
		}
		for name, matrix := range summary.Matrices {
			if ok && !ruled(name) {
				values[name] = append(values[name], matrix.Data...)
			}
		}
	}
	for _, m := range signal.DefaultModalities() {
		s.by[m.String()] = scaleOf(m.String(), values[m.String()], colours)
	}
	return s, nil
}

// ruled tells whether the range of a modality is fixed, so that no values are needed for it.
func ruled(name string) bool {
	m, err := signal.ParseModality(name)
	return err == nil && m.Position == model.CONF && !m.Vector()
}

func scaleOf(name string, values []float64, colours string) render.Scale {
	low, high := render.DefaultRange(name, values)
	return render.Scale{Low: low, High: high, Map: colourMap(colours)}
}

// errAbsent means that a model has no matrix of a modality.
var errAbsent = errors.New("the model has no such matrix")

// matrixOf reads one matrix: of the default modalities from the summary, of others from the
// signals, which is slow.
func matrixOf(
	ctx context.Context, from Store, hash, set string, current store.Current, modality string,
) (variance.Matrix, error) {
	if slices.Contains(evidence.DefaultModalities(), modality) {
		summary, _, err := from.SetSummary(set)
		if err != nil {
			return variance.Matrix{}, err
		}
		if matrix, ok := summary.Matrices[modality]; ok {
			return matrix, nil
		}
		return variance.Matrix{}, errAbsent
	}
	m, err := from.Model(hash) // the list's own lacks the names of tensors
	if err != nil {
		return variance.Matrix{}, err
	}
	answer, err := from.Matrices(ctx, store.MatrixRequest{
		Model: m, Suite: current.Suite, Family: current.Family, Modalities: []string{modality},
		Images: variance.AllImages(),
	})
	if err != nil {
		return variance.Matrix{}, err
	}
	if matrix, ok := answer.Matrices[modality]; ok {
		return matrix, nil
	}
	return variance.Matrix{}, errAbsent
}

// savedRange is a range that was derived from the signals of all models, so that it is not derived
// again for the same sets.
type savedRange struct {
	Sets string  `json:"sets"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// rangeOf is the shared scale of a modality that no summary holds. It reads the signals of every
// model, which takes long, unless it did so for the same sets before.
func rangeOf(ctx context.Context, from Store, l list, modality string, step func(done, of int)) (render.Scale, error) {
	saved := map[string]savedRange{}
	if _, err := from.Setting(settingRanges, &saved); err != nil {
		return render.Scale{}, err
	}
	digest := digestOf(l.rows)
	if have, ok := saved[modality]; ok && have.Sets == digest {
		return render.Scale{Low: have.Low, High: have.High, Map: colourMap(l.colours)}, nil
	}
	var values []float64
	for i, r := range l.rows {
		step(i, len(l.rows))
		if err := ctx.Err(); err != nil {
			return render.Scale{}, err
		}
		if r.Set == "" || ruled(modality) {
			continue
		}
		matrix, err := matrixOf(ctx, from, r.Model.Hash, r.Set, l.current, modality)
		switch {
		case errors.Is(err, errAbsent):
		case err != nil:
			return render.Scale{}, fmt.Errorf("model %s: %w", r.Model.ID, err)
		default:
			values = append(values, matrix.Data...)
		}
	}
	scale := scaleOf(modality, values, l.colours)
	saved[modality] = savedRange{digest, scale.Low, scale.High}
	return scale, from.SetSetting(settingRanges, saved)
}

// modalities are those that the gallery offers: the default five, then every other of the
// positions and vector modalities that the first model with signals has.
func modalities(from Store, l list) ([]string, error) {
	names := evidence.DefaultModalities()
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	i := slices.IndexFunc(l.rows, func(r inventory.Row) bool { return r.Set != "" && len(r.Absent) == 0 })
	if i < 0 {
		return names, nil
	}
	info, ok, err := from.BestSet(l.rows[i].Model, l.current.Suite, l.current.Family)
	if err != nil || !ok {
		return names, err
	}
	for _, position := range info.Spec.Positions {
		for r := range signal.Reducer(signal.Reducers) {
			add(signal.Modality{Position: position.Name, Reducer: r}.String())
		}
	}
	for _, name := range info.Spec.Vectors {
		add(name)
	}
	return names, nil
}
