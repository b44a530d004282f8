package label

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ConflictError says that two desks hold different events under one ULID, which merging must not
// decide.
type ConflictError struct {
	ID    string
	Field string // what differs, as named in labels_long.csv
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("label event %s differs in %s from the one that is here already; "+
		"one of the two files was changed by hand", e.ID, e.Field)
}

// Merge returns the union of two sets of events by ULID, in ULID order, and how many of b were not
// in a. It keeps both inputs as they are. The same ULID with different content is a *ConflictError;
// colour ranges, which tables of labels do not carry, are taken from the side that has them.
func Merge(a, b []Event) (merged []Event, added int, err error) {
	at := make(map[string]int, len(a))
	merged = make([]Event, 0, len(a)+len(b))
	for k, list := range [][]Event{a, b} {
		for _, ev := range list {
			have, known := at[ev.ID]
			if !known {
				at[ev.ID] = len(merged)
				merged = append(merged, ev)
				added += k
				continue
			}
			if field := difference(merged[have], ev); field != "" {
				return nil, 0, &ConflictError{ID: ev.ID, Field: field}
			}
			if merged[have].Ranges == nil {
				merged[have].Ranges = ev.Ranges
			}
		}
	}
	return Sorted(merged), added, nil
}

// difference names the first field in which two events with one ULID differ, "" when they are the
// same event.
func difference(a, b Event) string {
	for _, f := range []struct {
		name string
		same bool
	}{
		{"desk", a.Desk == b.Desk},
		{"round_id", a.Round == b.Round},
		{"model_hash", a.Model == b.Model},
		{"annotator", a.Annotator == b.Annotator},
		{"kind", a.Kind == b.Kind},
		{"pass", a.Pass == b.Pass},
		{"label", a.Value == b.Value},
		{"sure", a.Sure == b.Sure},
		{"flag", lines(a.Flag) == lines(b.Flag)},
		{"note", lines(a.Note) == lines(b.Note)},
		{"started", a.Started.Equal(b.Started)},
		{"saved", a.Saved.Equal(b.Saved)},
		{"seconds", a.Seconds == b.Seconds},
		{"guideline_hash", a.Guideline == b.Guideline},
		{"supersedes", a.Supersedes == b.Supersedes},
		{"queue", slices.Equal(a.Queue, b.Queue)},
		{"colour ranges", a.Ranges == nil || b.Ranges == nil || maps.Equal(a.Ranges, b.Ranges)},
	} {
		if !f.same {
			return f.name
		}
	}
	return ""
}

// lines writes line ends as tables of labels do.
func lines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
