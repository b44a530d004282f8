package worker

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
)

// The sizes of answers.
const (
	modelPart = 4 << 20 // bytes of a model's file
	imageRoom = 8 << 20 // bytes of images, one at least
	maxSide   = 1 << 15 // pixels of a mask's side, as of an image's
)

// describe says of a source what goes with an order about images from the first to the last of a
// list.
func (c *call) describe(withScenes bool, images []int) error {
	c.command.Length = c.source.Len()
	_, c.command.Masked = c.source.(engine.Masked)
	if !withScenes || len(images) == 0 {
		return nil
	}
	composed, ok := c.source.(wire.Composed)
	if !ok {
		return fmt.Errorf("the scenes of these images cannot be given to a worker")
	}
	var err error
	if c.ingredients, err = composed.Ingredients(); err != nil {
		return err
	}
	s := &scenes{Selection: composed.Selection(), N: c.ingredients.Scenes(), How: c.ingredients.How(), First: images[0]}
	for i := images[0]; i <= images[len(images)-1]; i++ {
		line := make([]int, s.N)
		for t := range line {
			line[t] = c.ingredients.Scene(i, t+1)
		}
		s.Chosen = append(s.Chosen, line)
	}
	c.command.Scenes = s
	return nil
}

// answer answers a question of the worker. What it cannot have is an answer, too.
func (o *process) answer(c *call, whole func(path string) ([]byte, error), q request, number uint64) {
	r, body, err := reply{}, []byte(nil), error(nil)
	switch {
	case q.Model:
		r, body, err = o.answerModel(c, whole, q, number)
	case len(q.Images) > 0:
		r.Images, body = c.images(q.Images)
	case q.Mask != nil:
		r.None, body, err = c.mask(q)
	case q.Background != nil && c.ingredients != nil:
		img, bytes := c.picture(c.ingredients.Background(*q.Background))
		r.Images, body = []image{img}, bytes
	default:
		err = fmt.Errorf("a worker has asked for what its order does not need")
	}
	if err != nil {
		r = reply{Problem: c.problem(err)}
	}
	_ = o.stream.send(answer, number, r, body) // a worker that has ended needs it no more
}

// problem keeps an error for what follows from it.
func (c *call) problem(err error) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problems = append(c.problems, err)
	return err.Error()
}

// answerModel sends all parts of a model's file but the last one, which it gives.
func (o *process) answerModel(
	c *call, whole func(path string) ([]byte, error), q request, number uint64,
) (r reply, body []byte, err error) {
	name := filepath.Base(c.feed.Path)
	if q.Whole {
		data, err := whole(c.feed.Path)
		r.Size = int64(len(data))
		for err == nil && len(data) > modelPart {
			err = o.stream.send(part, number, reply{Size: r.Size}, data[:modelPart])
			data = data[modelPart:]
		}
		return r, data, err
	}
	f, err := outside.Open(c.feed.Path, outside.Model)
	if err != nil {
		return r, nil, fmt.Errorf("open model %s: %w", name, err)
	}
	defer func() { _ = f.Close() }() // read only: nothing is lost
	r.Size = f.Size()
	for left := f.Size(); ; left -= modelPart {
		body = make([]byte, min(left, modelPart))
		if _, err := io.ReadFull(f, body); err != nil {
			return r, nil, fmt.Errorf("read model %s: %w", name, err)
		}
		if left <= modelPart {
			return r, body, nil
		}
		if err := o.stream.send(part, number, reply{Size: r.Size}, body); err != nil {
			return r, nil, err
		}
	}
}

// images reads as many of a list as there is room for.
func (c *call) images(list []int) (sent []image, body []byte) {
	encoded, _ := c.source.(engine.Encoded)
	for _, i := range list {
		if i < 0 || i >= c.command.Length {
			return append(sent, image{Problem: fmt.Sprintf("there is no image %d", i)}), body
		}
		var img image
		var raw suite.Raw
		var err error
		if encoded != nil {
			raw, err = encoded.Encoded(i)
		}
		switch {
		case err != nil:
			img = image{Problem: c.problem(err)}
		case raw.Data == nil:
			img, raw.Data = c.picture(c.source.Image(i))
		default:
			img = image{
				What: raw.What, Levels: raw.Channels > 0, Channels: raw.Channels, Height: raw.Height, Width: raw.Width,
			}
		}
		img.Name, img.Label, img.Size = c.source.Name(i), c.source.Label(i), len(raw.Data)
		sent, body = append(sent, img), append(body, raw.Data...)
		if len(body) > imageRoom {
			break
		}
	}
	return sent, body
}

// picture is a decoded image as it is sent.
func (c *call) picture(img suite.Image, err error) (image, []byte) {
	var levels bool
	var bytes []byte
	if err == nil {
		levels, bytes, err = wire.PictureOf(img)
	}
	if err != nil {
		return image{Problem: c.problem(err)}, nil
	}
	return image{Size: len(bytes), Levels: levels, Channels: img.Channels, Height: img.Height, Width: img.Width}, bytes
}

// mask is the mask of an image as runs.
func (c *call) mask(q request) (none bool, body []byte, err error) {
	var m *background.Mask
	masked, ok := c.source.(engine.Masked)
	switch {
	case *q.Mask < 0 || *q.Mask >= c.command.Length:
		err = fmt.Errorf("there is no image %d", *q.Mask)
	case q.Height < 0 || q.Width < 0 || q.Height > maxSide || q.Width > maxSide || q.Height*q.Width > wire.MaxValues:
		err = fmt.Errorf("there is no mask of %d x %d pixels", q.Height, q.Width)
	case ok && q.Height > 0:
		m, err = masked.Mask(*q.Mask, q.Height, q.Width)
	case c.ingredients != nil:
		var one background.Mask
		one, err = c.ingredients.Mask(*q.Mask)
		m = &one
	}
	if err != nil || m == nil {
		return err == nil, nil, err
	}
	return false, packFloats(engine.RowOfMask(*m)), nil
}
