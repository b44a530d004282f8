package job

import (
	"context"
	"errors"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
)

// source is a suite that is opened when its first image is read: of many runs in the queue only the
// one at work holds files and kept images. It is safe for many goroutines.
type source struct {
	open     opener
	manifest suite.Manifest

	mu     sync.Mutex
	opened images
	err    error
}

// opener opens images; it is quick when they were opened before.
type opener func(ctx context.Context) (images, error)

// images are what is opened: a suite, or the composites of a selection.
type images interface {
	Image(i int) (suite.Image, error)
	Close() error
}

var _ engine.Encoded = (*source)(nil)

// errClosed is what is read after the run has ended.
var errClosed = errors.New("the suite is closed")

// newSource makes the source of a run after looking whether the suite's images are there.
func newSource(ctx context.Context, from ModelStore, m suite.Manifest) (*source, error) {
	return lookedAt(ctx, m, func(ctx context.Context) (images, error) {
		opened, err := from.OpenSuiteContext(ctx, m.Hash)
		if err != nil {
			return nil, err
		}
		return opened, nil
	})
}

// lookedAt is a source that could be opened a moment ago.
func lookedAt(ctx context.Context, m suite.Manifest, open opener) (*source, error) {
	opened, err := open(ctx)
	if err != nil {
		return nil, err
	}
	return &source{open: open, manifest: m}, opened.Close()
}

// Len is the number of images.
func (s *source) Len() int { return s.manifest.Images }

// Label is the class of image i, -1 without label.
func (s *source) Label(i int) int { return s.manifest.Labels[i] }

// Name is the image's name for messages.
func (s *source) Name(i int) string { return s.manifest.ImageName(i) }

// Image reads image i.
func (s *source) Image(i int) (suite.Image, error) {
	opened, err := s.get()
	if err != nil {
		return suite.Image{}, err
	}
	return opened.Image(i)
}

// Encoded implements engine.Encoded.
func (s *source) Encoded(i int) (suite.Raw, error) {
	opened, err := s.get()
	if err != nil {
		return suite.Raw{}, err
	}
	if raw, ok := opened.(engine.Encoded); ok {
		return raw.Encoded(i)
	}
	return suite.Raw{}, nil
}

// get opens the suite once; when that fails, it fails for every image.
func (s *source) get() (images, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened == nil && s.err == nil {
		s.opened, s.err = s.open(context.Background())
	}
	return s.opened, s.err
}

// close closes the suite if it was opened; nothing can be read any more. No Image call may run at
// the same time.
func (s *source) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	opened := s.opened
	s.opened, s.err = nil, errClosed
	if opened == nil {
		return nil
	}
	return opened.Close()
}
