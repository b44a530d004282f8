package dialogs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// masksAsk is what the dialog of masks asks for: where masks come from.
type masksAsk struct {
	Suite   string   `help:"The suite whose foregrounds masks are of." source:"suites"`
	From    string   `label:"Add masks" help:"Masks are files that were made elsewhere, or are made of what a network finds." enum:"files,network" names:"files in a folder|by a segmentation network" default:"files"`
	Folder  string   `help:"Folder of the masks, found by the images' names." type:"existingdir" placeholder:"DIR" when:"from=files"`
	Copy    bool     `label:"copy them into the workspace" help:"Without it they are read where they are." when:"from=files"`
	Network string   `help:"Segmentation network: any ONNX file with a score per class and pixel." type:"existingfile" placeholder:"FILE.onnx" when:"from=network"`
	Names   string   `label:"Names of its classes" help:"Text file with a name a line, or a table." type:"existingfile" placeholder:"those that the network's file has" when:"from=network"`
	Classes []string `label:"Foreground" help:"Classes of the network that are foreground." sep:"none" when:"from=network"`
}

func (o masksAsk) byNetwork() bool { return o.From == "network" }

// network names the network with the names of its classes.
func (o masksAsk) network() string { return o.Network + "\n" + o.Names }

// MasksDialog brings masks of a suite's foregrounds in: files from a folder, or what a
// segmentation network finds of chosen classes; it lists the mask sets that are there, shows them,
// and removes them. suiteHash is the suite that is chosen first, "" for any. rt may be nil.
func MasksDialog(host *kit.Host, ws *store.Workspace, rt engine.Runtime, suiteHash string) {
	d := &masksDialog{host: host, ws: ws, rt: rt}
	host.Quietly("masks dialog", func() error {
		list, err := ws.Suites()
		d.suites = slices.DeleteFunc(list, func(m suite.Manifest) bool { return m.Derived != nil })
		if err == nil && len(d.suites) == 0 {
			err = errors.New("there is no test suite to mask; import one first")
		}
		return err
	}, func() { d.open(suiteHash) })
}

type masksDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	rt      engine.Runtime
	suites  []suite.Manifest // not made from others
	ask     *kit.Ask[masksAsk]
	last    masksAsk        // what is answered below
	shown   string          // the hash of the set that is shown; "" shows those of the folder
	list    *fyne.Container // the mask sets
	beside  *fyne.Container // the list above the preview
	classes []string        // of the network
	preview *maskPreview
	reading jobs.Latest
	looking jobs.Latest
	looked  string // the network that was looked at last
	wrong   error  // with it
}

func (d *masksDialog) open(first string) {
	if first == "" { // masks are those of targets, which have labels
		if i := slices.IndexFunc(d.suites, func(m suite.Manifest) bool { return len(m.Classes) > 0 }); i >= 0 {
			first = d.suites[i].Hash
		}
	}
	form := &kit.Form[masksAsk]{
		Host: d.host, OnChange: d.changed,
		Choices: func(string) ([]kit.Option, string) { return SuiteOptions(d.suites), first },
		Ticks:   map[string]func() []kit.Option{"classes": func() []kit.Option { return own.ByName(d.classes...) }},
	}
	d.list = container.NewVBox()
	d.preview = newMaskPreview(d.host, d.ws, func(page int) maskAsk {
		o := form.Options()
		ask := maskAsk{suite: o.Suite, set: d.shown, page: page}
		if d.shown == "" {
			ask.folder = o.Folder
		}
		return ask
	})
	d.beside = container.NewBorder(d.list, nil, nil, nil, d.preview.object)
	d.ask = &kit.Ask[masksAsk]{
		Title: "Masks", Leave: "Close", Size: fyne.NewSize(1060, 600), Form: form, Line: d.line, Do: d.bring,
		Beside: d.beside,
		Ready: func(o masksAsk) (string, bool) {
			if o.byNetwork() {
				return "Make and add", d.rt != nil && len(o.Classes) > 0 && d.looked == o.network() && d.wrong == nil
			}
			return "Add", o.Folder != ""
		},
	}
	d.ask.Open()
	d.changed(form.Options())
}

// changed lists the mask sets of another suite, shows the files of another folder, and looks at
// another network.
func (d *masksDialog) changed(o masksAsk) {
	before := d.last
	d.last = o
	if o.Folder != before.Folder && o.Folder != "" {
		d.shown = ""
	}
	if o.Suite != before.Suite {
		d.readSets()
		return
	}
	if o.byNetwork() && o.network() != before.network() && o.Network != "" && d.rt != nil {
		d.looked = ""
		jobs.Load(d.host.Work, &d.looking, "look at network", func(context.Context) ([]string, error) {
			given, err := scenes.ReadNames(o.Names)
			if err != nil {
				return nil, err
			}
			return scenes.ElementsOf(d.rt, o.Network, given)
		}, func(classes []string, err error) {
			d.looked, d.wrong, d.classes = o.network(), err, classes
			d.ask.Form.Offer()
			put(d.ask.Form, "classes",
				strings.Join(slices.DeleteFunc(slices.Clone(d.last.Classes), func(class string) bool {
					return !slices.Contains(classes, class) // those that were chosen stay so where they are there
				}), "\n"))
		})
	}
	d.preview.look()
}

// readSets lists the mask sets of the chosen suite; the newest is shown.
func (d *masksDialog) readSets() {
	hash := d.last.Suite
	jobs.Load(d.host.Work, &d.reading, "mask sets", func(context.Context) ([]store.MaskSet, error) {
		return d.ws.MaskSets(hash)
	}, func(sets []store.MaskSet, err error) {
		if err != nil {
			d.host.Fail(err)
			return
		}
		slices.Reverse(sets)
		d.shown = ""
		if len(sets) > 0 {
			d.shown = sets[0].Hash
		}
		d.list.RemoveAll()
		if len(sets) == 0 {
			d.list.Add(widget.NewLabel("This suite has no masks yet."))
		}
		const most = 4 // further ones are old
		for _, set := range sets[:min(most, len(sets))] {
			name := widget.NewLabel(maskTitle(set))
			name.Truncation = fyne.TextTruncateEllipsis
			look := d.host.IconButton(theme.VisibilityIcon(), "Show these masks", func() {
				d.shown = set.Hash
				d.preview.look()
			})
			remove := d.host.IconButton(theme.DeleteIcon(), "Remove these masks", func() { d.askRemove(set) })
			d.list.Add(container.NewBorder(nil, nil, nil, container.NewHBox(look, remove), name))
		}
		if n := len(sets) - most; n > 0 {
			d.list.Add(widget.NewLabel(present.ByCount(n, "and %d older one", "and %d older ones", n)))
		}
		d.list.Add(widget.NewSeparator())
		d.beside.Refresh() // the preview makes room
		d.preview.look()
	})
}

// maskTitle says what a mask set is: what made it, how many there are, and since when.
func maskTitle(set store.MaskSet) string {
	added := set.Added.Local().Format("2006-01-02 15:04")
	return fmt.Sprintf("%s: %s, %s", result.Counted(len(set.Files), "mask"), set.Made, added)
}

// askRemove asks before a mask set is removed. One that a selection rests on stays, which is said.
func (d *masksDialog) askRemove(set store.MaskSet) {
	text := fmt.Sprintf("Remove %s from the workspace?", maskTitle(set))
	if set.Inside != "" {
		text += " Their files lie in the workspace and go, too."
	}
	d.host.Confirm("Remove masks", text, "Remove", widget.HighImportance, func() {
		d.host.Work.Quiet("remove masks", func(context.Context) error { return d.ws.RemoveMasks(set.Hash) },
			func(err error) {
				if err != nil {
					d.ask.Refuse(err)
					return
				}
				d.readSets()
			})
	})
}

// line says what would be added, or what is missing.
func (d *masksDialog) line(o masksAsk) kit.Work[string] {
	text, err := "", error(nil)
	switch {
	case !o.byNetwork():
		text = fmt.Sprintf("Each of the %s images needs a picture in the folder: its path and name with the "+
			"ending .png, its size, white for foreground, black for the rest.",
			result.Whole(suiteOf(d.suites, o.Suite).Images))
	case d.rt == nil:
		err = engine.ErrNoRuntime
	case o.Network == "":
		text = "Choose a segmentation network: any ONNX file with a score per class and pixel."
	case d.looked != o.network():
		text = "looking at the network …"
	case d.wrong != nil:
		err = d.wrong
	case len(o.Classes) == 0:
		text = "Choose the classes that are foreground."
	default:
		text = fmt.Sprintf("Foreground is where the network finds %s.", strings.Join(o.Classes, ", "))
	}
	return func(context.Context, engine.Progress) (string, error) { return text, err }
}

// bring adds masks. Where a network finds the foregrounds, masks that cannot be used keep all of
// them out of the workspace: they stay in a folder then, to be drawn by hand.
func (d *masksDialog) bring(sheet *kit.Dialog, o masksAsk) {
	const nothing = "it was stopped; nothing was added"
	of := suiteOf(d.suites, o.Suite)
	added := kit.Done{Said: fmt.Sprintf("masks of %s added", of.Name), Show: func() {
		d.ask.Again()
		put(d.ask.Form, "folder", "")
		d.readSets()
	}}
	if !o.byNetwork() {
		d.ask.Try("Add masks", nothing, func(ctx context.Context, p *jobs.Progress) (kit.Done, error) {
			_, err := d.ws.AddMasks(ctx, o.Suite, o.Folder, o.Copy, p)
			return added, err
		})
		return
	}
	by := scenes.Segmenter{Network: o.Network, Classes: o.Classes, Names: d.classes}
	d.ask.Try("Make masks", nothing, func(ctx context.Context, p *jobs.Progress) (kit.Done, error) {
		stages := jobs.Stages{Progress: p}
		folder, err := freeFolder(beside(d.ws.Path(), d.ws.Name()+"-masks"))
		if err != nil {
			return added, err
		}
		whole, err := d.ws.Suite(o.Suite)
		if err != nil {
			return added, err
		}
		made, err := scenes.MasksFromSegmentation(ctx, d.ws, d.rt, by, whole, folder, stages)
		if err != nil {
			return added, err
		}
		if useless := uselessMasks(made); useless != "" {
			return kit.Done{
				Failed: fmt.Errorf("masks of suite %s, in %s: %s", of.Name, folder, strings.TrimSuffix(useless, ".")),
				Show:   func() { d.askUseless(sheet, useless, folder) },
			}, nil
		}
		_, err = scenes.AddMade(ctx, d.ws, by, whole, folder, stages)
		return added, errors.Join(err, durable.DeleteAll(folder))
	})
}

// freeFolder is a folder of that name which is not there yet, with a number where needed. The
// error is for a place that cannot be looked at.
func freeFolder(name string) (string, error) {
	for n := 1; ; n++ {
		at := name
		if n > 1 {
			at = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			return at, nil
		} else if err != nil {
			return "", err
		}
	}
}

// uselessMasks says which images have masks that cannot be used, "" for none.
func uselessMasks(made scenes.MasksMade) string {
	var parts []string
	found := []string{"the network finds none of these classes", "it finds nothing else"}
	for k, names := range [][]string{made.Empty, made.Full} {
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf("In %s of %s %s: %s.", result.Whole(len(names)),
				result.Counted(made.Masks, "image"), found[k], result.Some(names)))
		}
	}
	return strings.Join(parts, " ")
}

// askUseless says what was wrong with some masks, and what can be done.
func (d *masksDialog) askUseless(sheet *kit.Dialog, useless, folder string) {
	path := widget.NewEntry()
	path.SetText(folder)
	text := useless + " No foreground can be taken from such masks, so none was added. All masks lie in this " +
		"folder: draw those by hand, white for foreground, and read the folder; or choose other classes; or leave " +
		"these images out of the suite."
	read := widget.NewButton("Read this folder", func() {
		d.ask.Again()
		put(d.ask.Form, "from", "files")
		put(d.ask.Form, "copy", "true")
		put(d.ask.Form, "folder", folder)
	})
	again := widget.NewButton("Discard and choose again", func() {
		d.host.Work.Quiet("discard masks", func(context.Context) error { return durable.DeleteAll(folder) },
			func(err error) {
				if err != nil && !errors.Is(err, jobs.ErrClosed) {
					d.host.Fail(err)
				}
			})
		d.ask.Again()
	})
	sheet.Show(titled("Some masks cannot be used", container.NewVBox(own.Wrapped(text), path)),
		sheet.CloseButton("Close"), again, read)
}

// maskedImages is how many images the preview of masks shows.
const maskedImages = 6

// maskAsk is what masks are shown of: a set of a suite, or the files of a folder; neither shows
// the images alone.
type maskAsk struct {
	suite, set, folder string
	page               int
}

// masked is an image with its mask.
type masked struct {
	caption string
	picture image.Image
}

// maskPreview shows some images of a suite, what lies outside of the foreground darkened.
type maskPreview = preview[maskAsk, []masked]

func newMaskPreview(host *kit.Host, ws *store.Workspace, want func(page int) maskAsk) *maskPreview {
	p := &maskPreview{
		host: host, name: "preview of masks", want: want,
		load: func(ctx context.Context, ask maskAsk) ([]masked, error) { return maskSome(ctx, ws, ask) },
		draw: func(list []masked) (fyne.CanvasObject, string) {
			grid := container.NewGridWithColumns(3)
			for _, m := range list {
				grid.Add(container.NewBorder(nil, small(m.caption), nil, nil, newPreviewPicture(m.picture)))
			}
			return grid, ""
		},
	}
	p.build(widget.NewLabel("Foregrounds"))
	return p
}

// maskSome reads some images with their masks. Errors name the file of a mask that is missing or
// wrong.
func maskSome(ctx context.Context, ws *store.Workspace, ask maskAsk) (list []masked, err error) {
	var set *scenes.Masks
	if ask.set != "" {
		record, err := ws.MaskSet(ask.set)
		if err != nil {
			return nil, err
		}
		if set, err = scenes.OpenMasks(ctx, ws, record); err != nil {
			return nil, err
		}
	}
	some := spread(maskedImages, ask.page)
	err = eachImage(ctx, ws, ask.suite, some, func(s *suite.Suite, i int, img suite.Image) (err error) {
		var mask bg.Mask // without one the image is shown as it is
		switch {
		case set != nil:
			mask, err = set.Mask(i, img.Height, img.Width)
		case ask.folder != "":
			mask, err = scenes.ReadMask(ask.folder, scenes.MaskFile(s.Name(i)), img.Height, img.Width)
		}
		picture := img.RGBA()
		for at, foreground := range mask.Set {
			if x, y := at%mask.Width, at/mask.Width; !foreground {
				dark := color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y / 4
				picture.SetRGBA(x, y, color.RGBA{R: dark, G: dark, B: dark, A: 255})
			}
		}
		list = append(list, masked{path.Base(s.Name(i)), picture})
		return err
	})
	return list, err
}
