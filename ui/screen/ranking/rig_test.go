package ranking

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// crowd are the predictions of models on images of three classes: model j is right on a share of
// them that grows with j, every image is as hard for all. The first model is the worst.
func crowd(models, samples int, seed uint64) rank.Data {
	const classes = 3
	rng := rand.New(rand.NewPCG(seed, 1))
	d := rank.Data{
		Samples: samples, Classes: classes, Labels: make([]int32, models*samples),
		Truth: make([]int32, samples), Confidence: make([]float64, models),
	}
	for j := range models {
		d.Models = append(d.Models, rank.Model{ID: fmt.Sprintf("m%02d", j), Hash: fmt.Sprintf("hash%02d", j)})
	}
	soft := make([][]float32, models)
	for j := range soft {
		soft[j] = make([]float32, samples*classes)
	}
	for i := range samples {
		d.Truth[i] = int32(i % classes)
		hard := rng.Float64()
		for j := range models {
			skill := 0.35 + 0.6*float64(j)/float64(models)
			class := d.Truth[i]
			if rng.Float64() > skill+(1-skill)*(1-hard)-0.15 {
				class = (class + 1 + rng.Int32N(classes-1)) % classes
			}
			d.Labels[i*models+j] = class
			sure := float32(0.4 + 0.6*rng.Float64())
			for c := range classes {
				soft[j][i*classes+c] = (1 - sure) / (classes - 1)
			}
			soft[j][i*classes+int(class)] = sure
			d.Confidence[j] += float64(sure) / float64(samples)
		}
	}
	d.Softmax = func(_ context.Context, model int) ([]float32, error) { return soft[model], nil }
	return d
}

// answerOf ranks a crowd without a screen.
func answerOf(t *testing.T, d rank.Data, change func(*Settings)) Answer {
	t.Helper()
	s := few()
	if change != nil {
		change(&s)
	}
	m := Material{
		Source: Source{ID: "s", Name: "shapes", Images: d.Samples, Labels: true}, Truth: s.Truth, Data: d,
		Classes: sample.Classes,
	}
	return testdata.Must(rankAll(context.Background(), m, s, engine.NoProgress{}, func(Answer) {}))(t)
}

// few are the usual settings with few repetitions.
func few() (s Settings) {
	option.SetDefaults(&s)
	s.Repetitions = 3
	return s
}

// crowded is a sample's workspace whose predictions are a crowd's, by source.
type crowded struct {
	Store
	data  map[string]rank.Data
	left  []rank.LeftOut
	hand  map[int]int32 // labels given by hand
	asked atomic.Int64
}

func (c *crowded) Gather(_ context.Context, ask predictions.Ask, _ engine.Progress) (rank.Data, []rank.LeftOut, error) {
	c.asked.Add(1)
	left := slices.Clone(c.left)
	for k := range left {
		left[k].SuiteHash = ask.Suite
	}
	d, ok := c.data[ask.Suite]
	if !ok {
		return rank.Data{}, left, nil
	}
	switch ask.Truth {
	case predictions.NoTruth:
		d.Truth = nil
	case predictions.ByHand:
		d.Truth = make([]int32, d.Samples)
		for i := range d.Truth {
			d.Truth[i] = -1
			if class, ok := c.hand[i]; ok {
				d.Truth[i] = class
			}
		}
	}
	return d, left, nil
}

type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *sample.Workspace
	store  *crowded
	screen *Screen
	window fyne.Window
	opened []string
	looked []int // images that were opened on Inspect
	ran    []string
	memory memory
	asked  []Labelling
	done   func() // of the labelling that was asked for last
	said   string
	errs   []error
}

// memory keeps the options of the screen.
type memory map[string]string

func (m memory) StringWithFallback(key, fallback string) string { return cmp.Or(m[key], fallback) }

func (m memory) SetString(key, value string) { m[key] = value }

// newRig puts the screen of a crowd on the sample's suite on a stage; prepare, which may be nil,
// changes what is there before.
func newRig(t *testing.T, prepare func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), ws: sample.New(t, 3)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.store = &crowded{
		Store: Of(r.ws.Workspace),
		data:  map[string]rank.Data{r.ws.Shapes.Hash: crowd(12, sample.Images, 1)}, hand: map[int]int32{},
	}
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 760))
	r.memory = memory{"options.ranking": `{"repetitions":"3"}`}
	if prepare != nil {
		prepare(r)
	}
	r.open(work, r.store)
	return r
}

// open makes and shows the screen.
func (r *rig) open(work *jobs.Group, from Store) {
	r.screen = New(&kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text }, Changes: r.ws.Subscribe,
		Memory: r.memory, Inspect: func(hash string) { r.opened = append(r.opened, hash) }, Import: func() {},
		Start:     func(runs ...kit.Run) { r.ran = runs[0].Models },
		ShowError: func(err error) { r.errs = append(r.errs, err) },

		InspectImage: func(_ string, image int) { r.looked = append(r.looked, image) }, ImportPredictions: func() {},
	}, from, "", func(ask Labelling, done func()) { r.asked, r.done = append(r.asked, ask), done })
	r.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
}

// idle waits until everything is ranked.
func (r *rig) idle() Outcome {
	r.Helper()
	r.stage.Until("ranked", r.screen.Idle)
	for _, err := range r.errs {
		r.Fatal(err)
	}
	return r.screen.outcome()
}

// set ranks by other settings.
func (r *rig) set(change func(*Settings)) Outcome {
	r.Helper()
	next := r.screen.Options()
	change(&next)
	r.screen.take(next)
	return r.idle()
}

// tab opens a tab by its key.
func (r *rig) tab(key string) {
	r.screen.tabs.Select(key)
	r.stage.Pump()
}

func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	return r.stage.Button(r.window, text)
}

func (r *rig) press(text string) {
	r.Helper()
	r.stage.Press(r.window, text)
}

// texts are all visible labels of the window.
func (r *rig) texts() string {
	var all []string
	for _, root := range append([]fyne.CanvasObject{r.window.Content()}, r.window.Canvas().Overlays().List()...) {
		stage.Walk(root, func(o fyne.CanvasObject) {
			if l, ok := o.(*fynewidget.Label); ok {
				all = append(all, l.Text)
			}
		})
	}
	return strings.Join(all, "\n")
}
