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
// with the keyword, level and distance by which they were chosen. items are the names of the
// table's keywords; without them the keywords are left out.
func (c *Composites) Sheet(i int, pictures []suite.Image, items []string) render.ContactSheet {
	sheet := render.ContactSheet{
		Title: SheetName(c.Name(i)), Note: "selection " + c.record.Name, Target: render.ContactTile{Image: pictures[0], Lines: []string{"the target itself"}},
	}
	levels := map[int]bool{}
	for k, scene := range c.record.Selection.Chosen[i] {
		tile := render.ContactTile{Image: pictures[k+1], Lines: []string{fmt.Sprintf("%d: by distance", k+1)}}
		if scene.Keyword >= 0 {
			tile.Lines[0] = fmt.Sprintf("%d: level %d", k+1, scene.Level)
			if scene.Keyword < len(items) {
				tile.Lines[0] = fmt.Sprintf("%d: %s", k+1, background.KeywordName(items[scene.Keyword]))
			}
			tile.Frame = LevelColour(scene.Level)
			levels[scene.Level] = true
		}
		tile.Lines = append(tile.Lines, "d = "+result.Number.Say(scene.Distance, 0))
		sheet.Composites = append(sheet.Composites, tile)
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		sheet.Key = append(sheet.Key, render.Group{Name: fmt.Sprintf("level %d", level), Colour: LevelColour(level)})
	}
	return sheet
}

// WriteSheet makes the pictures of target i and writes their contact sheet in one of
// render.Formats; items as for Sheet.
func (c *Composites) WriteSheet(ctx context.Context, w io.Writer, i int, items []string, format string) error {
	pictures, err := c.Pictures(ctx, i)
	if err != nil {
		return err
	}
	return c.Sheet(i, pictures, items).Write(w, format)
}

// Below is where files of target i lie below a folder, without an ending: as the target lies in its
// suite, and never outside of the folder.
func (c *Composites) Below(folder string, i int) string {
	name := filepath.FromSlash(SheetName(c.Name(i)))
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
	"keywords": result.Category(0), "random": result.Category(1), "nearest": result.Category(2), "intervals": result.Category(5),
}

// DistancesOf are the distances of all scenes of a selection, named as its method.
func DistancesOf(s background.Selection) Distance {
	return Distance{string(s.Choice.Method), s.Distances()}
}
