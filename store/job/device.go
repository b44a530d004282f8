package job

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

const (
	// comparedImages are looked at on a device and on the processor, before the first run there.
	comparedImages = 64
	// mostDifference is how far a softmax may differ between them.
	mostDifference = 1e-3
	// perDevice is how many workers share a GPU: decoding and transformations stay on the
	// processor.
	perDevice = 4
)

// devices are what the models of a run are computed on.
type devices struct {
	list  []device.Device // which models take in turns
	auto  bool            // those that a GPU does not suit are computed on the processor
	any   bool            // whatever the difference
	taken int             // models that take part
	of    map[string]device.Device
	// chosen are those of the request, nil where they are still to be chosen.
	chosen map[string]string
	// differences are those of models on GPUs from the processor.
	differences map[string]float64
}

func newDevices(ctx context.Context, rt engine.Runtime, req Request) (*devices, error) {
	choice, err := req.Device.Choice()
	if err != nil {
		return nil, err
	}
	d := &devices{
		list: choice.Devices(), auto: choice == device.Auto, any: req.Device.AnyDifference, chosen: req.On,
		of: map[string]device.Device{}, differences: map[string]float64{},
	}
	if d.chosen != nil || !d.auto && !slices.ContainsFunc(d.list, device.Device.IsGPU) {
		return d, nil
	}
	var found []device.Found
	if finder, ok := rt.(engine.DeviceFinder); ok {
		found = finder.Devices(ctx)
	}
	for _, f := range found {
		if d.auto && f.Device.IsGPU() && f.Problem == "" {
			d.list = []device.Device{f.Device}
			break
		}
	}
	for _, one := range d.list {
		if err := device.Missing(one, found); err != nil {
			return nil, err
		}
	}
	return d, ctx.Err()
}

// take gives a model the device whose turn it is.
func (d *devices) take(model string) {
	switch {
	case d.chosen != nil:
		d.of[model] = device.Device(d.chosen[model])
	case len(d.list) > 0:
		d.of[model] = d.list[d.taken%len(d.list)]
	}
}

// leave gives a model that cannot be computed on a GPU back to the processor, where that is open.
func (d *devices) leave(model string) bool {
	if d.chosen != nil || !d.auto || !d.of[model].IsGPU() {
		return false
	}
	delete(d.of, model)
	return true
}

// record is what a run's record says of tasks that are not computed on the processor.
func (d *devices) record(tasks []engine.Task) map[string]store.OnDevice {
	on := map[string]store.OnDevice{}
	for _, t := range tasks {
		if t.Spec.Device != "" {
			on[t.Spec.Model] = store.OnDevice{Device: t.Spec.Device, Difference: d.differences[t.Spec.Model]}
		}
	}
	return on
}

// workers is the largest number of goroutines that suits the tasks, 0 for all that there are.
func (d *devices) workers(b *batching, tasks []engine.Task) int {
	used := map[device.Device]bool{}
	for _, t := range tasks {
		if !t.Feed.Device.IsGPU() {
			return b.workers(tasks)
		}
		used[t.Feed.Device] = true
	}
	return perDevice * len(used)
}

// compared holds a model on a GPU against the processor, once per device, library and batch. reason
// says why it cannot take part.
func (p planner) compared(ctx context.Context, m model.Model, task engine.Task) (reason, err error) {
	if !task.Feed.Device.IsGPU() {
		return nil, nil
	}
	feed := task.Feed
	feed.Tensors, feed.Mask, feed.Shapes = nil, nil, nil
	name := feed.ProbeName() + "|ONNX Runtime " + p.rt.Version()
	most, known := m.Compared[name]
	// Another driver or version of this program may agree.
	if p.on.chosen == nil && (!known || most > mostDifference && !p.on.any) {
		there, reason := p.softmax(ctx, task, feed)
		feed.Device = device.CPU
		var here [][]float64
		if reason == nil {
			here, reason = p.softmax(ctx, task, feed)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if reason != nil {
			return fmt.Errorf("model %s: compare %s with the processor: %w", m.ID, task.Feed.Device, reason), nil
		}
		most = largestDifference(here, there)
		err = p.models.UpdateModel(m.Hash, func(m *model.Model) error {
			compared := map[string]float64{} // the map itself may be another copy's
			maps.Copy(compared, m.Compared)
			compared[name], m.Compared = most, compared
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if most > mostDifference && !p.on.any && p.on.chosen == nil {
		return fmt.Errorf("model %s: its softmax on %s differs from the processor's by up to %s, more than %v; "+
			"compute it on the processor, or take it all the same with --any-difference (in the window: "+
			"Settings, Computing)",
			m.ID, task.Feed.Device, result.Digits(most, 2), mostDifference), nil
	}
	p.on.differences[m.Hash] = most
	return nil, nil
}

// softmax computes the class scores of images from all over the suite.
func (p planner) softmax(ctx context.Context, task engine.Task, feed engine.Feed) (rows [][]float64, err error) {
	order := engine.Rows{
		Feed: feed, Numbers: engine.SceneScores, Kind: task.Spec.OutputKind, Prep: task.Spec.Preprocessing,
	}
	order.Images = p.compareOn()
	err = p.rt.Rows(ctx, order, p.source, func(_ int, row []float64) error {
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// compareOn are the images that softmaxes are compared on.
func (p planner) compareOn() []int {
	list := make([]int, min(comparedImages, p.source.Len()))
	for k := range list {
		list[k] = k * p.source.Len() / len(list)
	}
	return list
}

// Compare returns, by model (hash), the largest difference between softmaxes that were computed
// elsewhere and those that this computer's processor computes of the same images, 64 from all over
// the suite as they are. there gives the former, one row per image. Models that cannot run here are
// left out.
func Compare(
	ctx context.Context, at Place, req Request, there func(model string, images []int) [][]float64, p engine.Progress,
) (differences map[string]float64, err error) {
	req.Device = device.Pick{Device: string(device.CPU)}
	run, err := Prepare(ctx, at, req, p)
	if errors.Is(err, ErrNothingToRun) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	differences = map[string]float64{}
	for _, task := range run.Tasks {
		feed := task.Feed
		feed.Tensors, feed.Shapes = nil, nil
		here, err := run.plan.softmax(ctx, task, feed)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil { // else a run says what is wrong with the model
			differences[task.Spec.Model] = largestDifference(here, there(task.Spec.Model, run.plan.compareOn()))
		}
	}
	return differences, nil
}

// largestDifference is the largest absolute one of two tables of the same form, +Inf of others.
func largestDifference(a, b [][]float64) float64 {
	most := 0.0
	for i := range a {
		if len(b) != len(a) || len(b[i]) != len(a[i]) {
			return math.Inf(1)
		}
		for k, v := range a[i] {
			most = max(most, math.Abs(v-b[i][k]))
		}
	}
	return most
}
