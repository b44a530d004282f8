package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"image"
	"image/png"
	"io"
	"strconv"
	"strings"
)

// pageText is the template of the HTML file. Everything that comes from a workspace goes through it and is escaped for
// the place where it stands; the page's own policy forbids scripts and anything from a network.
//
//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"unit":     unit,
	"span":     func(from, to float64) string { return unit(to - from) },
	"points":   pointText,
	"data":     dataURL,
	"class":    cellClass,
	"contents": contents,
}).Parse(pageText))

// HTML writes the document as one HTML file that needs no other.
func (d *Document) HTML(w io.Writer) error { return page.Execute(w, d) }

// unit writes a length with at most two decimals.
func unit(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func pointText(list []Point) string {
	parts := make([]string, len(list))
	for k, p := range list {
		parts[k] = unit(p.X) + "," + unit(p.Y)
	}
	return strings.Join(parts, " ")
}

// dataURL is trusted as a URL: it is made here of a picture that was drawn here.
func dataURL(img *image.RGBA) (template.URL, error) {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, enlarge(img, 160)); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes())), nil
}

// enlarge repeats the elements of a small square picture, so that viewers which smooth pictures do so at the edges of
// its elements only.
func enlarge(img *image.RGBA, least int) *image.RGBA {
	n := img.Rect.Dx()
	if n != img.Rect.Dy() || n == 0 || n >= least {
		return img
	}
	times := (least + n - 1) / n
	big := image.NewRGBA(image.Rect(0, 0, n*times, n*times))
	for y := range n * times {
		for x := range n * times {
			big.SetRGBA(x, y, img.RGBAAt(x/times, y/times))
		}
	}
	return big
}

func cellClass(c Column) string {
	switch {
	case c.Number:
		return "number"
	case c.Code:
		return "code"
	}
	return ""
}

// contents are the sections that the list at the top leads to: the parts where there are several, else all.
func contents(d *Document) []Section {
	var parts []Section
	for _, s := range d.Sections {
		if s.Level == 1 {
			parts = append(parts, s)
		}
	}
	if len(parts) > 1 {
		return parts
	}
	return d.Sections
}
