package shards

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/durable"
)

// TestWhatIsThereIsRecorded, also where others of its model are missing; the sentences say what to
// do, and nothing is recorded twice.
func TestWhatIsThereIsRecorded(t *testing.T) {
	b := newFixture(t, 700, "a", "b") // three units each
	f := b.plan(b.request(), 3)
	want := map[int]string{
		0: "model a: 3 of its 3 units of work are missing; run shards 1-2 and collect again",
		2: "model a: 2 of its 3 units of work are missing; run shard 1 and collect again",
		3: "",
	}
	for step, shard := range []int{0, 2, 3, 1} {
		if shard > 0 {
			b.work(f, shard)
		}
		before := len(b.signals())
		status, c := b.collect(f)
		complete := 0
		for _, s := range c.States() {
			if s.Complete() {
				complete++
			} else if s.Missing != s.Units || s.Damaged+s.Failed > 0 {
				t.Errorf("step %d: %+v", step, s)
			}
		}
		if complete != step || len(b.signals()) != 2*step {
			t.Errorf("step %d: %d shards are complete, %d units are recorded after %d", step, complete,
				len(b.signals()), before)
		}
		if text := want[shard]; text != "" && (status.Tasks[0].Err == nil || status.Tasks[0].Err.Error() != text) {
			t.Errorf("step %d: %v", step, status.Tasks[0].Err)
		}
		if over := step == 3; over != (status.Failed == 0) || over != (status.Done == status.Total) {
			t.Errorf("step %d: %+v", step, status)
		}
	}
	recorded := b.signals()
	if status, _ := b.collect(f); status.Reused != status.Total || !maps.Equal(b.signals(), recorded) {
		t.Errorf("collected once more: %+v", status)
	}
	if !maps.Equal(newFixture(t, 700, "a", "b").local(b.request()), recorded) {
		t.Error("other signals than those of a local run")
	}
}

// TestTheReasonOfAFailure stands in what the collection says; one that cannot be read is a result
// that is missing.
func TestTheReasonOfAFailure(t *testing.T) {
	b := newFixture(t, 300, "a", "b")
	f := b.plan(b.request(), 1)
	bad := f.models[1].Spec.Model
	b.rt.OnRun = func(_ context.Context, feed engine.Feed, _ int64) error {
		if strings.Contains(feed.Path, bad) {
			return errors.New("out of paper")
		}
		return nil
	}
	b.work(f, 1)
	status, c := b.collect(f)
	err := status.Tasks[1].Err
	if status.Failed != 1 || err == nil || !strings.Contains(err.Error(), "in shard 1: ") ||
		!strings.Contains(err.Error(), "out of paper; run shard 1") {
		t.Errorf("%+v, %v", status, err)
	}
	// both units fail where two workers begin them at once
	if s := c.States()[0]; s.Failed < 1 || s.Missing != 2 || s.Complete() {
		t.Errorf("%+v", s)
	}
	for _, u := range f.all() {
		must(b, os.RemoveAll(f.path(failedName(u.Unit))))
	}
	failed := f.path(failedName(f.models[1].Unit))
	for name, data := range map[string]string{
		"garbage": "\x00\xff", "another unit": `{"unit":"x","reason":"y"}`, "empty": "", "another form": `[]`,
		"huge": strings.Repeat(" ", maxNote+1),
	} {
		must(b, os.WriteFile(failed, []byte(data), 0o644))
		if status, c := b.collect(f); c.States()[0].Failed != 0 ||
			strings.Contains(fmt.Sprint(status.Tasks[1].Err), "reason") {
			t.Errorf("%s: %+v, %v", name, c.States()[0], status.Tasks[1].Err)
		}
	}
	reason := fmt.Sprintf(`{"unit":%q,"reason":"\u001b[2J%s"}`, f.models[1].Unit, strings.Repeat("é", maxReason))
	must(b, os.WriteFile(failed, []byte(reason), 0o644))
	if text := f.noted(f.models[1].Unit); strings.Contains(text, "\x1b") || len(text) > maxReason ||
		!strings.HasSuffix(text, "é") {
		t.Errorf("noted %.20q... of %d bytes", text, len(text))
	}
}

// TestUnitsThatWereNotPlanned: the workspace had them when the plan was made, and they were lost,
// or mean something else since their model was corrected.
func TestUnitsThatWereNotPlanned(t *testing.T) {
	for name, change := range map[string]func(b *fixture, complete string){
		"lost": func(b *fixture, _ string) {
			for name := range b.signals() {
				must(b, os.Remove(b.ws.Path()+"/signals/"+name))
			}
		},
		"corrected": func(b *fixture, complete string) { b.correct(complete, 0.25) },
	} {
		b := newFixture(t, 5, "a", "b")
		f, complete := b.partly()
		b.work(f, 1)
		change(b, complete)
		before := len(b.signals())
		status, c := b.collect(f)
		if err := status.Tasks[0].Err; status.Failed != 1 || err == nil ||
			!strings.Contains(err.Error(), "they were lost, or the model was corrected; run it here") ||
			strings.Contains(err.Error(), "run shard") {
			t.Errorf("%s: %+v, %v", name, status, err)
		}
		if !c.States()[0].Complete() || len(b.signals()) != before+1 {
			t.Errorf("%s: %+v, %d units", name, c.States(), len(b.signals()))
		}
	}
}

// TestACancelledCollection keeps what it has recorded and fails no model.
func TestACancelledCollection(t *testing.T) {
	b := newFixture(t, 1300, "a", "b")
	f := b.plan(b.request(), 2)
	b.work(f, 1)
	b.work(f, 2)
	must(b, os.Remove(f.path(resultName(f.all()[0].Unit))))
	eng := engine.New(b.rt, b.ws, engine.Limits{Workers: engine.NoWorkers})
	defer func() { must(b, eng.Close()) }()
	var c *Collection
	ready := make(chan struct{})
	var writes atomic.Int64
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Rename && writes.Add(1) == 3 {
			<-ready
			must(b, eng.Cancel(c.Run))
		}
		return nil
	})
	c, err := f.Collect(t.Context(), b.place(), eng, program)
	close(ready)
	must(b, err)
	status, err := eng.Wait(t.Context(), c.Run)
	stop()
	must(b, err)
	if status.Phase != engine.Cancelled || status.Failed > 0 || len(b.signals()) < 3 || len(b.signals()) > 5 {
		t.Errorf("%+v, %d units", status, len(b.signals()))
	}
	b.work(f, 1)
	if status, _ := b.collect(f); status.Done != status.Total || status.Failed > 0 {
		t.Errorf("%+v", status)
	}
}
