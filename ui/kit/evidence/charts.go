package evidence

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// AccuracyFigure is the accuracy per transformation; the axis of accuracy is 0..1.
func AccuracyFigure(e Evidence) result.Figure {
	f := result.Figure{
		Title: fmt.Sprintf("Accuracy of %s, %s, %s", e.Model.ID, e.Suite, e.Family), Note: e.Note(),
		X:     result.Axis{Name: e.Variable, Unit: e.Unit, Ticks: e.Values},
		Y:     result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Empty: "no accuracy: the suite has no labels",
	}
	switch {
	case e.State != "":
		f.Empty = "no signals yet"
	case e.Images == 0:
		f.Empty = "no accuracy: no images left"
	}
	if len(e.Accuracy) == 0 || len(e.Accuracy) != len(e.Values) {
		return f
	}
	if e.MappedBy == engine.ByIndex {
		f.Note += "; classes by index" // a wrong order shows as low accuracy
	}
	f.Lines = []result.Line{{Name: "accuracy", X: e.Values, Y: e.Accuracy}}
	if len(e.Values) > 1 {
		f.Lines = append(f.Lines, result.Line{
			Name: "robust", X: e.Values, Y: slices.Repeat([]float64{e.Robust}, len(e.Values)),
		})
	}
	return f
}

// Charts are the two charts of a model with their headings.
type Charts struct {
	Accuracy, Loss *kit.Figure
	// Steady keeps the place of the loss curves for a model that has none.
	Steady bool
	model  string // id of the model shown, for the names of files
}

// NewCharts makes empty charts; onHover gets the read-out under the pointer.
func NewCharts(host *kit.Host, onHover func(text string)) *Charts {
	c := &Charts{}
	figure := func(name string) *kit.Figure {
		return &kit.Figure{
			Host: host, Headed: true, OnHover: onHover, Name: func() []string { return []string{c.model, name} },
		}
	}
	c.Accuracy, c.Loss = figure("accuracy"), figure("loss")
	return c
}

// AccuracyBox is the accuracy chart under its heading.
func (c *Charts) AccuracyBox() fyne.CanvasObject { return c.Accuracy.Object() }

// LossBox is the chart of loss curves under its heading.
func (c *Charts) LossBox() fyne.CanvasObject { return c.Loss.Object() }

// Show draws the curves of a model. Without loss curves their box is hidden; rearrange says that
// it came or went, so that what stands beside it has to be laid out again.
func (c *Charts) Show(e Evidence) (rearrange bool) {
	before := c.LossBox().Visible()
	c.model = e.Model.ID
	head := "Accuracy"
	if len(e.Accuracy) > 0 {
		head = fmt.Sprintf("%s: robust %s", head, result.Share.Say(e.Robust, 0))
	}
	loss := inventory.Curves(e.Model, "loss")
	if len(loss.Lines) == 0 && !c.Steady {
		head = fmt.Sprintf("%s; no loss curves", head)
	}
	c.Accuracy.Head(head)
	c.Accuracy.Set(AccuracyFigure(e))
	c.Loss.Head("Loss curves")
	c.Loss.Set(loss)
	widget.Show(c.LossBox(), c.Steady || len(loss.Lines) > 0)
	return c.LossBox().Visible() != before
}

// Blank empties the charts while a model is being read, or where it cannot be; reason says which.
// Their places stay.
func (c *Charts) Blank(reason string) {
	c.model = ""
	c.Accuracy.Head("Accuracy")
	c.Accuracy.Set(result.Figure{Empty: reason})
	c.Loss.Set(result.Figure{Empty: reason})
}
