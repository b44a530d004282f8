package label

import (
	"runtime"
	"testing"
	"time"

	labels "github.com/variscope/variscope/engine/label"
)

// heap is what is in use after a collection, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC() // finalizers of the first free more
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// perLabel is what a label may leave behind, in bytes: its event, and what the test driver keeps of
// every refresh of the table beside the matrices, since nothing here cleans Fyne's caches. The real
// window forgets that after a minute.
const perLabel = 12 << 10

// 500 labels in a row leave memory flat: a label adds its event, and nothing of the matrices that
// were shown.
func TestMemoryStaysFlatOver500Labels(t *testing.T) {
	if testing.Short() {
		return // the race detector needs memory of its own, and other tests store labels in the background, too
	}
	const models, all, first = 120, 500, 100
	r := newRig(t, models+1)
	round := r.store.NewRound(t, func(x *labels.Round) {
		x.Models, x.Annotators = x.Models[:models], []string{"a", "b", "c", "d", "e"}
	})
	var before int64
	done := 0
	for _, annotator := range round.Annotators {
		r.signIn(round, annotator)
		r.stage.Until("the other annotator", func() bool {
			return r.screen.Session().Annotator() == annotator && r.ready()
		})
		for r.item() != "" && done < all {
			r.now = r.now.Add(time.Second)
			r.key([]rune("iv")[done%2])
			if done++; done%20 == 0 {
				r.stage.Capture(r.window, "", "")
			}
			if done == first {
				before = heap()
			}
		}
	}
	growth := heap() - before
	if done != all || len(labels.Current(r.events(round))) != all {
		t.Fatalf("%d labels, %d stored", done, len(labels.Current(r.events(round))))
	}
	t.Logf("heap after %d labels: %.1f MB, after %d: %.1f MB", first, float64(before)/1e6, all,
		float64(before+growth)/1e6)
	if each := growth / (all - first); each > perLabel {
		t.Errorf("every label leaves %d bytes, more than %d", each, perLabel)
	}
}
