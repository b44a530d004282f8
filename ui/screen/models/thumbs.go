package models

import (
	"image"
	"strconv"
	"strings"
	"sync"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
)

// A strip of thumbnails is thumbSize pixels high and thumbsWidth wide.
const (
	thumbSize   = 40
	thumbGap    = 4
	thumbsWidth = 5*(thumbSize+thumbGap) - thumbGap
)

// thumbnails draws the strips of five matrices and keeps them. It is safe for many goroutines.
type thumbnails struct {
	mu   sync.Mutex
	kept map[string]image.Image // by set and scales
}

// scales are the shared colour scales of the default modalities, in their order (DESIGN.md section 7).
type scales []render.Scale

// scalesOf derives the scales from the matrices of all models. Confidence has a fixed one.
func scalesOf(summaries []store.Summary) scales {
	var list scales
	for _, m := range signal.DefaultModalities() {
		name := m.String()
		var values []float64
		for _, s := range summaries {
			values = append(values, s.Matrices[name].Data...)
		}
		low, high := render.DefaultRange(name, values)
		list = append(list, render.Scale{Low: low, High: high, Map: &render.Viridis})
	}
	return list
}

func (s scales) key(set string) string {
	var b strings.Builder
	b.WriteString(set)
	for _, one := range s {
		b.WriteByte(' ')
		b.WriteString(strconv.FormatFloat(one.High, 'g', -1, 64))
	}
	return b.String()
}

// strip is the picture for one summary.
func (t *thumbnails) strip(s store.Summary, shared scales) image.Image {
	key := shared.key(s.Key)
	t.mu.Lock()
	picture, ok := t.kept[key]
	t.mu.Unlock()
	if ok {
		return picture
	}
	var tiles []render.Tile
	for i, m := range signal.DefaultModalities() {
		tiles = append(tiles, render.Tile{Matrix: s.Matrices[m.String()], Scale: shared[i]})
	}
	picture = render.Strip(tiles, thumbSize, thumbGap)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		t.kept = map[string]image.Image{}
	}
	t.kept[key] = picture
	return picture
}

// forget drops the pictures of other sets and scales, so that the memory stays that of one list.
func (t *thumbnails) forget(keep map[string]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range t.kept {
		if !keep[key] {
			delete(t.kept, key)
		}
	}
}
