package app

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	scenes "github.com/variscope/variscope/store/background"
)

// draw writes composites and contact sheets where these are asked for, and returns the number of pictures.
func (w *scenesWork) draw() (files int, err error) {
	if w.command.Sheet+w.command.Images == "" {
		return 0, nil
	}
	list, err := w.only()
	if err != nil {
		return 0, err
	}
	composites, err := scenes.Open(w.ws, w.record.Hash)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, composites.Close()) }()
	if w.command.Sheet != "" {
		if err := w.distanceFigure(); err != nil {
			return 0, err
		}
		files++
	}
	err = withBar(w.s, "pictures", func(p engine.Progress) error {
		p.SetTotal(int64(len(list)))
		for _, i := range list {
			if err := w.s.ctx.Err(); err != nil {
				return err
			}
			n, err := w.drawTarget(composites, i)
			if err != nil {
				return err
			}
			files += n
			p.Add(1)
		}
		return nil
	})
	return files, err
}

// only are the targets that pictures are made of.
func (w *scenesWork) only() ([]int, error) {
	var list []int
	for _, name := range w.command.Only {
		i, err := imageNamed(w.targets, name)
		if err != nil {
			return nil, err
		}
		list = append(list, i)
	}
	if len(list) > 0 {
		return list, nil
	}
	for i := range w.targets.Images {
		list = append(list, i)
	}
	return list, nil
}

// drawTarget writes the pictures of one target at the size of its suite's images.
func (w *scenesWork) drawTarget(composites *scenes.Composites, i int) (files int, err error) {
	height, width := w.size()
	name := strings.TrimSuffix(w.targets.ImageName(i), filepath.Ext(w.targets.ImageName(i)))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		name = fileName(name) // nothing is written outside of the folder that was named
	}
	pictures := make([]suite.Image, w.plan.Selection.N()+1)
	for j := range pictures {
		if pictures[j], err = composites.Picture(i, j, height, width); err != nil {
			return files, fmt.Errorf("target %s, image %d: %w", name, j, err)
		}
	}
	if w.command.Images != "" {
		for j, picture := range pictures {
			path := filepath.Join(w.command.Images, filepath.FromSlash(name), fmt.Sprintf("%02d.png", j))
			if err := writeFile(path, func(out io.Writer) error { return png.Encode(out, inBytes(picture)) }); err != nil {
				return files, err
			}
			files++
		}
	}
	if w.command.Sheet != "" {
		files++
		return files, w.contactSheet(i, name, pictures)
	}
	return files, nil
}

// defaultSide is the side of pictures of a suite whose images differ in size.
const defaultSide = 224

func (w *scenesWork) size() (height, width int) {
	if shape := w.targets.Shape; shape[1] > 0 && shape[2] > 0 {
		return shape[1], shape[2]
	}
	return defaultSide, defaultSide
}

// inBytes is an image in 8 bits.
func inBytes(img suite.Image) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, img.Width, img.Height))
	plane := img.Height * img.Width
	for k := range plane {
		var c [3]uint8
		for channel := range c {
			v := img.Pix[min(channel, img.Channels-1)*plane+k]
			c[channel] = uint8(max(0, min(1, v))*255 + 0.5)
		}
		out.SetNRGBA(k%img.Width, k/img.Width, color.NRGBA{c[0], c[1], c[2], 0xff})
	}
	return out
}

// contactSheet draws a target, then its composites, each with why it was chosen.
func (w *scenesWork) contactSheet(i int, name string, pictures []suite.Image) error {
	sheet := render.ContactSheet{
		Title: name, Note: "selection " + w.record.Name, Target: render.ContactTile{Image: pictures[0], Lines: []string{"the target itself"}},
	}
	levels := map[int]bool{}
	for k, scene := range w.plan.Selection.Chosen[i] {
		tile := render.ContactTile{Image: pictures[k+1], Lines: []string{fmt.Sprintf("%d: by distance", k+1)}}
		if scene.Keyword >= 0 {
			tile.Lines[0] = fmt.Sprintf("%d: %s", k+1, plainWord(w.plan.Keywords.Items[scene.Keyword]))
			tile.Frame = levelColour(scene.Level)
			levels[scene.Level] = true
		}
		tile.Lines = append(tile.Lines, fmt.Sprintf("d = %.3f", scene.Distance))
		sheet.Composites = append(sheet.Composites, tile)
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		sheet.Key = append(sheet.Key, render.Group{Name: fmt.Sprintf("level %d", level), Colour: levelColour(level)})
	}
	path := filepath.Join(w.command.Sheet, filepath.FromSlash(name)+".png")
	return writeFile(path, func(out io.Writer) error { return sheet.Write(out, "png") })
}

// levelColour is that of a level of keywords, dark for the target's own, brighter for every level farther away.
func levelColour(level int) color.RGBA {
	const levels = 6
	return render.Viridis[min(level, levels-1)*(len(render.Viridis)-1)/(levels-1)]
}

// distanceFigure is the histogram of the distances of all scenes, in the colour of the method.
func (w *scenesWork) distanceFigure() error {
	method := string(w.ask.Choice.Method)
	figure := render.Overlaid{
		Title: "Distances of " + w.record.Name, X: render.AxisRange{Name: "semantic distance"}, YName: "share of scenes",
		Groups: []render.Group{{Name: method, Colour: render.MethodColour(method)}}, Values: [][]float64{w.plan.Selection.Distances()},
	}
	path := filepath.Join(w.command.Sheet, "distances.svg")
	return writeFile(path, func(out io.Writer) error { return figure.Write(out, "svg") })
}
