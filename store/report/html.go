package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// pageText is the template of the HTML file. Everything that comes from a workspace goes through it
// and is escaped for the place where it stands; the page's own policy forbids scripts and anything
// from a network.
//
//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"contents": contents}).Parse(pageText))

// HTML writes the document as one HTML file that needs no other.
func (d *Document) HTML(w io.Writer) error { return page.Execute(w, d) }

// pageScale is how large figures are on the page, measured by their size in files.
const pageScale = 0.85

// pageColours replace the colours of files by those of the page, which are others on dark ground.
var pageColours = strings.NewReplacer("#FFFFFF", "var(--ground)", "#222222", "var(--ink)",
	"#0072B2", "var(--s0)", "#D55E00", "var(--s1)", "#009E73", "var(--s2)", "#CC79A7", "var(--s3)",
	"#56B4E9", "var(--s4)", "#E69F00", "var(--s5)", "#505050", "var(--s6)", "#8C564B", "var(--s7)",
	"#00E5FF", "var(--under)", "#FF2D78", "var(--over)")

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
