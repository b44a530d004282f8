package keywords

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/background"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// The columns of the list of keywords, by their keys.
const (
	colMark = iota
	colName
	colShare
	colTargets
	colScenes
)

// View is what the page shows. It knows no Fyne and is used on one goroutine. Keywords are named
// by their items' names, which stay the same under every rule.
type View struct {
	Data
	Counted
	filter     string
	sorted     int
	descending bool
	shown      []int    // items in the list, in order
	at         string   // the keyword of the selected row
	marked     []string // the keywords whose images are looked for, in the order in which they were marked
	either     bool     // images with any of them, else with all
	kind       string   // of the images that are shown; "" for both
	images     []int    // rows of the table that are shown, in order
	image      int      // the chosen row of the table, -1 for none
}

// NewView makes an empty view: the most frequent keywords first.
func NewView() *View { return &View{sorted: colShare, descending: true, image: -1} }

// Take shows other data under a rule. The chosen image and the marked keywords stay as far as they
// are still there.
func (v *View) Take(d Data, c Counted) {
	file := ""
	if v.image >= 0 {
		file = v.Table.Rows[v.image].File
	}
	v.Data, v.Counted = d, c
	v.image = -1
	for i, row := range d.Table.Rows {
		if row.File == file {
			v.image = i
		}
	}
	v.arrange()
}

// Recount shows the same data under another rule.
func (v *View) Recount(c Counted) {
	v.Counted = c
	v.arrange()
}

// arrange finds the keywords and the images that are shown.
func (v *View) arrange() {
	v.marked = slices.DeleteFunc(v.marked, func(name string) bool { return v.item(name) < 0 })
	v.shown = v.shown[:0:0]
	for item, name := range v.Keywords.Items {
		if v.meets(name) {
			v.shown = append(v.shown, item)
		}
	}
	slices.SortStableFunc(v.shown, func(a, b int) int {
		return cmp.Or(v.compare(a, b), result.Natural(present.KeywordName(v.Keywords.Items[a]), present.KeywordName(v.Keywords.Items[b])))
	})
	v.gather()
}

// meets tells whether the filter lets a keyword through: all its words are in the name or in what
// is said of it.
func (v *View) meets(name string) bool {
	text := strings.ToLower(present.KeywordName(name))
	if present.IsSceneKeyword(name) {
		text += " " + "scene"
	}
	for _, word := range strings.Fields(strings.ToLower(v.filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (v *View) compare(a, b int) int {
	x, y := v.Counts.Items[a], v.Counts.Items[b]
	order := 0
	switch v.sorted {
	case colMark:
		order = cmp.Compare(bit(v.Marked(a)), bit(v.Marked(b)))
	case colName:
		order = result.Natural(present.KeywordName(v.Keywords.Items[a]), present.KeywordName(v.Keywords.Items[b]))
	case colShare:
		order = cmp.Compare(x.Images, y.Images)
	case colTargets:
		order = cmp.Compare(x.Targets, y.Targets)
	case colScenes:
		order = cmp.Compare(x.Backgrounds, y.Backgrounds)
	}
	if v.descending {
		return -order
	}
	return order
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// item is the number of a keyword, -1 where the rule has no such one.
func (v *View) item(name string) int { return slices.Index(v.Keywords.Items, name) }

// Filter shows the keywords that have all words of a text.
func (v *View) Filter(text string) {
	v.filter = text
	v.arrange()
}

// SortBy sorts by a column, counts from the largest; the same one again turns the order round.
func (v *View) SortBy(col int) {
	if col == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = col, col != colName
	}
	v.arrange()
}

// Len is how many keywords the list has.
func (v *View) Len() int { return len(v.shown) }

// Cell is the text of a cell of the list.
func (v *View) Cell(row, col int) string {
	if row < 0 || row >= len(v.shown) {
		return ""
	}
	item := v.shown[row]
	n := v.Counts.Items[item]
	switch col {
	case colMark:
		if v.Marked(item) {
			return "●"
		}
		return "·"
	case colName:
		if name := v.Keywords.Items[item]; present.IsSceneKeyword(name) {
			return fmt.Sprintf("%s (scene)", present.KeywordName(name))
		}
		return present.KeywordName(v.Keywords.Items[item])
	case colShare:
		return present.Percent(share(n.Images, len(v.Table.Rows)))
	case colTargets:
		return present.Count(int64(n.Targets))
	}
	return present.Count(int64(n.Backgrounds))
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// columns are those of the list; widths are shares of the room.
func columns() []widget.Column {
	return []widget.Column{
		{Title: "", Width: 20, Hint: "keywords whose images are looked for: click the dot, or press the space bar"},
		{Title: "keyword", Width: 104},
		{Title: "share", Width: 58, Right: true, Hint: "share of all images in which the keyword is present"},
		{Title: "targets", Width: 60, Right: true, Hint: "targets in which the keyword is present"},
		{Title: "scenes", Width: 60, Right: true, Hint: "backgrounds in which the keyword is present"},
	}
}

// Select selects a row of the list: without marked keywords its images are shown. -1 selects none.
func (v *View) Select(row int) {
	v.at = ""
	if row >= 0 && row < len(v.shown) {
		v.at = v.Keywords.Items[v.shown[row]]
	}
	v.gather()
}

// Index is the row of the selected keyword, -1 for none.
func (v *View) Index() int {
	item := v.item(v.at)
	return slices.IndexFunc(v.shown, func(other int) bool { return item >= 0 && item == other })
}

// Mark marks the keyword of a row, or takes its mark away.
func (v *View) Mark(row int) {
	if row < 0 || row >= len(v.shown) {
		return
	}
	name := v.Keywords.Items[v.shown[row]]
	if at := slices.Index(v.marked, name); at >= 0 {
		v.marked = slices.Delete(slices.Clone(v.marked), at, at+1)
	} else {
		v.marked = append(slices.Clone(v.marked), name)
	}
	v.arrange()
}

// Clear takes all marks and the selection away: all images are shown. It tells whether there were
// any.
func (v *View) Clear() bool {
	if len(v.marked) == 0 && v.at == "" {
		return false
	}
	v.marked, v.at = nil, ""
	v.arrange()
	return true
}

// Marked tells whether an item is marked.
func (v *View) Marked(item int) bool { return slices.Contains(v.marked, v.Keywords.Items[item]) }

// Join says whether images need to have any of the marked keywords or all of them.
func (v *View) Join(either bool) {
	v.either = either
	v.gather()
}

// Kind shows the images of one kind, "" both.
func (v *View) Kind(kind string) {
	v.kind = kind
	v.gather()
}

// wanted are the keywords whose images are shown: the marked ones, else the selected one, else
// none for all images.
func (v *View) wanted() []string {
	switch {
	case len(v.marked) > 0:
		return v.marked
	case v.item(v.at) >= 0:
		return []string{v.at}
	}
	return nil
}

// gather finds the images that are shown.
func (v *View) gather() {
	var items []int
	for _, name := range v.wanted() {
		items = append(items, v.item(name))
	}
	v.images = v.images[:0:0]
	for i, there := range v.Keywords.Present {
		if v.kind != "" && v.Table.Rows[i].Kind != v.kind {
			continue
		}
		if has(there, items, v.either) {
			v.images = append(v.images, i)
		}
	}
}

// has tells whether ascending items of an image have all that are wanted, or any of them.
func has(there, wanted []int, either bool) bool {
	found := 0
	for _, item := range wanted {
		if _, ok := slices.BinarySearch(there, item); ok {
			found++
		}
	}
	return found == len(wanted) || either && found > 0
}

// Images are the rows of the table that are shown, in order.
func (v *View) Images() []int { return v.images }

// Choose chooses the k-th of the images that are shown.
func (v *View) Choose(k int) {
	if k >= 0 && k < len(v.images) {
		v.image = v.images[k]
	}
}

// Chosen is the chosen row of the table, -1 for none.
func (v *View) Chosen() int { return v.image }

// Cursor is the place of the chosen image among those that are shown, -1 where it is not shown.
func (v *View) Cursor() int { return slices.Index(v.images, v.image) }

// Place is where the image of a row lies.
func (v *View) Place(row int) scenes.Place {
	if row < 0 || row >= len(v.Places) {
		return scenes.Place{}
	}
	return v.Places[row]
}

// Found says what images are shown: "123 images with sand and sea".
func (v *View) Found() string {
	text := v.counted()
	list := v.wanted()
	if len(list) == 0 {
		return text
	}
	names := make([]string, len(list))
	for k, name := range list {
		names[k] = present.KeywordName(name)
	}
	if v.either {
		return fmt.Sprintf("%s with %s", text, strings.Join(names, " or "))
	}
	return fmt.Sprintf("%s with %s", text, strings.Join(names, " and "))
}

// counted is how many images are shown, and of which kind.
func (v *View) counted() string {
	n := int64(len(v.images))
	switch v.kind {
	case background.TargetKind:
		return present.Counted(n, "target")
	case background.BackgroundKind:
		return present.Counted(n, "background")
	}
	return present.Counted(n, "image")
}

// Caption says what the table holds.
func (v *View) Caption() string {
	targets := len(v.Table.Of(background.TargetKind))
	text := fmt.Sprintf("%s and %s; %s, %d to %d per image, on average %.2f",
		present.Counted(int64(targets), "target"), present.Counted(int64(len(v.Table.Rows)-targets), "background"),
		present.Counted(int64(v.used()), "keyword"), v.Counts.Min, v.Counts.Max, v.Counts.Mean)
	if n := len(v.Counts.Without); n > 0 {
		text = fmt.Sprintf("%s; %s without any keyword: %s", text, present.Counted(int64(n), "image"), v.firstOf(v.Counts.Without))
	}
	return text
}

// used is how many keywords an image has at all.
func (v *View) used() int {
	n := 0
	for _, c := range v.Counts.Items {
		n += bit(c.Images > 0)
	}
	return n
}

// firstOf names the first rows of a list.
func (v *View) firstOf(rows []int) string {
	const few = 3
	var names []string
	for _, row := range rows[:min(few, len(rows))] {
		names = append(names, path.Base(v.Table.Rows[row].File))
	}
	if len(rows) > few {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}
