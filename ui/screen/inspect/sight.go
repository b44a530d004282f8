package inspect

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// fileSide is the most pixels of a side of a file's picture.
const fileSide = 512

// sight shows one image of a suite as its file has it beside what a model gets of it, first as a
// picture, then as numbers. One answer is computed at a time, in the background, by the code of a
// run.
type sight struct {
	host    *kit.Host
	store   Store
	suite   suite.Manifest
	want    func() (model.Model, error) // the model as it is corrected so far
	image   int
	read    decoded           // the image that was read last
	typing  background.Latest // what is typed
	latest  background.Latest
	pace    background.Pace
	closed  bool
	stop    func() // ends listening to the store
	answers int    // that were shown

	object                             fyne.CanvasObject
	before, after                      *fynewidget.Button
	name, fileText, modelText, problem *fynewidget.Label
	words, form, numbers               *fynewidget.Label
	file, model                        *kit.Frame
	missing                            *kit.MissingImages
	given                              *fyne.Container
}

// decoded is an image as it was read.
type decoded struct {
	there  bool
	at     int
	name   string
	pixels suite.Image
	file   image.Image
}

// seen is an image with what the model gets of it, or why that cannot be said.
type seen struct {
	decoded
	given   engine.Given
	picture image.Image
	table   string
	problem error
}

func newSight(host *kit.Host, from Store, of suite.Manifest, want func() (model.Model, error)) *sight {
	p := &sight{host: host, store: from, suite: of, want: want}
	label := func(cut bool) *fynewidget.Label {
		l := fynewidget.NewLabel("")
		if l.Wrapping = fyne.TextWrapWord; cut {
			l.Wrapping, l.Truncation = fyne.TextWrapOff, fyne.TextTruncateEllipsis
		}
		return l
	}
	p.name, p.fileText, p.modelText, p.problem, p.words, p.form = label(true), label(false), label(false), label(false), label(false), label(false)
	for _, l := range []*fynewidget.Label{p.fileText, p.modelText} {
		l.Alignment, l.SizeName = fyne.TextAlignCenter, theme.SizeNameCaptionText
	}
	p.words.SizeName = theme.SizeNameCaptionText
	p.problem.Importance = fynewidget.WarningImportance
	p.numbers = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
	p.numbers.SizeName, p.numbers.Truncation = theme.SizeNameCaptionText, fyne.TextTruncateEllipsis
	p.before = fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), func() { p.step(-1) })
	p.after = fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), func() { p.step(1) })
	p.file, p.model = kit.NewFrame(150), kit.NewFrame(150)
	p.missing = kit.NewMissingImages(host.Locate)
	p.given = container.NewBorder(nil, p.modelText, nil, nil, p.model)
	pair := container.NewGridWithColumns(2, container.NewBorder(nil, p.fileText, nil, nil, p.file), container.NewStack(p.given, p.problem))
	top := container.NewVBox(container.NewBorder(nil, nil, container.NewHBox(p.before, p.after), nil, p.name), p.missing.Object())
	p.object = container.NewBorder(top, container.NewVBox(p.words, p.form, p.numbers), nil, nil, pair)
	p.problem.Hide()
	p.name.SetText("reading …")
	widget.Enable(p.before, of.Images > 1)
	widget.Enable(p.after, of.Images > 1)
	p.stop = from.Subscribe(func(c store.Change) {
		if c.Kind == store.SuiteChanged {
			host.Work.Post(p.draw) // its images may have been located
		}
	})
	return p
}

// close drops what is still computed.
func (p *sight) close() {
	p.closed = true
	p.stop()
}

// step goes to another image, round at the ends.
func (p *sight) step(by int) {
	p.image = (p.image + by + p.suite.Images) % p.suite.Images
	p.draw()
}

// typed draws anew when nothing more is typed.
func (p *sight) typed() {
	background.LoadTyped(p.host.Work, &p.typing, "wait for more that is typed", func(context.Context) (struct{}, error) {
		return struct{}{}, nil
	}, func(struct{}, error) { p.draw() })
}

// draw shows the image under what is asked now. While another answer is computed it waits.
func (p *sight) draw() {
	if p.closed || !p.pace.Begin(p.draw) {
		return
	}
	m, refused := p.want()
	at, have := p.image, p.read
	background.Load(p.host.Work, &p.latest, "preview of a recipe", func(ctx context.Context) (s seen, err error) {
		if s.decoded = have; !have.there || have.at != at {
			if s.decoded, err = p.open(ctx, at); err != nil {
				return s, err
			}
		}
		if s.problem = refused; refused == nil {
			s.problem = s.give(m, p.suite)
		}
		return s, nil
	}, func(s seen, err error) {
		if !p.closed && !errors.Is(err, background.ErrClosed) {
			p.show(s, err)
		}
		p.pace.End()
	})
}

// open reads an image of the suite.
func (p *sight) open(ctx context.Context, at int) (r decoded, err error) {
	if p.suite.Images == 0 {
		return r, errors.New(evidence.Choose("", ""))
	}
	from, err := p.store.OpenSuiteContext(ctx, p.suite.Hash)
	if err != nil {
		return r, err
	}
	defer func() { _ = from.Close() }() // it was only read from
	img, err := from.Image(at)
	if err != nil {
		return r, fmt.Errorf("image %s: %w", from.Name(at), err)
	}
	return decoded{there: true, at: at, name: from.Name(at), pixels: img, file: picture.Bounded(img, fileSide)}, nil
}

// give is what a model gets of the image.
func (s *seen) give(m model.Model, of suite.Manifest) (err error) {
	if s.given, err = engine.Give(m, of, s.pixels); err != nil {
		return err
	}
	s.picture = s.given.Fitted.RGBA()
	var text strings.Builder
	err = engine.GivenChannels.Sheet(s.given.Channels()).Text(&text)
	s.table = strings.TrimRight(text.String(), "\n")
	return err
}

// show puts an answer into the widgets. err is why there is no image.
func (p *sight) show(s seen, err error) {
	p.read = s.decoded
	p.answers++
	p.missing.Show(err, p.suite.Hash)
	p.name.SetText(s.name)
	p.file.SetPicture(s.file)
	p.fileText.SetText("")
	if s.there {
		p.fileText.SetText(fmt.Sprintf("the file: %d × %d, %s", s.pixels.Height, s.pixels.Width, colours(s.pixels.Channels)))
	}
	p.problem.SetText("")
	if s.problem != nil {
		p.problem.SetText(present.Sentence(s.problem))
	}
	widget.Show(p.problem, s.problem != nil)
	well := err == nil && s.problem == nil
	widget.Show(p.given, well)
	words, form, numbers := "\n", "", strings.Repeat("\n", 3) // the room of what is not there
	if well {
		p.model.SetPicture(s.picture)
		p.modelText.SetText(s.sizes())
		words, form, numbers = "Recipe: "+s.given.Settings.Recipe.Words()+".", s.given.Form(), s.table
	}
	p.words.SetText(words)
	p.form.SetText(form)
	p.numbers.SetText(numbers)
	p.object.Refresh()
}

func colours(channels int) string {
	return map[bool]string{true: "gray", false: "color"}[channels == 1]
}

// sizes says how the picture became as large as the model takes: "the model: 224 × 224, color;
// resized to 256 × 341, cut".
func (s seen) sizes() string {
	f, r := s.given.Fitted, s.given.Resized
	text := fmt.Sprintf("the model: %d × %d, %s", f.Height, f.Width, colours(f.Channels))
	var did []string
	if r != [2]int{s.pixels.Height, s.pixels.Width} {
		did = append(did, fmt.Sprintf("resized to %d × %d", r[0], r[1]))
	}
	if f.Height < r[0] || f.Width < r[1] {
		did = append(did, "cut")
	}
	if f.Height > r[0] || f.Width > r[1] {
		did = append(did, "padded")
	}
	if len(did) == 0 {
		did = append(did, "not resized")
	}
	return text + "; " + strings.Join(did, ", ")
}
