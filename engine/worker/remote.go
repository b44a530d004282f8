package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
)

// remote is the source of a task: it asks the pool for images, some ahead of those that are at
// work. Only one goroutine reads it.
type remote struct {
	task     *task
	sequence []int // images in the order in which they are read
	position int   // in sequence, of the last one that was read
	have     map[int]sent
	coming   *coming // nil where nothing was asked for
	first    string  // name of the first image of the batch, of a careful order
	// compositor makes composites; nil without scenes.
	compositor *background.Compositor
}

// sent is an image that has come.
type sent struct {
	image
	data []byte
}

// coming is a question for images whose answer is not there.
type coming struct {
	first  int // position in sequence
	answer <-chan frame
}

// ahead is how many images are asked for at a time.
const ahead = 64

// composites is the memory of a worker's composites.
var composites = background.Room{Scenes: 128 << 20, Foregrounds: 32 << 20}

// asComposer is the source with what it has: scenes, masks or nothing but images.
func (r *remote) asComposer() engine.Source {
	switch {
	case r.compositor != nil:
		return composer{r}
	case r.task.command.Masked:
		return masked{r}
	}
	return r
}

type (
	masked   struct{ *remote }
	composer struct{ *remote }
)

// Mask implements engine.Masked.
func (m masked) Mask(i, height, width int) (*background.Mask, error) {
	return m.mask(request{Mask: &i, Height: height, Width: width})
}

// Len implements engine.Source.
func (r *remote) Len() int { return r.task.command.Length }

// Label implements engine.Source.
func (r *remote) Label(i int) int {
	if s, ok := r.have[i]; ok {
		return s.Label
	}
	return -1
}

// Name implements engine.Source.
func (r *remote) Name(i int) string {
	if s, ok := r.have[i]; ok {
		return s.image.Name
	}
	return fmt.Sprint(i)
}

// Image implements engine.Source.
func (r *remote) Image(i int) (suite.Image, error) {
	r.task.moved.Store(true)
	if s, ok := r.have[i]; !ok || s.data == nil {
		if err := r.fetch(i); err != nil {
			return suite.Image{}, err
		}
	}
	s := r.have[i]
	if r.task.command.Careful {
		r.say(i)
	}
	if s.Problem != "" {
		return suite.Image{}, errors.New(s.Problem)
	}
	img, err := s.decode()
	s.data = nil
	r.have[i] = s // its name and label are asked for afterwards
	return img, err
}

// say tells which images of a batch have been read.
func (r *remote) say(i int) {
	at, name := slices.Index(r.sequence, i), r.Name(i)
	if at%r.task.batch() == 0 {
		r.first = name
	}
	where := "image " + name
	if r.first != name {
		where = "images " + r.first + " to " + name
	}
	_ = r.task.send(step, r.task.number, progress{Where: where}, nil) // a pool that is gone ends this process
}

// batch is how many images are run at a time.
func (t *task) batch() int {
	if t.command.Rows != nil {
		return max(1, t.command.Rows.Feed.Input.Batch)
	}
	return max(1, t.order.Spec.Batch)
}

func (s sent) decode() (suite.Image, error) {
	if s.Channels == 0 {
		img, err := suite.Decode(s.data)
		if err != nil {
			err = fmt.Errorf("%s: %w", s.What, err)
		}
		return img, err
	}
	return wire.Picture(s.Channels, s.Height, s.Width, s.Levels, s.data)
}

// fetch waits for image i, and asks for those behind the ones that have come with it.
func (r *remote) fetch(i int) error {
	at := slices.Index(r.sequence[r.position:], i)
	if at < 0 {
		return fmt.Errorf("image %d is not one of the order's", i)
	}
	r.position += at
	if r.coming == nil || r.coming.first != r.position {
		r.request(r.position)
	}
	first, answer := r.coming.first, r.coming.answer
	r.coming = nil
	got, f, err := r.task.wait(answer)
	if err != nil {
		return err
	}
	body := f.body
	for k, img := range got.Images {
		if first+k >= len(r.sequence) || img.Size > len(body) || img.Size < 0 {
			return errors.New("images came otherwise than they were asked for")
		}
		r.have[r.sequence[first+k]] = sent{img, body[:img.Size:img.Size]}
		body = body[img.Size:]
	}
	if next := first + len(got.Images); len(got.Images) == 0 {
		return fmt.Errorf("image %d did not come", i)
	} else if next < len(r.sequence) {
		r.request(next)
	}
	return nil
}

func (r *remote) request(from int) {
	list := r.sequence[from:min(from+ahead, len(r.sequence))]
	r.coming = &coming{from, r.task.ask(request{Images: list})}
}

// Selection implements engine.Composer.
func (c composer) Selection() string { return c.task.command.Scenes.Selection }

// Compose implements engine.Composer.
func (c composer) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	c.task.moved.Store(true)
	return c.compositor.Compose(dst, fitted, i, t, to)
}

// Mask implements background.Ingredients.
func (r *remote) Mask(i int) (background.Mask, error) {
	m, err := r.mask(request{Mask: &i})
	if err == nil && m == nil {
		err = fmt.Errorf("there is no mask of image %d", i)
	}
	if err != nil {
		return background.Mask{}, err
	}
	return *m, nil
}

func (r *remote) mask(q request) (*background.Mask, error) {
	got, f, err := r.task.wait(r.task.ask(q))
	if err != nil || got.None {
		return nil, err
	}
	m, ok := engine.MaskOfRow(unpackFloats(f.body))
	if !ok {
		return nil, errors.New("a mask came otherwise than it was asked for")
	}
	return &m, nil
}

// Scenes implements background.Ingredients.
func (r *remote) Scenes() int { return r.task.command.Scenes.N }

// Scene implements background.Ingredients.
func (r *remote) Scene(i, t int) int {
	s := r.task.command.Scenes
	return s.Chosen[i-s.First][t-1]
}

// Background implements background.Ingredients.
func (r *remote) Background(number int) (suite.Image, error) {
	got, f, err := r.task.wait(r.task.ask(request{Background: &number}))
	if err != nil {
		return suite.Image{}, err
	}
	if len(got.Images) != 1 {
		return suite.Image{}, fmt.Errorf("background %d did not come", number)
	}
	if img := got.Images[0]; img.Problem != "" {
		return suite.Image{}, errors.New(img.Problem)
	}
	return sent{got.Images[0], f.body}.decode()
}

// How implements background.Ingredients.
func (r *remote) How() background.Compositing { return r.task.command.Scenes.How }

// wait takes the next frame of an answer, which says what it holds. The error may be the answer.
func (t *task) wait(answers <-chan frame) (r reply, f frame, err error) {
	select {
	case f = <-answers:
	case <-t.ctx.Done():
		return r, f, context.Cause(t.ctx)
	}
	if err = f.into(&r); err == nil && r.Problem != "" {
		err = errors.New(r.Problem)
	}
	return r, f, err
}

// ask sends a question; its answer comes in one frame, that for a model in several.
func (t *task) ask(q request) <-chan frame {
	q.Order = t.number
	answers := make(chan frame, 4)
	t.mu.Lock()
	t.server.number++
	number := t.server.number
	t.waiting[number] = asked{answers, t.ctx.Done()}
	t.mu.Unlock()
	_ = t.send(ask, number, q, nil) // a pool that is gone ends this process
	return answers
}

// packFloats writes numbers, to the bit.
func packFloats(values []float64) []byte {
	out, _ := binary.Append(nil, binary.LittleEndian, values) // numbers have a size
	return out
}

// unpackFloats reads them.
func unpackFloats(data []byte) []float64 {
	out := make([]float64, len(data)/8)
	_, _ = binary.Decode(data, binary.LittleEndian, out) // there are enough bytes
	return out
}
