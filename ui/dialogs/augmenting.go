package dialogs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// AugmentForm is what is chosen of an augmentation.
type AugmentForm struct {
	P, Seed string
	// Recommended is the score's p; its rounded form, ShownP, stands for all its digits.
	Recommended float64
}

// ShownP is a probability as the form shows it.
func ShownP(p float64) string { return strconv.FormatFloat(p, 'f', 4, 64) }

// Values are the probability and the seed. Errors are for what is none.
func (f AugmentForm) Values() (p float64, seed uint64, err error) {
	text := strings.TrimSpace(f.P)
	if p, err = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64); err != nil || !(p >= 0 && p <= 1) {
		return 0, 0, fmt.Errorf("p %q is not a number from 0 to 1", f.P)
	}
	if text == ShownP(f.Recommended) {
		p = f.Recommended
	}
	if seed, err = strconv.ParseUint(strings.TrimSpace(f.Seed), 10, 64); err != nil || seed == 0 {
		return 0, 0, fmt.Errorf("seed %q is not a whole number from 1 on", f.Seed)
	}
	return p, seed, nil
}

// AugmentDialog offers the augmentation that a score recommends: it shows what becomes of training
// images, and saves the recipe for other programs, or an augmented training set. Version is the
// program's, for what is saved.
func AugmentDialog(host *kit.Host, ws *store.Workspace, version string, d dscore.Diagnosis) {
	var facts runFacts
	host.Work.Quiet("augmentation dialog", func(context.Context) (err error) {
		facts, err = gather(ws)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			host.Fail(err)
		case len(facts.suites) == 0:
			host.Fail(errors.New("there is no suite to augment; import the training images first"))
		default:
			(&augmentDialog{host: host, ws: ws, version: version, diagnosis: d, all: facts.suites}).open()
		}
	})
}

type augmentDialog struct {
	host         *kit.Host
	ws           *store.Workspace
	version      string
	diagnosis    dscore.Diagnosis
	all          []suite.Manifest // without labels and files
	sheet        *kit.Dialog
	suites       *suiteMenu
	p, seed      *widget.Entry
	sizes        *widget.Label // of the padded images
	warning      *widget.Label
	preview      *augmentPreview
	recipe, save *widget.Button
	content      fyne.CanvasObject
}

func (d *augmentDialog) open() {
	d.sheet = d.host.NewDialog(fmt.Sprintf("Augmentation for %s", d.diagnosis.Model.ID), fyne.NewSize(1100, 680))
	d.recipe = widget.NewButton("Save recipe…", d.saveRecipe)
	d.save = widget.NewButton("Save augmented set…", d.askFiles)
	d.save.Importance = widget.HighImportance
	d.preview = newAugmentPreview(d.host, d.ws, d.show, d.drawAgain)
	d.suites = newSuiteMenu(d.all, d.training(), d.changed)
	d.p, d.seed = widget.NewEntry(), widget.NewEntry()
	d.p.SetText(ShownP(d.diagnosis.Score.P))
	d.seed.SetText("1")
	d.p.OnChanged = func(string) { d.changed() }
	d.seed.OnChanged = d.p.OnChanged
	d.sizes, d.warning = wrapped(""), wrapped("")
	d.warning.Importance = widget.WarningImportance
	d.content = newColumns(container.NewVScroll(d.form()), d.preview.object)
	d.ready()
	d.sheet.Present(nil)
	d.changed()
}

// wrapped is a label of as many lines as its text needs.
func wrapped(text string) *widget.Label {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	return label
}

// ready shows the form, at first and after the way back from saving.
func (d *augmentDialog) ready() {
	d.sheet.Show(d.content, d.sheet.CloseButton("Close"), d.recipe, d.save)
}

func (d *augmentDialog) form() fyne.CanvasObject {
	recommended := widget.NewButton("Recommended", func() { d.p.SetText(ShownP(d.diagnosis.Score.P)) })
	return container.NewVBox(
		wrapped(d.recommendation()),
		widget.NewForm(
			widget.NewFormItem("Training suite", d.suites.menu),
			widget.NewFormItem("p", container.NewBorder(nil, nil, nil, recommended, d.p)),
			widget.NewFormItem("Seed", d.seed),
		),
		d.sizes, d.warning,
	)
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
	return text + "\n" + ("Each training image is padded with probability p, at a place that is drawn, and resized back. " +
		"So a network learns to look for its features everywhere.")
}

// training is the suite that is offered first: one of images and classes like the tested ones,
// other images than those, and by its name those for training.
func (d *augmentDialog) training() string {
	var test suite.Manifest
	for _, m := range d.all {
		if m.Hash == d.diagnosis.Suite {
			test = m
		}
	}
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
	for _, m := range d.all {
		if m.Hash == hash && m.Derived != nil {
			return m.Derived.Of
		}
	}
	return hash
}

// chosen is the training suite, without labels and files. One is always chosen.
func (d *augmentDialog) chosen() suite.Manifest {
	at := slices.IndexFunc(d.all, func(m suite.Manifest) bool { return m.Hash == d.suites.hash() })
	return d.all[max(0, at)]
}

func (d *augmentDialog) values() (p float64, seed uint64, err error) {
	return AugmentForm{P: d.p.Text, Seed: d.seed.Text, Recommended: d.diagnosis.Score.P}.Values()
}

// changed says what would be made and shows it.
func (d *augmentDialog) changed() {
	if d.content == nil {
		return
	}
	p, _, err := d.values()
	d.sizes.Importance = widget.MediumImportance
	if err != nil {
		d.sizes.Importance = widget.WarningImportance
		d.sizes.SetText(sentence(err))
	} else {
		d.sizes.SetText(d.sizesText(p))
	}
	d.warn()
	own.Enable(d.recipe, err == nil)
	own.Enable(d.save, err == nil)
	d.show()
}

// warn says when the training suite is the test suite.
func (d *augmentDialog) warn() {
	if m := d.chosen(); d.tested(m) {
		d.warning.SetText(fmt.Sprintf("%s has the images that the score was measured on. Train on others, or the next score says nothing.", m.Name))
		d.warning.Show()
		return
	}
	d.warning.Hide()
}

// sizesText says how large padded images are, and how the padding is shared.
func (d *augmentDialog) sizesText(p float64) string {
	r, err := d.augmentation(p)
	if err != nil || r.Height == 0 {
		return "The images have several sizes: each is padded to 1 + p times its own."
	}
	high, wide := r.Height+r.TotalHeight, r.Width+r.TotalWidth
	size := fmt.Sprintf("d = (1 + p) × %d = %s: images of %d × %d pixels become %d × %d before they are resized back.",
		r.Width, strconv.FormatFloat((1+p)*float64(r.Width), 'f', 2, 64), r.Width, r.Height, wide, high)
	return size + "\n" + fmt.Sprintf("The left and the right share %s, the top and the bottom %s; all shares are equally likely.",
		present.Counted(int64(r.TotalWidth), "pixel"), present.Counted(int64(r.TotalHeight), "pixel"))
}

// augmentation is what is done to the images of the training suite; without a height where they
// have several sizes.
func (d *augmentDialog) augmentation(p float64) (dscore.Recipe, error) {
	shape := d.chosen().Shape
	if shape == [3]int{} {
		return dscore.Recipe{P: p}, nil
	}
	return dscore.NewRecipe(shape[1], shape[2], p)
}

// show has the preview drawn of what is asked now.
func (d *augmentDialog) show() {
	if p, seed, err := d.values(); err == nil {
		d.preview.showOf(augmentAsk{suite: d.suites.hash(), p: p, seed: seed})
	}
}

// drawAgain takes the next seed.
func (d *augmentDialog) drawAgain() {
	if _, seed, err := d.values(); err == nil {
		d.seed.SetText(strconv.FormatUint(seed+1, 10))
	}
}

// recipeOf is what is saved for other programs.
func (d *augmentDialog) recipeOf() (augmented.Recipe, error) {
	p, seed, err := d.values()
	if err != nil {
		return augmented.Recipe{}, err
	}
	augmentation, err := d.augmentation(p)
	of := d.diagnosis
	return augmented.Recipe{
		Model: of.Model.ID, Suite: of.SuiteName, Grid: of.N, T: of.T, Mask: of.Mask, Shift: of.Shift,
		Accuracies: of.Accuracies, Score: of.Score, Augmentation: augmentation, Seed: seed,
	}, err
}

func (d *augmentDialog) saveRecipe() {
	recipe, err := d.recipeOf()
	if err != nil {
		d.host.Fail(err)
		return
	}
	saver := &figures.Saver{Window: d.host.Window, Work: d.host.Work, Status: d.host.Say, ShowError: d.host.Fail}
	saver.Ask(figures.FileName("json", "recipe", recipe.Model), func(w io.Writer) error { return augmented.WriteRecipe(w, recipe) })
}
