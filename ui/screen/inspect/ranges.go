package inspect

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/words"
)

// shareRanges finds the shared colour ranges of modalities that the summaries do not have. That reads signals of every
// model, so it is a job that people see and can cancel; until it has ended, and after a cancel, such a matrix has the
// range of its own model and a badge that says so.
func (s *Screen) shareRanges() {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(s.session.single)) {
		if _, known := s.shared.ranges[name]; !known && !slices.Contains(s.shared.tried, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return
	}
	s.shared.tried = append(slices.Clone(s.shared.tried), missing...)
	from, current, models := s.deps.Store, s.shared.current, s.answer.models
	var found evidence.Ranges
	s.deps.Work.Start(words.F("Shared colour range of %s", strings.Join(missing, ", ")), func(ctx context.Context, p *background.Progress) (err error) {
		p.SetTotal(int64(len(models)))
		found, err = rangesFromSignals(ctx, from, current, models, missing, p)
		return err
	}, func(err error) {
		switch {
		case present.Cancelled(err):
		case err != nil:
			s.deps.ShowError(err)
		case s.shared.current == current && s.shared.ranges != nil:
			all := maps.Clone(s.shared.ranges)
			maps.Copy(all, found)
			s.shared.ranges, s.kept.view.Shared = all, all
			s.update()
		}
	})
}

// rangesFromSignals are the default ranges of modalities over all models that have their signals.
func rangesFromSignals(ctx context.Context, from Store, current store.Current, models []model.Model, modalities []string, p *background.Progress) (evidence.Ranges, error) {
	values := map[string][]float64{}
	for _, m := range models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := gather(ctx, from, current, m, modalities, values); err != nil {
			return nil, err
		}
		p.Add(1)
	}
	ranges := evidence.Ranges{}
	for _, name := range modalities {
		low, high := render.DefaultRange(name, values[name])
		ranges[name] = label.Range{Low: low, High: high}
	}
	return ranges, nil
}

// gather adds the elements of one model's matrices over all images; a model without signals, or whose settings cannot be
// read, adds nothing.
func gather(ctx context.Context, from Store, current store.Current, m model.Model, modalities []string, values map[string][]float64) error {
	if _, err := m.Settings(); err != nil {
		return nil
	}
	info, ok, err := from.SetFor(m, current.Suite, current.Family, modalities)
	if err != nil || !ok {
		return err
	}
	want := store.Want{}
	for _, name := range modalities {
		modality, err := signal.ParseModality(name)
		if err != nil {
			return err
		}
		want.Modalities = append(want.Modalities, modality)
	}
	set, err := from.LoadSet(ctx, info.Key, want)
	if err != nil {
		return err
	}
	all := make([]int, set.Images)
	for k := range all {
		all[k] = k
	}
	for k, name := range modalities {
		if matrix, err := store.MatrixOf(set, want.Modalities[k], all); err == nil {
			values[name] = append(values[name], matrix.Data...)
		}
	}
	return nil
}
