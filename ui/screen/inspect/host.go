package inspect

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

var _ pane.Screen = (*Screen)(nil)

// Exclude implements pane.Screen.
func (s *Screen) Exclude(images []int) { s.exclude(with(s.excluded, images)) }

// Include implements pane.Screen.
func (s *Screen) Include(images []int) { s.exclude(without(s.excluded, images)) }

// ShowPosition implements pane.Screen.
func (s *Screen) ShowPosition(position string) { s.Modalities(shownWith(s.kept.modalities, position)) }

// exclude leaves these images out of the model's matrices, remembers them and reports the change.
func (s *Screen) exclude(images []int) {
	before := s.excluded
	if s.answer.at < 0 || slices.Equal(before, images) {
		return
	}
	s.excluded = images
	s.update()
	key := s.excludedKey()
	to := func(list []int) func(context.Context) error {
		return func(context.Context) error { return s.store.SetSetting(key, list) }
	}
	step := history.Step{Title: exclusionTitle(before, images, s.answer.base.Model.ID), Undo: to(before), Redo: to(images)}
	s.following.Next()
	s.keeper.KeepThen(key, images, func() { s.deps.Did(step) })
}

// excludedKey is where the excluded images of what is shown are remembered; s.model may be another
// one that is being read.
func (s *Screen) excludedKey() string {
	return excludedKey(s.answer.base.Model.Hash, s.answer.manifest.Hash)
}

// exclusionTitle says what was done, in words that follow "Undo: ".
func exclusionTitle(before, after []int, id string) string {
	if gone := without(after, before); len(gone) > 0 {
		return fmt.Sprintf("exclusion of %s from %s", result.Counted(len(gone), "image"), id)
	}
	return fmt.Sprintf("inclusion of %s in %s", result.Counted(len(without(before, after)), "image"), id)
}

// Focus implements pane.Screen: it marks an element in all matrices and tells the pane in front.
func (s *Screen) Focus(f pane.Focus) {
	if f == s.cell {
		return
	}
	s.cell = f
	s.widgets.mark()
	s.widgets.readFocus()
	s.tellPane()
}

// moveFocus moves the marked element within the interval that is shown; it is false without one.
func (s *Screen) moveFocus(di, dj int) bool {
	if !s.cell.Cell() {
		return false
	}
	f := s.cell
	f.I = min(max(f.I+di, s.frame.first), s.frame.last)
	f.J = min(max(f.J+dj, s.frame.first), s.frame.last)
	s.Focus(f)
	return true
}

// Subject is what the screen shows, for panes; ok is false before the first model was read, and while
// the signals of a model are: until then nobody can say what there is.
func (s *Screen) Subject() (subject pane.Subject, ok bool) {
	f := s.frame
	reading := s.waiting && s.session == nil && s.answer.summary.Key != ""
	if s.answer.at < 0 || f.shown.Model.Hash != s.answer.base.Model.Hash || reading {
		return pane.Subject{}, false
	}
	subject = pane.Subject{
		Model: s.answer.base.Model, Suite: s.answer.manifest, Family: s.answer.family, Images: f.images, Chosen: f.chosen,
		First: f.first, Last: f.last, Evidence: f.shown.Evidence, View: f.shown.View, Focus: s.cell,
	}
	if subject.Focus.Modality == "" && len(f.shown.Tiles) > 0 {
		subject.Focus.Modality = f.shown.Tiles[0].Modality
	}
	if s.session != nil {
		subject.Set, subject.Mapping = s.session.set, s.session.mapping
	}
	return subject, true
}

// toFront chooses the tab that is seen: 0 is the overview, then the panes in order.
func (s *Screen) toFront(tab int) {
	if tab == s.front || tab < 0 || tab > len(s.panes) {
		return
	}
	if s.shown {
		s.hidePane()
	}
	s.front = tab
	s.widgets.arrange(tab, tab > 0 && s.panes[tab-1].Tall())
	s.tellPane()
}

// tellPane hands the pane in front what is being looked at. While another model is read, nothing
// of the last one is shown.
func (s *Screen) tellPane() {
	if !s.shown || s.front == 0 {
		s.widgets.wait.End()
		return
	}
	front := s.panes[s.front-1]
	subject, ok := s.Subject()
	if !ok {
		front.Object().Hide()
		if s.waiting {
			s.widgets.wait.Begin("Reading the signals…")
		}
		return
	}
	s.widgets.wait.End()
	front.Object().Show()
	front.Show(subject)
}

func (s *Screen) hidePane() {
	if s.front > 0 {
		s.panes[s.front-1].Hidden()
	}
}

// Front brings a pane to the front.
func (s *Screen) Front(p pane.Pane) {
	if k := slices.Index(s.panes, p); k >= 0 {
		s.widgets.tabs.SelectIndex(k + 1)
	}
}
