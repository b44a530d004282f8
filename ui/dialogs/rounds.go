package dialogs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/widget"
)

// NewRound is what the dialog asks for; Make turns it into a round.
type NewRound struct {
	// Base is the round that is changed or copied; its id, creation and kind stay. The zero Round is
	// a new one.
	Base       label.Round
	Kind       label.RoundKind // "" is that of Base
	Scenes     Scenes          // in the place of Suite, Family, Modalities and Filter for a background round
	Name       string
	Suite      string // content hash
	Family     string // any accepted text
	Modalities string // separated by commas or blanks
	Filter     string // image filter; empty is all
	Classes    int
	Known      []string          // ids of annotators that were ticked
	Annotators string            // names or ids of further ones, separated by commas or lines
	People     []store.Annotator // whose names are known
	Blind      bool
	Reveal     label.Reveal
	Repeats    string // share of unannounced repeats in percent; empty is 0
	Seed       string
	Ordered    bool // the models are seen in the order of Models
	Guideline  string
	Pictures   map[string][]byte // those that the guideline does not show are left out
	Models     []string          // hashes
	Fields     []string          // of the models' records that annotators see; nil is label.Round's
	Sample     Sample
}

// Sample asks for some of the models only.
type Sample struct {
	On   bool
	Size string
	Seed string
	// Strata are the values of a column by model hash; nil draws from all models alike.
	Strata map[string]string
}

// Make checks what was typed and returns the round. Errors say what to write instead.
func (n NewRound) Make() (label.Round, error) {
	r := n.Base
	r.Name, r.Suite, r.Filter, r.Classes = strings.TrimSpace(n.Name), n.Suite, n.Filter, n.Classes
	r.Blind, r.Reveal, r.Guideline, r.Annotators = n.Blind, n.Reveal, n.Guideline, n.annotators()
	r.Ordered, r.Fields = n.Ordered, n.Fields
	r.Kind = cmp.Or(n.Kind, r.Kind, label.VarianceRound)
	if r.Filter == "" {
		r.Filter = "all"
	}
	if !r.Blind {
		r.Reveal = label.RevealClosed
	}
	r.Pictures = shownPictures(n.Guideline, n.Pictures)
	if err := n.judged(&r); err != nil {
		return r, err
	}
	var err error
	if r.OrderSeed, err = parseSeed(n.Seed, func(text string) error { return fmt.Errorf("order seed %q is not a whole number from 0 up", text) }); err != nil {
		return r, err
	}
	if r.RepeatShare, err = parsePercent(n.Repeats); err != nil {
		return r, err
	}
	if r.Models, err = n.Sample.of(n.Models); err != nil {
		return r, err
	}
	if !sameColours(n.Base, r) {
		r.Ranges = nil // found anew, for what is shown now
	}
	return r, r.Validate()
}

// judged sets what the annotators judge: matrices of a family, or of a selection.
func (n NewRound) judged(r *label.Round) error {
	if r.Kind == label.BackgroundRound {
		n.Scenes.set(r)
		if len(r.Interpolants) == 0 {
			return errors.New("choose at least one interpolated matrix: I1, I2 or I3")
		}
		return nil
	}
	family, _, err := FamilyPreview(n.Family)
	if err != nil {
		return err
	}
	r.Family, r.Selection, r.Interpolants = family.String(), "", nil
	r.Modalities, err = parseModalities(n.Modalities)
	return err
}

// sameColours tells whether the colour ranges of one round are right for the other: they show the
// same signals.
func sameColours(a, b label.Round) bool {
	return a.Kind == b.Kind && a.Suite == b.Suite && a.Family == b.Family && a.Filter == b.Filter && slices.Equal(a.Modalities, b.Modalities)
}

// annotators are the ids of those ticked and those typed; a typed name of somebody known is that
// person.
func (n NewRound) annotators() []string {
	list := slices.Clone(n.Known)
	for _, name := range splitNames(n.Annotators) {
		if at := slices.IndexFunc(n.People, func(a store.Annotator) bool { return a.Name == name }); at >= 0 {
			name = n.People[at].ID
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// of draws the sample.
func (s Sample) of(models []string) ([]string, error) {
	if !s.On || len(models) == 0 {
		return models, nil
	}
	size, err := strconv.Atoi(strings.TrimSpace(s.Size))
	if err != nil {
		return nil, fmt.Errorf("sample size %q is not a whole number", s.Size)
	}
	seed, err := parseSeed(s.Seed, func(text string) error { return fmt.Errorf("sample seed %q is not a whole number from 0 up", text) })
	if err != nil {
		return nil, err
	}
	var strata []string
	if s.Strata != nil {
		for _, hash := range models {
			strata = append(strata, s.Strata[hash])
		}
	}
	return label.Sample(models, strata, size, seed)
}

// Preview says which models the round will have: how many of how many, and with strata how many of
// each.
func (n NewRound) Preview() (string, error) {
	models, err := n.Sample.of(n.Models)
	if err != nil {
		return "", err
	}
	text := result.Counted(len(models), "model")
	if !n.Sample.On {
		return text, nil
	}
	text = fmt.Sprintf("%d of %s", len(models), result.Counted(len(n.Models), "model"))
	if n.Sample.Strata == nil {
		return text, nil
	}
	counts := map[string]int{}
	for _, hash := range models {
		counts[n.Sample.Strata[hash]]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		shown := name
		if shown == "" {
			shown = "without a value"
		}
		parts = append(parts, fmt.Sprintf("%s %d", shown, counts[name]))
	}
	const most = 8
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return text + ": " + strings.Join(parts, ", "), nil
}

// parseSeed reads a seed; problem says of the text that it is none.
func parseSeed(text string, problem func(text string) error) (uint64, error) {
	seed, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, problem(text)
	}
	return seed, nil
}

// parsePercent reads a share from 0 to 100 %, with or without its sign; nothing is 0.
func parsePercent(text string) (float64, error) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	if text == "" {
		return 0, nil
	}
	percent, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return 0, fmt.Errorf("%q is no share of repeats; write a number of percent from 0 to 100", text)
	}
	return percent / 100, nil
}

// percentText writes a share as parsePercent reads it.
func percentText(share float64) string { return result.Digits(share*100, 4) }

// shownPictures are the pictures that a guideline's text names.
func shownPictures(text string, pictures map[string][]byte) map[string][]byte {
	var shown map[string][]byte
	for _, part := range widget.GuidelineParts(text) {
		if data, ok := pictures[part.Picture]; ok {
			if shown == nil {
				shown = map[string][]byte{}
			}
			shown[part.Picture] = data
		}
	}
	return shown
}

// splitNames splits a list of names at commas, semicolons and line ends; each is kept once.
func splitNames(text string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
