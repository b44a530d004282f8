package kit

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/widget"
)

// flock are options of every kind.
type flock struct {
	Breed   string   `help:"Which breed." source:"breeds"`
	Pasture string   `help:"Where it grazes." source:"pastures" label:"on"`
	Cut     string   `help:"How it is shorn." enum:",short,long" default:"short"`
	Black   bool     `help:"Black ones, too."`
	Count   int      `help:"How many." default:"10" min:"1" max:"1000" aliases:"number"`
	Lazy    string   `help:"Not in the window." window:"-"`
	Dogs    []string `help:"Dogs, by name."`
	Luck    *float64 `help:"Share of luck." min:"0" max:"1"`
	Quick   bool     `help:"Only in the window." kong:"-"`
}

func (f *flock) Check() error {
	if f.Black && f.Cut == "long" {
		return option.Errorf("{black} does not go with {cut} long")
	}
	return nil
}

// options are entries of menus by key and name.
func options(texts ...string) (list []Option) {
	for k := 0; k < len(texts); k += 2 {
		list = append(list, Option{Key: texts[k], Name: texts[k+1]})
	}
	return list
}

// shepherd is a form in a window, with what can be chosen in it.
type shepherd struct {
	*Form[flock]
	*fixture
	breeds, pastures []Option
	changes          []flock
}

func (r *fixture) form(change func(*shepherd)) *shepherd {
	s := &shepherd{fixture: r, breeds: options("m", "Merino", "t", "Texel")}
	s.Form = &Form[flock]{
		Host: r.host, Key: "flock", Hide: []string{"quick"},
		Choices: func(source string) ([]Option, string) {
			if source == "breeds" {
				return s.breeds, "t"
			}
			of := s.Options().Breed
			return append(options(of+"1", "hill of "+of), s.pastures...), "nowhere"
		},
		Named:    func(_, choice string) string { return choice },
		OnChange: func(o flock) { s.changes = append(s.changes, o) },
		Command:  func(o flock) ([]string, any) { return []string{"shear", "my flock"}, &o },
	}
	if change != nil {
		change(s)
	}
	s.Make()
	s.Offer()
	r.window.SetContent(container.NewBorder(s.Object(), nil, nil, nil, r.other))
	r.host.Refocus = func() { r.window.Canvas().Focus(r.other) }
	return s
}

// find is the place of an option among the fields.
func (s *shepherd) find(name string) int {
	return slices.IndexFunc(s.fields, func(f option.Field) bool { return f.Name == name })
}

func (s *shepherd) item(name string) *item { return s.items[s.find(name)] }

func TestFormShowsOptionsInOrder(t *testing.T) {
	s := newFixture(t).form(nil)
	var names []string
	stage.Walk(s.Object(), func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *hinted:
			names = append(names, o.Text)
			o.MouseIn(nil)
		case *check:
			names = append(names, o.Text)
		}
	})
	if want := []string{"Breed", "on", "Cut", "Black", "Count", "Dogs", "Luck"}; len(names) != len(want) {
		t.Errorf("%q", names)
	} else {
		slices.Sort(names)
		slices.Sort(want)
		if !slices.Equal(names, want) {
			t.Errorf("%q", names)
		}
	}
	if !slices.Contains(s.said, "Where it grazes.") {
		t.Errorf("said %q", s.said)
	}
	want := flock{Breed: "t", Pasture: "t1", Cut: "short", Count: 10}
	if got := s.Options(); !reflect.DeepEqual(got, want) || len(s.changes) != 0 {
		t.Errorf("%+v after %d changes", got, len(s.changes))
	}
	if got := s.item("cut").menu.Options; !slices.Equal(got, []string{"none", "short", "long"}) {
		t.Errorf("%q", got)
	}
}

func TestFormTakesWhatIsChosen(t *testing.T) {
	s := newFixture(t).form(nil)
	s.item("breed").menu.SetSelected("Merino")
	s.item("cut").menu.SetSelected("none")
	test.Tap(s.item("black").check)
	for name, text := range map[string]string{"count": "1,000", "dogs": "Rex, Ben", "luck": "0.5"} {
		e := s.item(name).entry
		e.SetText(text)
		test.Type(e, "\n")
		e.OnSubmitted(e.Text)
	}
	luck := 0.5
	want := flock{Breed: "m", Pasture: "t1", Black: true, Count: 1000, Dogs: []string{"Rex", "Ben"}, Luck: &luck}
	if got := s.Options(); !reflect.DeepEqual(got, want) || len(s.changes) != 6 {
		t.Errorf("%+v after %d changes, want %+v", got, len(s.changes), want)
	}
	if !s.Offer() || s.Options().Pasture != "m1" || s.Offer() || len(s.changes) != 6 {
		t.Errorf("what depends on another option stays at %s", s.Options().Pasture)
	}
	line := "shear 'my flock' --breed m --pasture m1 --cut= --black --count 1000 --dogs Rex,Ben --luck 0.5"
	if got := s.CommandLine(); got != line {
		t.Error(got)
	}
	s.Entries()[0].Action()
	if got := fyne.CurrentApp().Clipboard().Content(); got != s.CommandLine() {
		t.Errorf("copied %q", got)
	}
}

func TestFormRefusesInWords(t *testing.T) {
	s := newFixture(t).form(nil)
	e := s.item("count").entry
	s.window.Canvas().Focus(e)
	room := s.Object().MinSize()
	for _, text := range []string{"1001", "0", "many", "", "1.5", "NaN"} {
		e.SetText(text)
		if s.Object().MinSize() != room || s.wrong.Size().Height < s.wrong.MinSize().Height {
			t.Errorf("the form takes %v in place of %v, and its words have %v", s.Object().MinSize(), room,
				s.wrong.Size())
		}
		if !s.wrong.Visible() || s.wrong.Text != "Count takes a whole number from 1 to 1,000" {
			t.Errorf("%s: said %q", text, s.wrong.Text)
		}
		e.OnSubmitted(text)
		if s.Options().Count != 10 || len(s.changes) != 0 {
			t.Errorf("%s is taken", text)
		}
	}
	if s.window.Canvas().Focused() != fyne.Focusable(e) {
		t.Error("the keyboard has left what is wrong")
	}
	e.OnEscape()
	if s.wrong.Visible() || e.Text != "10" || s.window.Canvas().Focused() != fyne.Focusable(s.other) {
		t.Errorf("%q, said %q", e.Text, s.wrong.Text)
	}
	s.item("cut").menu.SetSelected("long")
	test.Tap(s.item("black").check)
	if s.wrong.Text != "Black does not go with Cut long" || s.Options().Black || len(s.changes) != 1 {
		t.Errorf("%+v, said %q", s.Options(), s.wrong.Text)
	}
}

// TestFormShowsWhatWasNotTaken: a switch or menu that was refused goes back.
func TestFormShowsWhatWasNotTaken(t *testing.T) {
	s := newFixture(t).form(nil)
	s.item("cut").menu.SetSelected("long")
	black := s.item("black").check
	test.Tap(black)
	if black.Checked {
		t.Error("the switch shows what was not taken")
	}
	s.item("cut").menu.SetSelected("short")
	test.Tap(black)
	s.item("cut").menu.SetSelected("long")
	if got := s.item("cut").menu.Selected; got != "short" || !s.Options().Black {
		t.Errorf("the menu shows %s", got)
	}
}

func TestFormTakesTextWhenTheKeyboardLeaves(t *testing.T) {
	s := newFixture(t).form(nil)
	e := s.item("count").entry
	s.window.Canvas().Focus(e)
	e.SetText("20")
	if s.Options().Count != 10 {
		t.Error("it is taken while it is typed")
	}
	s.window.Canvas().Focus(s.other)
	if s.Options().Count != 20 || len(s.changes) != 1 {
		t.Errorf("%d after %d changes", s.Options().Count, len(s.changes))
	}
}

// TestFormAsksForChoicesWhenTheyAreOffered: not before somebody can answer.
func TestFormAsksForChoicesWhenTheyAreOffered(t *testing.T) {
	r, asked := newFixture(t), 0
	f := &Form[flock]{Host: r.host, Choices: func(string) ([]Option, string) {
		asked++
		return options("m", "Merino"), ""
	}}
	if f.Make(); asked != 0 || f.Options().Breed != "" {
		t.Errorf("asked %d times", asked)
	}
	if !f.Offer() || asked != 2 || f.Options().Breed != "m" {
		t.Errorf("asked %d times, %+v", asked, f.Options())
	}
}

func TestFormLaysMenusOut(t *testing.T) {
	s := newFixture(t).form(func(s *shepherd) {
		s.Trees = map[string]func() []widget.ChoiceNode{"breeds": func() []widget.ChoiceNode {
			return []widget.ChoiceNode{{
				Title: "wool",
				Nodes: []widget.ChoiceNode{{Title: "fine", Option: "Texel"}, {Title: "finest", Option: "Merino"}},
			}}
		}}
	})
	menu := s.items[0].menu
	if _, ok := menu.Object().(*widget.Choice); !ok || menu.Selected != "Texel" ||
		!slices.Equal(menu.Options, []string{"Texel", "Merino"}) {
		t.Fatalf("%q of %q", menu.Selected, menu.Options)
	}
	menu.SetSelected("Merino")
	if s.Options().Breed != "m" || len(s.changes) != 1 {
		t.Errorf("%+v", s.Options())
	}
}

func TestFormForgets(t *testing.T) {
	r := newFixture(t)
	if err := r.form(func(s *shepherd) { s.Forget = true }).Put("count", "7"); err != nil || len(r.memory) != 0 {
		t.Errorf("%v, %v", err, r.memory)
	}
}

func TestFormRemembers(t *testing.T) {
	r := newFixture(t)
	s := r.form(nil)
	for _, change := range [][2]string{{"breed", "m"}, {"count", "12"}, {"dogs", "Rex"}} {
		if err := s.Put(change[0], change[1]); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.changes) != 3 || s.item("count").entry.Text != "12" {
		t.Fatalf("%+v", s.Options())
	}
	again := r.form(nil)
	if got := again.Options(); got.Breed != "m" || got.Count != 12 || !slices.Equal(got.Dogs, []string{"Rex"}) {
		t.Errorf("%+v", got)
	}
	again = r.form(func(s *shepherd) { s.breeds = options("z", "Zackel") })
	if got := again.Options(); got.Breed != "z" || got.Count != 12 {
		t.Errorf("a breed that is gone: %+v", got)
	}
	again = r.form(func(s *shepherd) { s.breeds = nil })
	if got := again.Options().Breed; got != "m" {
		t.Errorf("while there is nothing to choose from: %q", got)
	}
	again.breeds = options("t", "Texel", "m", "Merino")
	if again.Offer(); again.Options().Breed != "m" || again.item("breed").menu.Selected != "Merino" {
		t.Errorf("%+v", again.Options())
	}
	for setting, text := range r.memory {
		r.memory[setting] = strings.Replace(text, `"count"`, `"number"`, 1) // as an older version wrote it
	}
	if got := r.form(nil).Options(); got.Count != 12 {
		t.Errorf("under its former name: %+v", got)
	}
	if other := r.form(func(s *shepherd) { s.Key = "" }).Options(); other.Count != 10 {
		t.Errorf("without a key: %+v", other)
	}
}

// foldOptions are options of a pane at the side.
type foldOptions struct {
	Wool  string   `help:"Kind of wool." enum:"fine,coarse" default:"fine"`
	Most  int      `help:"The most." zero:"no limit" min:"0"`
	Least int      `help:"The least." default:"1" when:"wool=fine"`
	Dyes  []string `help:"Colours." enum:"red,blue" default:"red,blue"`
	Rams  int      `help:"Rams."`
}

// TestFormOfANarrowPane: numbers stand two in a line, some options below a heading, and what is
// wrong is said when somebody asks for it or changes something.
func TestFormOfANarrowPane(t *testing.T) {
	r := newFixture(t)
	capital := false
	f := &Form[foldOptions]{
		Host: r.host, Narrow: true, Folded: []string{"rams"},
		Named: func(_, choice string) string {
			if capital {
				return strings.ToUpper(choice)
			}
			return choice
		},
		Refuse: func(o foldOptions) error {
			if o.Most == 0 {
				return errors.New("a fold has walls")
			}
			return nil
		},
	}
	f.Make()
	f.Offer()
	r.window.SetContent(f.Object())
	if f.wrong.Visible() || f.Err() == nil {
		t.Errorf("it begins with %q", f.wrong.Text)
	}
	if f.Complete() || f.wrong.Text != "A fold has walls." || !f.wrong.Visible() {
		t.Errorf("asked, it says %q", f.wrong.Text)
	}
	most, least := f.items[1], f.items[2]
	at := func(it *item) fyne.Position { return fyne.CurrentApp().Driver().AbsolutePositionForObject(it.shown[0]) }
	if m, l := at(most), at(least); m.Y != l.Y || m.X >= l.X || at(f.items[0]).Y >= m.Y {
		t.Errorf("the numbers stand at %v and %v", m, l)
	}
	if most.entry.Text != "" || most.entry.PlaceHolder != "no limit" {
		t.Errorf("0 is %q, %q", most.entry.Text, most.entry.PlaceHolder)
	}
	stage.Walk(f.Object(), func(o fyne.CanvasObject) {
		if o == fyne.CanvasObject(f.items[4].entry) {
			t.Error("what is folded is shown")
		}
	})
	if f.items[3].ticks.groups[0].Horizontal || len(f.items[3].ticks.groups[0].Selected) != 2 {
		t.Error("the colours are not one below the other")
	}
	most.entry.SetText("3")
	if f.wrong.Visible() || f.Err() != nil || f.Options().Most != 3 {
		t.Errorf("%q, %+v", f.wrong.Text, f.Options())
	}
	capital = true
	if err := f.Put("wool", "coarse"); err != nil || least.shown[0].Visible() ||
		!slices.Equal(f.items[3].ticks.groups[0].Options, []string{"RED", "BLUE"}) {
		t.Errorf("%q, %v", f.items[3].ticks.groups[0].Options, err)
	}
}

// gait are options whose numbers have sliders.
type gait struct {
	Speed float64 `help:"How fast it walks." default:"4" above:"0" max:"100" slide:"0.5 20 0.5"`
	Legs  int     `help:"On how many legs." default:"4" min:"2" max:"8" slide:"2 6 2"`
}

// TestFormHasSliders: sliders and entries follow each other, and an entry may lie beyond its
// slider.
func TestFormHasSliders(t *testing.T) {
	r := newFixture(t)
	f := &Form[gait]{Host: r.host, Rows: true, InPage: true}
	f.Make()
	r.window.SetContent(f.Object())
	speed := f.items[0]
	speed.slider.SetValue(6.5)
	if f.Options().Speed != 6.5 || speed.entry.Text != "6.5" {
		t.Errorf("%+v, %q", f.Options(), speed.entry.Text)
	}
	speed.entry.SetText("50")
	if f.Options().Speed != 50 || speed.slider.Value != 20 {
		t.Errorf("%+v, slider at %v", f.Options(), speed.slider.Value)
	}
	if speed.entry.SetText("0"); f.Options().Speed != 50 || !f.wrong.Visible() {
		t.Error("what is not taken is not said")
	}
	if speed.entry.OnEscape(); speed.entry.Text != "50" {
		t.Errorf("Escape leaves %q", speed.entry.Text)
	}
	if err := f.Take(gait{8, 6}); err != nil || speed.slider.Value != 8 || f.items[1].slider.Value != 6 {
		t.Errorf("%v, slider at %v", err, speed.slider.Value)
	}
}
