package keywords

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	scenes "github.com/variscope/variscope/store/background"
)

// View is what the page shows. It knows no Fyne and is used on one goroutine. Keywords are named
// by their items' names, which stay the same under every rule.
type View struct {
	Data
	Counted
	wanted []string // the keywords whose images are looked for; none for all images
	either bool     // images with any of them, else with all
	kind   string   // of the images that are shown; "" for both
	images []int    // rows of the table that are shown, in order
	image  int      // the chosen row of the table, -1 for none
}

// NewView makes an empty view.
func NewView() *View { return &View{image: -1} }

// Take shows other data under a rule. The chosen image stays as far as it is still there.
func (v *View) Take(d Data, c Counted) {
	file := ""
	if v.image >= 0 {
		file = v.Table.Rows[v.image].File
	}
	v.Data, v.Counted = d, c
	v.image = slices.IndexFunc(d.Table.Rows, func(r background.Row) bool { return r.File == file && file != "" })
	v.gather()
}

// Want looks for the images of keywords by their names, of all images for none.
func (v *View) Want(names []string) {
	v.wanted = names
	v.gather()
}

// Join says whether images need to have any of the keywords or all of them.
func (v *View) Join(either bool) {
	v.either = either
	v.gather()
}

// Kind shows the images of one kind, "" both.
func (v *View) Kind(kind string) {
	v.kind = kind
	v.gather()
}

// gather finds the images that are shown.
func (v *View) gather() {
	v.wanted = slices.DeleteFunc(v.wanted, func(name string) bool { return !slices.Contains(v.Keywords.Items, name) })
	var items []int
	for _, name := range v.wanted {
		items = append(items, slices.Index(v.Keywords.Items, name))
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
	noun := v.kind
	if noun == "" {
		noun = "image"
	}
	text := result.Counted(len(v.images), noun)
	if len(v.wanted) == 0 {
		return text
	}
	names := make([]string, len(v.wanted))
	for k, name := range v.wanted {
		names[k] = background.KeywordName(name)
	}
	if v.either {
		return fmt.Sprintf("%s with %s", text, strings.Join(names, " or "))
	}
	return fmt.Sprintf("%s with %s", text, strings.Join(names, " and "))
}

// Caption says what the table holds.
func (v *View) Caption() string {
	return background.Summary{Table: v.Table, Rule: v.Rule, Counts: v.Counts}.String()
}
