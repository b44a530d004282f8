package diagnosis

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/lookup"
)

// averageBlock is how many images one goroutine adds up: the sums of blocks are added in their
// order, so that the average has the same bits for any number of goroutines.
const averageBlock = 64

// mostAverage bounds the bytes of an average that is kept; a larger one is computed each time.
const mostAverage = 8 << 20

// Average is the mean of a suite's images, streamed, each fitted to the size of the first
// (suite.Fit); it is RGB where one of them is, and the gray ones then count in all three channels.
// At most limit images, evenly spread, are read; 0 for all. It is kept. progress (may be nil)
// counts images.
//
// Errors are a suite that is not there or has no images, store.ErrNoImages and suite.ErrChanged,
// an image that cannot be read.
func Average(
	ctx context.Context, ws lookup.Signals, suiteHash string, limit int, progress engine.Progress,
) (suite.Image, error) {
	img, err := average(ctx, ws, suiteHash, limit, progress)
	if err != nil {
		return suite.Image{}, fmt.Errorf("average image: %w", err)
	}
	return img, nil
}

func average(
	ctx context.Context, ws lookup.Signals, suiteHash string, limit int, progress engine.Progress,
) (suite.Image, error) {
	m, err := ws.Suite(suiteHash)
	if err != nil {
		return suite.Image{}, err
	}
	if m.Images < 1 {
		return suite.Image{}, fmt.Errorf("suite %s has no images", m.Name)
	}
	if limit <= 0 || limit > m.Images {
		limit = m.Images
	}
	name := fmt.Sprintf("average/%d/%s/%d", keptVersion, suiteHash, limit)
	if img, ok := keptImage(ws, name); ok {
		return img, nil
	}
	opened, err := ws.OpenSuiteContext(ctx, suiteHash)
	if err != nil {
		return suite.Image{}, err
	}
	img, err := mean(ctx, opened, spread(m.Images, limit), progress)
	if err = errors.Join(err, opened.Close()); err != nil {
		return suite.Image{}, err
	}
	if pixelBytes*len(img.Pix) > mostAverage {
		return img, nil
	}
	pix, err := binary.Append(nil, binary.LittleEndian, img.Pix)
	if err != nil {
		return img, err
	}
	return img, ws.KeepValue(name, packed{img.Channels, img.Height, img.Width, pix})
}

// spread are n of the images 0..all-1, evenly spread from the first on.
func spread(all, n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = int(int64(k) * int64(all) / int64(n))
	}
	return list
}

// images gives the images of a suite.
type images interface {
	Image(i int) (suite.Image, error)
}

// mean adds up blocks of images, as many at a time as there are processors.
func mean(ctx context.Context, from images, list []int, progress engine.Progress) (suite.Image, error) {
	if progress == nil {
		progress = engine.NoProgress{}
	}
	progress.SetTotal(int64(len(list)))
	first, err := from.Image(list[0])
	if err != nil {
		return suite.Image{}, err
	}
	to := suite.Fitting{Height: first.Height, Width: first.Width}
	blocks := (len(list) + averageBlock - 1) / averageBlock
	total := sum{height: first.Height, width: first.Width}
	for begin := 0; begin < blocks; begin += lookup.Workers(0) {
		sums := make([]sum, min(lookup.Workers(0), blocks-begin))
		err := lookup.Each(ctx, len(sums), 0, engine.NoProgress{}, func(ctx context.Context, k int) error {
			at := (begin + k) * averageBlock
			sums[k] = sum{height: first.Height, width: first.Width}
			return sums[k].read(ctx, from, list[at:min(at+averageBlock, len(list))], to, progress)
		})
		if err != nil {
			return suite.Image{}, err
		}
		for _, s := range sums {
			total.add(s.planes)
		}
	}
	return total.over(len(list)), nil
}

// sum is a sum of images of one size, channel by channel: none before the first image, one of gray
// ones, three when one was RGB.
type sum struct {
	height, width int
	planes        [][]float64
}

// read adds images.
func (s *sum) read(ctx context.Context, from images, list []int, to suite.Fitting, progress engine.Progress) error {
	for _, i := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		img, err := from.Image(i)
		if err != nil {
			return err
		}
		img = suite.Fit(img, to)
		s.widen(img.Channels)
		area := s.height * s.width
		for c := range s.planes {
			plane := s.planes[c]
			for at, v := range img.Pix[min(c, img.Channels-1)*area:][:area] {
				plane[at] += float64(v)
			}
		}
		progress.Add(1)
	}
	return nil
}

// add adds another sum of images of the same size.
func (s *sum) add(planes [][]float64) {
	s.widen(len(planes))
	for c := range s.planes {
		for at, v := range planes[min(c, len(planes)-1)] {
			s.planes[c][at] += v
		}
	}
}

// widen makes room for so many channels; what was gray counts in all of them.
func (s *sum) widen(channels int) {
	for len(s.planes) < channels {
		plane := make([]float64, s.height*s.width)
		if len(s.planes) > 0 {
			copy(plane, s.planes[0])
		}
		s.planes = append(s.planes, plane)
	}
}

// over is the sum divided by the number of images.
func (s *sum) over(n int) suite.Image {
	img := suite.Image{Channels: len(s.planes), Height: s.height, Width: s.width}
	for _, plane := range s.planes {
		for _, v := range plane {
			img.Pix = append(img.Pix, float32(v/float64(n)))
		}
	}
	return img
}

// packed is an image as it is kept: the bytes of its pixels, little-endian.
type packed struct {
	Channels, Height, Width int
	Pix                     []byte
}

const pixelBytes = 4

// keptImage reads an average. What cannot be read counts as not there: it is computed again.
func keptImage(ws lookup.Signals, name string) (suite.Image, bool) {
	var p packed
	found, err := ws.KeptValue(name, &p)
	if err != nil || !found || p.Channels != 1 && p.Channels != 3 || p.Height < 1 || p.Width < 1 ||
		len(p.Pix) > mostAverage || len(p.Pix) != pixelBytes*p.Channels*p.Height*p.Width {
		return suite.Image{}, false
	}
	img := suite.Image{
		Channels: p.Channels, Height: p.Height, Width: p.Width, Pix: make([]float32, len(p.Pix)/pixelBytes),
	}
	_, err = binary.Decode(p.Pix, binary.LittleEndian, img.Pix)
	return img, err == nil
}
