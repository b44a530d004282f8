package label

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	labels "github.com/variscope/variscope/engine/label"
)

// BenchmarkKeyToNextModel measures the time from a label's key until the next model is drawn in
// software, at 1280 x 800, over 200 labels of one round; the label is on disk by then. The next
// model was read ahead, as it is while somebody looks at one.
func BenchmarkKeyToNextModel(b *testing.B) {
	const count = 200
	r := newRig(b, count+2)
	r.window.Resize(fyne.NewSize(1280, 800))
	for b.Loop() {
		round := r.store.NewRound(b, func(x *labels.Round) { x.Models = x.Models[:count+1] })
		r.signIn(round, "r1")
		r.stage.Until("the round", func() bool { return r.screen.Session().Round().ID == round.ID && r.ready() })
		var times []time.Duration
		for k := range count {
			r.stage.Until("read ahead", func() bool {
				_, ready := r.screen.cache.get(r.screen.Session().Upcoming(1)[0])
				return ready && len(r.screen.cache.loading) == 0
			})
			begun := time.Now()
			r.key([]rune("iv")[k%2])
			r.window.Canvas().Capture()
			times = append(times, time.Since(begun))
		}
		slices.Sort(times)
		begun := time.Now()
		r.window.Canvas().Capture() // nothing has changed: what remains is ours
		b.ReportMetric(time.Since(begun).Seconds()*1000, "painting-ms")
		b.ReportMetric(times[count/2].Seconds()*1000, "median-ms")
		b.ReportMetric(times[count-1].Seconds()*1000, "largest-ms")
	}
}
