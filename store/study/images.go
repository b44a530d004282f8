package study

import (
	"context"
	"fmt"
	"io"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/store/lookup"
)

// WriteImages streams a table of the values of all images from the signals. Progress counts what
// was measured.
func WriteImages(
	ctx context.Context, ws lookup.Signals, measured []invariance.Measured,
	w io.Writer, forSpreadsheets bool, p engine.Progress,
) error {
	p.SetTotal(int64(len(measured)))
	out := invariance.Images.Stream(w, forSpreadsheets)
	for k := range measured {
		m := &measured[k]
		err := PerImage(ctx, ws, m.Key, func(image, transformation int, v invariance.Values) {
			out.Write(invariance.ImageValue{Of: m, Image: image, Transformation: transformation, Values: v})
		})
		if err != nil {
			return fmt.Errorf("model %s on %s: %w", m.Model.ID, m.SuiteName, err)
		}
		p.Add(1)
	}
	return out.Close()
}
