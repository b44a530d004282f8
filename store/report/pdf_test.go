package report

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

var (
	pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	pdfShown  = regexp.MustCompile(`(?s)\(((?:\\.|[^\\)])*)\) ?Tj`)
)

// pageTexts are the texts of a PDF's pages in the order in which they were written, each text in a line.
func pageTexts(tb testing.TB, file []byte) (pages []string) {
	tb.Helper()
	for _, found := range pdfStream.FindAllSubmatch(file, -1) {
		in, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue // fonts' tables are stored in other ways
		}
		content, err := io.ReadAll(in)
		if err != nil || !bytes.Contains(content, []byte("BT ")) {
			continue
		}
		var lines []string
		for _, shown := range pdfShown.FindAllSubmatch(content, -1) {
			lines = append(lines, decodeText(shown[1]))
		}
		pages = append(pages, strings.Join(lines, "\n"))
	}
	return pages
}

// decodeText undoes the escapes of a PDF string and reads it as UTF-16, which embedded fonts are addressed by.
func decodeText(raw []byte) string {
	var plain []byte
	for k := 0; k < len(raw); k++ {
		if raw[k] == '\\' && k+1 < len(raw) {
			k++
			if raw[k] == 'r' {
				plain = append(plain, '\r')
				continue
			}
		}
		plain = append(plain, raw[k])
	}
	var units []uint16
	for k := 0; k+1 < len(plain); k += 2 {
		units = append(units, uint16(plain[k])<<8|uint16(plain[k+1]))
	}
	return string(utf16.Decode(units))
}

// flat puts a text's lines into one, since paper breaks lines anywhere.
func flat(pages []string) string { return strings.Join(strings.Fields(strings.Join(pages, " ")), " ") }

func TestPDFHoldsWhatThePageHolds(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	d.labelAll(r)
	for _, q := range []Question{d.question(0), roundQuestion(r)} {
		report := d.make(q)
		file := pdfOf(t, report)
		if !bytes.HasPrefix(file, []byte("%PDF-1.")) || !bytes.Contains(file, []byte("%%EOF")) {
			t.Fatalf("no PDF: %.20q", file)
		}
		got := flat(pageTexts(t, file))
		for _, s := range report.Sections {
			expect(t, got, s.Title)
			for _, b := range s.Blocks {
				if facts, ok := b.(Facts); ok {
					for _, f := range facts {
						expect(t, squeezed(got), squeezed(f.Value))
					}
				}
			}
		}
		expect(t, got, report.Title, report.Written, "page 1 of ")
	}
}

// squeezed is a text without blanks: long words are broken over lines.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// Letters outside of Latin-1 come out as they are, and what the fonts lack as a square.
func TestPDFIsUnicode(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Name = "κ α δ ± × ° ≈ é ß Ж … – “ 中 😀 \u200f." })
	d.labelAll(r)
	got := flat(pageTexts(t, pdfOf(t, d.make(roundQuestion(r)))))
	expect(t, got, "Round κ α δ ± × ° ≈ é ß Ж … – “ □ □ .", "Krippendorff's α, nominal", "a and b: κ", "5 values from -10 to 10°")
	expect(t, flat(pageTexts(t, pdfOf(t, d.make(d.question(0))))), "8 × 8 pixels", "Half-width, δ²", "V: rotation (°)", "≈ ")
}

var (
	pdfImage = regexp.MustCompile(`q ([\d.]+) 0 0 ([\d.]+) ([\d.]+) ([\d.]+) cm BI /W (\d+) /H (\d+) /CS /RGB /BPC 8 /F /AHx ID ([0-9a-f]*)> EI Q`)
	pdfFrame = regexp.MustCompile(`([\d.]+) ([\d.]+) ([\d.]+) -([\d.]+) re S`)
)

// A picture lies inside of its frame, the right way up, with every element's colour.
func TestPDFPictures(t *testing.T) {
	m := measure{modality: "m", matrix: variance.Matrix{N: 3, Data: []float64{0, 0.1, 0.2, 0.1, 0, 0.3, 0.2, 0.3, 0}}, scale: render.Scale{High: 0.3}}
	d := &Document{Title: "x", date: written, Sections: []Section{{Title: "F", Level: 2, Blocks: []Block{Figures{{Drawing: matrixDrawing(m, testAxis)}}}}}}
	var images, frames [][][]byte
	for _, found := range pdfStream.FindAllSubmatch(pdfOf(t, d), -1) {
		in, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, pdfImage.FindAllSubmatch(content, -1)...)
		frames = append(frames, pdfFrame.FindAllSubmatch(content, -1)...)
	}
	if len(images) != 2 || len(frames) != 2 {
		t.Fatalf("%d images and %d frames", len(images), len(frames))
	}
	value := func(text []byte) float64 {
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for k := range images {
		wide, high, x, y := value(images[k][1]), value(images[k][2]), value(images[k][3]), value(images[k][4])
		fx, fy, fw, fh := value(frames[k][1]), value(frames[k][2]), value(frames[k][3]), value(frames[k][4])
		for _, off := range []float64{x - fx, y + high - fy, wide - fw, high - fh} {
			if math.Abs(off) > 0.05 {
				t.Errorf("image %d at %g, %g (%g x %g), its frame from the top at %g, %g (%g x %g)", k, x, y, wide, high, fx, fy, fw, fh)
				break
			}
		}
	}
	want := ""
	for _, v := range []float64{0.2, 0.3, 0, 0.1, 0, 0.3, 0, 0.1, 0.2} { // the last row is at the top
		c := m.scale.Color(v)
		want += fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B)
	}
	if got := string(images[0][7]); got != want {
		t.Errorf("colours %s, want %s", got, want)
	}
}

// A table that goes on over several pages has its head on each of them, every row once, and nothing below the foot.
func TestLongTablesBreakOverPages(t *testing.T) {
	table := Table{Columns: columns("Number#", "Name", "Hash%")}
	for k := range 200 {
		table.Rows = append(table.Rows, []string{strconv.Itoa(k), fmt.Sprintf("row-%03d", k), hashOf(strconv.Itoa(k))})
	}
	d := &Document{Title: "long", Written: "Written", date: written, Sections: []Section{{Title: "Table", Level: 2, Blocks: []Block{table}}}}
	d.number()
	pages := pageTexts(t, pdfOf(t, d))
	if len(pages) < 4 {
		t.Fatalf("%d pages", len(pages))
	}
	for k, page := range pages {
		expect(t, page, "Number\nName\nHash\n", fmt.Sprintf("page %d of %d", k+1, len(pages)))
	}
	all := strings.Join(pages, "\n")
	for k := range 200 {
		if n := strings.Count(all, fmt.Sprintf("row-%03d", k)); n != 1 {
			t.Errorf("row %d stands %d times", k, n)
		}
		expect(t, all, hashOf(strconv.Itoa(k)))
	}
}

// A note that is longer than a page goes on on the next one, whole.
func TestARowLongerThanAPage(t *testing.T) {
	var words []string
	for k := range 3000 {
		words = append(words, fmt.Sprintf("word%04d", k))
	}
	table := Table{Columns: columns("Model", "Note"), Rows: [][]string{{"s1", strings.Join(words, " ")}, {"s2", "short"}}}
	d := &Document{Title: "note", Written: "Written", date: written, Sections: []Section{{Title: "Notes", Level: 2, Blocks: []Block{table}}}}
	d.number()
	pages := pageTexts(t, pdfOf(t, d))
	if len(pages) < 3 {
		t.Fatalf("%d pages", len(pages))
	}
	expect(t, flat(pages), "word2999", "short")
	for _, word := range words {
		if !strings.Contains(pages[0]+pages[1]+strings.Join(pages[2:], ""), word) {
			t.Fatalf("%s is lost", word)
		}
	}
}

func TestWrap(t *testing.T) {
	p, err := newPaper(&Document{Title: "x", date: written})
	if err != nil {
		t.Fatal(err)
	}
	p.font(sans, "", 10)
	for _, text := range []string{
		"", "one", "one two three four five six seven", strings.Repeat("x", 200), "a " + strings.Repeat("long", 40) + " b", "first\nsecond\n\nfourth", "  spaces   everywhere ",
	} {
		lines := p.wrap(text, 30)
		for _, line := range lines {
			if w := p.GetStringWidth(line); w > 30 {
				t.Errorf("%q is %g wide", line, w)
			}
		}
		if squeezed(strings.Join(lines, " ")) != squeezed(text) {
			t.Errorf("%q became %q", text, lines)
		}
		if len(lines) == 0 {
			t.Errorf("%q has no line", text)
		}
	}
	if got := p.wrap("first\nsecond\n\nfourth", 30); !slices.Equal(got, []string{"first", "second", "", "fourth"}) {
		t.Errorf("line ends: %q", got)
	}
	if got := p.wrap("W", 0.1); !slices.Equal(got, []string{"W"}) {
		t.Errorf("a letter wider than the line: %q", got)
	}
}

func TestCommonLimit(t *testing.T) {
	for _, c := range []struct {
		widths []float64
		room   float64
		want   float64
	}{
		{[]float64{10, 20, 30}, 100, 100},
		{[]float64{10, 200, 300}, 100, 45},
		{[]float64{90, 90}, 100, 50},
		{[]float64{10, 20, 300}, 100, 70},
	} {
		if got := commonLimit(c.widths, c.room); got != c.want {
			t.Errorf("%v in %g: %g, want %g", c.widths, c.room, got, c.want)
		}
	}
}

// The contents of several models name the page on which each begins.
func TestContentsHavePageNumbers(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0, 1))
	pages := pageTexts(t, pdfOf(t, report))
	for k, page := range pages {
		for _, title := range []string{"Model s1", "Model s2"} {
			if k > 0 && strings.HasPrefix(strings.ReplaceAll(page, "\n", " "), title) {
				expect(t, pages[0], fmt.Sprintf("\n%d", k+1))
			}
		}
	}
	if !strings.HasPrefix(strings.ReplaceAll(pages[1], "\n", " "), "Model s1") {
		t.Errorf("page 2 begins %.40q", pages[1])
	}
}

// Writing a PDF leaves the document as it was.
func TestPDFChangesNoDocument(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	report := d.make(roundQuestion(r))
	before := htmlOf(t, report)
	pdfOf(t, report)
	if htmlOf(t, report) != before {
		t.Error("the page differs after the PDF was written")
	}
}
