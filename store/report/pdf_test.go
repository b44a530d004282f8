package report

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/internal/sums"
)

var (
	pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	pdfShown  = regexp.MustCompile(`(?s)\(((?:\\.|[^\\)])*)\) ?Tj`)
)

// pageTexts are the texts of a PDF's pages in the order in which they were written, each text in a
// line.
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

// decodeText undoes the escapes of a PDF string and reads it as UTF-16, which embedded fonts are
// addressed by.
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
	for _, q := range []Request{d.question(0), roundQuestion(r)} {
		report := d.make(q)
		before, file := htmlOf(t, report), pdfOf(t, report)
		if htmlOf(t, report) != before {
			t.Error("the page differs after the PDF was written")
		}
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
		expect(t, got, append(report.Lines, report.Title, "page 1 of ")...)
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
	expect(t, got, "Round κ α δ ± × ° ≈ é ß Ж … – “ □ □ .", "Krippendorff's alpha, nominal", "Cohen's kappa, a and b",
		"5 values from -10 to 10°")
	expect(t, flat(pageTexts(t, pdfOf(t, d.make(d.question(0))))), "1×8×8", "half-width, δ²", "V: rotation (°)")
}

// A table that goes on over several pages has its head on each of them, every row once, and nothing
// below the foot.
func TestLongTablesBreakOverPages(t *testing.T) {
	var rows [][]string
	for k := range 200 {
		rows = append(rows, []string{strconv.Itoa(k), fmt.Sprintf("row-%03d", k), sums.Hash(strconv.Itoa(k))})
	}
	table := tableOf("", []string{"Number#", "Name", "Hash%"}, rows...)
	d := &Document{
		Title: "long", date: written, Sections: []Section{{Title: "Table", Level: 2, Blocks: []Block{table}}},
	}
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
		expect(t, all, sums.Hash(strconv.Itoa(k)))
	}
}

// A note that is longer than a page goes on on the next one, whole.
func TestARowLongerThanAPage(t *testing.T) {
	var words []string
	for k := range 3000 {
		words = append(words, fmt.Sprintf("word%04d", k))
	}
	table := tableOf("", []string{"Model", "Note"}, []string{"s1", strings.Join(words, " ")}, []string{"s2", "short"})
	d := &Document{
		Title: "note", date: written, Sections: []Section{{Title: "Notes", Level: 2, Blocks: []Block{table}}},
	}
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

func TestLines(t *testing.T) {
	p := testPaper(t)
	lines := func(text string, width float64) (list []string) {
		for _, l := range p.lines(cell{width: width, runs: []Run{{Text: text}}, size: 10}) {
			var words []string
			for _, w := range l.words {
				words = append(words, w.text)
			}
			list = append(list, strings.Join(words, " "))
		}
		return list
	}
	for text, want := range map[string][]string{
		"first\nsecond\n\nfourth":        {"first", "second", "", "fourth"},
		"accuracy 96.6 % (95.1 %..98 %)": {"accuracy 96.6 %", "(95.1 %..98 %)"},
	} {
		if got := lines(text, 30); !slices.Equal(got, want) {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := lines("W", 0.1); !slices.Equal(got, []string{"W"}) {
		t.Errorf("a letter wider than the line: %q", got)
	}
}

// The contents of several models name the page on which each begins.
func TestContentsHavePageNumbers(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0, 1))
	pages := pageTexts(t, pdfOf(t, report))
	for _, title := range []string{"Model s1", "Model s2"} {
		at := slices.IndexFunc(pages, func(page string) bool {
			return strings.HasPrefix(strings.ReplaceAll(page, "\n", " "), title)
		})
		if at < 1 {
			t.Fatalf("no page begins with %s", title)
		}
		expect(t, pages[0], fmt.Sprintf("\n%d", at+1))
	}
}

// blocksOf are a block of every kind with n parts.
func blocksOf(n int) map[string]Block {
	var rows [][]string
	var facts Facts
	var figures Figures
	for k := range n {
		rows = append(rows, []string{fmt.Sprint(k), "1"})
		facts.add(fmt.Sprint(k), "a value")
		figures = append(figures, Figure{
			Drawing: render.Tiles(make([]render.Tile, 9), make([]string, 9)), Caption: "A caption",
		})
	}
	return map[string]Block{
		"table": tableOf("Caption", []string{"A", "B#"}, rows...), "facts": facts, "figures": figures,
		"text": Paragraph(Plain, strings.Repeat("several words in a row ", 6*n)),
	}
}

// TestNothingStandsAloneOnAPage begins a section at every height of a page: its heading, and one
// inside it, stand on the page of what follows, and the last page of a block holds two lines at
// least, the remark below it included.
func TestNothingStandsAloneOnAPage(t *testing.T) {
	p := testPaper(t)
	at := func(left float64, blocks ...Block) (section, page int, low float64) {
		p.newPage()
		p.y = left
		p.place(p.section(Section{Title: "Heading", Level: 2, Blocks: blocks}, 0, 0))
		return p.pages[0], p.PageNo(), p.y
	}
	inner, remark := Paragraph(Heading, "Inner"), Paragraph(Remark, "A remark.")
	for left := pageMargin; left < pageBottom; left += 1.7 {
		for name, block := range blocksOf(1) {
			if section, page, _ := at(left, block); section != page {
				t.Errorf("%s at %g mm: the heading stands on page %d, what follows on page %d",
					name, left, section, page)
			}
			if section, page, _ := at(left, inner, block); section != page {
				t.Errorf("%s at %g mm: the inner heading stands on page %d, what follows on page %d", name, left,
					section, page)
			}
		}
		for name, block := range blocksOf(7) {
			if section, page, low := at(left, block, remark); page > section && low < pageMargin+2*lineHeight(8)+2*gap {
				t.Errorf("%s at %g mm: the last page ends at %g mm", name, left, low)
			}
		}
	}
}
