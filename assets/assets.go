// Package assets holds what is embedded in the program: the icon, the guideline texts that a new
// round starts with, and the demo's models and images (drawn by a program; no foreign data).
package assets

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// Icon is the application's icon, a 512 x 512 PNG.
//
//go:embed icon.png
var Icon []byte

// VarianceGuideline and BackgroundGuideline are the Markdown texts that a new round of that kind
// starts with, of two and of three classes (spec/guideline.md); Guideline has both kinds for both
// numbers of classes.
var (
	//go:embed guideline/variance.md
	VarianceGuideline string
	//go:embed guideline/background.md
	BackgroundGuideline string
	//go:embed guideline/borderline.md
	borderline string
)

// Guideline is the Markdown text that a new round starts with: of variance matrices, or about
// backgrounds, with 2 or 3 classes. With three it says what borderline is, with two it does not
// speak of it.
func Guideline(background bool, classes int) string {
	switch {
	case background && classes == 2:
		text := strings.Replace(BackgroundGuideline, "Three classes.", "Two classes.", 1)
		return strings.Replace(text, "**Borderline**: in between, or the two positions disagree.",
			"In between, or where the two positions disagree, take the nearer one and press *unsure*.", 1)
	case background:
		return BackgroundGuideline
	case classes == 3:
		return strings.Replace(VarianceGuideline, "Otherwise call it **variant**.", strings.TrimSpace(borderline), 1)
	}
	return VarianceGuideline
}

//go:embed scenes/models scenes/models.csv scenes/targets scenes/masks scenes/backgrounds
//go:embed scenes/keywords.csv scenes/context scenes/labels scenes/signals
var scenes embed.FS

// Demo is the demo's folder: models.csv, models/ID.onnx, and the test suite targets/CLASS/NAME.png
// with classes.txt; for background invariance the targets' masks/CLASS/NAME.png,
// backgrounds/NAME.png, keywords.csv, which lists all of these images, and the context networks
// context/seg.onnx and scene.onnx with their classes in labels/elements.txt and scenes.txt;
// signals/ID has signals of a model that were computed when the program was made (store/demo reads
// and writes them). The images are single files, because tests and scripts take the folder as it
// lies in the repository; a thousand more of them cost a build a tenth of a second, once.
func Demo() fs.FS {
	folder, err := fs.Sub(scenes, "scenes")
	if err != nil {
		panic("assets: the embedded scenes are missing: " + err.Error()) // cannot happen in a program that was built
	}
	return folder
}

//go:embed studies/*.toml
var studies embed.FS

// Studies are the names of the studies that come with the program, one for each paper.
func Studies() []string { return []string{"ml4ml", "background", "ei", "laf", "dscore"} }

// Study is the study file of this name.
func Study(name string) (string, error) {
	text, err := studies.ReadFile("studies/" + strings.ToLower(name) + ".toml")
	if err != nil {
		return "", fmt.Errorf("there is no study %s; the program has %s", name, strings.Join(Studies(), ", "))
	}
	return string(text), nil
}
