package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// FileReport says what became, or would become, of one file of labels.
type FileReport struct {
	Path   string
	SHA256 string
	Desk   string // that wrote it
	Round  string // name of its round, or how many it has
	Events int
	New    int    // not in the workspace, nor in a file before this one
	Known  int    // the others
	Others bool   // it is a table that others made
	Taken  string // of such a table: how it was read, and which words were taken for what
	Refuse string // why nothing of the file is merged
	// Unassigned counts its labels, by Whom, of models that are not assigned to their annotators:
	// the round may have changed here since its package was written.
	Unassigned int
	Whom       []string
}

// Uncounted says which labels of the file count for nothing, "" without any.
func (f FileReport) Uncounted() string {
	if f.Unassigned == 0 {
		return ""
	}
	return fmt.Sprintf("%s by %s, of models that are not assigned to them in the round here: "+
		"kept, and left out of all measures", result.Counted(f.Unassigned, "label"), result.Some(f.Whom))
}

// ConflictReport is an item for which merging brings, or keeps, different labels of one annotator
// from two desks.
type ConflictReport struct {
	Round     string // name
	Model     string // id
	Annotator string
	Labels    []label.Value // oldest first; the last one counts as current. None while the round is blind
	Conflict  label.Conflict
}

// Plan is what merging files would do.
type Plan struct {
	Files     []FileReport
	Added     int
	Conflicts []ConflictReport // of the rounds that the files belong to, as they are after merging
	events    []label.Event
}

// Good counts the files that can be merged.
func (p Plan) Good() int {
	n := 0
	for _, f := range p.Files {
		if f.Refuse == "" {
			n++
		}
	}
	return n
}

// Problem is the first reason why a file is refused, nil when none is.
func (p Plan) Problem() error {
	for _, f := range p.Files {
		if f.Refuse != "" {
			return fmt.Errorf("%s: %s; nothing was changed", filepath.Base(f.Path), f.Refuse)
		}
	}
	return nil
}

// Preview reads files of labels and says what merging them would do. How is for tables of others:
// their labels become events of this desk. Nothing is changed. A file is refused as a whole: when
// it is damaged, when its round is not here, when an event does not fit its round, or when it
// holds another event under the id of one that is here or in another file, which is then refused
// too. So the outcome does not depend on the order of the files. Progress counts files; p may be
// nil.
func Preview(ctx context.Context, ws *store.Workspace, paths []string, how Reading, p engine.Progress) (Plan, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	p.SetTotal(int64(len(paths)))
	m := merging{ws: ws, how: how, rounds: map[string]*known{}}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return Plan{}, err
		}
		m.read(ctx, path)
		p.Add(1)
	}
	if err := ctx.Err(); err != nil { // else the last file would seem to be refused
		return Plan{}, err
	}
	if err := m.check(); err != nil {
		return Plan{}, err
	}
	m.disputes()
	return m.plan()
}

// Merge merges the files of a plan that are not refused, in one transaction. Merging again adds
// nothing.
func Merge(ws *store.Workspace, p Plan) (added int, err error) {
	added, err = ws.Merge(p.events)
	if err != nil {
		return 0, fmt.Errorf("merge labels: %w; nothing was changed", err)
	}
	return added, nil
}

// known is a round of the workspace with its events.
type known struct {
	round  label.Round
	events []label.Event
	byID   map[string]label.Event
}

type merging struct {
	ws     *store.Workspace
	how    Reading
	files  []FileReport
	events [][]label.Event // per file
	rounds map[string]*known
}

// read reads one file; what is wrong with it is noted.
func (m *merging) read(ctx context.Context, path string) {
	f := FileReport{Path: path}
	labels, err := readLabels(path)
	f.Events = len(labels.events)
	if err == nil && labels.others {
		labels.events, err = m.readTable(path, &f)
	}
	if err == nil {
		f.SHA256, err = store.HashFile(ctx, path)
	}
	if err != nil {
		f.Refuse = plain(err)
	}
	f.Desk = labels.desk
	m.files, m.events = append(m.files, f), append(m.events, labels.events)
}

// plain leaves out the path that package os puts in front.
func plain(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// check holds the events of every file to their rounds and to what is here. The error is the
// workspace's.
func (m *merging) check() error {
	for k := range m.files {
		f := &m.files[k]
		for _, ev := range m.events[k] {
			if f.Refuse != "" {
				break
			}
			reason, err := m.fits(ev)
			if err != nil {
				return err
			}
			f.Refuse = reason
		}
	}
	return nil
}

// fits returns why an event cannot be merged, "" when it can.
func (m *merging) fits(ev label.Event) (reason string, err error) {
	here, err := m.round(ev.Round)
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Sprintf("round %s is not in this workspace; open its round package first", ev.Round), nil
	}
	if err != nil {
		return "", err
	}
	if err := ev.Validate(here.round); err != nil {
		return err.Error(), nil
	}
	if old, ok := here.byID[ev.ID]; ok {
		return dispute(old, ev), nil
	}
	return "", nil
}

func dispute(a, b label.Event) string {
	if _, _, err := label.Merge([]label.Event{a}, []label.Event{b}); err != nil {
		return err.Error()
	}
	return ""
}

func (m *merging) round(id string) (*known, error) {
	if k := m.rounds[id]; k != nil {
		return k, nil
	}
	r, err := m.ws.Round(id)
	if err != nil {
		return nil, err
	}
	k := &known{round: r, byID: map[string]label.Event{}}
	if k.events, err = m.ws.Events(id); err != nil {
		return nil, err
	}
	for _, ev := range k.events {
		k.byID[ev.ID] = ev
	}
	m.rounds[id] = k
	return k, nil
}

// disputes refuses all files that hold different events under one id, also within one file.
func (m *merging) disputes() {
	type place struct {
		file int
		ev   label.Event
	}
	seen := map[string][]place{}
	reasons := make([]string, len(m.files))
	for k := range m.files {
		if m.files[k].Refuse != "" {
			continue
		}
		for _, ev := range m.events[k] {
			for _, other := range seen[ev.ID] {
				if reason := dispute(other.ev, ev); reason != "" {
					reasons[k] = fmt.Sprintf("%s (the other one is in %s)", reason,
						filepath.Base(m.files[other.file].Path))
					reasons[other.file] = fmt.Sprintf("%s (the other one is in %s)", reason,
						filepath.Base(m.files[k].Path))
				}
			}
			same := func(p place) bool { return dispute(p.ev, ev) == "" }
			if !slices.ContainsFunc(seen[ev.ID], same) {
				seen[ev.ID] = append(seen[ev.ID], place{k, ev})
			}
		}
	}
	for k, reason := range reasons {
		if reason != "" {
			m.files[k].Refuse = reason
		}
	}
}

// plan counts what is new and finds the conflicts that there are after merging.
func (m *merging) plan() (Plan, error) {
	p := Plan{Files: m.files, Conflicts: []ConflictReport{}}
	people, err := m.ws.AnnotatorNames()
	if err != nil {
		return Plan{}, err
	}
	new := map[string]bool{}
	touched := map[string][]label.Event{} // round to merged events
	for k := range m.files {
		f := &m.files[k]
		if f.Refuse != "" {
			continue
		}
		rounds := map[string][]label.Event{}
		for _, ev := range m.events[k] {
			here := m.rounds[ev.Round]
			f.Round = here.round.Name
			if _, ok := here.byID[ev.ID]; ok || new[ev.ID] {
				f.Known++
			} else {
				f.New++
				new[ev.ID] = true
			}
			rounds[ev.Round] = append(rounds[ev.Round], ev)
		}
		if len(rounds) > 1 {
			f.Round = fmt.Sprintf("%d rounds", len(rounds))
		}
		for id, events := range rounds {
			touched[id] = append(touched[id], events...)
			asked := m.rounds[id].round.Asked()
			for key := range label.Current(events) {
				if whom := or(people[key.Annotator], key.Annotator); !asked(key.Annotator, key.Model) {
					f.Unassigned++
					if !slices.Contains(f.Whom, whom) {
						f.Whom = append(f.Whom, whom)
					}
				}
			}
		}
		slices.Sort(f.Whom)
		p.Added += f.New
		p.events = append(p.events, m.events[k]...)
	}
	for id, events := range touched {
		if err := m.conflicts(&p, m.rounds[id], events); err != nil {
			return Plan{}, err
		}
	}
	slices.SortStableFunc(p.Conflicts, func(a, b ConflictReport) int {
		return result.Natural(a.Round+"\x00"+a.Model, b.Round+"\x00"+b.Model)
	})
	return p, nil
}

func (m *merging) conflicts(p *Plan, here *known, events []label.Event) error {
	merged, _, err := label.Merge(here.events, events)
	if err != nil {
		return err
	}
	list, err := Conflicts(m.ws, here.round, merged)
	p.Conflicts = append(p.Conflicts, list...)
	return err
}

// Conflicts lists the conflicts of a round for people, with the names of annotators and models.
func Conflicts(ws *store.Workspace, r label.Round, events []label.Event) ([]ConflictReport, error) {
	names, err := ws.AnnotatorNames()
	if err != nil {
		return nil, err
	}
	var list []ConflictReport
	for _, c := range label.Conflicts(r, events) {
		report := ConflictReport{
			Round: r.Name, Model: c.Model, Annotator: or(names[c.Annotator], c.Annotator), Conflict: c,
		}
		if m, err := ws.Model(c.Model); err == nil {
			report.Model = m.ID
		}
		if !r.Blind || r.Closed {
			for _, ev := range c.Labels {
				report.Labels = append(report.Labels, ev.Value)
			}
		}
		list = append(list, report)
	}
	return list, nil
}
