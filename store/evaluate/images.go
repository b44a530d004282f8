package evaluate

import (
	"context"
	"fmt"
	"io"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/lookup"
)

// ImageWriter writes the table of the values of all images, from the signals of one set after the
// other.
type ImageWriter struct {
	out *result.Stream[invariance.ImageValue]
}

// NewImageWriter begins the table in a CSV file.
func NewImageWriter(w io.Writer, forSpreadsheets bool) *ImageWriter {
	return &ImageWriter{invariance.Images.Stream(w, forSpreadsheets)}
}

// Write adds the values of what was measured, while its signals are there. Progress counts sets.
func (w *ImageWriter) Write(
	ctx context.Context, ws lookup.Signals, measured []invariance.Measured, p engine.Progress,
) error {
	p.SetTotal(int64(len(measured)))
	for k := range measured {
		m := &measured[k]
		err := PerImage(ctx, ws, m.Key, func(image, transformation int, v invariance.Values) {
			w.out.Write(invariance.ImageValue{Of: m, Image: image, Transformation: transformation, Values: v})
		})
		if err != nil {
			return fmt.Errorf("model %s on %s: %w", m.Model.ID, m.SuiteName, err)
		}
		p.Add(1)
	}
	return nil
}

// Close ends the table.
func (w *ImageWriter) Close() error { return w.out.Close() }
