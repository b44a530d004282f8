package job

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// computer is a runtime with devices that add something to each score.
type computer struct {
	*sums.Runtime
	off      map[device.Device]float64
	compared int
}

func (c *computer) Devices(context.Context) []device.Found {
	return []device.Found{
		{Device: device.CPU}, {Device: "cuda:0"}, {Device: "cuda:1"}, {Device: device.WebGPU, Problem: "no adapter"},
	}
}

func (c *computer) Rows(
	ctx context.Context, order engine.Rows, source engine.Source, each func(int, []float64) error,
) error {
	c.compared++
	return c.Runtime.Rows(ctx, order, source, func(k int, row []float64) error {
		row[0] += c.off[order.Feed.Device]
		return each(k, row)
	})
}

func (b *fixture) on(c *computer, o device.Pick) (Prepared, error) {
	req := b.request()
	req.Device = o
	p, err := Prepare(b.Context(), Place{b.ws, c, engine.Limits{}}, req, engine.NoProgress{})
	if err == nil {
		must(b, p.Close())
	}
	return p, err
}

// Models take the devices of a list in turns, are compared with the processor once per kind, and
// have signals of their own there.
func TestDevices(t *testing.T) {
	b := newFixture(t, 5)
	for _, id := range []string{"a", "b", "c"} {
		b.model(id, nil)
	}
	c := &computer{Runtime: b.rt, off: map[device.Device]float64{"cuda:1": 4e-4}}
	p := testdata.Must(b.on(c, device.Pick{Device: "cuda:0,cuda:1"}))(b)
	for k, want := range []device.Device{"cuda:0", "cuda:1", "cuda:0"} {
		task := p.Tasks[k]
		if task.Feed.Device != want || task.Spec.Device != "cuda" ||
			!strings.HasSuffix(task.Feed.ProbeName(), "|on cuda") {
			t.Errorf("model %s: %s, %q", task.ID, task.Feed.Device, task.Spec.Device)
		}
	}
	if p.plan.on.workers(nil, p.Tasks) != 2*perDevice {
		t.Error("the workers of two devices", p.plan.on.workers(nil, p.Tasks))
	}
	record := p.plan.record(p.Tasks, nil)
	if again := Again(record); again.Device.Device != "cuda:0,cuda:1" || len(record.Devices) != 3 {
		t.Errorf("recorded %+v, again on %+v", record.Devices, again.Device)
	}
	if d := record.Devices[p.Tasks[1].Spec.Model]; d.Device != "cuda" || d.Difference < 3.9e-4 ||
		d.Difference > 4.1e-4 {
		t.Errorf("recorded %+v", d)
	}
	compared := c.compared
	testdata.Must(b.on(c, device.Pick{Device: "cuda:0"}))(b)
	processor := testdata.Must(b.on(c, device.Pick{}))(b)
	if c.compared != compared || compared != 6 || processor.Tasks[0].Spec.Device != "" {
		t.Errorf("compared %d and %d times", compared, c.compared)
	}
	if key := processor.Tasks[0].Spec.Key(); key == p.Tasks[0].Spec.Key() ||
		strings.Contains(processor.Tasks[0].Feed.ProbeName(), "|on") {
		t.Error("signals of the processor and of a GPU have one name")
	}
}

// A GPU that differs is refused, taken where that is asked for, and left by auto.
func TestDeviceThatDiffers(t *testing.T) {
	b := newFixture(t, 5)
	m := b.model("a", nil)
	c := &computer{Runtime: b.rt, off: map[device.Device]float64{"cuda:0": 0.01}}
	_, err := b.on(c, device.Pick{Device: "cuda:0"})
	if !errors.Is(err, ErrNothingToRun) || !strings.Contains(err.Error(),
		"model a: its softmax on cuda:0 differs from the processor's by up to 0.01, more than 0.001") {
		t.Errorf("got %v", err)
	}
	p, err := b.on(c, device.Pick{Device: "cuda:0", AnyDifference: true})
	if err != nil || p.plan.on.differences[m.Hash] < 0.0099 {
		t.Errorf("%v, %v", err, p.plan.on.differences)
	}
	p, err = b.on(c, device.Pick{Device: device.Auto})
	if err != nil || p.Tasks[0].Spec.Device != "" || len(p.plan.record(p.Tasks, nil).Devices) != 0 {
		t.Errorf("auto: %v, %+v", err, p.Tasks)
	}
	c.off = nil
	p, err = b.on(c, device.Pick{Device: device.Auto})
	if err != nil || p.Tasks[0].Feed.Device != "cuda:0" {
		t.Errorf("auto: %v, %+v", err, p.Tasks)
	}
	for asked, want := range map[string]string{
		"webgpu": "no adapter",
		"cuda:2": "this computer has no device cuda:2; it has cpu, cuda:0, cuda:1", "x": `"x" is no device`,
	} {
		if _, err := b.on(c, device.Pick{Device: asked}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", asked, err)
		}
	}
}
