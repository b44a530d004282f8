package dialogs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"maps"
	"os"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// guidelineEditor is a guideline's markdown beside what it looks like, with a way to put pictures
// in.
type guidelineEditor struct {
	host     *kit.Host
	entry    *widget.Entry
	shown    *own.Guideline
	pictures map[string][]byte
	decoded  map[string]image.Image
	object   fyne.CanvasObject
}

// newGuidelineEditor makes an editor without text that tells every change of it.
func newGuidelineEditor(host *kit.Host, pictures map[string][]byte, tell func(text string)) *guidelineEditor {
	e := &guidelineEditor{
		host: host, entry: widget.NewMultiLineEntry(), shown: own.NewGuideline(330),
		pictures: map[string][]byte{}, decoded: map[string]image.Image{},
	}
	maps.Copy(e.pictures, pictures)
	e.entry.Wrapping = fyne.TextWrapWord
	e.entry.OnChanged = func(text string) {
		e.show()
		tell(text)
	}
	split := container.NewHSplit(e.entry, e.shown.Object())
	hint := widget.NewLabel("Markdown: **strong**, *slanted*, 1. lists.")
	hint.Importance = widget.LowImportance
	picture := container.NewHBox(widget.NewLabel("Put in a picture:"), host.BrowseFile(e.add, ".png", ".jpg", ".jpeg"))
	e.object = container.NewBorder(nil, container.NewBorder(nil, nil, picture, nil, hint), nil, nil, split)
	e.decode(pictures)
	return e
}

// set shows a text.
func (e *guidelineEditor) set(text string) {
	if e.entry.Text != text {
		e.entry.SetText(text)
	}
}

func (e *guidelineEditor) show() { e.shown.Show(e.entry.Text, e.decoded) }

// decode makes pictures of data, off the main goroutine, and shows them.
func (e *guidelineEditor) decode(data map[string][]byte) {
	if len(data) == 0 {
		return
	}
	var images map[string]image.Image
	e.host.Work.Quiet("read pictures", func(context.Context) error {
		images = own.DecodePictures(data)
		return nil
	}, func(error) {
		maps.Copy(e.decoded, images)
		e.show()
	})
}

// add puts a picture file at the end of the guideline.
func (e *guidelineEditor) add(path string) {
	var name string
	var data []byte
	e.host.Quietly("read picture", func() (err error) {
		name, data, err = readPicture(path)
		return err
	}, func() {
		e.pictures[name] = data
		e.decode(map[string][]byte{name: data})
		e.entry.SetText(strings.TrimRight(e.entry.Text, "\n") +
			fmt.Sprintf("\n\n![what the picture shows](%s)\n", name))
	})
}

// readPicture reads a PNG or JPEG file for a guideline. Its name there begins with the hash of its
// data, so that the text says which picture was in force.
func readPicture(path string) (name string, data []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if info.Size() > label.MaxPictures {
		return "", nil, fmt.Errorf("picture %s has %s; make it smaller, a guideline holds %s", path,
			result.Bytes.Say(float64(info.Size()), 0), result.Bytes.Say(label.MaxPictures, 0))
	}
	if data, err = outside.Read(path, outside.Picture); err != nil {
		return "", nil, err
	}
	format, err := own.PictureFormat(data)
	if err != nil {
		return "", nil, fmt.Errorf("picture %s cannot be used: %w", path, err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]) + "." + format, data, nil
}
