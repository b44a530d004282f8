package kit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// herd are options of a dialog, some of which depend on others.
type herd struct {
	Folder string   `help:"Where the herd is." type:"existingdir" required:""`
	Song   string   `help:"A song." type:"existingfile" placeholder:"FILE.mp3"`
	Bell   string   `help:"A sound." type:"existingfile" placeholder:"FILE.MP3"`
	Text   string   `help:"Its words." type:"existingfile" placeholder:"FILE"`
	Files  []string `help:"Lists of sheep." type:"path"`
	Breeds []string `help:"Breeds that are counted." enum:"merino,texel,zackel" default:"merino"`
	Models []string `help:"Which sheep." source:"sheep"`
	Dog    string   `help:"What the dog does." enum:"none,barks,bites" default:"none"`
	Loud   float64  `help:"How loud it barks." unit:"dB" when:"dog=barks" min:"0" max:"120" default:"60"`
	Count  int      `help:"How many." min:"1" max:"9" default:"3"`
}

func (h *herd) Check() error {
	if h.Count > 5 && h.Dog == "none" {
		return option.Errorf("{count} of more than {5} needs a {dog}")
	}
	return nil
}

// asker is a dialog that asks for a herd.
type asker struct {
	*Ask[herd]
	*fixture
	done   []herd
	closed int
}

func (r *fixture) ask() *asker {
	a := &asker{fixture: r}
	a.Ask = &Ask[herd]{
		Title: "Count a herd", Button: "Count", Size: fyne.NewSize(600, 400),
		Form: &Form[herd]{
			Host: r.host, Key: "herd",
			Choices: func(string) ([]Option, string) {
				return options("", "all sheep (12)", option.Fields(&herd{})[6].Join([]string{"a", "b,c"}),
					"marked (2)"), ""
			},
			Command: func(o herd) ([]string, any) { return []string{"count"}, &o },
		},
		Line: func(o herd) Work[string] {
			return func(context.Context, engine.Progress) (string, error) {
				if o.Count == 4 {
					return "", errors.New("four is too many for this disk")
				}
				return "counts " + strings.Join(o.Breeds, " and "), nil
			}
		},
		Do: func(d *Dialog, o herd) {
			a.done = append(a.done, o)
			d.Close()
		},
		Closed: func() { a.closed++ },
	}
	a.Open()
	r.stage.Pump()
	return a
}

func (a *asker) item(name string) *item {
	for k, f := range a.Form.fields {
		if f.Name == name {
			return a.Form.items[k]
		}
	}
	return nil
}

func (a *asker) says(text string) { a.stage.Until(text, func() bool { return a.line.Text == text }) }

func TestAskIsReadyWhenAllIsWell(t *testing.T) {
	a := newFixture(t).ask()
	folder := t.TempDir()
	a.item("folder").entry.SetText(`"` + folder + `"`)
	a.says("counts merino")
	if a.button.Disabled() || a.Form.Options().Folder != folder {
		t.Errorf("%+v", a.Form.Options())
	}
	count := a.item("count").entry
	count.SetText("12")
	if !a.button.Disabled() || a.Form.wrong.Text != "Count takes a whole number from 1 to 9" ||
		a.Form.Options().Count != 3 {
		t.Errorf("%q", a.Form.wrong.Text)
	}
	if count.SetText("3"); a.button.Disabled() || a.Form.wrong.Visible() {
		t.Errorf("what was wrong is still said: %q", a.Form.wrong.Text)
	}
	if count.SetText("6"); !a.button.Disabled() || a.Form.wrong.Text != "Count of more than 5 needs a Dog" {
		t.Errorf("%q", a.Form.wrong.Text)
	}
	a.item("dog").menu.SetSelected("bites")
	if a.button.Disabled() || a.Form.wrong.Visible() {
		t.Errorf("%q", a.Form.wrong.Text)
	}
	count.SetText("4")
	a.stage.Until("refused", func() bool { return strings.Contains(a.line.Text, "too many") })
	if !a.button.Disabled() {
		t.Error("what does not fit can be started")
	}
	a.Refuse(errors.New("the disk is full"))
	a.says("The disk is full.")
	count.SetText("5")
	a.says("counts merino")
	count.OnSubmitted("5")
	if len(a.done) != 1 || a.done[0].Count != 5 || !a.dialog.Closed() || a.closed != 1 {
		t.Errorf("%+v", a.done)
	}
}

// TestAskSaysWhatIsMissingWhenItIsPressed: nothing is wrong before something was typed, and what is
// missing is said when a button is pressed.
func TestAskSaysWhatIsMissingWhenItIsPressed(t *testing.T) {
	a := newFixture(t).ask()
	f := a.Form
	if f.wrong.Visible() || a.button.Disabled() || f.Err() == nil || f.Wrong() != nil {
		t.Errorf("it begins with %q", f.wrong.Text)
	}
	a.item("breeds").ticks.groups[0].SetSelected([]string{"zackel"})
	count := a.item("count").entry
	if count.SetText("4"); f.wrong.Visible() || a.button.Disabled() {
		t.Errorf("the folder that nobody has asked for yet: %q", f.wrong.Text)
	}
	for name, press := range map[string]func(){
		"the button": func() { test.Tap(a.button) }, "Return": func() { count.OnSubmitted(count.Text) },
		"the command": func() { a.stage.Press(a.window, "Copy as command") },
	} {
		a.window.Canvas().Focus(count)
		press()
		if f.wrong.Text != "Folder must be given." || !f.wrong.Visible() || len(a.done) > 0 || a.dialog.Closed() {
			t.Errorf("%s: %q, %+v", name, f.wrong.Text, a.done)
		}
		if a.window.Canvas().Focused() != fyne.Focusable(a.item("folder").entry) {
			t.Errorf("%s: the keyboard is not at what is missing", name)
		}
	}
	if count.SetText("12"); !a.button.Disabled() || f.wrong.Text != "Count takes a whole number from 1 to 9" {
		t.Errorf("%q", f.wrong.Text)
	}
	count.SetText("3")
	a.item("folder").entry.SetText(t.TempDir())
	a.says("counts zackel")
	if test.Tap(a.button); len(a.done) != 1 {
		t.Error("nothing was done")
	}
}

func TestAskShowsWhatHasAMeaning(t *testing.T) {
	a := newFixture(t).ask()
	loud := a.item("loud")
	visible := func() bool { return loud.shown[0].Visible() && loud.shown[1].Visible() }
	if visible() {
		t.Error("loud without a dog")
	}
	a.item("dog").menu.SetSelected("barks")
	if !visible() {
		t.Error("a dog that barks is not asked how loud")
	}
	loud.entry.SetText("90")
	a.item("dog").menu.SetSelected("bites")
	if got := a.Form.Options().Loud; visible() || got != 60 {
		t.Errorf("%v", got)
	}
	a.item("dog").menu.SetSelected("barks")
	if got := a.Form.Options().Loud; got != 90 || loud.entry.Text != "90" {
		t.Errorf("%v, shown %s", got, loud.entry.Text)
	}
}

func TestAskTakesLists(t *testing.T) {
	a := newFixture(t).ask()
	folder := t.TempDir()
	for _, name := range []string{"one.csv", "two, or three.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one, two := filepath.Join(folder, "one.csv"), filepath.Join(folder, "two, or three.csv")
	a.item("files").entry.SetText(one + "\n")
	a.dialog.Drop([]string{two, one})
	a.item("breeds").ticks.groups[0].SetSelected([]string{"zackel", "merino"})
	a.item("models").menu.SetSelected("marked (2)")
	want := herd{
		Files: []string{one, two}, Breeds: []string{"merino", "zackel"}, Models: []string{"a", "b,c"},
		Dog: "none", Loud: 60, Count: 3,
	}
	if got := a.Form.Options(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	a.item("folder").entry.SetText(folder)
	a.says("counts merino and zackel")
	a.stage.Press(a.window, "Copy as command")
	line := fyne.CurrentApp().Clipboard().Content()
	if !strings.HasPrefix(line, "count --folder "+folder+" --files ") ||
		!strings.Contains(line, "--breeds merino,zackel") {
		t.Error(line)
	}
	test.Tap(a.button)
	if len(a.done) != 1 {
		t.Error("nothing was done")
	}
	again := a.fixture.ask()
	if got := again.Form.Options(); !reflect.DeepEqual(got, a.done[0]) {
		t.Errorf("remembered %+v", got)
	}
}

// TestAskHasFurtherButtons: they are off with what is wrong, and the main one is called as its
// options say.
func TestAskHasFurtherButtons(t *testing.T) {
	type flock struct {
		Names []string `help:"Names of sheep." sep:"none"`
		Count int      `help:"How many." min:"1" max:"9" default:"1"`
	}
	r := newFixture(t)
	var did []string
	a := &Ask[flock]{
		Title: "Count a flock", Button: "Count", Leave: "Away",
		Form: &Form[flock]{Host: r.host, Hint: func(name string) string {
			return map[string]string{"count": "from the dog"}[name]
		}},
		Ready:  func(o flock) (string, bool) { return fmt.Sprintf("Count %d", o.Count), len(o.Names) > 0 },
		More:   []Button[flock]{{"Shear", func(_ *Dialog, o flock) { did = append(did, o.Names...) }}},
		Beside: fynewidget.NewLabel("picture"),
	}
	a.Form.Menus = map[string]*fyne.Menu{
		"count": a.Form.Texts("count", "Usual…", options("7", "seven")),
		"names": a.Form.Texts("names", "Known…", options("dolly, the first", "Dolly")),
	}
	a.Do = func(d *Dialog, _ flock) {
		sure := &Ask[flock]{Title: "Sure", Button: "Yes", Form: &Form[flock]{Host: r.host}, In: d, Back: a.Again}
		sure.Do = func(*Dialog, flock) { did = append(did, "yes") }
		sure.Open()
	}
	a.Open()
	names, count := a.Form.items[0], a.Form.items[1]
	if !names.entry.MultiLine || names.hint.Visible() || count.hint.Text != "from the dog" ||
		!r.stage.Button(r.window, "Count 1").Disabled() {
		t.Errorf("%q, %q", names.hint.Text, count.hint.Text)
	}
	over := r.window.Canvas().Overlays()
	under := over.Top()
	r.stage.Press(r.window, "Usual…")
	if over.Top() == under {
		t.Fatal("the button beside the entry opens no menu")
	}
	over.Remove(over.Top())
	a.Form.Menus["count"].Items[0].Action()
	if count.entry.Text != "7" {
		t.Errorf("the menu gives %q", count.entry.Text)
	}
	count.entry.SetText("10")
	if !r.stage.Button(r.window, "Shear").Disabled() {
		t.Error("ten are shorn")
	}
	count.entry.SetText("2")
	names.entry.SetText("molly")
	for range 2 { // what is there already stays alone
		a.Form.Menus["names"].Items[0].Action()
	}
	r.stage.Press(r.window, "Shear")
	r.stage.Press(r.window, "Count 2")
	r.stage.Press(r.window, "Back")
	r.stage.Press(r.window, "Count 2")
	r.stage.Press(r.window, "Yes")
	r.stage.Press(r.window, "Back")
	r.stage.Press(r.window, "Away")
	if got := strings.Join(did, "|"); got != "molly|dolly, the first|yes" || !a.dialog.Closed() {
		t.Error(got)
	}
}

func TestFormBrowsesForWhatAPathTakes(t *testing.T) {
	type paths struct {
		Any  string `help:"A file or folder that is there." type:"path"`
		Dir  string `help:"A folder to write." placeholder:"DIR" type:"path"`
		File string `help:"A file to write." placeholder:"NAME.csv" type:"path"`
	}
	form := &Form[paths]{Host: newFixture(t).host, Rows: true}
	form.Make()
	var buttons []string
	stage.Walk(form.Object(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok {
			buttons = append(buttons, b.Text)
		}
	})
	if got := strings.Join(buttons, " "); got != "File… Folder… Folder… Folder…" {
		t.Error(got)
	}
}

func TestAskTakesFilesThatAreDropped(t *testing.T) {
	a := newFixture(t).ask()
	a.item("files").entry.Hide()
	a.dialog.Drop([]string{"/one.MP3", "/words.txt", "/two.mp3", "/three.mp3", "/meadow"})
	if o := a.Form.Options(); o.Folder != "/meadow" || o.Song != "/one.MP3" || o.Text != "/words.txt" ||
		o.Bell != "/three.mp3" || len(o.Files) > 0 {
		t.Errorf("%+v", o)
	}
}

func TestAskIsDrawn(t *testing.T) {
	a := newFixture(t).ask()
	a.item("dog").menu.SetSelected("barks")
	newHinted("", "How loud it barks.", a.Form.tell).MouseIn(nil)
	a.item("count").entry.SetText("12")
	a.stage.Draw(a.window, os.Getenv("VARISCOPE_SHOTS"), "ask")
}

// TestRowsStandOnPages: what Own makes for the only option of a page has the whole page, and a page
// whose options are hidden is left out.
func TestRowsStandOnPages(t *testing.T) {
	r := newFixture(t)
	own := fynewidget.NewLabel("all")
	f := &Form[herd]{
		Host: r.host, Rows: true, Choices: func(string) ([]Option, string) { return nil, "" },
		Hide: []string{"dog", "loud", "count"}, Pages: []FormPage{
			{"Herd", "folder"}, {"Breeds", "breeds"}, {"Models", "models"}, {"Rest", "dog"},
		},
		Own: func(name string, _ func(string)) (p Part) {
			if name == "models" {
				p.Object = own
			}
			return p
		},
	}
	f.Make()
	r.window.SetContent(f.Object())
	var tabs *container.AppTabs
	stage.Walk(f.Object(), func(o fyne.CanvasObject) {
		if found, ok := o.(*container.AppTabs); ok {
			tabs = found
		}
	})
	var titles []string
	for _, one := range tabs.Items {
		titles = append(titles, one.Text)
	}
	if !slices.Equal(titles, []string{"Herd", "Breeds", "Models"}) || tabs.Items[2].Content != own {
		t.Errorf("%q", titles)
	}
}

// TestRowsTakeWhatDoesNotGoTogether: what has no meaning waits until it has one.
func TestRowsTakeWhatDoesNotGoTogether(t *testing.T) {
	r := newFixture(t)
	f := &Form[herd]{Host: r.host, Rows: true, Choices: func(string) ([]Option, string) { return nil, "" }}
	f.Make()
	if err := f.Take(herd{Dog: "none", Loud: 70, Count: 7}); err != nil || f.Err() == nil || f.Options().Loud != 60 {
		t.Errorf("%v, %v, %+v", err, f.Err(), f.Options())
	}
	if err := f.Put("dog", "barks"); err != nil || f.Options().Loud != 70 {
		t.Errorf("%v, %+v", err, f.Options())
	}
}
