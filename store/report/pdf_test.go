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
			if l.width > width && len([]rune(list[len(list)-1])) > 1 {
				t.Errorf("%q is %g wide", words, l.width)
			}
		}
		return list
	}
	for _, text := range []string{
		"", "one", "one two three four five six seven", strings.Repeat("x", 200),
		"a " + strings.Repeat("long", 40) + " b", "first\nsecond\n\nfourth", "  spaces   everywhere ",
	} {
		if got := lines(text, 30); squeezed(strings.Join(got, " ")) != squeezed(text) || len(got) == 0 {
			t.Errorf("%q became %q", text, got)
		}
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
