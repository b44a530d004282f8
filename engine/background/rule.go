package background

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The prefixes that name an item: of a segmentation word and of a scene word.
const (
	ElementPrefix = "seg_"
	ScenePrefix   = "scene_"
)

// Rule says which keywords an image has.
type Rule struct {
	// Share is the share of pixels that a segmentation word needs to exceed; 0.01 by default.
	Share float64 `json:"share"`
	// Scenes is how many of the best scene words count; 1 by default.
	Scenes int `json:"scenes"`
	// Excluded are words that are never keywords, such as the names of foreground classes; from
	// both lists. Case does not matter, and an underscore is a blank.
	Excluded []string `json:"excluded,omitempty"`
}

// PaperRule is the default: more than 1 % of the pixels, the best scene. RefcodeRule is that of the
// published code: 0.1 %, the best five.
func PaperRule() Rule { return Rule{Share: 0.01, Scenes: 1} }

// RefcodeRule is the published code's rule, see PaperRule.
func RefcodeRule() Rule { return Rule{Share: 0.001, Scenes: 5} }

// Without is the rule with further excluded words, each once, in the order of their letters; blank
// ones do not count.
func (r Rule) Without(words ...string) Rule {
	r.Excluded = slices.Clone(r.Excluded)
	for _, word := range words {
		if word = strings.TrimSpace(word); word != "" && !slices.Contains(r.Excluded, word) {
			r.Excluded = append(r.Excluded, word)
		}
	}
	slices.Sort(r.Excluded)
	return r
}

// Equal tells whether two rules are the same.
func (r Rule) Equal(other Rule) bool {
	return r.Share == other.Share && r.Scenes == other.Scenes && slices.Equal(r.Excluded, other.Excluded)
}

// Check says what cannot be about a rule: a share outside of [0, 1), fewer than one scene.
func (r Rule) Check() error {
	switch {
	case !(r.Share >= 0 && r.Share < 1): // so that NaN fails too
		return fmt.Errorf("a keyword's share of the pixels cannot be %v; "+
			"use a number from 0 to below 1, such as 0.01", r.Share)
	case r.Scenes < 1:
		return fmt.Errorf("%d scene words per image cannot be; use 1 or more", r.Scenes)
	}
	return nil
}

// sameWord compares a word that a person typed with a name of a list.
func sameWord(a, b string) bool { return strings.EqualFold(plainWord(a), plainWord(b)) }

func plainWord(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "_", " "))
}

// Keywords are the items of a table under a rule: what mining and expansion work on. A word in both
// lists is one item.
type Keywords struct {
	Items []string // names: seg_NAME or scene_NAME, as in columns; a word of both lists has the first one's
	// Present are the items of each row, ascending. A row may have none.
	Present [][]int
}

// Keywords finds the present keywords of all rows (spec/background.md section 1): segmentation
// words whose share is strictly above the rule's, and the best scene words, of equal ones the
// first. Excluded words are no items, and the best scene is looked for among the words that are
// left; a scene score of 0 or less never counts. Items are in column order. The error is that of a
// rule that cannot be (Rule.Check), or names a row whose vector has another length than the two
// lists.
func (t Table) Keywords(r Rule) (Keywords, error) {
	if err := r.Check(); err != nil {
		return Keywords{}, err
	}
	l := t.listing(r)
	k := Keywords{Items: l.names, Present: make([][]int, len(t.Rows))}
	for i, row := range t.Rows {
		if len(row.Vector) != t.entries() {
			return Keywords{}, fmt.Errorf("%s has %d numbers in place of %d; make the keyword table again", row.File,
				len(row.Vector), t.entries())
		}
		items := []int{}
		for k, item := range l.elements {
			if item != struck && row.Vector[k] > r.Share {
				items = append(items, item)
			}
		}
		for _, k := range l.best(row.Vector[len(l.elements):], r.Scenes) {
			items = append(items, l.scenes[k])
		}
		slices.Sort(items)
		k.Present[i] = slices.Compact(items)
	}
	return k, nil
}

// struck is the item of an entry that is on the exclusion list.
const struck = -1

// listing joins the two lists of a table into items.
type listing struct {
	names    []string
	elements []int // item of each element, or struck
	scenes   []int // item of each scene, or struck
}

func (t Table) listing(r Rule) listing {
	var l listing
	known := map[string]int{} // items by name without prefix
	join := func(prefix, name string) int {
		if slices.ContainsFunc(r.Excluded, func(word string) bool { return sameWord(word, name) }) {
			return struck
		}
		item, there := known[name]
		if !there {
			item = len(l.names)
			known[name] = item
			l.names = append(l.names, prefix+name)
		}
		return item
	}
	for _, name := range t.Elements {
		l.elements = append(l.elements, join(ElementPrefix, name))
	}
	for _, name := range t.Scenes {
		l.scenes = append(l.scenes, join(ScenePrefix, name))
	}
	return l
}

// best are the n scenes with the highest scores, of equal ones those that come first in the list.
func (l listing) best(scores []float64, n int) []int {
	if n == 1 {
		best := -1
		for k, item := range l.scenes {
			if item != struck && scores[k] > 0 && (best < 0 || scores[k] > scores[best]) {
				best = k
			}
		}
		if best < 0 {
			return nil
		}
		return []int{best}
	}
	var order []int
	for k, item := range l.scenes {
		if item != struck && scores[k] > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:min(n, len(order))]
}
