package inspect

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
)

// The workspace settings that the screen remembers.
const (
	settingModel      = "inspect.model"
	settingModalities = "inspect.modalities"
	settingSplit      = "inspect.matrices" // the share of the width that they have
	settingPrecision  = "inspect.precision"
	settingExcluded   = "inspect.excluded." // followed by the hashes of model and suite
	settingMap        = evidence.SettingMap
	settingPreset     = evidence.SettingPreset
	settingOwn        = evidence.SettingOwn
)

// remembered is what a workspace remembers of the screen.
type remembered struct {
	model      string
	modalities []string
	split      float64
	precision  float64
	view       evidence.View // Map, Preset and Own
}

// recall reads everything that is remembered; what was never set keeps its value in before.
func recall(from Store, before remembered) (remembered, error) {
	r := before
	r.modalities = slices.Clone(before.modalities) // decoding writes into what is there
	preset := int(r.view.Preset)
	for key, into := range map[string]any{
		settingModel: &r.model, settingModalities: &r.modalities, settingSplit: &r.split,
		settingPrecision: &r.precision, settingMap: &r.view.Map, settingPreset: &preset, settingOwn: &r.view.Own,
	} {
		if _, err := from.Setting(key, into); err != nil {
			return before, err
		}
	}
	r.view.Preset = evidence.Preset(min(max(preset, int(evidence.Shared)), int(evidence.Own)))
	if r.view.Own == (label.Range{}) && r.view.Preset == evidence.Own {
		r.view.Preset = evidence.Shared
	}
	if len(r.modalities) == 0 {
		r.modalities = evidence.DefaultModalities()
	}
	return r, nil
}

// sharedRanges are the shared colour ranges. They change with the current suite and family, and
// after signals have changed: not while somebody looks at a model, but when another one is opened,
// when the screen is shown again, or by a click on the badge that says so.
type sharedRanges struct {
	current    store.Current
	ranges     evidence.Ranges
	was, fresh evidence.Ranges // before the last change, and those that wait; nil for none
}

// taken are the shared ranges with those that wait in force.
func (r sharedRanges) taken() sharedRanges {
	if r.fresh == nil {
		return r
	}
	return sharedRanges{current: r.current, ranges: r.fresh, was: r.ranges}
}

// with are the shared ranges after they were read anew. Where nothing has changed, nothing waits.
func (r sharedRanges) with(fresh evidence.Ranges) sharedRanges {
	r.fresh = nil
	for name, now := range fresh {
		if r.ranges[name] != now {
			r.fresh = fresh
		}
	}
	return r
}

// data is what a loading brings. It is immutable.
type data struct {
	models   []model.Model
	at       int               // of the model that is shown
	base     evidence.Evidence // without tiles where there are signals, else with the reason in each
	manifest suite.Manifest
	family   string   // canonical text
	session  *session // nil without signals
	frame    frame
	shared   sharedRanges
	kept     remembered // what was remembered or chosen when it was read
	excluded []int
	renewed  bool // the shared ranges are others than before
	version  int  // of the workspace (kit.Screen.Version)
}

// excludedKey is where the excluded images of the model and suite are remembered.
func (d data) excludedKey() string {
	return settingExcluded + d.base.Model.Hash + "." + d.manifest.Hash
}

// taking is what to do about shared ranges that wait.
type taking int

const (
	leave taking = iota
	take         // them, and say what they were before
	anew         // take them, too: somebody begins to look at a model, and hears of no earlier change
)

// request is what a loading needs; it is copied so that nothing is shared between goroutines.
type request struct {
	before   data
	model    string
	kept     remembered
	known    bool // kept was read
	excluded []int
	controls Controls
	further  evidence.Ranges
	taking   taking
	version  int
}

// load takes what is chosen now and returns the work that reads a model with its signals, as far as
// that is not in memory, and computes its matrices.
func (s *Screen) load(struct{}) kit.Work[data] {
	r := request{
		before: s.data(), model: s.model, kept: s.kept, known: s.known, excluded: s.excluded, controls: s.controls,
		further: s.further, taking: s.taking, version: s.Version(),
	}
	s.taking = leave
	return func(ctx context.Context, _ engine.Progress) (data, error) { return read(ctx, s.store, r) }
}

func read(ctx context.Context, from Store, r request) (d data, err error) {
	d = r.before
	d.kept, d.excluded, d.renewed = r.kept, r.excluded, false
	if !r.known || r.version != d.version || r.model != d.base.Model.Hash ||
		!slices.Equal(r.kept.modalities, r.before.kept.modalities) {
		if d, err = describe(ctx, from, r); err != nil || len(d.models) == 0 {
			return d, err
		}
	}
	if r.taking == anew {
		d.shared.was = nil
	}
	if r.taking != leave && d.shared.fresh != nil {
		d.shared, d.renewed = d.shared.taken(), true
	}
	view := d.kept.view
	view.Shared, view.Was, view.Fresh = maps.Clone(d.shared.ranges), d.shared.was, d.shared.fresh
	if !d.renewed {
		maps.Copy(view.Shared, r.further)
	}
	if d.session == nil {
		c := everything()
		d.frame = frame{
			controls: c, images: c.images(d.base.Classes, d.excluded), last: len(d.base.Values) - 1,
			largest: make([]float64, len(d.base.Tiles)), shown: evidence.Prepare(d.base, view),
		}
		return d, nil
	}
	d.frame, err = d.session.compute(r.controls, d.excluded, view)
	return d, err
}

// describe reads everything but the matrices.
func describe(ctx context.Context, from Store, r request) (d data, err error) {
	d = data{kept: r.kept, excluded: r.excluded, shared: r.before.shared, version: r.version}
	if !r.known {
		if d.kept, err = recall(from, r.kept); err != nil {
			return d, err
		}
	}
	if d.models, err = from.Models(); err != nil || len(d.models) == 0 {
		return d, err
	}
	hash := cmp.Or(r.model, d.kept.model)
	d.at = max(slices.IndexFunc(d.models, func(m model.Model) bool { return m.Hash == hash }), 0)
	current, err := from.Current()
	if err != nil {
		return d, err
	}
	if other := d.shared.ranges == nil || d.shared.current != current; other || r.version != r.before.version {
		ranges, err := evidence.SharedRanges(ctx, from, current.Suite, current.Family, evidence.DefaultModalities())
		if err != nil {
			return d, err
		}
		if d.shared = d.shared.with(ranges); other {
			d.shared, d.renewed = sharedRanges{current: current, ranges: ranges}, true
		}
	}
	d.family = current.Family
	if manifest, err := from.Suite(current.Suite); err == nil {
		d.manifest = manifest
	}
	var summary store.Summary
	d.base, summary, err = evidence.Describe(ctx, from, evidence.Request{
		Model: d.models[d.at].Hash, Suite: current.Suite, Family: current.Family, Modalities: d.kept.modalities,
	})
	if err != nil {
		return d, err
	}
	if key := d.excludedKey(); !r.known || key != r.before.excludedKey() {
		d.excluded = nil
		if _, err := from.Setting(key, &d.excluded); err != nil {
			return d, err
		}
	}
	if summary.Key == "" {
		return d, nil
	}
	before := r.before.session
	if before != nil && before.base.Model.Hash != d.base.Model.Hash {
		before = nil
	}
	d.session, err = open(ctx, from, subject{d.base, d.manifest, d.family, d.kept.modalities, d.shared.ranges}, before)
	return d, err
}

// show takes over what was loaded.
func (s *Screen) show(d data) {
	if key := d.excludedKey(); key != s.seen || !s.known {
		s.seen, s.excluded = key, d.excluded
	}
	if !s.known {
		s.kept, s.known = d.kept, true
		s.widgets.split.set(float32(d.kept.split))
	}
	s.model, s.at = d.base.Model.Hash, d.at
	if d.renewed {
		s.further, s.tried = nil, nil
	}
	s.widgets.show()
	if d.session != nil {
		s.shareRanges(d)
	}
}

// shareRanges finds the shared colour ranges of modalities that the summaries do not have. That
// reads signals of every model, so it is a job that people see and can cancel; until it has ended,
// and after a cancel, such a matrix has the range of its own model and a badge that says so.
func (s *Screen) shareRanges(d data) {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(d.session.single)) {
		if _, known := s.further[name]; !known && !slices.Contains(s.tried, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return
	}
	s.tried = append(slices.Clone(s.tried), missing...)
	from, current := s.store, d.shared.current
	var found evidence.Ranges
	s.Work.Start(fmt.Sprintf("Shared colour range of %s", strings.Join(missing, ", ")),
		func(ctx context.Context, p *jobs.Progress) (err error) {
			p.SetTotal(int64(len(d.models)))
			found, err = evidence.RangesOver(ctx, d.models, missing,
				func(m model.Model, values map[string][]float64) error {
					p.Add(1)
					return gather(ctx, from, current, m, missing, values)
				})
			return err
		}, func(err error) {
			switch {
			case present.Cancelled(err):
			case err != nil:
				s.Fail(err)
			case s.data().shared.current == current:
				if s.further = maps.Clone(s.further); s.further == nil {
					s.further = evidence.Ranges{}
				}
				maps.Copy(s.further, found)
				s.Changed()
			}
		})
}

// gather adds the elements of one model's matrices over all images; a model without signals, or
// whose settings cannot be read, adds nothing.
func gather(ctx context.Context, from Store, current store.Current, m model.Model, modalities []string,
	values map[string][]float64,
) error {
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
