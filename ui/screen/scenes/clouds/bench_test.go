package clouds

import (
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// large is evidence of the paper's size: 1712 targets with 33 images each, 1.86 million points.
func large() *scenes.Evidence {
	random := rand.New(rand.NewPCG(7, 0))
	var s background.Selection
	var signals [][]float64
	for range 1712 {
		row, list := []float64{0.9}, []background.Scene(nil)
		for range 32 {
			d := min(max(0.85+0.25*random.NormFloat64(), 0.05), 1.6)
			list, row = append(list, background.Scene{Distance: d}), append(row, max(0.9-0.4*d*random.Float64(), 0))
		}
		s.Chosen, signals = append(s.Chosen, list), append(signals, row)
	}
	e := &scenes.Evidence{
		Model: model.Model{Hash: "m", ID: "m"}, Selection: store.SelectionRecord{Hash: "s", N: 32, Selection: s},
	}
	e.Clouds = map[scenes.Measure]scatter.Cloud{scenes.ConfMax: {
		Distances: scenes.Distances(s), Signals: signals, D: s.Far(),
	}}
	return e
}

// BenchmarkSliders is what a slider that moves waits for (below 100 ms): a knob of the free
// interpolant, whose cloud is binned, and the share, for which all is made anew.
func BenchmarkSliders(b *testing.B) {
	e := large()
	for _, slider := range []struct {
		name string
		move func(s *Settings, step int)
	}{
		{"sigma", func(s *Settings, step int) { s.Sigma = 1 + float64(step%1000)/100 }},
		{"share", func(s *Settings, step int) { s.Share, s.Seed = 95, uint64(step+2) }},
	} {
		b.Run(slider.name, func(b *testing.B) {
			v, settings := newVault(), usual()
			testdata.Must(preview(b.Context(), v, ask{evidence: []*scenes.Evidence{e}, settings: settings}))(b)
			start := testdata.ProcessorTime()
			step := 0
			for b.Loop() {
				slider.move(&settings, step)
				step++
				if _, err := preview(b.Context(), v,
					ask{evidence: []*scenes.Evidence{e}, settings: settings}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((testdata.ProcessorTime()-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}
