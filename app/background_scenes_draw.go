package app

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
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
	composites, err := scenes.OpenContext(w.s.ctx, w.ws, w.record.Hash)
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
	name := scenes.SheetName(w.targets.ImageName(i))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		name = fileName(name) // nothing is written outside of the folder that was named
	}
	pictures, err := composites.Pictures(w.s.ctx, i)
	if err != nil {
		return 0, err
	}
	if w.command.Images != "" {
		for j, picture := range pictures {
			path := filepath.Join(w.command.Images, filepath.FromSlash(name), fmt.Sprintf("%02d.png", j))
			if err := durable.WriteFile(path, func(out io.Writer) error { return png.Encode(out, inBytes(picture)) }); err != nil {
				return files, err
			}
			files++
		}
	}
	if w.command.Sheet != "" {
		files++
		sheet := composites.Sheet(i, pictures, w.plan.Keywords.Items)
		path := filepath.Join(w.command.Sheet, filepath.FromSlash(name)+".png")
		return files, durable.WriteFile(path, func(out io.Writer) error { return sheet.Write(out, "png") })
	}
	return files, nil
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

// distanceFigure is the histogram of the distances of all scenes, in the colour of the method.
func (w *scenesWork) distanceFigure() error {
	figure := scenes.DistanceFigure("Distances of "+w.record.Name, w.plan.Selection)
	path := filepath.Join(w.command.Sheet, "distances.svg")
	return durable.WriteFile(path, func(out io.Writer) error { return figure.Write(out, "svg") })
}
