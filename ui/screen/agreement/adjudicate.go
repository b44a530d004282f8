package agreement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// What is missing when a final label is asked for.
var (
	errNoJudge  = errors.New("write who decides before giving a final label")
	errNoLabel  = errors.New("choose the final label first")
	errNoReason = errors.New("give a reason: it stands beside the final label in the export")
)

// Judge says who adjudicates: the name of an annotator, or any other name.
func (s *Screen) Judge(name string) {
	id := strings.TrimSpace(name)
	for _, annotator := range s.view().Round.Annotators {
		if s.view().person(annotator) == id {
			id = annotator
		}
	}
	s.queue.by = id
}

// Adjudicate gives a case its final label, with the reason for it. A label that it has already is
// replaced, and kept.
func (s *Screen) Adjudicate(c label.Case, value label.Value, reason string) {
	reason = strings.TrimSpace(reason)
	var problem error
	switch {
	case s.queue.by == "":
		problem = errNoJudge
	case value == "":
		problem = errNoLabel
	case reason == "":
		problem = errNoReason
	}
	if problem != nil {
		s.Fail(problem)
		return
	}
	ev := label.Event{
		Round: s.view().Round.ID, Model: c.Model, Annotator: s.queue.by, Kind: label.Adjudicate, Pass: 1, Value: value,
		Sure: true, Note: reason, Guideline: s.view().Round.GuidelineHash(),
	}
	if c.Final != nil {
		ev.Supersedes = c.Final.ID
	}
	s.append(fmt.Sprintf("final label of %s", s.view().modelID(c.Model)), ev, s.queue.decided)
}

// TakeBack undoes the final label of a case; the one before it, if any, is in force again.
func (s *Screen) TakeBack(c label.Case) {
	if c.Final == nil {
		return
	}
	s.append(fmt.Sprintf("taking back of the final label of %s", s.view().modelID(c.Model)), undoOf(*c.Final),
		func() {})
}

// Discuss adds a note to the discussion of a case.
func (s *Screen) Discuss(c label.Case, note string) {
	note = strings.TrimSpace(note)
	switch {
	case note == "":
		return
	case s.queue.by == "":
		s.Fail(errNoJudge)
		return
	}
	s.append(fmt.Sprintf("discussion note on %s", s.view().modelID(c.Model)), label.Event{
		Round: s.view().Round.ID, Model: c.Model, Annotator: s.queue.by, Kind: label.Note, Pass: 1,
		Flag: label.Discussion, Note: note,
	}, s.queue.noted)
}

// undoOf is the event that takes another one back.
func undoOf(ev label.Event) label.Event {
	return label.Event{
		Round: ev.Round, Model: ev.Model, Annotator: ev.Annotator, Kind: label.Undo, Pass: 1, Supersedes: ev.ID,
	}
}

// append stores an event as a step that can be taken back, and made again, by further events.
func (s *Screen) append(title string, ev label.Event, done func()) {
	if s.queue.saving {
		return
	}
	s.queue.saving = true
	last := ev
	again := func(ev label.Event) func(context.Context) error {
		return func(context.Context) (err error) {
			last, err = s.store.Append(ev)
			return err
		}
	}
	s.Work.Quiet(title, again(ev), func(err error) {
		s.queue.saving = false
		if err != nil {
			s.Fail(err)
			return
		}
		done()
		s.queue.keeper.Keep(settingJudge, ev.Annotator)
		s.actions.Did(history.Step{
			Title: title,
			Undo:  func(ctx context.Context) error { return again(undoOf(last))(ctx) },
			Redo:  func(ctx context.Context) error { return again(undoOf(last))(ctx) },
		})
	})
}

// lookAt reads the matrices of a case and shows them.
func (s *Screen) lookAt(c label.Case, show func(evidence.Prepared)) {
	d, _ := s.Data()
	round := s.view().Round
	view := evidence.View{Shared: evidence.Ranges(round.Ranges), Map: d.Colour, FieldMap: d.Fields}
	jobs.Load(s.Work, &s.queue.looks, "read matrices", func(ctx context.Context) (evidence.Prepared, error) {
		e, err := evidence.OfRound(ctx, s.store, s.actions.Scenes, round, c.Model)
		return evidence.Prepare(e, view), err
	}, func(p evidence.Prepared, err error) {
		if err != nil {
			s.Fail(err)
			return
		}
		show(p)
	})
}

// judges are the names to choose from for who adjudicates, and the name of who does so now.
func (s *Screen) judges() (names []string, chosen string) {
	for _, id := range s.view().Round.Annotators {
		names = append(names, s.view().person(id))
	}
	if s.queue.by == "" {
		return names, ""
	}
	if chosen = s.view().person(s.queue.by); !slices.Contains(names, chosen) {
		names = append(names, chosen)
	}
	return names, chosen
}
