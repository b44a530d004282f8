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
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// fileSide is the most pixels of a side of a file's picture.
const fileSide = 512

// sight shows one image of a suite as its file has it beside what a model gets of it, first as a
// picture, then as numbers, made by the code of a run.
type sight struct {
	*kit.Screen[struct{}, seen]
	store   Store
	suite   suite.Manifest
	want    func() (model.Model, error) // the model as it is corrected so far
	image   int
	typing  jobs.Latest // what is typed
	answers int         // that were shown

	before, after                      *widget.HintButton
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
	lost    error // why there is no image
}

func newSight(host *kit.Host, from Store, of suite.Manifest, want func() (model.Model, error)) *sight {
	p := &sight{store: from, suite: of, want: want}
	label := func(cut bool) *fynewidget.Label {
		l := fynewidget.NewLabel("")
		if l.Wrapping = fyne.TextWrapWord; cut {
			l.Wrapping, l.Truncation = fyne.TextWrapOff, fyne.TextTruncateEllipsis
		}
		return l
	}
	p.name, p.fileText, p.modelText, p.problem, p.words, p.form = label(true), label(false), label(false), label(false),
		label(false), label(false)
	for _, l := range []*fynewidget.Label{p.fileText, p.modelText} {
		l.Alignment, l.SizeName = fyne.TextAlignCenter, theme.SizeNameCaptionText
	}
	p.words.SizeName = theme.SizeNameCaptionText
	p.problem.Importance = fynewidget.WarningImportance
	p.numbers = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
	p.numbers.SizeName, p.numbers.Truncation = theme.SizeNameCaptionText, fyne.TextTruncateEllipsis
	p.before = host.IconButton(theme.NavigateBackIcon(), "The image before", func() { p.step(-1) })
	p.after = host.IconButton(theme.NavigateNextIcon(), "The next image", func() { p.step(1) })
	p.file, p.model = kit.NewFrame(150), kit.NewFrame(150)
	p.missing = kit.NewMissingImages(host.Locate)
	p.given = container.NewBorder(nil, p.modelText, nil, nil, p.model)
	pair := container.NewGridWithColumns(2, container.NewBorder(nil, p.fileText, nil, nil, p.file),
		container.NewStack(p.given, p.problem))
	top := container.NewVBox(container.NewBorder(nil, nil, container.NewHBox(p.before, p.after), nil, p.name),
		p.missing.Object())
	p.problem.Hide()
	widget.Enable(p.before, of.Images > 1)
	widget.Enable(p.after, of.Images > 1)
	p.Screen = kit.New(kit.Screen[struct{}, seen]{
		Host: host, Name: "Read an image", Doing: "Reading an image…", Key: "inspect.sight", Quiet: true, Paced: true,
		Load: p.load, On: []store.ChangeKind{store.SuiteChanged}, // its images may have been located
		Body: container.NewBorder(top, container.NewVBox(p.words, p.form, p.numbers), nil, nil, pair), Show: p.show,
	})
	return p
}

// step goes to another image, round at the ends.
func (p *sight) step(by int) {
	p.image = (p.image + by + p.suite.Images) % p.suite.Images
	p.Changed()
}

// typed draws anew when nothing more is typed.
func (p *sight) typed() {
	jobs.LoadTyped(p.Work, &p.typing, "wait for more that is typed", func(context.Context) (struct{}, error) {
		return struct{}{}, nil
	}, func(struct{}, error) { p.Changed() })
}

// load gives the model as it is asked now the image; one that was read already is not read again.
func (p *sight) load(struct{}) kit.Work[seen] {
	m, refused := p.want()
	have, _ := p.Data()
	at := p.image
	return func(ctx context.Context, _ engine.Progress) (s seen, err error) {
		if s.decoded = have.decoded; !have.there || have.at != at {
			if s.decoded, s.lost = p.open(ctx, at); s.lost != nil {
				return s, ctx.Err()
			}
		}
		if s.problem = refused; refused == nil {
			s.problem = s.give(m, p.suite)
		}
		return s, nil
	}
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

// show puts an answer into the widgets.
func (p *sight) show(s seen) {
	p.answers++
	p.missing.Show(s.lost, p.suite.Hash)
	p.name.SetText(s.name)
	p.file.SetPicture(s.file)
	p.fileText.SetText("")
	if s.there {
		p.fileText.SetText(fmt.Sprintf("the file: %d × %d, %s", s.pixels.Height, s.pixels.Width,
			colours(s.pixels.Channels)))
	}
	p.problem.SetText("")
	if s.problem != nil {
		p.problem.SetText(present.Sentence(s.problem))
	}
	widget.Show(p.problem, s.problem != nil)
	well := s.lost == nil && s.problem == nil
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
	p.Body.Refresh()
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
