package dialogs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// augmentAsk is what the dialog of augmentation asks for.
type augmentAsk struct {
	Suite string  `label:"Training suite" help:"The suite whose images are padded." source:"suites"`
	P     float64 `label:"p" help:"Probability with which an image is padded, and share of its size that is added." min:"0" max:"1"`
	Seed  uint64  `help:"Seed of what is drawn." default:"1" min:"1"`
}

// ShownP is a probability as the form shows it.
func ShownP(p float64) string { return result.Number.Say(p, 4) }

// AugmentDialog offers the augmentation that a score recommends: it shows what becomes of training
// images, and saves the recipe for other programs, or an augmented training set. Version is the
// program's, for what is saved.
func AugmentDialog(host *kit.Host, ws *store.Workspace, version string, of dscore.Diagnosis) {
	d := &augmentDialog{host: host, ws: ws, version: version, diagnosis: of}
	host.Quietly("augmentation dialog", func() (err error) {
		if d.all, err = ws.Suites(); err == nil && len(d.all) == 0 {
			err = errors.New("there is no suite to augment; import the training images first")
		}
		return err
	}, d.open)
}

type augmentDialog struct {
	host      *kit.Host
	ws        *store.Workspace
	version   string
	diagnosis dscore.Diagnosis
	all       []suite.Manifest // without labels and files
	ask       *kit.Ask[augmentAsk]
	preview   *augmentPreview
}

func (d *augmentDialog) open() {
	form := &kit.Form[augmentAsk]{
		Host: d.host, Own: d.part, OnChange: func(augmentAsk) { d.preview.look() },
		Choices: func(string) ([]kit.Option, string) { return SuiteOptions(d.all), d.training() },
		Trees:   suiteTree(d.all),
	}
	d.preview = newAugmentPreview(d.host, d.ws, form.Options, func() {
		put(form, "seed", strconv.FormatUint(form.Options().Seed+1, 10))
	})
	d.ask = &kit.Ask[augmentAsk]{
		Title: fmt.Sprintf("Augmentation for %s", d.diagnosis.Model.ID), Button: "Save augmented set…", Leave: "Close",
		Size: fyne.NewSize(1100, 680), Form: form, Do: d.askFiles,
		Above: own.Wrapped(d.recommendation()), Beside: d.preview.object, Says: d.sizesText, Warn: d.warning,
		More:  []kit.Button[augmentAsk]{{Text: "Save recipe…", Do: d.saveRecipe}},
		Start: func(f *kit.Form[augmentAsk]) { put(f, "p", result.Number.Write(d.diagnosis.Score.P)) },
	}
	d.ask.Open()
	d.preview.look()
}

// part makes what asks for p. The recommended p is shown rounded, which stands for all its digits.
func (d *augmentDialog) part(name string, take func(string)) kit.Part {
	if name != "p" {
		return kit.Part{}
	}
	entry, exact := widget.NewEntry(), d.diagnosis.Score.P
	meant := func(text string) string {
		if text = strings.TrimSpace(text); text == ShownP(exact) {
			return result.Number.Write(exact)
		}
		return strings.Replace(text, ",", ".", 1)
	}
	entry.OnChanged = func(text string) { take(meant(text)) }
	button := widget.NewButton("Recommended", func() { entry.SetText(ShownP(exact)) })
	return kit.Part{Object: container.NewBorder(nil, nil, nil, button, entry), Show: func(text string) {
		p, _ := strconv.ParseFloat(text, 64) // it is what the form has
		if typed, err := strconv.ParseFloat(meant(entry.Text), 64); err == nil && typed == p {
			return
		}
		if p == exact {
			text = ShownP(exact)
		}
		entry.SetText(text)
	}}
}

// recommendation says where p comes from.
func (d *augmentDialog) recommendation() string {
	score := d.diagnosis.Score
	text := fmt.Sprintf("On %s, v_robust is %s and at most g(%d) = %s: p = %s is recommended.", d.diagnosis.SuiteName,
		ShownP(score.Robust), score.Grid, ShownP(score.Bound), ShownP(score.P))
	if slices.Contains(score.Flags, dscore.AboveBound) {
		text = fmt.Sprintf("On %s, v_robust is %s, above g(%d) = %s: p = 1 is recommended.", d.diagnosis.SuiteName,
			ShownP(score.Robust), score.Grid, ShownP(score.Bound))
	}
	return text + "\n" +
		("Each training image is padded with probability p, at a place that is drawn, and resized back. " +
			"So a network learns to look for its features everywhere.")
}

// training is the suite that is offered first: one of images and classes like the tested ones,
// other images than those, and by its name those for training.
func (d *augmentDialog) training() string {
	test := suiteOf(d.all, d.diagnosis.Suite)
	best, points := "", -1
	for _, m := range d.all {
		now := 0
		if m.Shape == test.Shape && len(m.Classes) == len(test.Classes) {
			now += 8
		}
		if !d.tested(m) {
			now += 4
		}
		if strings.Contains(strings.ToLower(m.Name), "train") {
			now += 2
		}
		if m.Derived == nil {
			now++
		}
		if now > points {
			best, points = m.Hash, now
		}
	}
	return best
}

// tested tells whether a suite has the images that the score was measured on.
func (d *augmentDialog) tested(m suite.Manifest) bool {
	return d.images(m.Hash) == d.images(d.diagnosis.Suite)
}

// images is the suite that holds the images of one, itself or the one that it is made from.
func (d *augmentDialog) images(hash string) string {
	if m := suiteOf(d.all, hash); m.Derived != nil {
		return m.Derived.Of
	}
	return hash
}

// warning says when the training suite is the test suite.
func (d *augmentDialog) warning(o augmentAsk) string {
	m := suiteOf(d.all, o.Suite)
	if !d.tested(m) {
		return ""
	}
	return fmt.Sprintf("%s has the images that the score was measured on. "+
		"Train on others, or the next score says nothing.", m.Name)
}

// sizesText says how large padded images are, and how the padding is shared.
func (d *augmentDialog) sizesText(o augmentAsk) (string, error) {
	r, err := d.augmentation(o)
	if err != nil || r.Height == 0 {
		return "The images have several sizes: each is padded to 1 + p times its own.", nil
	}
	high, wide := r.Height+r.TotalHeight, r.Width+r.TotalWidth
	size := fmt.Sprintf("d = (1 + p) × %d = %s: images of %d × %d pixels become %d × %d before they are resized back.",
		r.Width, result.Digits((1+o.P)*float64(r.Width), 5), r.Width, r.Height, wide, high)
	return size + "\n" +
		fmt.Sprintf("The left and the right share %s, the top and the bottom %s; all shares are equally likely.",
			result.Counted(r.TotalWidth, "pixel"), result.Counted(r.TotalHeight, "pixel")), nil
}

// augmentation is what is done to the images of the training suite; without a height where they
// have several sizes.
func (d *augmentDialog) augmentation(o augmentAsk) (dscore.Recipe, error) {
	shape := suiteOf(d.all, o.Suite).Shape
	if shape == [3]int{} {
		return dscore.Recipe{P: o.P}, nil
	}
	return dscore.NewRecipe(shape[1], shape[2], o.P)
}

// recipeOf is what is saved for other programs.
func (d *augmentDialog) recipeOf(o augmentAsk) (augmented.Recipe, error) {
	augmentation, err := d.augmentation(o)
	of := d.diagnosis
	return augmented.Recipe{
		Model: of.Model.ID, Suite: of.SuiteName, Grid: of.N, T: of.T, Mask: of.Mask, Shift: of.Shift,
		Accuracies: of.Accuracies, Score: of.Score, Augmentation: augmentation, Seed: o.Seed,
	}, err
}

func (d *augmentDialog) saveRecipe(_ *kit.Dialog, o augmentAsk) {
	recipe, err := d.recipeOf(o)
	if err != nil {
		d.host.Fail(err)
		return
	}
	saver := d.host.Saver()
	saver.Closed = nil // the keyboard stays in this dialog
	saver.Ask(figures.FileName("json", "recipe", recipe.Model), func(w io.Writer) error {
		return augmented.WriteRecipe(w, recipe)
	})
}

// askFiles asks where an augmented set is saved.
func (d *augmentDialog) askFiles(sheet *kit.Dialog, o augmentAsk) {
	recipe, err := d.recipeOf(o)
	if err != nil {
		d.host.Fail(err)
		return
	}
	m := suiteOf(d.all, o.Suite)
	text := fmt.Sprintf("A guided set is a folder “%s” with each of %s of %s once, for other programs; how each was "+
		"changed is written beside them. Values are rounded to 8 bits.", augmented.FolderName(m.Name, o.P, o.Seed),
		result.Counted(m.Images, "image"), m.Name)
	(&kit.Ask[augmented.Files]{
		In: sheet, Back: d.ask.Again, Button: "Save", Below: own.Wrapped(text), Job: "Save augmented set",
		Stopped: "Saving was cancelled; the sets that are whole are there.",
		Form:    &kit.Form[augmented.Files]{Host: d.host, Hide: []string{"train"}},
		Start: func(f *kit.Form[augmented.Files]) {
			put(f, "augment", beside(d.ws.Path(), d.ws.Name()+"-augmented"))
			if m.Format == suite.IDX && m.Shape[0] == 1 {
				put(f, "layout", string(imageset.IDX))
			}
		},
		Ready: func(files augmented.Files) (string, bool) {
			return "Save", files.Augment != "" && len(files.Methods) > 0
		},
		Run: func(ctx context.Context, files augmented.Files, p *jobs.Progress) (kit.Done, error) {
			return d.write(ctx, o, files, &recipe, p)
		},
	}).Open()
}

// write saves augmented sets of the training suite.
func (d *augmentDialog) write(ctx context.Context, o augmentAsk, files augmented.Files, from *augmented.Recipe,
	p *jobs.Progress,
) (came kit.Done, err error) {
	s, err := d.ws.OpenSuiteContext(ctx, o.Suite)
	if err != nil {
		return came, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	p.SetTotal(int64(len(files.Methods) * s.Len()))
	var lines []string
	for _, method := range files.Methods {
		set := augmented.Options{
			Out: files.Augment, Format: imageset.Format(files.Format), Method: method, Seed: o.Seed,
			Version: d.version, From: from,
		}
		changed := "changed"
		if method == augmented.Guided {
			set.P, changed = o.P, "padded"
		}
		one, err := augmented.Write(ctx, s, set, progress.Part{Progress: p})
		if err != nil {
			return came, err
		}
		lines = append(lines, fmt.Sprintf("%s: %s, %s of them %s%s", filepath.Base(one.Folder),
			result.Counted(one.Images, "image"), result.Whole(one.Padded), changed, alreadyThere(one.There)))
		folder := one.Folder
		if len(lines) > 1 {
			folder = filepath.Dir(folder)
		}
		title := "Saved " + result.Counted(len(lines), "augmented set")
		came = kit.Done{
			Said: title + ", in " + folder, Title: title, Text: strings.Join(lines, "\n"), Paths: []string{folder},
		}
	}
	return came, nil
}

// How many images a preview of augmentation shows, and how many beside each other.
const augmentImages, augmentColumns = 12, 3

// augmentAsked is what a preview of augmentation is of.
type augmentAsked struct {
	suite  string
	p      float64
	seed   uint64
	padded bool // show images that are padded where there are any
	page   int
}

// augmentedImage is one image as it is and as it becomes.
type augmentedImage struct {
	before, after image.Image
	padding       region.Padding
	padded        bool
}

// augmentShown is a preview that can be shown.
type augmentShown struct {
	images        []augmentedImage
	seed          uint64
	padded, total int // of the suite's images
}

// augmentSome makes a preview: images as an augmented set has them, spread over the suite.
func augmentSome(ctx context.Context, ws imageSource, ask augmentAsked) (shown augmentShown, err error) {
	shown.seed = ask.seed
	choose := func(n int) []int {
		shown.total, shown.padded = n, augmented.Count(ask.p, ask.seed, n)
		list := spread(augmentImages, ask.page)(n)
		if ask.padded && shown.padded > 0 {
			list = paddedOnes(list, n, ask)
		}
		return list
	}
	err = eachImage(ctx, ws, ask.suite, choose, func(_ *suite.Suite, i int, img suite.Image) error {
		out, padding, padded, err := augmented.Image(ask.p, ask.seed, i, img)
		shown.images = append(shown.images, augmentedImage{img.RGBA(), out.RGBA(), padding, padded})
		return err
	})
	return shown, err
}

// paddedOnes moves each image of a list on to the next one of n that is padded; none comes twice.
func paddedOnes(list []int, n int, ask augmentAsked) (found []int) {
	used := map[int]bool{}
	for _, start := range list {
		for step := range n {
			i := (start + step) % n
			if !used[i] && augmented.Padded(ask.p, ask.seed, i) {
				used[i] = true
				found = append(found, i)
				break
			}
		}
	}
	return found
}

// augmentPreview shows training images before and after.
type augmentPreview = preview[augmentAsked, augmentShown]

// newAugmentPreview calls again for another draw.
func newAugmentPreview(host *kit.Host, ws imageSource, form func() augmentAsk, again func()) *augmentPreview {
	only := widget.NewCheck("Padded images only", nil)
	only.Checked = true
	p := &augmentPreview{
		host: host, name: "preview of augmentation", draw: augmentShown.draw,
		load: func(ctx context.Context, ask augmentAsked) (augmentShown, error) { return augmentSome(ctx, ws, ask) },
		want: func(page int) augmentAsked {
			o := form()
			return augmentAsked{suite: o.Suite, p: o.P, seed: o.Seed, padded: only.Checked, page: page}
		},
	}
	only.OnChanged = func(bool) { p.look() }
	p.build(widget.NewLabel("Preview: before, after"), only, widget.NewButton("Draw again", again))
	return p
}

func (shown augmentShown) draw() (pictures fyne.CanvasObject, note string) {
	grid := container.NewGridWithColumns(augmentColumns)
	for _, one := range shown.images {
		arrow, room := canvas.NewText("→", theme.Color(theme.ColorNameForeground)),
			canvas.NewText("→", color.Transparent)
		pair := container.NewGridWithColumns(2, container.NewBorder(nil, nil, nil, arrow,
			newPreviewPicture(one.before)),
			container.NewBorder(nil, nil, nil, room, newPreviewPicture(one.after))) // both are of one size
		text := "not padded"
		if p := one.padding; one.padded {
			text = fmt.Sprintf("top %d, bottom %d, left %d, right %d", p.Top, p.Bottom, p.Left, p.Right)
		}
		grid.Add(container.NewBorder(nil, small(text), nil, nil, pair))
	}
	return grid, fmt.Sprintf("With seed %d, %s of %s are padded.", shown.seed, result.Whole(shown.padded),
		result.Counted(shown.total, "image"))
}
