package keywords

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// Entry is what a card and the line below the window say of a row: its name and kind, and its
// class where it has one.
func (v *View) Entry(row int) (name, kind string) {
	r := v.Table.Rows[row]
	kind = "background"
	if r.Kind == background.TargetKind {
		if kind = "target"; r.Label != "" {
			kind = fmt.Sprintf("target: %s", background.KeywordName(r.Label))
		}
	}
	return path.Base(r.File), kind
}

// Details are lines about a row: what it is, and what its vector says.
func (v *View) Details(row int) []string {
	r := v.Table.Rows[row]
	_, kind := v.Entry(row)
	first := r.File + "; " + kind
	if r.Scene != "" {
		first = fmt.Sprintf("%s, scene: %s", first, background.KeywordName(r.Scene))
	}
	lines := []string{first, result.Counted(r.Visible, "pixel") + " counted; " + v.scores(r)}
	if len(v.Keywords.Present[row]) == 0 {
		lines = append(lines, "no keyword under this rule")
	}
	return lines
}

// scores are the best scene words of a row with their scores.
func (v *View) scores(r background.Row) string {
	const few = 3
	scores := r.Vector[len(v.Table.Elements):]
	order := make([]int, len(scores))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var parts []string
	for _, k := range order[:min(few, len(order))] {
		parts = append(parts, background.KeywordName(v.Table.Scenes[k])+" "+result.Share.Say(scores[k], 0))
	}
	return fmt.Sprintf("scene scores: %s", strings.Join(parts, ", "))
}

// items are the names of the items that an image's expansion is made of.
func (v *View) items() []string {
	if v.Graph.Record.ID != "" {
		return v.Graph.Keywords.Items
	}
	return v.Keywords.Items
}

// expansion are the keywords of a row: those that its image has, and those that the ontology adds.
func (v *View) expansion(row int, e background.Expansion) []background.Keyword {
	if v.Graph.Record.ID != "" {
		return background.Expand(v.Graph.Ontology, v.Graph.Keywords.Present[row], e)
	}
	return background.Expand(itemset.Ontology{}, v.Keywords.Present[row], e)
}

// Chips are the keywords of a row's expansion; those of the image have their shares.
func (v *View) Chips(row int, e background.Expansion) []widget.Chip {
	items := v.items()
	list := background.NameKeywords(items, v.expansion(row, e))
	chips := make([]widget.Chip, len(list))
	for k, c := range list {
		chips[k] = widget.Chip{Text: c.Name, Level: c.Level, Hint: c.Name + ": " + c.Why}
		if c.Level == 0 {
			chips[k].Text += " " + result.Share.Say(v.value(row, items[c.Item]), 0)
		}
	}
	return chips
}

// value is the share or the score of a keyword in a row's vector; of a word in both lists the
// share.
func (v *View) value(row int, name string) float64 {
	vector := v.Table.Rows[row].Vector
	if element, ok := strings.CutPrefix(name, background.ElementPrefix); ok {
		if k := slices.Index(v.Table.Elements, element); k >= 0 {
			return vector[k]
		}
	}
	if scene, ok := strings.CutPrefix(name, background.ScenePrefix); ok {
		if k := slices.Index(v.Table.Scenes, scene); k >= 0 {
			return vector[len(v.Table.Elements)+k]
		}
	}
	return 0
}

// OtherRule tells whether the ontology was made with another rule than the one that is looked at.
func (v *View) OtherRule() bool {
	return v.Graph.Record.ID != "" && !v.Rule.Equal(v.Graph.Record.Rule)
}
