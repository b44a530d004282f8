package background

import (
	"context"
	"fmt"
	"image/color"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// DefaultSide is the side of pictures of a suite whose images differ in size.
const DefaultSide = 224

// Size is that of pictures of composites: the one of the targets' images, or 224 x 224 where they differ in size.
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

// Sheet is the contact sheet of target i from its Pictures: the target first, then its composites with the keyword, level and distance by which they
// were chosen. items are the names of the table's keywords; without them the keywords are left out.
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

// SheetName is a target's name without the ending of its file.
func SheetName(image string) string { return strings.TrimSuffix(image, path.Ext(image)) }

// LevelColour is that of a level of keywords, dark for the target's own, brighter for every level farther away.
func LevelColour(level int) color.RGBA {
	const levels = 6
	return render.Viridis[min(max(level, 0), levels-1)*(len(render.Viridis)-1)/(levels-1)]
}

// DistanceFigure is the histogram of the distances of all scenes of selections, each in the colour of its method; several of one method differ in name
// alone.
func DistanceFigure(title string, list ...background.Selection) render.Overlaid {
	figure := render.Overlaid{Title: title, X: render.AxisRange{Name: "semantic distance"}, YName: "share of scenes"}
	for _, s := range list {
		method := string(s.Choice.Method)
		figure.Groups = append(figure.Groups, render.Group{Name: method, Colour: render.MethodColour(method)})
		figure.Values = append(figure.Values, s.Distances())
	}
	return figure
}
