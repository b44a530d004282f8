package app

import (
	"errors"
	"fmt"
	"image/png"
	"io"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/render"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

// draw writes composites and contact sheets where these are asked for, and returns the number
// of pictures.
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
	pictures, err := composites.Pictures(w.s.ctx, i)
	if err != nil {
		return 0, err
	}
	for j, picture := range pictures {
		if w.command.Images == "" {
			break
		}
		path := filepath.Join(composites.Below(w.command.Images, i), fmt.Sprintf("%02d.png", j))
		if err := durable.WriteFile(path, func(out io.Writer) error { return png.Encode(out, picture.RGBA()) }); err != nil {
			return files, err
		}
		files++
	}
	if w.command.Sheet != "" {
		files++
		sheet := composites.Sheet(i, pictures, w.plan.Keywords.Items)
		path := composites.Below(w.command.Sheet, i) + ".png"
		return files, durable.WriteFile(path, func(out io.Writer) error { return sheet.Write(out, "png") })
	}
	return files, nil
}

// distanceFigure is the histogram of the distances of all scenes, in the colour of the method.
func (w *scenesWork) distanceFigure() error {
	figure := scenes.DistanceFigure("Distances of "+w.record.Name, scenes.DistancesOf(w.plan.Selection))
	path := filepath.Join(w.command.Sheet, "distances.svg")
	return durable.WriteFile(path, func(out io.Writer) error { return render.Draw(out, figure, render.Part{}, "svg") })
}
