package corrupted

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/suite"
)

// mostPhotographs bounds what is held in memory; the originals use six.
const mostPhotographs = 100

// Photographs reads all images of a folder as photographs of frost, in the order of their names.
func Photographs(ctx context.Context, path string) (list []suite.Image, err error) {
	m, err := suite.Scan(ctx, path, suite.Options{}, nil)
	if err != nil {
		return nil, fmt.Errorf("photographs of frost: %w", err)
	}
	if m.Images > mostPhotographs {
		return nil, fmt.Errorf("photographs of frost: %s holds %d images; give a folder of at most %d",
			path, m.Images, mostPhotographs)
	}
	s, err := suite.Open(m, m.Root)
	if err != nil {
		return nil, fmt.Errorf("photographs of frost: %w", err)
	}
	defer func() { _ = s.Close() }() // it was only read from
	for i := range s.Len() {
		img, err := s.Image(i)
		if err != nil {
			return nil, fmt.Errorf("photographs of frost: %w", err)
		}
		list = append(list, img)
	}
	return list, nil
}
