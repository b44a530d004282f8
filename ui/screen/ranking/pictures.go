package ranking

import (
	"context"
	"image"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// pictures are the images of one source that were asked for last. They are read in the background when a page first shows them.
type pictures struct {
	work    *background.Group
	store   Store
	arrived func()
	latest  background.Latest
	source  Source
	images  []int
	loaded  bool // or being loaded
	made    map[int]image.Image
	problem error // why there are none, nil while all is well
	cancel  context.CancelFunc
}

// pictureSide bounds the sides of pictures that are kept, in pixels.
const pictureSide = 256

func newPictures(work *background.Group, store Store, arrived func()) *pictures {
	return &pictures{work: work, store: store, arrived: arrived, cancel: func() {}}
}

// want names other images; those of before are let go.
func (p *pictures) want(source Source, images []int) {
	p.close()
	p.source, p.images, p.loaded, p.made, p.problem = source, images, source.Table, nil, nil
}

// load reads the images, once.
func (p *pictures) load() {
	if p.loaded || len(p.images) == 0 {
		return
	}
	p.loaded = true
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	source, images := p.source.ID, p.images
	background.Load(p.work, &p.latest, "read hard images", func(closing context.Context) (map[int]image.Image, error) {
		stop := context.AfterFunc(closing, cancel)
		defer stop()
		return readPictures(ctx, p.store, source, images)
	}, func(made map[int]image.Image, err error) {
		switch {
		case err == nil:
			p.made = made
		case present.Cancelled(err):
			p.loaded = false
		default:
			p.problem = err
		}
		p.arrived()
	})
}

// close ends the reading under way and drops its answer.
func (p *pictures) close() {
	p.latest.Next()
	p.cancel()
}

// of is an image's picture, nil where there is none yet.
func (p *pictures) of(at int) image.Image { return p.made[at] }

// readPictures reads images of a suite, the large ones made smaller. One that cannot be decoded is hatched.
func readPictures(ctx context.Context, store Store, hash string, images []int) (map[int]image.Image, error) {
	opened, err := store.OpenSuiteContext(ctx, hash)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	made := make(map[int]image.Image, len(images))
	for _, at := range images {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		made[at] = picture.Read(opened, at, pictureSide)
	}
	return made, nil
}
