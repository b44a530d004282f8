package e2e

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestDrillDown goes from a cell of a matrix to the images behind it, leaves the first one out, and comes back by undo.
func TestDrillDown(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(2)
	w := d.start(workspace)
	w.tap(modelName(1))
	w.key("Return")
	w.tap("Images")
	w.at(w.cell())
	delta, images := w.ranking()
	before := w.matrix()
	w.shot("drill-down")

	first := w.firstCard()
	w.at(first.middle())
	w.key("x")
	w.shows("1 excluded")
	without, left := w.ranking()
	if left != images-1 || without == delta {
		t.Errorf("without the image that contributes most delta is %s from %d images, before %s from %d", without, left, delta, images)
	}
	if bytes.Equal(w.matrix(), before) {
		t.Error("the matrix looks as before although an image was left out")
	}
	w.key("ctrl+z")
	w.shows("none excluded")
	if back, n := w.ranking(); back != delta || n != images {
		t.Errorf("after undo delta is %s from %d images, before %s from %d", back, n, delta, images)
	}
	if !bytes.Equal(w.matrix(), before) {
		t.Error("undo has not brought the matrix back")
	}
	w.key("ctrl+y")
	w.shows("1 excluded")
	w.close()

	w = d.start(workspace)
	w.key("ctrl+2")
	w.shows(modelName(1))
	w.tap("1 excluded")
	w.tap("Include all again")
	w.shows("none excluded")
	w.tap("Images")
	w.at(w.cell())
	if back, n := w.ranking(); back != delta || n != images {
		t.Errorf("after reopening and including delta is %s from %d images, before %s from %d", back, n, delta, images)
	}
	w.close()
}

// cell is a point of the first matrix away from its diagonal.
func (w *window) cell() (x, y int) {
	w.t.Helper()
	w.until("matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > 0 })
	time.Sleep(500 * time.Millisecond) // their places follow the tabs below
	m := w.widgets("*widget.Heatmap")[0]
	return int(m.X + m.W*0.5), int(m.Y + m.H*0.3)
}

var rankingTitle = regexp.MustCompile(`between .*: δ = (\S+) from (\d+) images`)

// ranking is what the pane of images says about the cell, once it says the same twice.
func (w *window) ranking() (delta string, images int) {
	w.t.Helper()
	last := ""
	w.until("the images behind a cell", patience, func() bool {
		for _, n := range w.screen() {
			if m := rankingTitle.FindStringSubmatch(n.Text); m != nil {
				same := m[0] == last
				last, delta, images = m[0], m[1], atoi(m[2])
				return same
			}
		}
		return false
	})
	return delta, images
}

// firstCard is the card of the image that contributes most.
func (w *window) firstCard() node {
	w.t.Helper()
	w.until("cards of images", patience, func() bool { return len(w.widgets("*images.card")) > 0 })
	return w.widgets("*images.card")[0]
}

// matrix is the picture of the first matrix with the pointer away from it.
func (w *window) matrix() []byte {
	w.t.Helper()
	w.tool("mousemove", "--window", w.id, "5", "790")
	time.Sleep(500 * time.Millisecond)
	m := w.widgets("*widget.Heatmap")[0]
	picture := w.look(filepath.Join(w.home, "matrix.png"))
	area := image.Rect(int(m.X), int(m.Y), int(m.X+m.W), int(m.Y+m.H))
	var pixels []byte
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			pixels = append(pixels, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return pixels
}

// TestCompareAndReport checks two models on the Models screen, compares them with a difference, saves the figure, and writes
// reports of them from the menu.
func TestCompareAndReport(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(3)
	w := d.start(workspace)
	w.tap(modelName(0))
	w.key("space", "Down", "Down", "space")
	w.tap("More")
	w.tap("Compare (2 to 4)")
	w.shows(modelName(2))
	w.shows(modelName(0) + " - " + modelName(2))
	w.tap("Swap")
	w.shows(modelName(2) + " - " + modelName(0))
	w.shows("difference, with its own symmetric range")
	w.until("three matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) == 3 })
	w.shot("compare")
	w.tap("Save…")
	w.tap("One figure as SVG")
	w.tap("Save")
	w.shows("saved ")
	if figures, _ := filepath.Glob(filepath.Join(d.home, "*.svg")); len(figures) != 1 {
		t.Errorf("figures written: %v, want one", figures)
	}

	w.menu("Report")
	w.tap("PDF")
	w.tap("Write report")
	w.shows("Report written")
	w.tap("Close")
	w.close()
	d.checkReport(workspace)
}

// checkReport looks for a page and a PDF about two models beside the workspace.
func (d *desk) checkReport(workspace string) {
	d.t.Helper()
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(workspace), "*.*ml"))
	if len(found) != 1 {
		d.t.Fatalf("pages beside the workspace: %v, want one", found)
	}
	page, err := os.ReadFile(found[0])
	if err != nil {
		d.t.Fatal(err)
	}
	for _, want := range []string{modelName(0), modelName(2), "max@CONF", "<svg", "</html>"} {
		if !strings.Contains(string(page), want) {
			d.t.Errorf("%s does not hold %s", found[0], want)
		}
	}
	if strings.Contains(string(page), modelName(1)) {
		d.t.Errorf("%s is also about %s, which was not chosen", found[0], modelName(1))
	}
	pdf, err := os.ReadFile(strings.TrimSuffix(found[0], filepath.Ext(found[0])) + ".pdf")
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) || !bytes.Contains(pdf[max(len(pdf)-64, 0):], []byte("%%EOF")) {
		d.t.Errorf("no whole PDF beside the page: %v, %d bytes", err, len(pdf))
	}
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
