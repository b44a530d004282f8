// Package background chooses scenes to test a classifier in (spec/background.md sections 1 to 7): keywords of images, their expansion
// through an ontology, the choice of testing scenes per target, and the composites of a target's foreground with a scene. It is pure: images
// and numbers in, images and numbers out.
package background

import "io"

// Kinds of a table's images.
const (
	TargetKind     = "target"
	BackgroundKind = "background"
)

// Table is the keyword vectors of images, made by two context networks or elsewhere (spec/background.md section 1).
type Table struct {
	// Elements and Scenes are the names of the two parts of a vector: entries 0..len(Elements)-1 are shares of pixels, the rest are scene
	// scores after softmax. Names are without prefix, in column order.
	Elements, Scenes []string
	Rows             []Row
}

// Row is one image of a table.
type Row struct {
	File    string // slash-separated; where it is compared with a suite's images, leading folders may be missing on either side
	Kind    string // TargetKind or BackgroundKind
	Label   string // class of a target, else empty
	Scene   string // the scene's true name where it is known; not used in computing
	Visible int    // pixels that were counted
	Vector  []float64
}

// ReadTable reads a keyword CSV: file, kind, label, scene, visible_pixels, then the columns seg_NAME and after them scene_NAME. Errors name
// the line, the column and what is wrong: a missing column, a kind that is neither, a number that is none, shares outside of [0, 1], a file that is listed twice, no
// rows.
func ReadTable(r io.Reader) (Table, error) { panic("not built yet") }

// WriteTable writes what ReadTable reads, with six decimals.
func (t Table) WriteTable(w io.Writer) error { panic("not built yet") }

// Of are the row numbers of one kind, in order.
func (t Table) Of(kind string) []int { panic("not built yet") }

// Rule says which keywords an image has.
type Rule struct {
	// Share is the share of pixels that a segmentation word needs to exceed; 0.01 by default.
	Share float64 `json:"share"`
	// Scenes is how many of the best scene words count; 1 by default.
	Scenes int `json:"scenes"`
	// Excluded are words that are never keywords, such as the names of foreground classes; from both lists.
	Excluded []string `json:"excluded,omitempty"`
}

// PaperRule is the default: more than 1 % of the pixels, the best scene. RefcodeRule is that of the published code: 0.1 %, the best five.
func PaperRule() Rule { return Rule{Share: 0.01, Scenes: 1} }

// RefcodeRule is the published code's rule, see PaperRule.
func RefcodeRule() Rule { return Rule{Share: 0.001, Scenes: 5} }

// Keywords are the items of a table under a rule: what mining and expansion work on. A word in both lists is one item.
type Keywords struct {
	Items []string // names: seg_NAME or scene_NAME, as in columns; a word of both lists has the first one's
	// Present are the items of each row, ascending. A row may have none.
	Present [][]int
}

// Keywords finds the present keywords of all rows. The error is that of a rule that cannot be: a share outside of [0, 1), fewer than one scene.
func (t Table) Keywords(r Rule) (Keywords, error) { panic("not built yet") }
