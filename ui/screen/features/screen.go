// Package features is the screen that shows what assessors learn from: a table of models x
// features, the distribution of each feature by label, scatter plots of any two, their correlation
// with accuracy and robust accuracy, and which models look alike.
package features

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// Screen is the features screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, Data]
	path    string // of the workspace
	cache   training.Cache
	keeper  *jobs.Keeper // of settings
	wishes  wishes
	chosen  string // key of the number of histogram and scatter plot
	against string // key of the scatter plot's other axis

	matrix, labels *widget.Picker
	list           *kit.Records[training.Row]
	tabs           *kit.Tabs
	left           *kit.Records[evidence.LeftOut]
	histogram      *histogram
	correlated     *kit.Records[feature.Correlation]
	scatter        *scatter
	alike          *alike
	intervals      *kit.Screen[assess.ResampleOptions, []feature.Interval]
	groups         *kit.Screen[training.GroupOptions, spreads]
}

// The share of the width that the table takes.
const tableShare = 0.46

// New makes the screen; it measures when it is shown.
func New(host *kit.Host, ws *store.Workspace) *Screen {
	s := &Screen{
		path: ws.Path(), against: training.KeyRobust, keeper: jobs.NewKeeper(host.Work, ws.SetSetting, host.Fail),
	}
	s.list = &kit.Records[training.Row]{
		Host: host, Table: training.Models(feature.DefaultLayout(), "", nil),
		OnSelect: func(r training.Row, ok bool) {
			if ok {
				host.Say(about(r))
			}
			s.selected()
		},
		OnOpen:   func(r training.Row) { host.Inspect(r.Model.Hash) },
		OnColumn: s.Choose,
		OnShown:  func([]training.Row) { s.tabs.Changed() },
	}
	s.histogram, s.scatter, s.alike = newHistogram(s, host), newScatter(s, host), newAlike(s, host)
	s.intervals, s.groups = newIntervals(s, host, ws), newGroups(s, host)
	s.left = evidence.LeftOuts(host, "features_left_out", "Every model has features.",
		kit.Action[evidence.LeftOut]{
			Name: "Compute what is missing…", Icon: theme.MediaPlayIcon(), Button: true, All: true,
			Can: func([]evidence.LeftOut) bool { return len(s.data().missing()) > 0 && host.Start != nil },
			Do:  func([]evidence.LeftOut) { host.AskMissing(s.data().missing()) },
		},
		kit.Action[evidence.LeftOut]{
			Name: "Assign another position…", Icon: theme.SettingsIcon(), Button: true,
			Can: func(list []evidence.LeftOut) bool {
				return len(list) == 1 && s.data().Without[list[0].Hash] != "" && host.Assign != nil
			},
			Do: func(list []evidence.LeftOut) { host.Assign(list[0].Hash) },
		})
	s.tabs = kit.NewTabs(host, "features",
		kit.Tab{Key: "histogram", Title: "Histogram", Page: s.histogram},
		kit.Tab{Key: "scatter", Title: "Scatter", Page: s.scatter},
		kit.Tab{Key: "correlation", Title: "Correlation", Page: newCorrelations(s, host)},
		kit.Tab{Key: "alike", Title: "Looks like", Page: s.alike},
		kit.Tab{Key: "intervals", Title: "Intervals", Page: s.intervals},
		kit.Tab{Key: "groups", Title: "Groups", Page: s.groups},
		kit.Tab{Key: "left", Title: "Left out", Page: &kit.Panel{
			Body: s.left.Object(), Show: func() { s.left.Set(s.data().leftOut()) }, Keys: s.list.Focus,
		}})
	split := container.NewHSplit(s.list.Object(), s.tabs.Object())
	split.Offset = tableShare
	s.Screen = kit.New(kit.Screen[struct{}, Data]{
		Host: host, Name: "Measure features", Doing: "Measuring features…", Key: "features", Tabs: s.tabs, Body: split,
		About: &answers,
		Load: func(struct{}) kit.Work[Data] {
			wishes := s.wishes
			return func(ctx context.Context, p engine.Progress) (Data, error) {
				return read(ctx, ws, wishes, &s.cache, p)
			}
		},
		On: []store.ChangeKind{
			store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.CurrentChanged, store.RoundChanged,
			store.LabelsChanged, store.SettingChanged,
		},
		Heeds: func(c store.Change) bool { return c.Kind != store.SettingChanged || c.ID == evidence.SettingMap },
		Head:  s.newHead(host), Empty: s.empty, Show: s.show, Line: Data.line, Margin: true,
	})
	return s
}

// newHead has the menus and buttons over the table.
func (s *Screen) newHead(host *kit.Host) []fyne.CanvasObject {
	s.matrix = widget.NewPicker(func(key string) { s.ShowMatrix(key); s.Focus() })
	s.labels = widget.NewPicker(func(key string) {
		for _, c := range s.data().Choices {
			if c.From != s.data().Labels && labelKey(c.From) == key {
				s.ShowLabels(c.From)
			}
		}
		s.Focus()
	})
	return []fyne.CanvasObject{
		fynewidget.NewLabel("Features of"), wide(150*widget.Grown(), s.matrix.Select),
		fynewidget.NewLabel("labels"), wide(170*widget.Grown(), s.labels.Select),
		fynewidget.NewButtonWithIcon("Vector…", theme.SettingsIcon(), s.askLayout),
		host.MenuButton("Export features…", theme.DocumentSaveIcon(), s.exportMenu),
	}
}

// wide gives an object a width of its own.
func wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(width, o.MinSize().Height), o)
}

// data are those that were measured last; none while the screen is being made.
func (s *Screen) data() Data {
	if s.Screen == nil {
		return Data{}
	}
	d, _ := s.Data()
	return d
}

func labelKey(l Labelling) string { return "round " + l.Round + ", column " + l.Column }

// show takes in what was measured. Choices that are still possible stay.
func (s *Screen) show(d Data) {
	labels := make([]widget.Option, len(d.Choices))
	for k, c := range d.Choices {
		labels[k] = widget.Option{Key: labelKey(c.From), Name: c.Name}
	}
	s.labels.Offer(labels, labelKey(d.Labels))
	s.tabs.Count("left", len(d.All))
	s.arrange()
}

// shownMatrix is the matrix whose features the table has, "" for the whole vector.
func (s *Screen) shownMatrix() string {
	d := s.data()
	if w := s.wishes.matrix; w != nil && (*w == "" || slices.Contains(d.Layout.Modalities, *w)) {
		return *w
	}
	return d.Matrix
}

// arrange shows the features of the chosen matrix. What was sorted by or plotted of another matrix
// becomes the same feature of this one.
func (s *Screen) arrange() {
	d, matrix := s.data(), s.shownMatrix()
	matrices := []widget.Option{{Name: "whole vector"}}
	for _, name := range d.Layout.Modalities {
		matrices = append(matrices, widget.Option{Key: name, Name: name})
	}
	s.matrix.Offer(matrices, matrix)
	s.list.Table = training.Models(d.Layout, matrix, d.Rows)
	is := func(key string) bool { return slices.Contains(s.axes(), key) }
	same := func(key string) string {
		if at := strings.LastIndexByte(key, '.'); at >= 0 && !is(key) {
			return matrix + key[at:]
		}
		return key
	}
	if s.chosen = same(s.chosen); !is(s.chosen) {
		s.chosen = s.axes()[0]
	}
	if !is(s.against) {
		s.against = training.KeyRobust
	}
	order := s.list.Order()
	if order.Key = same(order.Key); !slices.ContainsFunc(s.list.Table.Columns,
		func(c result.Column[training.Row]) bool { return c.Key == order.Key }) {
		order = s.list.Table.First
	}
	s.list.Sort(order)
	s.list.Set(d.Rows)
	if rows := s.list.Shown(); len(rows) > 0 {
		if _, ok := s.list.Selected(); !ok { // so that every page has something to show
			s.list.Select(rows[0].Model.Hash)
		}
	}
}

// about is a model in a line.
func about(r training.Row) string {
	text := fmt.Sprintf("%s: %s, accuracy %s, robust accuracy %s", r.Model.ID, groupName(r),
		result.Share.Say(r.Accuracy, 0), result.Share.Say(r.Scores.CorrectProduct, 0))
	if r.Label == "" && !r.NoLabel.None() {
		text += "; " + r.NoLabel.Text
	}
	if r.Chance.Flagged() {
		text += "; " + r.Chance.Sentence()
	}
	return text
}

// selected shows another selected model on all pages.
func (s *Screen) selected() {
	s.histogram.mark()
	s.scatter.mark()
	s.alike.Changed()
	s.intervals.Changed()
}

// Choose chooses the number of histogram and scatter plot by the key of its column.
func (s *Screen) Choose(key string) {
	if key != s.chosen && slices.Contains(s.axes(), key) {
		s.chosen = key
		s.plotted()
		s.correlated.Select(key)
	}
}

// plotted shows another number on all pages that show one.
func (s *Screen) plotted() {
	s.histogram.Changed()
	s.scatter.Changed()
	s.alike.Changed()
}

// ShowMatrix chooses whose features the table has, "" for the whole vector.
func (s *Screen) ShowMatrix(modality string) {
	s.wishes.matrix = &modality
	s.keeper.Keep(settingMatrix, modality)
	s.arrange()
}

// ShowLabels chooses where labels come from.
func (s *Screen) ShowLabels(from Labelling) {
	s.wishes.labels = &from
	s.keeper.Keep(settingLabels, from)
	s.Refresh()
}

// ShowLayout chooses what the vector is made of.
func (s *Screen) ShowLayout(l feature.Layout) {
	s.wishes.layout = &l
	s.keeper.Keep(settingLayout, l)
	s.Refresh()
}

// empty says why nothing was measured, and what to do.
func (s *Screen) empty(d Data) (kit.Empty, bool) {
	imports := []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: s.Import}}
	switch {
	case d.Models == 0:
		return kit.Empty{Text: "This workspace has no models yet. Import some, and a test suite.", Help: imports}, true
	case d.Current.Suite == "":
		text := "Choose a test suite in the bar above, or import one: features are measured on its images."
		return kit.Empty{Text: text, Help: imports}, true
	case d.Current.Family == "":
		return kit.Empty{Text: "Choose a family of transformations in the bar above: features are measured under it."},
			true
	case len(d.Rows) > 0:
		return kit.Empty{}, false
	}
	text := kit.Reasons("No model has all that the features need:", d.Left,
		func(l training.LeftOut) string { return l.ID + ": " + l.Reason.Text })
	help := []kit.Help{{Text: "Choose other matrices…", Icon: theme.SettingsIcon(), Do: s.askLayout}}
	return kit.Empty{Text: text, Missing: d.missing(), Help: help}, true
}

// exportMenu offers the formats of the table.
func (s *Screen) exportMenu() []*fyne.MenuItem {
	models := result.Counted(len(s.list.Shown()), "model")
	return []*fyne.MenuItem{
		fyne.NewMenuItem(models+" as CSV…", func() { s.askExport("csv") }),
		fyne.NewMenuItem(models+" as Parquet…", func() { s.askExport("parquet") }),
	}
}

// askExport asks for a file and writes the models that are shown, in the order of the workspace,
// with the whole vector.
func (s *Screen) askExport(ending string) {
	sheet := s.shownTable().Sheet()
	write := sheet.Parquet
	if ending == "csv" {
		write = func(w io.Writer) error { return sheet.CSV(w, false) }
	}
	s.Saver().Ask(figures.FileName(ending, sheet.Name), write)
}

// command is the command that measures the features of the models that are shown.
func (s *Screen) command() string {
	var o training.Options
	option.SetDefaults(&o)
	d := s.data()
	o.Suite, o.Family, o.Tau, o.Profile = d.Suite, d.Current.Family, d.Layout.Tau, d.Layout.Profile
	o.Labels, o.Column = d.Labels.Round, d.Labels.Column
	if !slices.Equal(d.Layout.Modalities, feature.DefaultLayout().Modalities) {
		o.Modalities = d.Layout.Modalities
	}
	if shown := s.list.Shown(); len(shown) < len(d.Rows) {
		for _, r := range shown {
			o.Models = append(o.Models, r.Model.ID)
		}
	}
	return option.Command([]string{"variscope", "features", s.path}, &o)
}

func (s *Screen) shownTable() export.FeatureTable {
	d, shown := s.data(), map[string]bool{}
	for _, r := range s.list.Shown() {
		shown[r.Model.Hash] = true
	}
	rows := slices.DeleteFunc(slices.Clone(d.Rows), func(r training.Row) bool { return !shown[r.Model.Hash] })
	of := subject.Subject{Suite: d.Suite, SuiteHash: d.Current.Suite, Family: d.Current.Family}
	return training.Files(d.Layout, of, rows)
}
