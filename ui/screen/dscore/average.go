package dscore

import (
	"context"
	"fmt"
	"image"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
)

// averageImages is how many images of a suite an average is made of at most: more change no pixel
// that could be seen.
const averageImages = 4096

// average is the average image of a suite, made in the background when it is first wanted.
type average struct {
	s       *Screen
	arrived func() // the image was made, or cannot be
	latest  background.Latest
	job     *background.Job
	of      string // hash of the suite that it is of, or that it is being made of
	image   suite.Image
	picture image.Image // nil without one
	problem error       // why there is none, nil while all is well
}

// want asks for the average of a suite; where it is there or on its way, nothing happens.
func (a *average) want(m suite.Manifest) {
	if m.Hash == a.of && (a.picture != nil || a.job != nil) {
		return
	}
	a.end()
	a.of = m.Hash
	if m.Hash == "" {
		return
	}
	id := a.latest.Next()
	var img suite.Image
	a.job = a.s.deps.Work.Start(fmt.Sprintf("Average image of %s", m.Name), func(ctx context.Context, p *background.Progress) (err error) {
		img, err = a.s.deps.Store.Average(ctx, m.Hash, averageImages, p)
		return err
	}, func(err error) {
		if !a.latest.Is(id) {
			return
		}
		a.job = nil
		switch {
		case err == nil:
			a.image, a.picture = img, img.RGBA()
		case !present.Cancelled(err):
			a.problem = err
		}
		a.arrived()
	})
}

// end ends what is being made, and forgets what was.
func (a *average) end() {
	a.latest.Next()
	if a.job != nil {
		a.job.Drop()
		a.job = nil
	}
	a.image, a.picture, a.problem = suite.Image{}, nil, nil
}
