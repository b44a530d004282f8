package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/render"
)

// pageText is the template of the HTML file. Everything that comes from a workspace goes through it
// and is escaped for the place where it stands; the page's own policy forbids scripts and anything
// from a network.
//
//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"contents": contents, "looks": func(dark bool) template.CSS { return looks[dark] },
}).Parse(pageText))

// HTML writes the document as one HTML file that needs no other.
func (d *Document) HTML(w io.Writer) error { return page.Execute(w, d) }

// pageScale is how large figures are on the page, measured by their size in files.
const pageScale = 0.85

// pageColours replace the colours of files by those of the page, which are others on dark ground;
// looks are those of render.Looks for a light and a dark one.
var pageColours, looks = coloursOfPage()

func coloursOfPage() (*strings.Replacer, map[bool]template.CSS) {
	pairs := []string{
		"#FFFFFF", "var(--ground)", "#222222", "var(--ink)", "#DDDFE2", "var(--grid)",
		"#00E5FF", "var(--under)", "#FF2D78", "var(--over)",
	}
	hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }
	css := map[bool]template.CSS{}
	for k, look := range append(slices.Clone(render.Looks), render.Crosses) {
		if slices.Contains(pairs, hex(look.Light)) {
			continue
		}
		pairs = append(pairs, hex(look.Light), fmt.Sprintf("var(--s%d)", k))
		css[false] += template.CSS(fmt.Sprintf("--s%d: %s; ", k, hex(look.Light)))
		css[true] += template.CSS(fmt.Sprintf("--s%d: %s; ", k, hex(look.Dark)))
	}
	return strings.NewReplacer(pairs...), css
}

// SVG is the figure as a part of the page.
func (f Figure) SVG() (template.HTML, error) {
	var file strings.Builder
	if err := f.Write(&file, "svg"); err != nil {
		return "", err
	}
	_, content, _ := strings.Cut(file.String(), "<svg")
	_, content, _ = strings.Cut(content, ">")
	if content = strings.ReplaceAll(content, "xlink:href", "href"); !f.OwnColours {
		content = pageColours.Replace(content)
	}
	width, height := f.Size()
	const points, pixels = 72 / 25.4, pageScale * 96 / 25.4
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %.2f %.2f" width="%.0f" height="%.0f" role="img" aria-label="%s">`,
		width*points, height*points, width*pixels, height*pixels, template.HTMLEscapeString(f.Alt)) + content), nil
}
