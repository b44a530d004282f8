package models

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
)

// A strip of thumbnails is thumbSize pixels high and thumbsWidth wide.
const (
	thumbSize   = 40
	thumbGap    = 4
	thumbsWidth = 5*(thumbSize+thumbGap) - thumbGap
)

// largestRaster is the size up to which the gallery takes a matrix as it is, one pixel per
// element; a larger one is shrunk by means, so that no row of it is lost.
const largestRaster = 128

// thumb names a picture by all that it is made from: the strip of a row's matrices, or one matrix.
type thumb struct {
	model, set string // hash, key
	current    store.Current
	modality   string // "" for the strip
	colours    string
	ranges     [5]label.Range // of the default modalities, or the one of the modality
}

// thumbs makes the list's pictures.
type thumbs struct {
	ctx  context.Context
	from Store
	// failed are those that could not be made; what is wrong with their signals shows where these
	// are opened.
	failed *sync.Map
}

// Close implements kit.ImageSource.
func (thumbs) Close() error { return nil }

// Image looks on disk before it makes a picture, and keeps what it has made there. A picture that
// cannot be kept is shown all the same.
func (t thumbs) Image(one thumb) (image.Image, error) {
	key := fmt.Sprintf("%s %s %d %d %s", one.set, one.modality, thumbSize, largestRaster, one.colours)
	for _, r := range one.ranges {
		key += " " + result.Number.Write(r.Low) + " " + result.Number.Write(r.High)
	}
	if picture, ok := t.from.Thumb(key); ok {
		return picture, nil
	}
	picture, err := t.draw(one)
	if err != nil {
		t.failed.Store(one, true)
		return nil, err
	}
	_ = t.from.PutThumb(key, picture)
	return picture, nil
}

func (t thumbs) draw(one thumb) (image.Image, error) {
	scale := func(at int) render.Scale {
		return render.Scale{Low: one.ranges[at].Low, High: one.ranges[at].High, Map: colourMap(one.colours)}
	}
	if one.modality != "" {
		matrix, err := matrixOf(t.ctx, t.from, one.model, one.set, one.current, one.modality)
		if err != nil {
			return nil, err
		}
		return render.Strip([]render.Tile{{Matrix: matrix, Scale: scale(0)}}, max(1, min(matrix.N, largestRaster)),
			0), nil
	}
	summary, ok, err := t.from.SetSummary(one.set)
	if err != nil || !ok {
		return nil, errors.Join(err, store.ErrNoSignals)
	}
	var tiles []render.Tile
	for at, m := range signal.DefaultModalities() {
		tiles = append(tiles, render.Tile{Matrix: summary.Matrices[m.String()], Scale: scale(at)})
	}
	return render.Strip(tiles, thumbSize, thumbGap), nil
}

// usePictures has pictures made, also those again that could not be made before.
func (s *Screen) usePictures() {
	failed := &sync.Map{}
	s.pictures.Close()
	s.pictures.Use("models", func(ctx context.Context) (kit.ImageSource[thumb], error) {
		return thumbs{ctx, s.store, failed}, nil
	})
	s.failedThumbs = failed
}

// retryPictures has pictures made that could not be made before.
func (s *Screen) retryPictures() {
	s.failedThumbs.Range(func(any, any) bool { s.usePictures(); return false })
}
