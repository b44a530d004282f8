package inspect

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// shareRanges finds the shared colour ranges of modalities that the summaries do not have. That
// reads signals of every model, so it is a job that people see and can cancel; until it has ended,
// and after a cancel, such a matrix has the range of its own model and a badge that says so.
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
	from, current, models := s.store, s.shared.current, s.answer.models
	var found evidence.Ranges
	s.Work.Start(fmt.Sprintf("Shared colour range of %s", strings.Join(missing, ", ")), func(ctx context.Context, p *background.Progress) (err error) {
		p.SetTotal(int64(len(models)))
		found, err = evidence.RangesOver(ctx, models, missing, func(m model.Model, values map[string][]float64) error {
			p.Add(1)
			return gather(ctx, from, current, m, missing, values)
		})
		return err
	}, func(err error) {
		switch {
		case present.Cancelled(err):
		case err != nil:
			s.Fail(err)
		case s.shared.current == current && s.shared.ranges != nil:
			all := maps.Clone(s.shared.ranges)
			maps.Copy(all, found)
			s.shared.ranges = all
			s.sharing()
			s.update()
		}
	})
}

// readShared reads the shared ranges anew after signals have changed. They wait until they are
// taken.
func (s *Screen) readShared() {
	s.ranging.Begin()
	from, current := s.store, s.shared.current
	background.Load(s.Work, &s.renewing, "read shared colour ranges", func(ctx context.Context) (evidence.Ranges, error) {
		if current == (store.Current{}) {
			return nil, nil // they come with the first model
		}
		return evidence.SharedRanges(ctx, from, current.Suite, current.Family, evidence.DefaultModalities())
	}, func(fresh evidence.Ranges, err error) {
		switch {
		case err != nil:
			s.ranging.Spoil()
			s.Fail(err)
		case s.shared.current == current && s.shared.ranges != nil && fresh != nil:
			waited := s.shared.fresh
			if s.shared = s.shared.with(fresh); s.opening {
				s.TakeRanges()
			} else if !maps.Equal(waited, s.shared.fresh) {
				s.sharing()
				s.update()
			}
		}
		s.opening = false
		s.ranging.End()
	})
}

// sharing hands the shared ranges to the view.
func (s *Screen) sharing() {
	s.kept.view.Shared, s.kept.view.Was, s.kept.view.Fresh = s.shared.ranges, s.shared.was, s.shared.fresh
}

// TakeRanges takes the shared ranges that wait, if any; the matrices say what they were before.
func (s *Screen) TakeRanges() {
	if s.shared.fresh == nil {
		return
	}
	s.shared = s.shared.taken()
	s.sharing()
	s.update()
	if s.session != nil {
		s.shareRanges()
	}
}

// newLook is called when somebody begins to look at a model: ranges that wait are taken, and what
// was said of an earlier change is not said again.
func (s *Screen) newLook() {
	said := s.shared.was != nil
	s.shared.was = nil
	s.TakeRanges()
	if said && s.shared.was == nil {
		s.sharing()
		s.update()
	}
}

// gather adds the elements of one model's matrices over all images; a model without signals, or
// whose settings cannot be read, adds nothing.
func gather(ctx context.Context, from Store, current store.Current, m model.Model, modalities []string, values map[string][]float64) error {
	if _, err := m.Settings(); err != nil {
		return nil
	}
	info, ok, err := from.SetFor(m, current.Suite, current.Family, modalities)
	if err != nil || !ok {
		return err
	}
	parsed, err := signal.ParseModalities(modalities)
	if err != nil {
		return err
	}
	set, err := from.LoadSet(ctx, info.Key, store.Want{Modalities: parsed})
	if err != nil {
		return err
	}
	all := make([]int, set.Images)
	for k := range all {
		all[k] = k
	}
	for k, name := range modalities {
		if matrix, err := store.MatrixOf(set, parsed[k], all); err == nil {
			values[name] = append(values[name], matrix.Data...)
		}
	}
	return nil
}
