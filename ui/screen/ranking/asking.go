package ranking

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// rankersForm asks which rankers are asked and how.
type rankersForm struct {
	before                    Settings
	methods                   []rank.Method
	checks                    []*fynewidget.Check
	budget, repetitions, seed *fynewidget.Entry
	wrong                     *fynewidget.Label
}

func newRankersForm(s Settings) *rankersForm {
	f := &rankersForm{before: s, wrong: fynewidget.NewLabel("")}
	for _, m := range rank.Methods() {
		check := fynewidget.NewCheck(m.Title(), nil)
		check.Checked = slices.Contains(s.asked(), m)
		f.methods, f.checks = append(f.methods, m), append(f.checks, check)
	}
	f.budget, f.repetitions, f.seed = fynewidget.NewEntry(), fynewidget.NewEntry(), fynewidget.NewEntry()
	f.budget.SetPlaceHolder("30, or the number of models where that is more")
	if s.Budget > 0 {
		f.budget.SetText(strconv.Itoa(s.Budget))
	}
	f.repetitions.SetText(strconv.Itoa(s.Repetitions))
	f.seed.SetText(strconv.FormatUint(s.Seed, 10))
	f.wrong.Importance, f.wrong.Wrapping = fynewidget.DangerImportance, fyne.TextWrapWord
	f.wrong.Hide() // it takes room
	return f
}

// object lists the rankers with what each needs, in groups, and the numbers of the sampled ones.
func (f *rankersForm) object() fyne.CanvasObject {
	list := container.NewVBox()
	for k, check := range f.checks {
		hint := fynewidget.NewLabel(f.methods[k].Help())
		hint.Wrapping, hint.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
		list.Add(container.NewBorder(nil, nil, wide(200*widget.Grown(), check), nil, hint))
	}
	item := func(name string, entry *fynewidget.Entry) fyne.CanvasObject {
		return container.NewBorder(nil, nil, fynewidget.NewLabel(name), nil, entry)
	}
	numbers := container.NewGridWithColumns(2, item("Repetitions", f.repetitions), item("Seed", f.seed))
	form := container.NewVBox(item("Labels", f.budget), numbers)
	note := widget.Wrapped("Sampled rankers draw so many images, and repeat that with other draws; their table has " +
		"means and standard deviations.")
	return container.NewBorder(nil, container.NewVBox(note, form, f.wrong), nil, nil, container.NewVScroll(list))
}

// settings are what the form says. The error is a sentence about it.
func (f *rankersForm) settings() (Settings, error) {
	s := f.before
	s.Methods = nil
	for k, check := range f.checks {
		if check.Checked {
			s.Methods = append(s.Methods, f.methods[k])
		}
	}
	if len(s.Methods) == 0 {
		return s, errors.New("choose at least one ranker")
	}
	for _, field := range option.Fields(&s) {
		entry := map[string]*fynewidget.Entry{
			"budget": f.budget, "repetitions": f.repetitions,
			"seed": f.seed,
		}[field.Name]
		if entry == nil {
			continue
		}
		if err := field.Set(cmp.Or(strings.TrimSpace(entry.Text), cmp.Or(field.Default, "0"))); err != nil {
			return s, errors.New(option.Said(err))
		}
	}
	return s, nil
}

// askRankers opens a dialog for the rankers; it stays open until they can be asked.
func (s *Screen) askRankers() {
	f := newRankersForm(s.Options())
	s.ask("Rankers", f.object(), fyne.NewSize(820, 620), func() bool {
		next, err := f.settings()
		if err != nil {
			f.wrong.Show()
			f.wrong.SetText(present.Sentence(err))
			return false
		}
		s.take(next)
		return true
	})
}

// ask opens a dialog that ranks when it is confirmed and confirm says that all is well.
func (s *Screen) ask(title string, content fyne.CanvasObject, size fyne.Size, confirm func() bool) {
	var d *dialog.CustomDialog
	rank := fynewidget.NewButton("Rank", func() {
		if confirm() {
			d.Hide()
		}
	})
	rank.Importance = fynewidget.HighImportance
	d = dialog.NewCustomWithoutButtons(title, widget.Fitting(content, s.Window), s.Window)
	d.SetButtons([]fyne.CanvasObject{fynewidget.NewButton("Cancel", d.Hide), rank})
	d.SetOnClosed(func() { s.Focus() })
	d.Resize(size)
	d.Show()
}

// modelsForm asks which models take part.
type modelsForm struct {
	models []rank.Model
	in     map[string]bool // by key
	shown  []int           // that the filter leaves
	list   *fynewidget.List
	filter *fynewidget.Entry
	count  *fynewidget.Label
}

func newModelsForm(models []rank.Model, without []string) *modelsForm {
	f := &modelsForm{
		models: models, in: map[string]bool{}, count: fynewidget.NewLabel(""), filter: fynewidget.NewEntry(),
	}
	for _, m := range models {
		f.in[keyOf(m)] = !slices.Contains(without, keyOf(m))
	}
	f.list = fynewidget.NewList(func() int { return len(f.shown) },
		func() fyne.CanvasObject { return fynewidget.NewCheck("", nil) }, f.update)
	f.filter.SetPlaceHolder("Filter by name")
	f.filter.OnChanged = func(string) { f.narrow() }
	f.narrow()
	return f
}

func (f *modelsForm) update(row fynewidget.ListItemID, o fyne.CanvasObject) {
	check, m := o.(*fynewidget.Check), f.models[f.shown[row]]
	check.OnChanged = nil // it may have belonged to another row
	check.SetText(m.ID)
	check.SetChecked(f.in[keyOf(m)])
	check.OnChanged = func(on bool) {
		f.in[keyOf(m)] = on
		f.say()
	}
}

// narrow shows the models whose names have the filter's text in them.
func (f *modelsForm) narrow() {
	f.shown = f.shown[:0]
	wanted := strings.ToLower(strings.TrimSpace(f.filter.Text))
	for j, m := range f.models {
		if strings.Contains(strings.ToLower(m.ID), wanted) {
			f.shown = append(f.shown, j)
		}
	}
	slices.SortStableFunc(f.shown, func(a, b int) int { return result.Natural(f.models[a].ID, f.models[b].ID) })
	f.list.Refresh()
	f.say()
}

// all has the models that are shown take part, or not.
func (f *modelsForm) all(on bool) {
	for _, j := range f.shown {
		f.in[keyOf(f.models[j])] = on
	}
	f.list.Refresh()
	f.say()
}

func (f *modelsForm) say() {
	f.count.SetText(fmt.Sprintf("%d of %s", len(f.models)-len(f.without()), result.Counted(len(f.models), "model")))
}

// without are the keys of the models that take no part.
func (f *modelsForm) without() []string {
	var list []string
	for _, m := range f.models {
		if !f.in[keyOf(m)] {
			list = append(list, keyOf(m))
		}
	}
	return list
}

func (f *modelsForm) object() fyne.CanvasObject {
	buttons := container.NewHBox(fynewidget.NewButton("All", func() { f.all(true) }),
		fynewidget.NewButton("None", func() { f.all(false) }))
	return container.NewBorder(container.NewBorder(nil, nil, nil, buttons, f.filter), f.count, nil, nil, f.list)
}

// askModels opens a dialog for the models that take part.
func (s *Screen) askModels() {
	f := newModelsForm(s.outcome().Material.Data.Models, s.Options().Without)
	s.ask("Models to rank", f.object(), fyne.NewSize(460, 560), func() bool {
		next := s.Options()
		next.Without = f.without()
		s.take(next)
		return true
	})
}

// wide gives an object a width of its own.
func wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(width, o.MinSize().Height), o)
}
