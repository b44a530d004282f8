package widget

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // guidelines show JPEG too
	_ "image/png"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
)

// GuidelinePart is a stretch of a guideline: markdown, or a picture with its caption.
type GuidelinePart struct {
	Text             string
	Picture, Caption string
}

var guidelinePicture = regexp.MustCompile(`!\[([^\]\n]*)\]\(([^)\s]+)\)`)

// GuidelineParts cuts a guideline's markdown at its pictures, ![caption](NAME).
func GuidelineParts(text string) []GuidelinePart {
	var parts []GuidelinePart
	add := func(text string) {
		if text = strings.Trim(text, "\r\n"); strings.TrimSpace(text) != "" {
			parts = append(parts, GuidelinePart{Text: text})
		}
	}
	from := 0
	for _, at := range guidelinePicture.FindAllStringSubmatchIndex(text, -1) {
		add(text[from:at[0]])
		parts = append(parts, GuidelinePart{Caption: text[at[2]:at[3]], Picture: text[at[4]:at[5]]})
		from = at[1]
	}
	add(text[from:])
	return parts
}

// MostPixels is how many pixels a guideline's picture may have: it may come from anybody, and few
// bytes can stand for very many of them.
const MostPixels = 16 << 20

// PictureFormat is the format of a picture for a guideline, "png" or "jpeg"; the error is for
// other data and for more than MostPixels.
func PictureFormat(data []byte) (string, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return "", fmt.Errorf("it is neither PNG nor JPEG: %w", err)
	case int64(config.Width)*int64(config.Height) > MostPixels:
		return "", fmt.Errorf("it has %d × %d pixels; at most %d million can be shown", config.Width, config.Height,
			MostPixels/1000000)
	}
	return format, nil
}

// DecodePictures decodes a guideline's pictures, off the main goroutine. One that cannot be
// decoded is left out, and the guideline says so in its place.
func DecodePictures(data map[string][]byte) map[string]image.Image {
	pictures := map[string]image.Image{}
	for name, content := range data {
		if _, err := PictureFormat(content); err != nil {
			continue
		}
		if _, err := suite.Decode(content); err != nil {
			continue // also one that takes too long
		}
		if img, _, err := image.Decode(bytes.NewReader(content)); err == nil {
			pictures[name] = img
		}
	}
	return pictures
}

// Guideline shows a guideline with its pictures, in a column that scrolls.
type Guideline struct {
	object *fyne.Container
	column *fyne.Container
	width  float32 // of pictures, at most
}

// NewGuideline makes an empty guideline whose pictures are at most so wide.
func NewGuideline(width float32) *Guideline {
	g := &Guideline{column: container.NewVBox(), width: width}
	// The room at the right is for list items, which Fyne breaks a little too late.
	padded := container.New(layout.NewCustomPaddedLayout(0, 0, 0, 14), g.column)
	g.object = container.NewStack(container.NewVScroll(padded))
	return g
}

// Object is what the screen shows.
func (g *Guideline) Object() fyne.CanvasObject { return g.object }

// Show puts a text with its pictures on the screen.
func (g *Guideline) Show(text string, pictures map[string]image.Image) {
	g.column.RemoveAll()
	for _, part := range GuidelineParts(text) {
		switch img, there := pictures[part.Picture]; {
		case part.Picture == "":
			g.column.Add(wrapped(part.Text))
		case !there:
			g.column.Add(wrapped(fmt.Sprintf("*The picture %s is not here.*", part.Picture)))
		default:
			g.column.Add(g.picture(img))
			if part.Caption != "" {
				g.column.Add(wrapped("*" + part.Caption + "*"))
			}
		}
	}
	g.object.Refresh()
}

// wrapped shows markdown without pictures. Fyne would read what an image names from the disk or
// the network, wherever the text comes from; one that GuidelineParts does not know stays as it was
// written.
func wrapped(markdown string) *widget.RichText {
	text := widget.NewRichTextFromMarkdown(strings.ReplaceAll(markdown, "![", `!\[`))
	text.Wrapping = fyne.TextWrapWord
	return text
}

// picture shows an image at its size, or as wide as the guideline.
func (g *Guideline) picture(img image.Image) fyne.CanvasObject {
	size := img.Bounds().Size()
	width := min(float32(size.X), g.width)
	shown := canvas.NewImageFromImage(img)
	shown.FillMode = canvas.ImageFillContain
	shown.SetMinSize(fyne.NewSize(width, width*float32(size.Y)/float32(max(size.X, 1))))
	return shown
}
