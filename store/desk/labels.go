package desk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

const eventsPath = "events.jsonl"

// ErrNoLabels is wrapped by Send's error when there is nothing to send.
var ErrNoLabels = errors.New("no labels at this desk yet")

// Send writes the label events that were made at this desk in a round into one file, those of one
// annotator or, with an empty annotator, of all. The same labels give the same bytes, so that the
// hash tells whether something is new.
func Send(ctx context.Context, ws *store.Workspace, roundID, annotator, path string) (Written, error) {
	r, err := ws.Round(roundID)
	if err != nil {
		return Written{}, fmt.Errorf("send labels: %w", err)
	}
	events, err := Own(ws, r, annotator)
	if err != nil {
		return Written{}, fmt.Errorf("send labels: %w", err)
	}
	if len(events) == 0 {
		return Written{}, fmt.Errorf("send labels: %s has %w in round %q", or(annotator, "nobody"), ErrNoLabels, r.Name)
	}
	m := manifest{
		Format: labelsFormat, Version: 1, Round: r.ID, RoundName: r.Name, Desk: ws.Desk(), Events: len(events),
	}
	var lines bytes.Buffer
	for _, ev := range events {
		if !slices.Contains(m.Annotators, ev.Annotator) {
			m.Annotators = append(m.Annotators, ev.Annotator)
		}
		if ev.Kind == label.Plan {
			m.Version = planned
		}
		line, err := json.Marshal(ev)
		if err != nil {
			return Written{}, err
		}
		lines.Write(append(line, '\n'))
	}
	slices.Sort(m.Annotators)
	written, err := writeFile(path, func(out io.Writer) error {
		return writeArchive(ctx, out, m, []source{text(eventsPath, lines.Bytes())}, func() {})
	})
	if err != nil {
		return Written{}, fmt.Errorf("send labels: %w", err)
	}
	written.Round, written.Events = r.Name, len(events)
	return written, nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// Own are the events of a round that were made at this desk, in the order of their ids; those of
// one annotator or, with an empty annotator, of all.
func Own(ws *store.Workspace, r label.Round, annotator string) ([]label.Event, error) {
	if annotator != "" && !slices.Contains(r.Annotators, annotator) {
		return nil, fmt.Errorf("annotator %q is not in round %q; it has %s", annotator, r.Name,
			strings.Join(r.Annotators, ", "))
	}
	events, err := ws.Events(r.ID)
	if err != nil {
		return nil, err
	}
	return label.Sorted(slices.DeleteFunc(events, func(ev label.Event) bool {
		return ev.Desk != ws.Desk() || annotator != "" && ev.Annotator != annotator
	})), nil
}

// The limits on files of labels.
const (
	maxLine = 1 * mebi // one event
	maxText = 64 << 10 // a note or a flag
	// horizon is how far ahead of this computer's clock an event's id may be. Ids grow past those
	// of merged events, so one from the end of time would leave no room.
	horizon = 10 * 365 * 24 * time.Hour
)

// labelsFile is what one file of labels holds.
type labelsFile struct {
	desk   string // that wrote it, "" for a table
	events []label.Event
	others bool // it is neither a file of labels nor a labels_long.csv, and not read
}

// readLabels reads a labels file, or a labels_long.csv, completely and strictly; others are for
// merging.readTable.
func readLabels(path string) (labelsFile, error) {
	f, err := outside.Open(path, outside.Table)
	if err != nil {
		return labelsFile{}, err
	}
	defer func() { _ = f.Close() }()
	start := make([]byte, 2)
	n, _ := io.ReadFull(f, start) // a shorter file is a table
	if string(start[:n]) == "PK" {
		return parseLabels(f, f.Size())
	}
	if long, err := export.IsLong(path); err != nil || !long {
		return labelsFile{others: err == nil}, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return labelsFile{}, err
	}
	return parseTable(f, filepath.Base(path))
}

func parseTable(r io.Reader, name string) (labelsFile, error) {
	events, err := export.ReadLabelsLong(r, name)
	if err != nil {
		return labelsFile{}, err
	}
	for _, ev := range events {
		if err := checkEvent(ev); err != nil {
			return labelsFile{}, err
		}
	}
	return labelsFile{events: events}, nil
}

func parseLabels(r io.ReaderAt, size int64) (labelsFile, error) {
	a, err := openArchive(r, size, labelsFormat)
	if err != nil {
		return labelsFile{}, err
	}
	if len(a.Members) != 1 {
		return labelsFile{}, errors.New("it holds more than labels")
	}
	data, err := a.bytes(eventsPath)
	if err != nil {
		return labelsFile{}, err
	}
	l := labelsFile{desk: a.Desk}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		ev, err := parseEvent(lines.Bytes())
		if err == nil && ev.Round != a.Round {
			err = errors.New("it belongs to another round than the file")
		}
		if err == nil && ev.Desk != a.Desk {
			err = errors.New("it was made at another desk than the file")
		}
		if err != nil {
			return labelsFile{}, fmt.Errorf("line %d: %w", len(l.events)+1, err)
		}
		l.events = append(l.events, ev)
	}
	if err := lines.Err(); err != nil {
		return labelsFile{}, fmt.Errorf("line %d: %w", len(l.events)+1, err)
	}
	if len(l.events) != a.Events {
		return labelsFile{}, fmt.Errorf("it holds %d label events and says %d", len(l.events), a.Events)
	}
	return l, nil
}

func parseEvent(line []byte) (label.Event, error) {
	var ev label.Event
	if !utf8.Valid(line) {
		return ev, errors.New("it is not UTF-8")
	}
	if err := outside.JSON(line, &ev, true); err != nil {
		return ev, fmt.Errorf("it cannot be read, or a newer Variscope wrote it: %w", err)
	}
	return ev, checkEvent(ev)
}

// checkEvent holds an event of another desk to its form; whether it fits its round is the store's
// to say.
func checkEvent(ev label.Event) error {
	for what, id := range map[string]string{"its id": ev.ID, "its round": ev.Round, "what it replaces": ev.Supersedes} {
		if parsed, err := ulid.ParseStrict(id); (id != "" || what != "what it replaces") &&
			(err != nil || parsed.String() != id) {
			return fmt.Errorf("label event %q: %s is no ULID", ev.ID, what)
		}
	}
	id, err := ulid.ParseStrict(ev.ID)
	switch {
	case err != nil:
		return fmt.Errorf("label event %q: its id is no ULID", ev.ID)
	case ulid.Time(id.Time()).After(time.Now().Add(horizon)):
		return fmt.Errorf("label event %s is from the far future; set the clock of the desk that made it", ev.ID)
	case len(ev.Note) > maxText || len(ev.Flag) > maxText || len(ev.Annotator) > maxText || len(ev.Desk) > maxText:
		return fmt.Errorf("label event %s has a text of more than %d KiB", ev.ID, maxText>>10)
	case len(ev.Ranges) > 1<<10 || len(ev.Queue) > 1<<10:
		return fmt.Errorf("label event %s has %d colour ranges and a queue of %d models; 1024 of either are too many",
			ev.ID, len(ev.Ranges), len(ev.Queue))
	}
	return nil
}
