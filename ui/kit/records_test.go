package kit

import (
	"fmt"
	"image"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
)

// run is a record of the tests: a model under a suite.
type run struct {
	id, name, fold, hash string
	ei, accuracy, images float64
}

var runs = result.Table[run]{
	Name: "runs", Title: "Runs", Noun: "model", ID: func(r run) string { return r.id },
	First: result.Order{Key: "name"},
	Columns: []result.Column[run]{
		{Key: "name", Title: "model", Text: func(r run) string { return r.name }},
		{Key: "fold", Title: "fold", Help: "where the model comes from", Text: func(r run) string { return r.fold }},
		{
			Key: "ei", Title: "EI", Help: "effective invariance, 0..1", Format: result.Number, Descending: true,
			Value: func(r run) float64 { return r.ei },
			Why:   func(run) result.Reason { return result.Because("no_signals", "the model was not run") },
		},
		{Key: "accuracy", Title: "accuracy", Format: result.Share, Value: func(r run) float64 { return r.accuracy }},
		{
			Key: "images", Title: "images", Format: result.Count, Value: func(r run) float64 { return r.images },
			Show: result.Offered,
		},
		{
			Key: "hash", Title: "hash", Format: result.ID, Text: func(r run) string { return r.hash },
			Show: result.FileOnly,
		},
	},
}

func five() []run {
	return []run{
		{"a", "vgg10", "train", "aaaaaaaaaaaaaaaa", 0.5, 0.9, 1000},
		{"b", "vgg9", "train", "bbbbbbbbbbbbbbbb", math.NaN(), 0.8, 1000},
		{"c", "cnn1", "holdout", "cccccccccccccccc", 0.9134, 0.966, 12345},
		{"d", "cnn2", "", "dddddddddddddddd", 0.5, math.NaN(), 1000},
		{"e", "leak", "holdout", "eeeeeeeeeeeeeeee", 0.1, 0.5, math.NaN()},
	}
}

// rig is a table on a stage with what was said and remembered.
type rig struct {
	*Records[run]
	stage  *stage.Stage
	window fyne.Window
	said   string
	errs   []error
	memory memory
}

type memory map[string]string

func (m memory) StringWithFallback(key, fallback string) string {
	if text, ok := m[key]; ok {
		return text
	}
	return fallback
}
func (m memory) SetString(key, value string) { m[key] = value }

func newRig(tb testing.TB, change func(*Records[run])) *rig {
	tb.Helper()
	r := &rig{stage: stage.New(tb), memory: memory{}}
	r.window = r.stage.Window(container.NewStack(), fyne.NewSize(760, 320))
	r.stage.App().Settings().SetTheme(stage.Look(theme.VariantLight, 1))
	work := jobs.New(r.stage.Post)
	tb.Cleanup(func() { work.Stop(); work.Wait(); r.stage.Pump() })
	host := &Host{
		Window: r.window, Work: work, Memory: r.memory,
		Status: func(text string) { r.said = text }, ShowError: func(err error) { r.errs = append(r.errs, err) },
	}
	r.Records = &Records[run]{Host: host, Table: runs}
	if change != nil {
		change(r.Records)
	}
	r.window.SetContent(r.Object())
	return r
}

// column is what stands in a column of the table, from top to bottom.
func (r *rig) column(key string) string {
	var cells []string
	f := &r.sheet.Fields[r.sheet.Field(key)]
	for _, row := range r.shown {
		cells = append(cells, f.Say(row))
	}
	return strings.Join(cells, " ")
}

// titles are the headings.
func (r *rig) titles() string {
	var list []string
	for _, c := range r.columns {
		list = append(list, c.Title)
	}
	return strings.Join(list, " ")
}

func (r *rig) heading(key string) {
	for col := range r.fields {
		if r.field(col).Key == key {
			r.table.OnSort(col)
		}
	}
}

func (r *rig) key(name fyne.KeyName) { r.table.TypedKey(&fyne.KeyEvent{Name: name}) }

// clickRow clicks a row with keys held, as the driver does.
func (r *rig) clickRow(row int, held fyne.KeyModifier) {
	at := fyne.PointEvent{Position: fyne.NewPos(20, float32(row+1)*r.rowHeight()+10)}
	r.table.MouseDown(&desktop.MouseEvent{PointEvent: at, Modifier: held, Button: desktop.MouseButtonPrimary})
	r.table.Tapped(&at)
}

func (r *rig) rowHeight() float32 { return r.table.CreateCell().MinSize().Height + theme.Padding() }

func (r *rig) wants(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestRecordsSortByHeadings(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	r.wants(t, "first order", r.column("name"), "cnn1 cnn2 leak vgg9 vgg10")
	r.heading("name")
	r.wants(t, "turned", r.column("name"), "vgg10 vgg9 leak cnn2 cnn1")
	r.heading("ei")
	r.wants(t, "from the largest, equal ones as they came, missing last", r.column("name"), "cnn1 vgg10 cnn2 leak vgg9")
	r.heading("ei")
	r.wants(t, "turned, missing still last", r.column("name"), "leak vgg10 cnn2 cnn1 vgg9")
	r.Set(five())
	r.wants(t, "after another reading", r.column("name"), "leak vgg10 cnn2 cnn1 vgg9")
	r.Table = runs
	r.Table.Columns = slices.Delete(slices.Clone(runs.Columns), 2, 3)
	r.Set(five())
	r.wants(t, "in the first order of a table without that column", r.column("name"), "cnn1 cnn2 leak vgg9 vgg10")
}

func TestRecordsTellWhichColumnIsChosen(t *testing.T) {
	told := ""
	r := newRig(t, func(list *Records[run]) { list.OnColumn = func(key string) { told += key + " " } })
	r.Set(five())
	r.heading("ei")
	r.clickRow(1, 0)
	r.wants(t, "told", told, "ei name ")
}

// TestRecordsAreSortedFromTheNextSetOn: a screen may choose the order.
func TestRecordsAreSortedFromTheNextSetOn(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	first := r.column("name")
	by := result.Order{Key: "name", Descending: !runs.First.Descending}
	r.Sort(by)
	r.Set(five())
	names := strings.Fields(first)
	slices.Reverse(names)
	r.wants(t, "names", r.column("name"), strings.Join(names, " "))
	if r.Order() != by {
		t.Errorf("sorted by %v", r.Order())
	}
}

func TestRecordsFilterWhileTyping(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	for text, want := range map[string]string{
		"":                  "cnn1 cnn2 leak vgg9 vgg10",
		"vgg":               "vgg9 vgg10",
		"-vgg -leak":        "cnn1 cnn2",
		"accuracy<=90%":     "leak vgg9 vgg10",
		"accuracy<=0.9":     "leak vgg9 vgg10",
		`fold=""`:           "cnn2",
		"fold=holdout|none": "cnn1 leak",
		"images>2000":       "cnn1",
		"hash:ccc":          "cnn1",
	} {
		r.SetFilter(text)
		r.wants(t, text, r.column("name"), want)
	}
	r.SetFilter("vgg fold=train")
	r.wants(t, "caption", r.caption.Text, "2 of 5 models")
	if len(r.chips.Objects) != 2 {
		t.Errorf("%d chips for two clauses", len(r.chips.Objects))
	}
	r.stage.Press(r.window, "fold is train")
	r.wants(t, "filter without the chip", r.Filter(), "vgg")
	r.SetFilter("svm<1")
	if !strings.HasPrefix(r.note.Text, "There is no column svm") || !strings.Contains(r.note.Text, "accuracy") ||
		strings.Contains(r.note.Text, "hash") {
		t.Errorf("an unknown column is said as %q", r.note.Text)
	}
	r.wants(t, "nothing meets", r.emptyState.Text(), "None of 5 models meets the filter.")
	r.stage.Press(r.window, "Show all")
	if len(r.shown) != 5 || r.Filter() != "" || r.note.Visible() || r.emptyState.Visible() ||
		r.window.Canvas().Focused() != fyne.Focusable(r.table) {
		t.Error("the filter does not end with its button")
	}
}

func TestRecordsGiveKeysToTheFilterAndBack(t *testing.T) {
	handed, used := "", ""
	r := newRig(t, func(r *Records[run]) {
		r.Keys.OnRune = func(c rune) { handed += string(c) }
		r.Keys.OnKey = func(ev *fyne.KeyEvent) bool { used += string(ev.Name) + " "; return ev.Name == fyne.KeyF2 }
	})
	r.Set(five())
	r.Focus()
	for _, c := range " v" {
		r.table.TypedRune(c)
	}
	if r.window.Canvas().Focused() != fyne.Focusable(r.line) || r.Filter() != "v" || handed != "" {
		t.Errorf("a letter on the table: filter %q, handed on %q", r.Filter(), handed)
	}
	r.line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.window.Canvas().Focused() != fyne.Focusable(r.table) || r.Filter() != "v" {
		t.Error("Escape does not give the keyboard back")
	}
	r.key(fyne.KeyF2)
	r.wants(t, "keys asked about", used, "F2 ")
	bare := newRig(t, func(r *Records[run]) {
		r.Plain = true
		r.Keys.OnRune = func(c rune) { handed += string(c) }
	})
	bare.Set(five())
	bare.table.TypedRune('x')
	letters := newRig(t, func(r *Records[run]) {
		r.Letters = "av"
		r.Keys.OnRune = func(c rune) { handed += string(c) }
	})
	letters.Set(five())
	for _, c := range "aVx" {
		letters.table.TypedRune(c)
	}
	r.wants(t, "handed on", handed+" "+letters.Filter(), "xaV x")
}

func TestRecordsKeysSelectOpenAndMark(t *testing.T) {
	selected, opened := "", ""
	r := newRig(t, func(r *Records[run]) {
		r.OnSelect = func(one run, ok bool) { selected = one.name }
		r.OnOpen = func(one run) { opened += one.name }
	})
	r.Set(five())
	for _, c := range []struct {
		key  fyne.KeyName
		want string
	}{
		{fyne.KeyDown, "cnn1"},
		{fyne.KeyDown, "cnn2"},
		{fyne.KeyEnd, "vgg10"},
		{fyne.KeyPageUp, "cnn1"},
		{fyne.KeyPageDown, "vgg10"},
		{fyne.KeyHome, "cnn1"},
		{fyne.KeyUp, "cnn1"},
	} {
		r.key(c.key)
		r.wants(t, string(c.key), selected, c.want)
	}
	r.key(fyne.KeyReturn)
	r.wants(t, "opened", opened, "cnn1")
	r.key(fyne.KeySpace)
	r.key(fyne.KeyDown)
	r.key(fyne.KeySpace)
	r.wants(t, "caption", r.caption.Text, "5 models, 2 marked")
	r.key(fyne.KeySpace)
	if got := r.Marked(); len(got) != 1 || got[0].name != "cnn1" {
		t.Errorf("marked %v", got)
	}
	r.table.TypedShortcut(&fyne.ShortcutSelectAll{})
	r.wants(t, "all", r.caption.Text, "5 models, 5 marked")
}

func TestRecordsMarkByClicks(t *testing.T) {
	told := ""
	r := newRig(t, func(r *Records[run]) { r.OnMarked = func() { told += fmt.Sprint(len(r.Marked()), " ") } })
	r.Set(five())
	r.clickRow(1, 0)
	r.wants(t, "selected", r.selected, "d")
	r.clickRow(3, fyne.KeyModifierShift)
	r.wants(t, "marked from the selected row", names(r.Marked()), "vgg9 cnn2 leak")
	r.clickRow(2, fyne.KeyModifierShortcutDefault)
	r.wants(t, "one less", names(r.Marked()), "vgg9 cnn2")
	r.wants(t, "still selected", r.selected, "d")
	r.SetFilter("cnn")
	r.wants(t, "chosen, also those that are hidden", names(r.Chosen()), "vgg9 cnn2")
	r.Unmark()
	r.wants(t, "told", told, "3 2 0 ")
}

func names(list []run) string {
	var texts []string
	for _, r := range list {
		texts = append(texts, r.name)
	}
	return strings.Join(texts, " ")
}

func TestRecordsKeepSelectionAndMarksOverAnotherReading(t *testing.T) {
	told := ""
	r := newRig(t, func(r *Records[run]) {
		r.OnSelect = func(one run, ok bool) { told += fmt.Sprint(one.name, one.ei, ok, " ") }
	})
	r.Set(five())
	r.Select("c")
	r.mark(true, 0, 1) // cnn1 and cnn2
	r.wants(t, "Select tells nothing", told, "")
	next := five()[1:]
	next[1].ei = 0.7
	r.Set(next)
	r.wants(t, "told of the new reading", told, "cnn10.7 true ")
	r.wants(t, "marked", names(r.Marked()), "cnn1 cnn2")
	told = ""
	r.Set(five()[3:])
	r.wants(t, "told that it has gone", told, "0 false ")
	r.wants(t, "marked still there", names(r.Marked()), "cnn2")
	if _, ok := r.Selected(); ok || r.table.Selected() != -1 {
		t.Error("a record that has gone is selected")
	}
	r.Set(five())
	if _, ok := r.Selected(); ok {
		t.Error("it is selected again when it comes back")
	}
}

func TestRecordsDoNotScrollByThemselves(t *testing.T) {
	r := newRig(t, nil)
	var many []run
	for k := range 500 {
		many = append(many, run{id: fmt.Sprint(k), name: fmt.Sprintf("m%d", k), ei: float64(k)})
	}
	r.Set(many)
	r.Select("3")
	r.table.ScrollToBottom()
	top := r.sight()
	r.Set(many)
	r.wants(t, "rows in sight", r.sight(), top)
	r.mark(true, 0, 400)
	r.wants(t, "rows in sight after marking", r.sight(), top)
	if !strings.Contains(top, "m499") {
		t.Errorf("in sight: %s", top)
	}
	r.SetFilter("m7")
	if got := r.sight(); !strings.HasPrefix(got, "m7") {
		t.Errorf("of few rows there are in sight: %q", got)
	}
}

// sight is what is drawn of the table's texts that begin with m and a digit.
func (r *rig) sight() string {
	var list []string
	for row := range r.shown {
		name := r.rows[r.shown[row]].name
		stage.Walk(r.table, func(o fyne.CanvasObject) {
			if textOf(o) == name {
				list = append(list, name)
			}
		})
	}
	return strings.Join(list, " ")
}

func TestRecordsRefuseEqualIDs(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	wrong := five()[:2]
	wrong[1].id = "a"
	r.Set(wrong)
	if len(r.errs) != 1 || !strings.Contains(r.errs[0].Error(), `two rows have the ID "a"`) || len(r.rows) != 5 {
		t.Errorf("%v; %d rows", r.errs, len(r.rows))
	}
}

func TestRecordsOfNothingAndLittle(t *testing.T) {
	r := newRig(t, nil)
	if r.emptyState.Visible() || r.caption.Text != "" {
		t.Errorf("before the first reading it says %q, %q", r.emptyState.Text(), r.caption.Text)
	}
	r.Set(nil)
	r.wants(t, "without anything", r.emptyState.Text(), "There are no models.")
	r.Empty = "Import a model first."
	r.Set(nil)
	r.wants(t, "empty", r.emptyState.Text(), "Import a model first.")
	for _, name := range []fyne.KeyName{fyne.KeyDown, fyne.KeyEnd, fyne.KeySpace, fyne.KeyReturn} {
		r.key(name)
	}
	r.table.TypedShortcut(&fyne.ShortcutSelectAll{})
	r.openMenu(-1, fyne.NewPos(1, 1), r.table)
	r.stage.Draw(r.window, "", "")
	r.window.Resize(fyne.NewSize(300, 320))
	stage.Walk(r.emptyState.Object(), func(o fyne.CanvasObject) {
		if o.Size().Width > 300 {
			t.Errorf("in little room the words are %v wide", o.Size().Width)
		}
	})
	r.window.Resize(fyne.NewSize(760, 320))
	r.Set([]run{{id: "x", ei: math.NaN(), accuracy: math.NaN(), images: math.NaN()}})
	r.wants(t, "one row without anything", r.column("name")+r.column("ei")+r.caption.Text, "--1 model")
	if r.emptyState.Visible() || !r.table.Visible() {
		t.Error("the row is not shown")
	}
	r.key(fyne.KeyDown)
	r.wants(t, "selected", r.selected, "x")
}

func TestRecordsRememberColumns(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	r.wants(t, "at first", r.titles(), "model fold EI accuracy")
	r.openColumns()
	var offered []string
	overlay := r.window.Canvas().Overlays().Top()
	stage.Walk(overlay, func(o fyne.CanvasObject) {
		if text := checkOf(o); text != "" {
			offered = append(offered, text)
		}
	})
	r.wants(t, "offered", strings.Join(offered, " "), "fold EI accuracy images")
	r.showColumn("images", true)
	r.showColumn("fold", false)
	r.wants(t, "chosen", r.titles(), "model EI accuracy images")
	again := &Records[run]{Host: r.Host, Table: runs}
	again.Set(five())
	r.wants(t, "remembered", (&rig{Records: again}).titles(), "model EI accuracy images")
	r.memory["columns.runs"] = "{"
	unread := &Records[run]{Host: r.Host, Table: runs}
	unread.Set(five())
	r.wants(t, "what cannot be read is forgotten", (&rig{Records: unread}).titles(), "model fold EI accuracy")
	r.memory["columns.runs"] = `{"hash":true,"name":false}`
	files := &Records[run]{Host: r.Host, Table: runs}
	files.Set(five())
	r.wants(t, "columns for files never, the first always", (&rig{Records: files}).titles(), "model fold EI accuracy")
}

// TestRecordsAreNamedByTheFirstColumnThatIsSeen: one for files alone names nothing.
func TestRecordsAreNamedByTheFirstColumnThatIsSeen(t *testing.T) {
	r := newRig(t, func(r *Records[run]) { r.Table = runs.Place(result.FileOnly, "name") })
	r.Set(five())
	r.wants(t, "without the name", r.titles(), "fold EI accuracy")
	r.showColumn("fold", false)
	r.wants(t, "the first stays", r.titles(), "fold EI accuracy")
}

// TestRecordsBesideAForm: what stands beside the filter line has half of the room.
func TestRecordsBesideAForm(t *testing.T) {
	beside := fynewidget.NewButton("beside", nil)
	r := newRig(t, func(r *Records[run]) { r.Beside = beside })
	r.Set(five())
	if w := r.object.Size().Width; !beside.Visible() || math.Abs(float64(beside.Size().Width-w/2)) > 8 ||
		r.line.Size().Width < lineLeast {
		t.Errorf("%v of %v, the line %v", beside.Size(), w, r.line.Size())
	}
}

func TestRecordsWidthsFollowContentAndText(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	before := r.columns[0].Width
	long := five()
	long[2].name = "a name that is much longer than all others"
	r.Set(long)
	if r.columns[0].Width <= before || r.columns[0].Width > widest+60 || !r.columns[2].Right || r.columns[0].Right {
		t.Errorf("the column has %v pixels, before %v", r.columns[0].Width, before)
	}
	whole := r.columns[0].Width
	r.window.Resize(fyne.NewSize(420, 320))
	sum := float32(tableEdge)
	for _, c := range r.columns {
		sum += c.Width + theme.Padding()
	}
	if got := r.columns[0].Width; got >= widest || sum > 421 {
		t.Errorf("in little room a long text has %v pixels, and all columns %v of 420", got, sum)
	}
	r.window.Resize(fyne.NewSize(300, 320))
	if got := r.columns[0].Width; got != widest {
		t.Errorf("where the columns have no room, a long text has %v pixels", got)
	}
	r.window.Resize(fyne.NewSize(760, 320))
	if got := r.columns[0].Width; got != whole {
		t.Errorf("in much room a long text has %v pixels, before %v", got, whole)
	}
	r.Set(five())
	small := r.columns[2].Width
	r.stage.App().Settings().SetTheme(stage.Look(theme.VariantLight, 1.4))
	r.table.Refresh()
	if grown := r.columns[2].Width; grown < 1.2*small {
		t.Errorf("with larger text %v pixels, before %v", grown, small)
	}
	if got := r.columns[0].Width; got < 1.2*before {
		t.Errorf("with larger text %v pixels, before %v", got, before)
	}
}

func TestRecordsHints(t *testing.T) {
	r := newRig(t, nil)
	r.Set(five())
	r.wants(t, "name", r.table.Hint(0, 0), "model cnn1")
	r.wants(t, "in full", r.table.Hint(0, 2), "cnn1: EI 0.913, in full 0.9134")
	r.wants(t, "missing", r.table.Hint(3, 2), "vgg9: EI is missing: the model was not run")
	r.wants(t, "heading", r.columns[2].Hint, "EI: effective invariance, 0..1")
	r.table.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, r.rowHeight()+10)}})
	r.wants(t, "under the pointer", r.said, "model cnn1")
	r.table.MouseOut()
	r.wants(t, "beside the table", r.said, "")
}

func TestRecordsActions(t *testing.T) {
	done := ""
	r := newRig(t, func(r *Records[run]) {
		r.Actions = []Action[run]{
			{Name: "Delete", Button: true, Do: func(list []run) { done = names(list) }},
			{
				Name: "Compare", Can: func(list []run) bool { return len(list) == 2 },
				Do: func(list []run) { done = "compare " + names(list) },
			},
			{Name: "New round", All: true, Do: func(list []run) { done = "round " + names(list) }},
		}
	})
	r.Set(five())
	if !r.stage.Button(r.window, "Delete").Disabled() {
		t.Error("nothing can be deleted")
	}
	r.SetFilter("vgg")
	r.items()["New round"].Action()
	r.wants(t, "the whole list", done, "round vgg9 vgg10")
	r.SetFilter("")
	r.key(fyne.KeyDown)
	r.stage.Press(r.window, "Delete")
	r.wants(t, "the selected one", done, "cnn1")
	r.mark(true, 1, 2)
	items := r.items()
	if items["Compare"].Disabled {
		t.Error("two can be compared")
	}
	items["Compare"].Action()
	r.wants(t, "the marked ones", done, "compare cnn2 leak")
	items["Unmark all"].Action()
	if len(r.Marked()) != 0 || !r.items()["Compare"].Disabled {
		t.Error("marks stay")
	}
	at := fyne.PointEvent{Position: fyne.NewPos(20, 3*r.rowHeight()+10)}
	r.table.TappedSecondary(&at)
	r.wants(t, "the row under the pointer is selected", r.selected, "e")
}

// items are the entries of the menu of the rows.
func (r *rig) items() map[string]*fyne.MenuItem {
	list := map[string]*fyne.MenuItem{}
	for _, item := range r.rowItems() {
		list[item.Label] = item
	}
	return list
}

func TestRecordsCopy(t *testing.T) {
	r := newRig(t, func(r *Records[run]) { r.Command = func() string { return "variscope train --all" } })
	r.Set(five())
	r.items()["Copy as command"].Action()
	r.wants(t, "the command", fyne.CurrentApp().Clipboard().Content(), "variscope train --all")
	copied := func(do func()) string {
		r.said = ""
		do()
		r.stage.Until("copied", func() bool { return r.said == "values copied" })
		return fyne.CurrentApp().Clipboard().Content()
	}
	r.SetFilter("cnn")
	csv := copied(func() { r.table.TypedShortcut(&fyne.ShortcutCopy{}) })
	r.wants(t, "what is shown", csv, "name,fold,ei,accuracy,missing\ncnn1,holdout,0.9134,0.966,\ncnn2,,0.5,,\n")
	r.SetFilter("")
	r.Select("b")
	r.key(fyne.KeySpace)
	text := copied(r.items()["Copy marked rows (text)"].Action)
	r.wants(t, "the marked row", text, "model  fold   EI  accuracy\nvgg9   train   -    80.0 %\n")
}

func TestRecordsSave(t *testing.T) {
	r := newRig(t, func(r *Records[run]) {
		r.Document = result.Document{Schema: "variscope.test", Version: 3, Options: five()[:0]}
	})
	r.Set(five())
	r.SetFilter("vgg")
	for _, label := range []string{
		"Save shown rows as CSV…", "Save shown rows as Parquet…", "Save shown rows as JSON…",
		"Save all rows as CSV…",
	} {
		item := r.items()[label]
		if item == nil {
			t.Fatalf("there is no entry %q", label)
		}
		item.Action()
		top := r.window.Canvas().Overlays().Top()
		if top == nil {
			t.Fatalf("%s asks for no file", label)
		}
		r.window.Canvas().Overlays().Remove(top)
	}
	var b strings.Builder
	if err := r.writer("json", r.taken())(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"schema": "variscope.test"`, `"version": 3`, `"ei": null`, `"missing": {`,
		`"hash": "bbbb`,
	} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %s in %s", part, b.String())
		}
	}
	b.Reset()
	if err := r.writer("csv", r.all())(&b); err != nil || strings.Count(b.String(), "\n") != 6 ||
		!strings.Contains(b.String(), ",hash,") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestRecordsTellWhatIsShown(t *testing.T) {
	shown := ""
	r := newRig(t, func(r *Records[run]) { r.OnShown = func(list []run) { shown = names(list) } })
	r.Set(five())
	r.wants(t, "after another reading", shown, "cnn1 cnn2 leak vgg9 vgg10")
	r.SetFilter("vgg")
	r.wants(t, "after a filter", shown, "vgg9 vgg10")
	r.heading("name")
	r.wants(t, "after a click on a heading", shown, "vgg10 vgg9")
}

func TestRecordsSayWhatWasLeftOut(t *testing.T) {
	r := newRig(t, func(r *Records[run]) {
		r.Note = func(shown []run) string {
			if len(shown) < 5 {
				return fmt.Sprintf("%d left out", 5-len(shown))
			}
			return ""
		}
	})
	r.Set(five())
	if r.note.Visible() {
		t.Errorf("the note %q is shown", r.note.Text)
	}
	r.SetFilter("cnn")
	if r.wants(t, "note", r.note.Text, "3 left out"); !r.note.Visible() {
		t.Error("the note is hidden")
	}
}

func TestRecordsShowPictures(t *testing.T) {
	come := image.Image(nil)
	asked := 0
	r := newRig(t, func(r *Records[run]) {
		r.Pictures = map[string]func(run) image.Image{"fold": func(run) image.Image { asked++; return come }}
	})
	r.Set(five())
	come = image.NewNRGBA(image.Rect(0, 0, 28, 28))
	asked = 0
	r.Refresh()
	drawn := 0
	stage.Walk(r.table, func(o fyne.CanvasObject) {
		if imageOf(o) == come {
			drawn++
		}
	})
	if drawn != 5 || asked != 5 || r.rowHeight() < pictureHeight {
		t.Errorf("%d pictures drawn, %d asked for, rows of %v pixels", drawn, asked, r.rowHeight())
	}
}

// TestRecordsLook keeps pictures in the folder VARISCOPE_SHOTS, for people.
func TestRecordsLook(t *testing.T) {
	folder := os.Getenv("VARISCOPE_SHOTS")
	for name, look := range map[string]fyne.Theme{
		"light": stage.Look(theme.VariantLight, 1), "dark": stage.Look(theme.VariantDark, 1),
		"large": stage.Look(theme.VariantLight, 1.4),
	} {
		r := newRig(t, func(r *Records[run]) {
			r.Actions = []Action[run]{{Name: "Delete", Icon: theme.DeleteIcon(), Button: true, Do: func([]run) {}}}
		})
		r.stage.App().Settings().SetTheme(look)
		r.Set(five())
		r.Select("d")
		r.mark(true, 3, 4)
		r.SetFilter("-leak accuracy>0.1 | fold=train")
		r.stage.Draw(r.window, folder, "records-"+name+"-filter")
		r.SetFilter("")
		r.heading("ei")
		r.stage.Draw(r.window, folder, "records-"+name)
		r.SetFilter("svm<1")
		r.stage.Draw(r.window, folder, "records-"+name+"-none")
		r.SetFilter("")
		r.openColumns()
		r.stage.Draw(r.window, folder, "records-"+name+"-columns")
		r.Set(nil)
	}
}
