package inspect

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// overview is the first tab: accuracy and loss curves beside what is known of the model.
type overview struct {
	kit.Panel
	f                       *widgets
	charts                  *evidence.Charts
	record, certainty, file *evidence.Facts
	precision               *widget.Picker
	resampling              *kit.Form[variance.Resampling]
	form                    *formLayout
	tabs                    *kit.Tabs
}

func newOverview(f *widgets) *overview {
	host, keys := f.s.Host, f.s.keys()
	o := &overview{
		f: f, charts: evidence.NewCharts(host, f.hover), form: newFormLayout(f.s),
		record: evidence.NewFacts(host, "training record", keys), file: evidence.NewFacts(host, "model file", keys),
		certainty: evidence.NewFacts(host, "matrix", keys),
	}
	o.charts.Accuracy.Command = func() string { s := f.s.Subject(); return s.Accuracies(s.Model.ID) }
	o.record.Empty = "No training record. " +
		"Import a models.csv with the model's id, or edit its values on the Models screen."
	o.precision = host.Menu(func(string) { f.s.Precision(precisions[o.precision.SelectedIndex()]) })
	o.resampling = &kit.Form[variance.Resampling]{
		Host: host, Key: "inspect.certainty", OnChange: func(variance.Resampling) { f.judge() },
	}
	o.resampling.Make()
	needed := evidence.Named("images for", o.precision.Object())
	page := func(body fyne.CanvasObject) kit.Page { return &kit.Panel{Body: body, Keys: f.take} }
	o.tabs = kit.NewTabs(host, "inspect.overview",
		kit.Tab{Key: "record", Title: "Record", Page: page(o.record.Object())},
		kit.Tab{
			Key: "certainty", Title: "Certainty",
			Page: page(container.NewBorder(container.NewVBox(needed, o.resampling.Object()), nil, nil, nil,
				o.certainty.Object())),
		},
		kit.Tab{Key: "settings", Title: "Settings", Page: page(o.form.object)},
		kit.Tab{Key: "file", Title: "File", Page: page(o.file.Object())})
	body := evidence.Flow(260, o.charts.AccuracyBox(), o.charts.LossBox(), o.tabs.Object())
	o.Panel = kit.Panel{Body: body, Keys: f.take, Parts: []kit.Page{o.tabs}, Show: func() {
		e := f.s.data().frame.shown
		if blind := f.s.deps.Blind(); blind != nil {
			e.Model = blind.Shown(e.Model)
		}
		if o.charts.Show(e.Evidence) {
			body.Refresh()
		}
		showLines(o.record, evidence.RecordFacts(f.s.deps.Blind(), e.Model))
		showLines(o.file, evidence.FileFacts(e.Model))
		o.form.show(e.Model)
	}}
	return o
}

// showLines fills a table; it is drawn anew only where that changes it.
func showLines(table *evidence.Facts, lines []evidence.Fact) {
	if !slices.Equal(lines, table.Lines()) {
		table.Show(lines)
	}
}

// judge says how certain the matrices are.
func (o *overview) judge(list []judged) {
	offer(o.precision, precisionNames(), max(slices.Index(precisions, o.f.s.kept.precision), 0))
	showLines(o.certainty, certaintyLines(list))
}
