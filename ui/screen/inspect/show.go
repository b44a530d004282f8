package inspect

import (
	"fmt"
	"slices"
	"strings"

	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

func (f *widgets) hover(text string) { f.readOut.SetText(text) }

// pick puts the focus on an element of a tile, or takes it away.
func (f *widgets) pick(tile int, c widget.Cell) {
	if tile >= len(f.s.frame.shown.Tiles) {
		return
	}
	focus := pane.Whole(f.s.frame.shown.Tiles[tile].Modality)
	if c.Inside {
		focus.I, focus.J = c.I+f.s.frame.first, c.J+f.s.frame.first
	}
	f.s.Focus(focus)
}

// mark outlines the element in focus in all matrices and judges it.
func (f *widgets) mark() {
	i, j := -1, -1
	if cell := f.s.cell; cell.Cell() && cell.I <= f.s.frame.last && cell.J <= f.s.frame.last {
		i, j = cell.I-f.s.frame.first, cell.J-f.s.frame.first
	}
	f.row.Mark(i, j)
	f.judge()
}

// readFocus reads out the element in focus of its matrix, or of the first one.
func (f *widgets) readFocus() {
	shown, cell := f.s.frame.shown, f.s.cell
	k := slices.IndexFunc(shown.Tiles, func(t evidence.Tile) bool { return t.Modality == cell.Modality })
	f.hover(shown.ReadOut(max(k, 0), cell.I-f.s.frame.first, cell.J-f.s.frame.first))
}

// judge writes below each matrix how certain it is.
func (f *widgets) judge() {
	offer(f.precision, precisionNames(), max(slices.Index(precisions, f.s.kept.precision), 0))
	if f.s.session == nil {
		var room [][]string
		if f.s.answer.summary.Key != "" { // they come with the signals; nothing jumps then
			room = [][]string{judged{}.lines()}
		}
		f.row.Note(room)
		f.certainty.Show(nil)
		return
	}
	list := judge(f.s.frame, f.s.cell, f.s.kept.precision)
	notes := make([][]string, len(list))
	for k, j := range list {
		notes[k] = j.lines()
	}
	f.row.Note(notes)
	f.certainty.Show(certaintyLines(list))
}

// busy says that a model is being read. What is shown of it stays until the answer is there; of
// another model nothing stays.
func (f *widgets) busy() {
	if asked := f.s.model; asked != "" && f.s.frame.shown.Model.Hash != asked && f.s.frame.shown.Model.Hash != "" {
		f.blank(asked)
	}
	f.state.Importance = fynewidget.MediumImportance
	f.state.SetText("reading…")
}

// blank takes everything of the last model away while another one is read.
func (f *widgets) blank(asked string) {
	e := evidence.Evidence{Model: model.Model{Hash: asked}}.Without(f.s.kept.modalities, "reading the signals…")
	f.s.session, f.s.frame = nil, frame{shown: evidence.Prepare(e, f.s.kept.view), largest: make([]float64, len(e.Tiles))}
	f.title.SetText("…")
	f.head.Refresh()
	f.row.Show(f.s.frame.shown)
	f.row.Note(nil)
	f.row.Mark(-1, -1)
	f.charts.Blank("reading…")
	for _, lines := range []*evidence.Lines{f.record, f.file, f.certainty} {
		lines.Show(nil)
	}
	f.form.object.Hide()
	f.badge.Explain("", "")
	f.showWanted(chance.Looks{})
	f.hover("")
	f.run.Hide()
	f.cross.Hide()
	f.s.tellPane()
	widget.Enable(f.save, false)
}

// broken says what could not be read.
func (f *widgets) broken(err error) {
	f.state.Importance = fynewidget.DangerImportance
	f.state.SetText(present.Sentence(err))
}

// showNothing is the screen without any model.
func (f *widgets) showNothing() {
	f.body.Hide()
	f.empty.Show()
	f.state.SetText("")
}

// restore brings back what the workspace remembers: tab and division.
func (f *widgets) restore() {
	f.split.set(float32(f.s.kept.split))
	f.quiet = true
	for k, item := range f.tabs.Items {
		if item.Text == f.s.kept.tab {
			f.tabs.SelectIndex(k)
		}
	}
	f.quiet = false
}

// arrange shows the page of the tab in front; a tall one has the room of the matrices as well.
func (f *widgets) arrange(front int, tall bool) {
	for k, page := range f.pages {
		widget.Show(page, k == front)
	}
	f.split.showUpper(!tall)
}

// show puts the frame on the screen.
func (f *widgets) show() {
	e := f.s.frame.shown
	f.empty.Hide()
	f.body.Show()
	if f.title.Text != e.Model.ID || len(f.models.Options) != len(f.s.answer.models) {
		f.showModels()
	}
	if word := e.Chance.Code.Word(); word != f.badge.Text() || word != "" {
		f.badge.Explain(word, e.Chance.Sentence())
		f.head.Refresh()
	}
	f.showWanted(e.Looks)
	f.showControls()
	f.enable()
	f.showState()
	f.showCross()
	f.row.Show(e)
	f.mark()
	if f.charts.Show(e.Evidence) {
		f.details.Refresh()
	}
	f.showRecord()
	if lines := evidence.FileLines(e.Model); !slices.Equal(lines, f.file.Lines()) {
		f.file.Show(lines)
	}
	f.form.show(e.Model)
	f.form.object.Show()
}

// showWanted shows the recipe that a model looks as if it wants, or nothing.
func (f *widgets) showWanted(looks chance.Looks) {
	wanted, ok := looks.Wanted()
	hint := ""
	if ok {
		hint = fmt.Sprintf("click to take it: %s becomes the model's correction, and its signals count as stale", wanted.Recipe)
	}
	f.wants.Explain(looks.Sentence(), hint)
	widget.Show(f.wanted, ok)
}

// showRecord shows the training record of the model whose matrices are shown.
func (f *widgets) showRecord() {
	if lines := evidence.RecordLines(f.s.deps.Blind(), f.s.frame.shown.Model); !slices.Equal(lines, f.record.Lines()) {
		f.record.Show(lines)
	}
}

func (f *widgets) showModels() {
	list := make([]widget.Option, len(f.s.answer.models))
	for k, m := range f.s.answer.models {
		list[k] = widget.Option{Key: m.Hash, Name: m.ID}
	}
	f.models.Offer(list, f.s.answer.base.Model.Hash)
	f.title.SetText(f.s.frame.shown.Model.ID)
	f.head.Refresh() // the name takes another width
}

// showControls brings menus and sliders in line with what is chosen.
func (f *widgets) showControls() {
	c, base := f.s.controls, f.s.answer.base
	f.quiet = true
	defer func() { f.quiet = false }()
	which := int(c.Which)
	if len(base.Classes) == 0 { // then all images count
		which = 0
	}
	offer(f.which, whichMenu(), which)
	offer(f.class, classNames(base.Classes), min(c.Class, len(base.Classes)))
	offer(f.preset, presetNames(), int(f.s.kept.view.Preset))
	offer(f.colours, matrixMaps(), max(slices.Index(matrixMaps(), f.s.kept.view.Map), 0))
	f.share.SetValue(float64(c.Share))
	f.shareText.SetText(fmt.Sprintf("%d %%", c.Share))
	half := max((len(base.Values)-1)/2, 1)
	if f.reach.Max != float64(half) {
		f.reach.Max = float64(half)
		f.reach.Refresh()
	}
	reach := c.Reach
	if reach <= 0 || reach > half {
		reach = half
	}
	f.reach.SetValue(float64(reach))
	first, last := c.interval(len(base.Values))
	f.reachText.SetText(intervalText(base.Values, first, last, base.Unit))
	text := "none excluded"
	if n := len(f.s.excluded); n > 0 {
		text = fmt.Sprintf("%s excluded…", result.Whole(n))
	}
	if f.excluded.Text != text {
		f.excluded.SetText(text)
	}
}

// offer fills a menu and shows one of its entries as chosen; it is drawn anew only where that
// changes it.
func offer(menu *widget.Picker, names []string, at int) {
	if menu.Selected != names[at] || !slices.Equal(menu.Options, names) {
		menu.Offer(widget.ByName(names...), names[at])
	}
}

func (f *widgets) enable() {
	labelled, signals := len(f.s.answer.base.Classes) > 0, f.s.answer.summary.Key != ""
	widget.Enable(f.which, labelled && signals)
	widget.Enable(f.class, labelled && signals)
	widget.Enable(f.share, signals)
	widget.Enable(f.reach, signals && len(f.s.answer.base.Values) > 3)
	widget.Enable(f.excluded, len(f.s.excluded) > 0)
	widget.Enable(f.before, f.s.answer.at > 0)
	widget.Enable(f.after, f.s.answer.at < len(f.s.answer.models)-1)
	widget.Enable(f.save, f.s.frame.shown.Ready())
}

func (f *widgets) showState() {
	e := f.s.frame.shown
	importance := fynewidget.MediumImportance
	text := e.Note()
	if e.Suite != "" {
		text = e.Suite + ", " + e.Family + ": " + text
	}
	lacks := e.State != "" || slices.ContainsFunc(e.Tiles, func(t evidence.Tile) bool {
		return strings.HasPrefix(t.Reason, notComputed)
	})
	run, atWork := kit.Run{Models: []string{e.Model.Hash}, Suite: f.s.answer.manifest.Hash, Family: f.s.answer.family}, ""
	if lacks {
		atWork = f.s.AtWork(run)
	}
	switch {
	case f.s.frame.none != nil:
		importance = fynewidget.WarningImportance
		text = fmt.Sprintf("No images left for %s; choose more images.", noneLeft(e.Evidence))
	case atWork != "":
		text = fmt.Sprintf("The signals are being computed: %s.", atWork)
	case e.State != "":
		importance = fynewidget.WarningImportance
		text = e.State
	}
	f.state.Importance = importance
	f.state.SetText(text)
	f.run.Offer("Compute signals…", true, run)
	widget.Show(f.run, lacks && f.s.deps.Run != nil)
}

// noneLeft names the choice that leaves no image.
func noneLeft(e evidence.Evidence) string {
	var parts []string
	if e.Filter != "" {
		parts = append(parts, e.Filter)
	}
	if e.Excluded > 0 {
		parts = append(parts, fmt.Sprintf("%s excluded", result.Whole(e.Excluded)))
	}
	return strings.Join(parts, ", ")
}
