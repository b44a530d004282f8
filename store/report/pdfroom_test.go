package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/render"
)

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
