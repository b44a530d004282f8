package choose

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/background"
	scenes "github.com/variscope/variscope/store/background"
)

// View is what the page shows. It knows no Fyne and is used on one goroutine.
type View struct {
	Data
	target int // -1 for none
	tiles  []Tile
	tile   int // of tiles, -1 for none
}

// Tile is one picture of a target's wall.
type Tile struct {
	Image int // 0 for the target itself, else j: scene j-1 of the target in the order chosen
	Rank  int // by distance, from 1; 0 for the target itself
	background.Scene
}

// NewView makes an empty view.
func NewView() *View { return &View{target: -1, tile: -1} }

// Take shows other data. What was looked at stays where it is still there.
func (v *View) Take(d Data) {
	before := v.at()
	same := d.Record.Targets == v.Record.Targets
	v.Data = d
	target := v.target
	if !same || target >= len(d.Record.Selection.Chosen) {
		target = -1
	}
	if target < 0 {
		target = 0
	}
	v.Look(target)
	if at := slices.IndexFunc(v.tiles, func(t Tile) bool { return t.Image > 0 && t.Background == before }); same &&
		at >= 0 {
		v.tile = at
	}
}

// at is the background that is looked at, -1 for none.
func (v *View) at() int {
	if t, ok := v.Tile(); ok && t.Image > 0 {
		return t.Background
	}
	return -1
}

// Look looks at another target, -1 for none; its nearest scene comes first.
func (v *View) Look(target int) {
	v.target, v.tiles, v.tile = target, nil, -1
	if target < 0 || target >= len(v.Record.Selection.Chosen) {
		v.target = -1
		return
	}
	v.tiles = append(v.tiles, Tile{})
	for k, scene := range v.Record.Selection.Chosen[target] {
		v.tiles = append(v.tiles, Tile{Image: k + 1, Scene: scene})
	}
	slices.SortStableFunc(v.tiles[1:], func(a, b Tile) int { return cmp.Compare(a.Distance, b.Distance) })
	for k := range v.tiles {
		v.tiles[k].Rank = k
	}
	v.tile = min(1, len(v.tiles)-1)
}

// Target is the one that is looked at, -1 for none.
func (v *View) Target() int { return v.target }

// Tiles are the pictures of the wall: the target, then its scenes in order of distance.
func (v *View) Tiles() []Tile { return v.tiles }

// Tile is the picture that is looked at.
func (v *View) Tile() (t Tile, ok bool) {
	if v.tile < 0 || v.tile >= len(v.tiles) {
		return Tile{}, false
	}
	return v.tiles[v.tile], true
}

// Mark looks at a picture of the wall by its place.
func (v *View) Mark(place int) {
	if place >= 0 && place < len(v.tiles) {
		v.tile = place
	}
}

// Place is that of the picture which is looked at, -1 for none.
func (v *View) Place() int { return v.tile }

// Name is a target's name, without folders and ending.
func (v *View) Name(target int) string {
	if target < 0 || target >= v.Targets.Images {
		return ""
	}
	return path.Base(scenes.SheetName(v.Targets.ImageName(target)))
}

// Class is a target's class, "" without a label.
func (v *View) Class(target int) string {
	if target < 0 || target >= len(v.Targets.Labels) {
		return ""
	}
	switch label := v.Targets.Labels[target]; {
	case label < 0:
		return ""
	case label < len(v.Targets.Classes):
		return v.Targets.Classes[label]
	default:
		return strconv.Itoa(label)
	}
}

// Mean is the mean distance of a target's scenes.
func (v *View) Mean(target int) float64 {
	chosen := v.Record.Selection.Chosen[target]
	sum := 0.0
	for _, s := range chosen {
		sum += s.Distance
	}
	return sum / float64(max(1, len(chosen)))
}

// own are a target's own keywords, without those that expansion added.
func (v *View) own(target int) []int {
	if target < 0 || target >= len(v.Plan.Targets) {
		return nil
	}
	return v.Plan.Keywords.Present[v.Plan.Targets[target]]
}

// Word is a keyword for people.
func (v *View) Word(item int) string {
	if item < 0 || item >= len(v.Plan.Keywords.Items) {
		return fmt.Sprintf("keyword %d", item)
	}
	return background.KeywordName(v.Plan.Keywords.Items[item])
}

func (v *View) words(items []int) []string {
	texts := make([]string, len(items))
	for k, item := range items {
		texts[k] = v.Word(item)
	}
	return texts
}

func (v *View) list(items []int) string { return strings.Join(v.words(items), ", ") }

// counts are the verdicts on a target's scenes.
func (v *View) counts(target int) (n [Vetoed + 1]int) {
	for _, s := range v.Record.Selection.Chosen[target] {
		n[v.Verdicts.Of(target, s.Background)]++
	}
	return n
}

// Judge notes a verdict on the scene that is looked at; the same one again takes it away. ok is
// false where there is none to judge.
func (v *View) Judge(verdict Verdict) (j judgement, before Verdict, ok bool) {
	t, ok := v.Tile()
	if !ok || t.Image == 0 {
		return j, Open, false
	}
	before = v.Verdicts.Of(v.target, t.Background)
	if before == verdict {
		verdict = Open
	}
	v.Verdicts = v.Verdicts.With(v.target, t.Background, verdict)
	return judgement{v.Record.Hash, v.target, t.Background, verdict}, before, true
}
