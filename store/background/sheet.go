package background

import (
	"context"
	"fmt"
	"image/color"
	"io"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// DefaultSide is the side of pictures of a suite whose images differ in size.
const DefaultSide = 224

// Size is that of pictures of composites: the one of the targets' images, or 224 x 224 where they
// differ in size.
func (c *Composites) Size() (height, width int) {
	if shape := c.targets.Manifest().Shape; shape[1] > 0 && shape[2] > 0 {
		return shape[1], shape[2]
	}
	return DefaultSide, DefaultSide
}

// Pictures are target i and its composites at Size, the target first.
func (c *Composites) Pictures(ctx context.Context, i int) (list []suite.Image, err error) {
	height, width := c.Size()
	list = make([]suite.Image, c.record.N+1)
	for j := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if list[j], err = c.Picture(i, j, height, width); err != nil {
			return nil, fmt.Errorf("target %s, image %d: %w", c.Name(i), j, err)
		}
	}
	return list, nil
}

// Sheet is the contact sheet of target i from its Pictures: the target first, then its composites
// with the keyword, level and distance by which they were chosen, 8 to 12 in a row. items are the
// names of the table's keywords; without them the keywords are left out.
func (c *Composites) Sheet(i int, pictures []suite.Image, items []string) result.Figure {
	f := result.Figure{
		Title: SheetName(c.Name(i)), Note: "selection " + c.record.Name, NoAxes: true, Groups: []result.Group{{}},
		Boxes: []result.Box{{Lines: []string{"the target itself"}, Emphasis: result.Chosen}},
	}
	levels := map[int]int{}
	for _, scene := range c.record.Selection.Chosen[i] {
		if scene.Keyword >= 0 {
			levels[scene.Level] = 0
		}
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		levels[level] = len(f.Groups)
		f.Groups = append(f.Groups, result.Group{Name: fmt.Sprintf("level %d", level), Colour: LevelColour(level)})
	}
	for k, scene := range c.record.Selection.Chosen[i] {
		box := result.Box{Lines: []string{
			fmt.Sprintf("%d: by distance", k+1), "d = " + result.Number.Say(scene.Distance, 0),
		}}
		if scene.Keyword >= 0 {
			box.Group, box.Lines[0] = levels[scene.Level], fmt.Sprintf("%d: level %d", k+1, scene.Level)
			if scene.Keyword < len(items) {
				box.Lines[0] = fmt.Sprintf("%d: %s", k+1, background.KeywordName(items[scene.Keyword]))
			}
		}
		f.Boxes = append(f.Boxes, box)
	}
	columns := sheetColumns(len(f.Boxes))
	for k := range f.Boxes {
		b, x, y := &f.Boxes[k], float64(k%columns), float64(-(k / columns))
		b.X0, b.X1, b.Y0, b.Y1, b.Picture, b.Name = x, x+1, y-1, y, pictures[k].RGBA(), strings.Join(b.Lines, ", ")
	}
	f.X.High, f.Y.Low = float64(columns), math.Floor(f.Boxes[len(f.Boxes)-1].Y0)
	return f
}

// sheetColumns is how many of so many pictures stand in a row: up to 12 in one, else 8 to 12 with
// the fewest empty places in the last one; of several the most.
func sheetColumns(pictures int) int {
	best, empty := min(pictures, 12), math.MaxInt
	for n := 12; n >= 8 && pictures > 12; n-- {
		if left := (n - pictures%n) % n; left < empty {
			best, empty = n, left
		}
	}
	return best
}

// WriteSheet makes the pictures of target i and writes their contact sheet in one of
// render.Formats; items as for Sheet.
func (c *Composites) WriteSheet(ctx context.Context, w io.Writer, i int, items []string, format string) error {
	pictures, err := c.Pictures(ctx, i)
	if err != nil {
		return err
	}
	return render.Draw(w, c.Sheet(i, pictures, items), render.Part{}, format)
}

// Below is where files of target i lie below a folder, without an ending.
func (c *Composites) Below(folder string, i int) string { return SheetPath(folder, c.Name(i)) }

// SheetPath is where files of a target (its image's name) lie below a folder, without an ending: as
// the target lies in its suite, and never outside of the folder.
func SheetPath(folder, image string) string {
	name := filepath.FromSlash(SheetName(image))
	if !filepath.IsLocal(name) {
		name = strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(name)
	}
	return filepath.Join(folder, name)
}

// SheetName is a target's name without the ending of its file.
func SheetName(image string) string { return strings.TrimSuffix(image, path.Ext(image)) }

// LevelColour is that of a level of keywords, dark for the target's own, brighter for every level
// farther away.
func LevelColour(level int) color.RGBA {
	const levels = 6
	return render.Viridis[min(max(level, 0), levels-1)*(len(render.Viridis)-1)/(levels-1)]
}

// Distance is the distances of some scenes, such as those of one target, and their name.
type Distance struct {
	Name string
	Of   []float64
}

// distanceBins is how many bins a histogram of distances has.
const distanceBins = 40

// DistanceFigure is the histogram of several groups of distances over one axis from 0 on: shares of
// each group's scenes. A group that is named as a method has its look.
func DistanceFigure(title string, groups ...Distance) result.Figure {
	far := 0.0
	for _, g := range groups {
		for _, v := range g.Of {
			if v > far && !math.IsInf(v, 0) {
				far = v
			}
		}
	}
	if far == 0 {
		far = 1
	}
	step := render.RoundUp(far / 20)
	edges := result.Edges(0, math.Ceil(far/step-1e-9)*step, distanceBins)
	f := result.Figure{
		Title: title, Empty: "no distances", X: result.Axis{Name: "semantic distance", Format: result.Number},
		Y: result.Axis{Name: "share of scenes", Format: result.Share}, Over: true,
	}
	for g, group := range groups {
		look, method := methodLooks[group.Name]
		if !method {
			look = result.Category(g)
		}
		f.Groups = append(f.Groups, result.Group{Name: group.Name, Look: look})
		counts, all := make([]float64, distanceBins), 0.0
		for _, v := range group.Of {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				counts[min(max(int(v/edges[distanceBins]*distanceBins), 0), distanceBins-1)]++
				all++
			}
		}
		for b, n := range counts {
			f.Boxes = append(f.Boxes, result.Box{X0: edges[b], X1: edges[b+1], Y1: n / max(all, 1), Group: g})
		}
	}
	return f
}

// methodLooks tell ways of choosing scenes apart (spec/background.md section 12).
var methodLooks = map[string]result.Look{
	"keywords": result.Category(0), "random": result.Category(1), "nearest": result.Category(2),
	"intervals": result.Category(5),
}

// DistancesOf are the distances of all scenes of a selection, named as its method.
func DistancesOf(s background.Selection) Distance {
	return Distance{string(s.Choice.Method), s.Distances()}
}

// SelectionDistances is the histogram of the distances of all scenes of selections. Each is named
// as its method, unless several have the same.
func SelectionDistances(title string, list []store.SelectionRecord) result.Figure {
	groups, methods := make([]Distance, len(list)), map[string]int{}
	for k, s := range list {
		groups[k] = DistancesOf(s.Selection)
		methods[groups[k].Name]++
	}
	for k, s := range list {
		if methods[groups[k].Name] > 1 {
			groups[k].Name = s.Name
		}
	}
	return DistanceFigure(title, groups...)
}
