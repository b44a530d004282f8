package evidence

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/widget"
)

// AccuracyChart is the accuracy per transformation as chart data; the axis of accuracy is 0..1.
func AccuracyChart(e Evidence) widget.ChartData {
	data := widget.ChartData{
		Title: fmt.Sprintf("Accuracy of %s, %s, %s", e.Model.ID, e.Suite, e.Family), Note: e.Counts(),
		XName: e.Variable, XUnit: e.Unit, YName: "accuracy", Low: 0, High: 1,
		Empty: "no accuracy: the suite has no labels",
	}
	switch {
	case e.State != "":
		data.Empty = "no signals yet"
	case e.Images == 0:
		data.Empty = "no accuracy: no images left"
	}
	if len(e.Accuracy) == 0 || len(e.Accuracy) != len(e.Values) {
		return data
	}
	data.Series = []widget.Series{{Name: "accuracy", X: e.Values, Y: e.Accuracy}}
	if len(e.Values) > 1 {
		x := []float64{e.Values[0], e.Values[len(e.Values)-1]}
		data.Series = append(data.Series, widget.Series{Name: "robust", X: x, Y: []float64{e.Robust, e.Robust}})
	}
	return data
}

// LossChart are the loss curves over epochs as chart data.
func LossChart(e Evidence) widget.ChartData {
	data := widget.ChartData{
		Title: fmt.Sprintf("Loss curves of %s", e.Model.ID), XName: "epoch", YName: "loss", Empty: "no loss curves in the training record",
	}
	for _, s := range LossSeries(e.Model) {
		data.Series = append(data.Series, widget.Series{Name: s.Name, X: s.X, Y: s.Y})
	}
	return data
}

// Charts are the two charts of a model with their headings.
type Charts struct {
	Accuracy, Loss       *widget.Chart
	accuracyHead, lossHd *fynewidget.Label
	accuracyBox, lossBox fyne.CanvasObject
	model                string // id of the model shown, for the names of files
}

// NewCharts makes empty charts; onHover gets the read-out under the pointer.
func NewCharts(onHover func(text string)) *Charts {
	c := &Charts{Accuracy: widget.NewChart(), Loss: widget.NewChart(), accuracyHead: heading(""), lossHd: heading("")}
	for _, chart := range []*widget.Chart{c.Accuracy, c.Loss} {
		chart.OnHover = func(_ float64, text string) { onHover(text) }
	}
	c.accuracyBox = container.NewBorder(c.accuracyHead, nil, nil, nil, c.Accuracy)
	c.lossBox = container.NewBorder(c.lossHd, nil, nil, nil, c.Loss)
	return c
}

// Saving gives the charts' menus the entries that copy and save them.
func (c *Charts) Saving(with *figures.Saver) {
	with.Connect(c.Accuracy, func() []string { return []string{c.model, "accuracy"} })
	with.Connect(c.Loss, func() []string { return []string{c.model, "loss"} })
}

func heading(text string) *fynewidget.Label {
	l := fynewidget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// AccuracyBox is the accuracy chart under its heading, LossBox the loss curves under theirs.
func (c *Charts) AccuracyBox() fyne.CanvasObject { return c.accuracyBox }

// LossBox is the chart of loss curves under its heading.
func (c *Charts) LossBox() fyne.CanvasObject { return c.lossBox }

// Show draws the curves of a model. Without loss curves their box is hidden; rearrange says that
// it came or went, so that what stands beside it has to be laid out again.
func (c *Charts) Show(e Evidence) (rearrange bool) {
	before := c.lossBox.Visible()
	c.model = e.Model.ID
	head := "Accuracy"
	if len(e.Accuracy) > 0 {
		head = fmt.Sprintf("%s: robust %s", head, result.Share.Say(e.Robust, 0))
	}
	c.accuracyHead.SetText(head)
	c.Accuracy.SetData(AccuracyChart(e))
	c.lossHd.SetText("Loss curves")
	loss := LossChart(e)
	c.Loss.SetData(loss)
	if len(loss.Series) == 0 {
		c.accuracyHead.SetText(fmt.Sprintf("%s; no loss curves", head))
		c.lossBox.Hide()
	} else {
		c.lossBox.Show()
	}
	return c.lossBox.Visible() != before
}

// Blank empties the charts while a model is being read, or where it cannot be; reason says which.
// Their places stay.
func (c *Charts) Blank(reason string) {
	c.model = ""
	c.accuracyHead.SetText("Accuracy")
	c.Accuracy.SetData(widget.ChartData{Empty: reason})
	c.Loss.SetData(widget.ChartData{Empty: reason})
}
