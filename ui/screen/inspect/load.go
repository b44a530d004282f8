package inspect

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// answer is what a reload reads: everything but the signals.
type answer struct {
	models   []model.Model
	at       int // of the model shown, -1 without models
	kept     remembered
	base     evidence.Evidence // without tiles where there are signals, else with the reason in each
	summary  store.Summary     // Key "" without signals
	manifest suite.Manifest
	family   string // canonical text
	shared   sharedRanges
	excluded []int
}

// request is what a reload needs; it is copied so that nothing is shared between goroutines.
type request struct {
	model  string
	kept   remembered
	known  bool
	shared sharedRanges
}

// Refresh reads the model and its signals and computes its matrices, off the main goroutine; an
// answer to an older request is dropped. Until the signals are in memory, the summary's matrices
// are shown where nothing else was chosen.
func (s *Screen) Refresh() {
	s.stale, s.waiting = false, true
	s.abandon()
	s.widgets.busy()
	req := request{s.model, s.kept, s.known, s.shared}
	background.Load(s.Work, &s.latest, "read model", func(ctx context.Context) (answer, error) {
		return read(ctx, s.store, req)
	}, func(a answer, err error) {
		if err != nil {
			s.broken(err)
			return
		}
		s.take(a)
	})
}

func (s *Screen) broken(err error) {
	s.waiting = false
	if present.Cancelled(err) {
		return
	}
	s.widgets.wait.End()
	s.widgets.broken(err)
	s.Fail(err)
}

// take applies what was read and goes on to the signals.
func (s *Screen) take(a answer) {
	if !s.known {
		s.known, s.kept = true, a.kept
		defer s.widgets.restore()
	}
	if excludedKey(a.base.Model.Hash, a.manifest.Hash) != excludedKey(s.answer.base.Model.Hash, s.answer.manifest.Hash) {
		s.excluded = a.excluded
	}
	if a.shared.current != s.shared.current || s.shared.ranges == nil { // else there may be more ranges by now
		s.shared = a.shared
	}
	s.answer = a
	s.sharing()
	if s.session != nil && a.base.Model.Hash != s.session.base.Model.Hash {
		s.session = nil
	}
	switch {
	case a.at < 0:
		s.waiting, s.session = false, nil
		s.widgets.showNothing()
	case a.summary.Key == "":
		s.waiting, s.session = false, nil
		s.model = a.base.Model.Hash
		s.apply(unready(a, s.kept.view))
	case s.session != nil && s.session.serves(a, s.kept.modalities):
		s.waiting, s.session = false, s.session.with(a.base)
		s.update()
	default:
		s.model = a.base.Model.Hash
		if s.session == nil && s.controls == everything() && len(s.excluded) == 0 {
			s.apply(summed(a, s.kept))
		}
		s.open()
	}
}

// open reads the signals; another reload ends it.
func (s *Screen) open() {
	a, kept, controls, excluded := s.answer, s.kept, s.controls, s.excluded
	mine, abandon := context.WithCancel(context.Background())
	s.abandon = abandon
	type opened struct {
		session *session
		frame   frame
	}
	background.Load(s.Work, &s.latest, "read signals", func(ctx context.Context) (o opened, err error) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(mine, end)()
		o.session, err = open(ctx, s.store, subject{a.base, a.summary, a.manifest, a.family, kept.modalities, kept.view.Shared})
		if err == nil {
			o.frame, err = o.session.compute(controls, excluded, kept.view)
		}
		return o, err
	}, func(o opened, err error) {
		if err != nil {
			s.broken(err)
			return
		}
		s.waiting, s.session = false, o.session
		s.apply(o.frame)
		s.shareRanges()
		if controls != s.controls || !slices.Equal(excluded, s.excluded) || !sameLook(kept.view, s.kept.view) {
			s.update()
		}
	})
}

func sameLook(a, b evidence.View) bool {
	return a.Map == b.Map && a.Preset == b.Preset && a.Own == b.Own
}

// apply shows a frame and tells the pane in front.
func (s *Screen) apply(f frame) {
	s.frame = f
	s.widgets.show()
	s.tellPane()
}

// update computes the matrices for what is chosen now. While that is under way, further changes
// wait, and only the newest of them is computed then.
func (s *Screen) update() {
	if s.answer.at < 0 || !s.pace.Begin(s.update) {
		return
	}
	x, controls, excluded, view, shown := s.session, s.controls, s.excluded, s.kept.view, s.frame
	var f frame
	s.Work.Quiet("compute matrices", func(context.Context) (err error) {
		if x == nil { // without signals only the colours and what is left out can change
			f = shown
			f.excluded, f.images.Excluded = excluded, excluded
			f.shown = evidence.Prepare(shown.shown.Evidence, view)
			return nil
		}
		f, err = x.compute(controls, excluded, view)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			s.broken(err)
		case x == s.session && !s.waiting && f.shown.Model.Hash == s.answer.base.Model.Hash:
			s.apply(f)
		}
		s.pace.End()
	})
}

func read(ctx context.Context, from Store, req request) (answer, error) {
	a := answer{at: -1, shared: req.shared, kept: req.kept}
	var err error
	if !req.known {
		if a.kept, err = recall(from, req.kept); err != nil {
			return a, err
		}
	}
	if a.models, err = from.Models(); err != nil || len(a.models) == 0 {
		return a, err
	}
	if req.model == "" {
		req.model = a.kept.model
	}
	a.at = max(slices.IndexFunc(a.models, func(m model.Model) bool { return m.Hash == req.model }), 0)
	current, err := from.Current()
	if err != nil {
		return a, err
	}
	if a.shared.ranges == nil || a.shared.current != current {
		ranges, err := evidence.SharedRanges(ctx, from, current.Suite, current.Family, evidence.DefaultModalities())
		if err != nil {
			return a, err
		}
		a.shared = sharedRanges{current: current, ranges: ranges}
	}
	return a, a.describe(ctx, from, current)
}

func (a *answer) describe(ctx context.Context, from Store, current store.Current) (err error) {
	hash := a.models[a.at].Hash
	a.family = current.Family
	if manifest, err := from.Suite(current.Suite); err == nil {
		a.manifest = manifest
	}
	a.base, a.summary, err = evidence.Describe(ctx, from, evidence.Request{
		Model: hash, Suite: current.Suite, Family: current.Family, Modalities: a.kept.modalities,
	})
	if err != nil {
		return err
	}
	_, err = from.Setting(excludedKey(hash, a.manifest.Hash), &a.excluded)
	return err
}

// unready is the frame of a model without signals.
func unready(a answer, view evidence.View) frame {
	c := everything()
	return frame{
		controls: c, images: c.images(a.base.Classes, a.excluded), excluded: a.excluded, last: len(a.base.Values) - 1,
		largest: make([]float64, len(a.base.Tiles)), shown: evidence.Prepare(a.base, view),
	}
}

// summed is the frame that a set's summary gives before the signals are read: all images, as far
// as it has the matrices.
func summed(a answer, kept remembered) frame {
	e := a.base
	e.Images, e.Total, e.Skipped = a.summary.Images, a.summary.Images, a.summary.Skipped
	e.Accuracy, e.Robust = a.summary.Accuracy, a.summary.Robust
	e.Tiles = make([]evidence.Tile, len(kept.modalities))
	for k, name := range kept.modalities {
		e.Tiles[k] = evidence.Tile{Modality: name, Matrix: a.summary.Matrices[name]}
		if e.Tiles[k].Absent() {
			e.Tiles[k].Reason = "reading the signals…"
		}
	}
	c := everything()
	return frame{
		controls: c, images: c.images(nil, nil), last: len(e.Values) - 1,
		largest: make([]float64, len(e.Tiles)), shown: evidence.Prepare(e, kept.view),
	}
}

// serves tells whether the session has what an answer asks for.
func (x *session) serves(a answer, modalities []string) bool {
	return x.base.Model.Hash == a.base.Model.Hash && x.family == a.family && x.manifest.Hash == a.manifest.Hash &&
		x.summary == a.summary.Key && slices.Equal(x.names(), modalities)
}

// with is the session with another description of its model. It shares nothing that compute writes
// to.
func (x *session) with(base evidence.Evidence) *session {
	base.Tiles, base.Skipped = nil, x.base.Skipped
	return &session{
		base: base, manifest: x.manifest, family: x.family, summary: x.summary, mapping: x.mapping, set: x.set, labels: x.labels,
		parts: x.parts, single: x.single, reach: [2]int{-1, -1},
	}
}
