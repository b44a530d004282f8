package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/database"
)

// Append adds an event to its round and returns it with ID, Desk and Saved filled in (and Pass,
// where it is 0). When it returns without an error the event is fsynced: the screen may confirm
// it. IDs grow, also past those of merged events, so the appended event is the round's newest. A
// closed round takes adjudications, their undoing and notes only.
func (w *Workspace) Append(ev label.Event) (label.Event, error) {
	if ev.ID != "" {
		return ev, fmt.Errorf("label event %s has an id already; events of other desks are merged", ev.ID)
	}
	ev.Desk, ev.Pass = w.desk, max(ev.Pass, 1)
	ev.Saved = database.Now()
	ev.Started = ev.Started.UTC().Truncate(time.Millisecond)
	err := w.Update(func(tx *database.Tx) error {
		r, err := getRound(tx, ev.Round)
		if err != nil {
			return err
		}
		if err := checkAppend(tx, r, ev); err != nil {
			return err
		}
		if err := w.freeze(tx, r, ev); err != nil {
			return err
		}
		ev.ID = w.ids.After(lastEvent(tx, r.ID)).String()
		return w.putEvent(tx, ev)
	})
	if err != nil {
		ev.ID = ""
		return ev, err
	}
	w.changes.tell(LabelsChanged, ev.Round)
	return ev, nil
}

func checkAppend(tx *database.Tx, r label.Round, ev label.Event) error {
	if err := ev.Validate(r); err != nil {
		return err
	}
	if (ev.Kind == label.Label || ev.Kind == label.Skip) && !r.Assigned(ev.Annotator, ev.Model) {
		return fmt.Errorf("round %q: model %s is not assigned to %s; each model is labelled by %d of its %d annotators",
			r.Name, ev.Model, ev.Annotator, r.Overlap, len(r.Annotators))
	}
	closed := r.Closed && ev.Kind != label.Adjudicate && ev.Kind != label.Note
	shut := fmt.Errorf("round %q %w", r.Name, ErrRoundClosed)
	if ev.Supersedes == "" {
		if closed {
			return shut
		}
		return nil
	}
	target, found, err := database.Events.Get(tx, database.KeyOfEvent(r.ID, ev.Supersedes))
	if err != nil {
		return err
	}
	if !found || target.Model != ev.Model {
		return fmt.Errorf("label event %s, which the new one refers to, is not one of round %q and this model",
			ev.Supersedes, r.Name)
	}
	if closed {
		what, err := undoes(tx, r.ID, ev, target)
		if err != nil {
			return err
		}
		if what != label.Adjudicate && what != label.Note {
			return shut
		}
	}
	if ev.Kind == label.Undo && target.Annotator != ev.Annotator {
		return fmt.Errorf("label event %s is %s's; only %s can take it back",
			target.ID, target.Annotator, target.Annotator)
	}
	return nil
}

// undoes is the kind of what an undo of target takes back or, as the undo of an undo, brings back;
// "" for other events.
func undoes(tx *database.Tx, round string, ev, target label.Event) (label.Kind, error) {
	if ev.Kind != label.Undo {
		return "", nil
	}
	const longest = 1000 // undo events that form a circle, which no desk writes, end somewhere too
	for range longest {
		if target.Kind != label.Undo {
			return target.Kind, nil
		}
		next, found, err := database.Events.Get(tx, database.KeyOfEvent(round, target.Supersedes))
		if err != nil || !found {
			return "", err
		}
		target = next
	}
	return "", nil
}

// freeze fills the colour ranges that the round does not have yet with its first label: as the
// annotator saw them, else by the rule of DESIGN.md section 7.
func (w *Workspace) freeze(tx *database.Tx, r label.Round, ev label.Event) error {
	if len(r.Ranges) >= len(r.Modalities) || ev.Kind != label.Label && ev.Kind != label.Adjudicate {
		return nil
	}
	if frozen, err := database.HasLabels(tx, r); err != nil || frozen {
		return err
	}
	ranges, err := summaryRanges(tx, r)
	if err != nil {
		return err
	}
	for _, m := range r.Modalities {
		if seen, ok := ev.Ranges[m]; ok && seen.Low < seen.High {
			ranges[m] = seen
		}
	}
	maps.Copy(ranges, r.Ranges)
	r.Ranges = ranges
	if err := r.Validate(); err != nil {
		return err
	}
	return w.putRound(tx, r)
}

// lastEvent is the largest id of a round's events, zero when it has none.
func lastEvent(tx *database.Tx, round string) ulid.ULID {
	c := database.Events.In(tx).Cursor()
	key, _ := c.Seek([]byte(round + "~")) // behind every ULID
	if key == nil {
		key, _ = c.Last()
	} else {
		key, _ = c.Prev()
	}
	id, err := ulid.ParseStrict(string(bytes.TrimPrefix(key, []byte(round))))
	if err != nil {
		return ulid.ULID{}
	}
	return id
}

// Events returns all events of a round in the order of their ids; the round may be unknown.
func (w *Workspace) Events(round string) ([]label.Event, error) {
	var list []label.Event
	err := w.View(func(tx *database.Tx) error {
		return database.EachEvent(tx, round, func(ev label.Event) bool {
			list = append(list, ev)
			return true
		})
	})
	return list, err
}

// Merge adds events of other desks: the union by ULID (DESIGN.md section 6), so merging again adds
// nothing. added counts the events that were not there. All rounds must be in the workspace; an
// event that does not fit its round, or that differs from the one with the same ULID
// (*label.ConflictError), refuses the whole merge.
func (w *Workspace) Merge(events []label.Event) (added int, err error) {
	byRound := map[string][]label.Event{}
	for _, ev := range events {
		if _, err := ulid.ParseStrict(ev.ID); err != nil {
			return 0, fmt.Errorf("label event %q: its id is no ULID", ev.ID)
		}
		byRound[ev.Round] = append(byRound[ev.Round], ev)
	}
	rounds := slices.Sorted(maps.Keys(byRound))
	grown := map[string]bool{}
	err = w.Update(func(tx *database.Tx) error {
		added = 0
		for _, round := range rounds {
			n, err := w.mergeRound(tx, round, byRound[round])
			if err != nil {
				return err
			}
			grown[round] = n > 0
			added += n
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, round := range rounds {
		if grown[round] {
			w.changes.tell(LabelsChanged, round)
		}
	}
	return added, nil
}

func (w *Workspace) mergeRound(tx *database.Tx, round string, events []label.Event) (added int, err error) {
	r, err := getRound(tx, round)
	if errors.Is(err, database.ErrNotFound) {
		return 0, fmt.Errorf("%w; labels are merged into workspaces that share the round", err)
	}
	if err != nil {
		return 0, err
	}
	var have []label.Event
	if err := database.EachEvent(tx, round, func(ev label.Event) bool {
		have = append(have,
			ev)
		return true
	}); err != nil {
		return 0, err
	}
	known := make(map[string]label.Event, len(have))
	for _, ev := range have {
		known[ev.ID] = ev
	}
	merged, added, err := label.Merge(have, events)
	if err != nil {
		return 0, err
	}
	for _, ev := range merged {
		if old, ok := known[ev.ID]; ok && (old.Ranges != nil || ev.Ranges == nil) {
			continue
		}
		if err := ev.Validate(r); err != nil {
			return 0, err
		}
		if err := w.putEvent(tx, ev); err != nil {
			return 0, err
		}
	}
	return added, nil
}
