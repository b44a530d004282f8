package engine

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

const fakeSelection = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// fakeComposer puts the left half of an image on scene t, which is a ramp of its own for every
// image.
type fakeComposer struct {
	*fakeSource
	selection string
	composed  atomic.Int64
	broken    int // index of an image whose second scene cannot be read, -1 for none
}

func newComposer(n int) *fakeComposer {
	return &fakeComposer{fakeSource: newSource(n), selection: fakeSelection, broken: -1}
}

func (c *fakeComposer) Selection() string { return c.selection }

func (c *fakeComposer) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	c.composed.Add(1)
	if i == c.broken && t == 2 {
		return errors.New("bg_0007.png is damaged")
	}
	if len(dst) != len(fitted) || len(dst) != to.Channels*to.Height*to.Width {
		return errors.New("buffers of another size")
	}
	for at := range dst {
		if dst[at] = fitted[at]; at%to.Width >= to.Width/2 {
			dst[at] = float32((at*t+i)%97) / 97
		}
	}
	return nil
}

// onScene is the same targets, each as it looks on its scene t: what a run under plain reads.
type onScene struct {
	*fakeComposer
	t  int
	to suite.Fitting
}

func (s onScene) Image(i int) (suite.Image, error) {
	img, err := s.fakeComposer.Image(i)
	if err != nil {
		return img, err
	}
	img = suite.Fit(img, s.to)
	if s.t == 0 {
		return img, nil
	}
	out := img
	out.Pix = make([]float32, len(img.Pix))
	return out, s.Compose(out.Pix, img.Pix, i, s.t, s.to)
}

func scenesTask(images, n int) Task {
	task := fakeTask("m", images)
	family, err := transform.Scenes(fakeSelection, n)
	if err != nil {
		panic(err)
	}
	task.Spec.Family = family.String()
	return task
}

// TestScenesAgainstDefinition: every target and every composite alone through the model, positions
// included.
func TestScenesAgainstDefinition(t *testing.T) {
	for name, change := range map[string]func(*Task){
		"nchw":        func(*Task) {},
		"nhwc":        func(t *Task) { t.Feed.Input.Layout = model.NHWC },
		"batch of 7":  func(t *Task) { t.Spec.Batch, t.Feed.Input.Batch = 7, 7 },
		"centre crop": func(t *Task) { t.Spec.Preprocessing.Resize = model.Crop },
	} {
		t.Run(name, func(t *testing.T) {
			task := scenesTask(270, 5)
			change(&task)
			source, rec := newComposer(270), newMemory()
			done(t, InProcess{netsFor(task)}, rec, 2, fakeRun("r", source, task))
			set := testdata.Must(rec.set(task))(t)
			if set.Transformations != 6 || source.composed.Load() != 270*5 {
				t.Fatalf("%d images per target, %d composites were made", set.Transformations, source.composed.Load())
			}
			task.Spec.Preprocessing.Std = []float64{.25, .25, .25}
			plain := task
			plain.Spec.Family = transform.Plain
			to := suite.Fitting{Channels: 3, Height: 6, Width: 5, Resize: task.Spec.Preprocessing.Resize}
			for _, k := range []int{0, 3, 15, 16, 255, 256, 269} {
				for scene := range set.Transformations {
					want := obvious(t, plain, onScene{source, scene, to}, 0, k)
					soft := make([]float32, 4)
					signal.Softmax(soft, want[0], task.Spec.OutputKind)
					at := scene*set.Images + k
					for c, v := range soft {
						if !near(set.Softmax[at*4+c], v) {
							t.Errorf("target %d, scene %d: softmax %d is %v, want %v",
								k, scene, c, set.Softmax[at*4+c], v)
						}
					}
				}
			}
		})
	}
}

// TestSourcesWithoutTheScenesAreRefused: a plain suite, and composites of another selection.
func TestSourcesWithoutTheScenesAreRefused(t *testing.T) {
	task := scenesTask(10, 3)
	other := newComposer(10)
	other.selection = strings.Repeat("f", 64)
	for _, tt := range []struct {
		source Source
		want   string
	}{
		{
			newSource(10),
			"model m: scenes 01234567 x3 needs the targets of selection 0123456789ab with their masks and scenes",
		},
		{
			other,
			"model m: scenes 01234567 x3 needs the scenes of selection 0123456789ab, but those of selection " +
				"ffffffffffff are opened",
		},
	} {
		e := New(InProcess{netsFor(task)}, newMemory(), Limits{Workers: 1})
		testdata.Refused(t, tt.want, e.Submit(fakeRun("r", tt.source, task)), tt.want)
		testdata.OK(t, e.Close())
	}
}

// TestASceneThatCannotBeRead fails the model with a sentence that names the target and the scene.
func TestASceneThatCannotBeRead(t *testing.T) {
	task := scenesTask(20, 3)
	source := newComposer(20)
	source.broken = 11
	status := finish(t, InProcess{netsFor(task)}, newMemory(), 2, fakeRun("r", source, task))
	if status.Phase != Failed || status.Tasks[0].Err == nil ||
		status.Tasks[0].Err.Error() != "model m: image img011.png on scene 2: bg_0007.png is damaged" {
		t.Errorf("%+v", status.Tasks)
	}
}

// TestPlanScenes: CONF and HEAD are the positions that nobody has to ask for; a model without HEAD
// runs without it.
func TestPlanScenes(t *testing.T) {
	in := planInput(t)
	in.Family = anySet(t, "scenes:"+fakeSelection+":32")
	in.Model.Graph.Head = in.Model.Graph.Convs[0]
	names := func(task Task) (list []string) {
		for _, p := range task.Spec.Positions {
			list = append(list, p.Name)
		}
		return list
	}
	task, err := Plan(in)
	if err != nil || !slices.Equal(names(task), []string{model.CONF, model.Head}) ||
		task.Spec.Family != in.Family.String() || len(task.Absent) > 0 {
		t.Errorf("%+v, %v", task, err)
	}
	testdata.Equal(t, "opened with", task.Feed.Tensors, []string{in.Model.Graph.Head})
	in.Model.Graph.Head = ""
	if task, err = Plan(in); err != nil || !slices.Equal(names(task), []string{model.CONF}) ||
		!slices.Equal(task.Absent, []string{model.Head}) {
		t.Errorf("without HEAD: %+v, %v", task, err)
	}
	in.Vectors = []string{"L2@CONF"}
	testdata.ErrorIs(t, "distances of tensors", testdata.Err(Plan(in)), transform.ErrSet)
}
