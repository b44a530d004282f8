package dialogs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// MasksDialog brings masks of a suite's foregrounds in: files from a folder, or what a
// segmentation network finds of chosen classes; it lists the mask sets that are there, shows them,
// and removes them. suiteHash is the suite that is chosen first, "" for any. rt may be nil.
func MasksDialog(host *kit.Host, ws *store.Workspace, rt engine.Runtime, suiteHash string) {
	d := &masksDialog{host: host, ws: ws, rt: rt}
	host.Work.Quiet("masks dialog", func(context.Context) (err error) {
		list, err := ws.Suites()
		d.suites = slices.DeleteFunc(list, func(m suite.Manifest) bool { return m.Derived != nil })
		return err
	}, func(err error) {
		if err == nil && len(d.suites) == 0 {
			err = errors.New("there is no test suite to mask; import one first")
		}
		if err != nil {
			host.Fail(err)
			return
		}
		d.open(suiteHash)
	})
}

type masksDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	rt      engine.Runtime
	suites  []suite.Manifest // not made from others
	sets    []store.MaskSet  // of the chosen suite, newest first
	shown   string           // the hash of the set that is shown; "" shows those of the folder
	reading background.Latest
	looking background.Latest
	looked  string // what the classes are of

	sheet        *kit.Dialog
	suite        *suiteMenu
	list         *fyne.Container // the mask sets
	way          *widget.RadioGroup
	folder       *widget.Entry
	inside       *widget.Check
	network      *widget.Entry
	names        *widget.Entry
	classes      *classPicker
	files, model fyne.CanvasObject
	preview      *maskPreview
	summary      *widget.Label
	add          *widget.Button
	form         fyne.CanvasObject
}

func (d *masksDialog) open(suiteHash string) {
	d.sheet = d.host.NewDialog("Masks", fyne.NewSize(1000, 600))
	d.summary = wrapped("")
	d.add = widget.NewButton("Add", d.bring)
	d.add.Importance = widget.HighImportance
	d.preview = newMaskPreview(d.host, d.ws)
	if suiteHash == "" { // masks are those of targets, which have labels
		if i := slices.IndexFunc(d.suites, func(m suite.Manifest) bool { return len(m.Classes) > 0 }); i >= 0 {
			suiteHash = d.suites[i].Hash
		}
	}
	d.suite = newSuiteMenu(d.suites, suiteHash, d.suiteChanged)
	if d.suite.hash() == "" {
		d.suite.menu.SetSelectedIndex(0)
	}
	d.list = container.NewVBox()
	d.way = widget.NewRadioGroup([]string{"files in a folder", "by a segmentation network"}, func(string) { d.changed() })
	d.way.Horizontal, d.way.Required = true, true
	d.way.SetSelected(d.way.Options[0])
	d.build()
	left := container.NewBorder(container.NewVBox(
		widget.NewForm(widget.NewFormItem("Suite", d.suite.menu)), d.list, widget.NewSeparator(),
		widget.NewForm(widget.NewFormItem("Add masks", d.way)), d.files), nil, nil, nil, d.model)
	d.form = container.NewBorder(nil, d.summary, nil, nil, newColumns(container.New(atLeast{430}, left), d.preview.object))
	d.ready()
	d.sheet.Present(nil)
	d.suiteChanged()
}

// build makes the fields of the two ways.
func (d *masksDialog) build() {
	d.folder, d.network, d.names = widget.NewEntry(), widget.NewEntry(), widget.NewEntry()
	for _, entry := range []*widget.Entry{d.folder, d.network, d.names} {
		entry.OnChanged = func(string) { d.changed() }
	}
	d.names.SetPlaceHolder("those that the network's file has")
	d.inside = widget.NewCheck("copy them into the workspace", nil)
	d.classes = newClassPicker(d.changed)
	d.files = widget.NewForm(widget.NewFormItem("Folder", d.host.FolderRow(d.folder)), widget.NewFormItem("", d.inside))
	d.model = container.NewBorder(widget.NewForm(
		widget.NewFormItem("Network", d.host.FileRow(d.network, ".onnx")),
		widget.NewFormItem("Names of its classes", d.host.FileRow(d.names, ".txt", ".csv")),
	), nil, nil, nil, d.classes.object)
}

// ready shows the form.
func (d *masksDialog) ready() {
	d.sheet.Show(d.form, d.sheet.CloseButton("Close"), d.add)
	d.sheet.Drop = func(paths []string) {
		if d.byNetwork() {
			d.network.SetText(paths[0])
			return
		}
		d.folder.SetText(paths[0])
	}
}

func (d *masksDialog) byNetwork() bool { return d.way.Selected == d.way.Options[1] }

// chosen is the chosen suite, without labels and files. One is always chosen.
func (d *masksDialog) chosen() suite.Manifest {
	at := slices.IndexFunc(d.suites, func(m suite.Manifest) bool { return m.Hash == d.suite.hash() })
	return d.suites[max(0, at)]
}

// suiteChanged lists the mask sets of another suite, or of the same after a change; the newest is
// shown.
func (d *masksDialog) suiteChanged() {
	if d.form == nil {
		return
	}
	hash := d.chosen().Hash
	background.Load(d.host.Work, &d.reading, "mask sets", func(context.Context) ([]store.MaskSet, error) { return d.ws.MaskSets(hash) },
		func(sets []store.MaskSet, err error) {
			if err != nil {
				d.host.Fail(err)
				return
			}
			slices.Reverse(sets)
			d.sets, d.shown = sets, ""
			if len(sets) > 0 {
				d.shown = sets[0].Hash
			}
			d.showSets()
			d.changed()
		})
}

// showSets lists the mask sets, each with ways to look at it and to remove it.
func (d *masksDialog) showSets() {
	d.list.RemoveAll()
	if len(d.sets) == 0 {
		d.list.Add(wrapped("This suite has no masks yet: nothing says what its foregrounds are."))
	}
	const most = 4 // further ones are old
	for _, set := range d.sets[:min(most, len(d.sets))] {
		name := widget.NewLabel(maskTitle(set))
		name.Truncation = fyne.TextTruncateEllipsis
		look := widget.NewButtonWithIcon("", theme.VisibilityIcon(), func() {
			d.shown = set.Hash
			d.look()
		})
		remove := widget.NewButtonWithIcon("", theme.DeleteIcon(), func() { d.askRemove(set) })
		d.list.Add(container.NewBorder(nil, nil, nil, container.NewHBox(look, remove), name))
	}
	if n := len(d.sets) - most; n > 0 {
		d.list.Add(widget.NewLabel(present.ByCount(n, "and %d older one", "and %d older ones", n)))
	}
	d.form.Refresh()
}

// maskTitle says what a mask set is: what made it, how many there are, and since when.
func maskTitle(set store.MaskSet) string {
	made := set.Made
	if made == "files" {
		made = "files"
	}
	return fmt.Sprintf("%s: %s, %s", result.Counted(len(set.Files), "mask"), made, set.Added.Local().Format("2006-01-02 15:04"))
}

// changed says what would be added, or what is missing, and shows it.
func (d *masksDialog) changed() {
	if d.form == nil {
		return
	}
	visible(d.files, !d.byNetwork())
	visible(d.model, d.byNetwork())
	if d.byNetwork() {
		d.add.SetText("Make and add")
		d.lookAtNetwork()
		own.Enable(d.add, d.rt != nil && len(d.classes.chosen) > 0 && d.looked == d.network.Text+"\n"+d.names.Text)
	} else {
		d.add.SetText("Add")
		own.Enable(d.add, len(kit.Paths(d.folder.Text)) == 1)
		if folder := kit.Paths(d.folder.Text); len(folder) == 1 {
			d.shown = ""
		}
		d.say(fmt.Sprintf("Each of the %s images needs a picture in the folder: its path and name with the ending .png, its size, white for foreground, black for the rest.",
			result.Whole(d.chosen().Images)), false)
	}
	d.look()
}

// look shows a mask set, or the files of the folder.
func (d *masksDialog) look() {
	ask := maskAsk{suite: d.chosen().Hash, set: d.shown}
	if folder := kit.Paths(d.folder.Text); d.shown == "" && !d.byNetwork() && len(folder) == 1 {
		ask.folder = folder[0]
	}
	d.preview.show(ask)
}

// lookAtNetwork finds the classes of the network.
func (d *masksDialog) lookAtNetwork() {
	path, names := kit.Path(d.network.Text), kit.Path(d.names.Text)
	key := d.network.Text + "\n" + d.names.Text
	switch {
	case d.rt == nil:
		d.say(sentence(engine.ErrNoRuntime), true)
		return
	case path == "":
		d.looking.Next()
		d.looked = ""
		d.classes.offer(nil)
		d.say("Choose a segmentation network: any ONNX file with a score per class and pixel.", false)
		return
	case key == d.looked:
		d.looking.Next()
		d.sayClasses()
		return
	}
	d.say("looking at the network …", false)
	background.Load(d.host.Work, &d.looking, "look at network", func(context.Context) ([]string, error) {
		given, err := scenes.ReadNames(names)
		if err != nil {
			return nil, err
		}
		return scenes.ElementsOf(d.rt, path, given)
	}, func(classes []string, err error) {
		d.classes.offer(classes)
		if err != nil {
			d.looked = ""
			d.say(sentence(err), true)
			return
		}
		d.looked = key
		d.changed()
	})
}

func (d *masksDialog) sayClasses() {
	if len(d.classes.chosen) == 0 {
		d.say("Choose the classes that are foreground.", false)
		return
	}
	d.say(fmt.Sprintf("Foreground is where the network finds %s.", strings.Join(d.classes.list(), ", ")), false)
}

func (d *masksDialog) say(text string, warn bool) {
	d.summary.Importance = widget.MediumImportance
	if warn {
		d.summary.Importance = widget.WarningImportance
	}
	d.summary.SetText(text)
}

// bring adds masks.
func (d *masksDialog) bring() {
	if d.byNetwork() {
		d.cut()
		return
	}
	of, folder, inside := d.chosen().Hash, kit.Paths(d.folder.Text)[0], d.inside.Checked
	d.sheet.Work("Add masks", func(ctx context.Context, p *background.Progress) error {
		_, err := d.ws.AddMasks(ctx, of, folder, inside, p)
		return err
	}, d.ended)
}

// ended goes back to the form, with what was wrong if anything was.
func (d *masksDialog) ended(err error) {
	if d.sheet.Closed() {
		if err != nil && !cancelled(err) {
			d.host.Fail(err)
		}
		return
	}
	d.ready()
	switch {
	case cancelled(err):
		d.say("It was stopped; nothing was added.", true)
	case err != nil:
		d.say(sentence(err), true)
	default:
		d.folder.SetText("")
		d.suiteChanged()
		d.host.Say(fmt.Sprintf("masks of %s added", d.chosen().Name))
	}
}

// classPicker chooses classes of a network by name.
type classPicker struct {
	all     []string
	chosen  map[string]bool
	filter  *own.Entry
	group   *widget.CheckGroup
	object  *fyne.Container
	changed func()
	quiet   bool
}

func newClassPicker(changed func()) *classPicker {
	p := &classPicker{chosen: map[string]bool{}, filter: own.NewEntry(), changed: changed}
	p.filter.SetPlaceHolder("filter classes")
	p.filter.OnChanged = func(string) { p.show() }
	p.group = widget.NewCheckGroup(nil, p.toggled)
	p.object = container.NewBorder(p.filter, nil, nil, nil, container.NewVScroll(p.group))
	return p
}

// offer offers classes; those that were chosen stay so where they are still there.
func (p *classPicker) offer(classes []string) {
	p.all = classes
	for name := range p.chosen {
		if !slices.Contains(classes, name) {
			delete(p.chosen, name)
		}
	}
	p.show()
}

// show shows the classes that have the filter's words.
func (p *classPicker) show() {
	var options, selected []string
	for _, name := range p.all {
		if strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSpace(p.filter.Text))) {
			options = append(options, name)
			if p.chosen[name] {
				selected = append(selected, name)
			}
		}
	}
	p.quiet = true
	p.group.Options, p.group.Selected = options, selected
	p.group.Refresh()
	p.quiet = false
}

func (p *classPicker) toggled(selected []string) {
	if p.quiet {
		return
	}
	for _, name := range p.group.Options {
		delete(p.chosen, name)
	}
	for _, name := range selected {
		p.chosen[name] = true
	}
	p.changed()
}

// list are the chosen classes in the network's order.
func (p *classPicker) list() []string {
	var list []string
	for _, name := range p.all {
		if p.chosen[name] {
			list = append(list, name)
		}
	}
	return list
}

// atLeast gives its object at least a width.
type atLeast struct{ width float32 }

// Layout implements fyne.Layout.
func (atLeast) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (l atLeast) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	return fyne.NewSize(max(l.width, least.Width), least.Height)
}
