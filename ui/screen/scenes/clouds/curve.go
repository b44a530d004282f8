package clouds

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// curveDraws are the samples per share: enough to see how much they differ.
const curveDraws = 5

// Course is how far the matrices of smaller shares of the targets lie from those of all
// (spec/background.md section 12, B3): interpolant first, share second.
type Course struct {
	Shares    []float64   `json:"shares"`
	Mean, Std [][]float64 // of the draws
}

// courseName names a course among what the workspace keeps.
func courseName(k cloudKey) string {
	return fmt.Sprintf("rbfshares/1/%s/%s/%d/%d", k.signals, k.measure, k.seed, curveDraws)
}

// kept reads a course that was computed before.
func kept(ws *store.Workspace, k cloudKey) (c Course, ok bool) {
	found, err := ws.KeptValue(courseName(k), &c)
	return c, err == nil && found && len(c.Mean) == len(scatter.Interpolants()) && len(c.Std) == len(c.Mean)
}

// course computes and keeps a course.
func course(ctx context.Context, ws *store.Workspace, e *scenes.Evidence, k cloudKey, p *background.Progress) (c Course, err error) {
	three := scatter.Interpolants()
	whole, err := scenes.Matrices(ctx, ws, *e, k.measure, scatter.DefaultRaster, three)
	if err != nil {
		return c, err
	}
	sampling := scatter.Sampling{Draws: curveDraws, Seed: k.seed, Whole: whole}
	effects, err := scatter.ByShare(ctx, e.Clouds[k.measure], scatter.DefaultRaster, three, sampling, p)
	if err != nil {
		return c, err
	}
	c.Shares = scatter.Shares()
	for _, row := range effects {
		var mean, std []float64
		for _, effect := range row {
			mean, std = append(mean, effect.Mean), append(std, effect.Std)
		}
		c.Mean, c.Std = append(c.Mean, mean), append(c.Std, std)
	}
	return c, ws.KeepValue(courseName(k), c)
}

// chart is a course as a chart.
func (c Course) chart(name string) widget.ChartData {
	d := widget.ChartData{
		Title: "difference by share of the targets", Note: fmt.Sprintf("%s; root mean square, mean and spread of %d draws", name, curveDraws),
		XName: "share of the targets", XUnit: "%", YName: "RMSE", Empty: "not computed yet",
	}
	for k, p := range scatter.Interpolants() {
		if k >= len(c.Mean) {
			break
		}
		line := widget.Series{Name: p.Name(), Y: c.Mean[k], Spread: c.Std[k]}
		for _, share := range c.Shares {
			line.X = append(line.X, 100*share)
		}
		d.Series = append(d.Series, line)
	}
	return d
}

// curve shows how far the matrices of smaller shares lie from those of all targets, for the model
// and measure that are shown. It is computed when it is asked for, since it takes many matrices.
type curve struct {
	p       *Page
	chart   *widget.Chart
	compute *fynewidget.Button
	latest  background.Latest
	job     *background.Job
	key     cloudKey
	shown   *ask
	object  *fyne.Container
}

func newCurve(p *Page) *curve {
	c := &curve{p: p, chart: widget.NewChart()}
	c.compute = fynewidget.NewButtonWithIcon("Compute", theme.MediaPlayIcon(), c.run)
	c.chart.SetData(Course{}.chart(""))
	p.saver.Connect(c.chart, func() []string { return []string{c.name(), "shares"} })
	c.object = container.NewBorder(nil, container.NewCenter(c.compute), nil, nil, c.chart)
	return c
}

func (c *curve) name() string {
	if c.shown == nil {
		return ""
	}
	return fmt.Sprintf("%s, %s", c.shown.evidence[0].Model.ID, c.shown.settings.Measure)
}

// show follows what is looked at.
func (c *curve) show(a ask) {
	key := a.cloudKey(0, a.settings.Measure, wholeShare)
	key.seed = a.settings.Seed
	c.shown = &a
	if key == c.key {
		return
	}
	c.key = key
	c.stop()
	c.put(Course{}, false)
	if _, there := a.evidence[0].Clouds[a.settings.Measure]; !there {
		c.latest.Next()
		return
	}
	ws := c.p.deps.Workspace
	var found bool
	background.Load(c.p.deps.Host.Work, &c.latest, "read the curve of shares", func(context.Context) (known Course, err error) {
		known, found = kept(ws, key)
		return known, nil
	}, func(known Course, err error) {
		if err == nil {
			c.put(known, !found)
		}
	})
}

// put shows a course; open tells that it can be computed.
func (c *curve) put(known Course, open bool) {
	c.chart.SetData(known.chart(c.name()))
	c.compute.Hidden = !open
	c.object.Refresh()
}

func (c *curve) run() {
	if c.shown == nil || c.job != nil {
		return
	}
	c.compute.Disable()
	e, key, ws := c.shown.evidence[0], c.key, c.p.deps.Workspace
	id := c.latest.Next()
	var made Course
	c.job = c.p.deps.Host.Work.Start(fmt.Sprintf("Shares of the targets: %s", c.name()), func(ctx context.Context, p *background.Progress) (err error) {
		made, err = course(ctx, ws, e, key, p)
		return err
	}, func(err error) {
		if !c.latest.Is(id) {
			return
		}
		c.job = nil
		c.compute.Enable()
		switch {
		case err == nil:
			c.put(made, false)
		case present.Cancelled(err) || errors.Is(err, background.ErrClosed):
		default:
			c.p.deps.Host.Fail(err)
		}
	})
}

// stop ends what is being computed for something else.
func (c *curve) stop() {
	if c.job != nil {
		c.job.Drop()
		c.job = nil
		c.compute.Enable()
	}
}

func (c *curve) close() {
	c.latest.Next()
	c.stop()
}
