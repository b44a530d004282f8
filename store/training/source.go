package training

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

// source are the labels of one round, file or column. The zero value is no source.
type source struct {
	name    string // "round first look", "labels_wide.csv", "column rule_label"; empty for none
	classes int
	raters  []string
	byRule  bool   // label.Round.ByRule of one of the rounds
	items   []item // in the order of the source
	byHash  map[string]int
	byID    map[string]int // for models whose hash is not known
}

// item is what a source says of one model.
type item struct {
	id, hash string
	value    label.Value
	basis    string // label.Basis, or the source's name
	ratings  []label.Value
}

func newSource(name string, classes int) source {
	return source{name: name, classes: classes, byHash: map[string]int{}, byID: map[string]int{}}
}

// add adds an item; hash or id may be empty.
func (s *source) add(it item) {
	if it.hash != "" {
		s.byHash[it.hash] = len(s.items)
	}
	if it.id != "" {
		s.byID[it.id] = len(s.items)
	}
	s.items = append(s.items, it)
}

// find looks a model up by its hash, and by its id where the hash of one of the two is not known.
func (s source) find(hash, id string) (int, bool) {
	if at, ok := s.byHash[hash]; ok && hash != "" {
		return at, true
	}
	at, ok := s.byID[id]
	return at, ok && (hash == "" || s.items[at].hash == "")
}

// matter is what labels are to speak of: variance matrices, or interpolated ones of a selection,
// whose hash is "" where nobody knows it.
type matter struct {
	background bool
	selection  string
}

// open reads what the labels name.
func (l Labels) open(ws *store.Workspace, entries []entry, about matter) (source, error) {
	switch {
	case l.Round != "":
		return ofRound(ws, l, about)
	case l.File != "":
		return ofTable(l.File, l.Ties)
	case l.Column != "":
		return ofColumn(entries, l.Column)
	}
	return source{}, nil
}

func ofRound(ws *store.Workspace, l Labels, about matter) (source, error) {
	r, err := ws.Round(l.Round)
	if err != nil {
		return source{}, err
	}
	if r.Secret() && !l.Researcher {
		return source{}, &SecretError{r.Name}
	}
	if err := about.fits(ws, r); err != nil {
		return source{}, err
	}
	events, err := ws.Events(r.ID)
	if err != nil {
		return source{}, err
	}
	ids := make([]string, len(r.Models))
	for i, hash := range r.Models {
		m, err := ws.Model(hash)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return source{}, err
		}
		ids[i] = m.ID
	}
	s := newSource("round "+r.Name, 0)
	return s, s.take(export.FileRound{Round: r, IDs: ids, Events: events}, l.Ties)
}

// fits refuses a round that is about other matrices than these.
func (m matter) fits(ws *store.Workspace, r label.Round) error {
	switch {
	case r.Kind == label.BackgroundRound && !m.background:
		return fmt.Errorf("round %s is about backgrounds; its labels say nothing of matrices of a family", r.Name)
	case r.Kind != label.BackgroundRound && m.background:
		return fmt.Errorf("round %s is about matrices of a family; "+
			"its labels say nothing of interpolated matrices of testing scenes", r.Name)
	case m.selection == "" || r.Selection == m.selection:
		return nil
	}
	list, err := ws.Selections()
	if err != nil {
		return err
	}
	return fmt.Errorf("round %s is about the scenes of selection %s, and its labels say nothing of matrices of "+
		"selection %s; measure %[2]s, or take labels that were given to %[3]s",
		r.Name, nameOf(list, r.Selection), nameOf(list, m.selection))
}

// nameOf is the name of a selection, the beginning of its hash where it is not in the workspace.
func nameOf(list []store.SelectionRecord, hash string) string {
	for _, s := range list {
		if s.Hash == hash {
			return s.Name
		}
	}
	const digits = 8
	return hash[:min(digits, len(hash))]
}

func ofTable(path string, ties bool) (source, error) {
	rounds, err := export.ReadRounds(path, 0)
	if err != nil {
		return source{}, err
	}
	s := newSource(filepath.Base(path), 0)
	for _, r := range rounds {
		if err := s.take(r, ties); err != nil {
			return source{}, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return s, nil
}

// take adds the decisions of a round. A model that an earlier round decided must not be decided
// otherwise.
func (s *source) take(r export.FileRound, ties bool) error {
	s.classes, s.byRule = max(s.classes, r.Classes), s.byRule || r.ByRule
	places := make([]int, len(r.Annotators))
	for a, name := range r.Annotators {
		if places[a] = slices.Index(s.raters, name); places[a] < 0 {
			places[a] = len(s.raters)
			s.raters = append(s.raters, name)
		}
	}
	ratings, words := label.Ratings(r.Round, r.Events), label.Values(r.Classes)
	for i, d := range label.Training(r.Round, r.Events, ties) {
		it := item{
			id: r.IDs[i], hash: d.Model, value: d.Value, basis: string(d.By),
			ratings: make([]label.Value, len(s.raters)),
		}
		for a, place := range places {
			if v := ratings[a][i]; v != label.Missing {
				it.ratings[place] = words[v]
			}
		}
		if err := s.unite(it); err != nil {
			return err
		}
	}
	return nil
}

// unite adds an item, or completes the one that an earlier round has of the same model.
func (s *source) unite(it item) error {
	at, ok := s.byHash[it.hash]
	if !ok {
		s.add(it)
		return nil
	}
	have := &s.items[at]
	if have.value != "" && it.value != "" && have.value != it.value {
		return fmt.Errorf("model %s is %s in one round and %s in another; keep one of the rounds",
			it.id, have.value, it.value)
	}
	if have.value == "" {
		have.value, have.basis = it.value, it.basis
	}
	for a, v := range it.ratings {
		switch {
		case a >= len(have.ratings):
			have.ratings = append(have.ratings, v)
		case have.ratings[a] == "":
			have.ratings[a] = v
		}
	}
	return nil
}

func ofColumn(entries []entry, column string) (source, error) {
	if err := needColumn(entries, column); err != nil {
		return source{}, err
	}
	s := newSource("column "+column, 2)
	for _, e := range entries {
		text := e.value(column)
		if text == "" {
			continue
		}
		v, err := parseLabel(text)
		if err != nil {
			return source{}, fmt.Errorf("model %s, column %s: %w", e.row.ID, column, err)
		}
		if v == label.Borderline {
			s.classes = 3
		}
		s.add(item{id: e.row.ID, hash: e.row.Hash, value: v, basis: s.name})
	}
	return s, nil
}

// parseLabel reads a word, or the numbers of the zoo's rule_label.
func parseLabel(text string) (label.Value, error) {
	switch text {
	case "0":
		return label.Invariant, nil
	case "1":
		return label.Variant, nil
	}
	v, err := label.ParseValue(text)
	if err != nil {
		return "",
			fmt.Errorf("%q is no label; use invariant, borderline or variant, or 0 and "+
				"1 for invariant and variant", text)
	}
	return v, nil
}

// The reasons why a model has no training label.
var reasons = map[label.Basis]result.Reason{
	label.Tie:        result.Because(assess.Tie, "its labels tie; adjudicate it, or let ties count as borderline"),
	label.NoMajority: result.Because(assess.NoMajority, "no label has more than half of its votes"),
	label.Unlabelled: result.Because(assess.Unlabelled, "nobody has labelled it"),
}

var leftBorderline = result.Because(assess.BorderlineLeft, "it is borderline, which two classes leave out")

// apply gives a row its label and ratings, or why it has no label.
func (s source) apply(row *assess.Row, b Borderline) {
	if s.name == "" {
		return
	}
	row.Ratings = make([]label.Value, len(s.raters))
	at, ok := s.find(row.Hash, row.ID)
	if !ok {
		row.NoLabel = result.Because(assess.NotInLabels, "it has no label in %s", s.name)
		return
	}
	it := s.items[at]
	for a, v := range it.ratings {
		row.Ratings[a] = cmp.Or(b.turn(v), v)
	}
	row.Label = b.turn(it.value)
	switch {
	case row.Label != "":
		row.Basis = it.basis
	case it.value != "":
		row.NoLabel = leftBorderline
	default:
		row.NoLabel = reasons[label.Basis(it.basis)]
	}
}

// turn is what becomes of a label, empty when it is left out.
func (b Borderline) turn(v label.Value) label.Value {
	if v != label.Borderline {
		return v
	}
	switch b {
	case Keep:
		return v
	case AsInvariant:
		return label.Invariant
	case AsVariant:
		return label.Variant
	}
	return ""
}

// strangers are the labelled items that are none of the rows.
func (s source) strangers(rows []assess.Row) (left []LeftOut) {
	met := make([]bool, len(s.items))
	for _, r := range rows {
		if at, ok := s.find(r.Hash, r.ID); ok {
			met[at] = true
		}
	}
	for at, it := range s.items {
		if !met[at] && it.value != "" {
			reason := result.Because(assess.WithoutFeatures, "labelled in %s, but without features here", s.name)
			left = append(left, LeftOut{ID: it.id, Hash: it.hash, Reason: reason})
		}
	}
	return left
}
