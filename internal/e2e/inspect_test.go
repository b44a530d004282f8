package e2e

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestDrillDown goes from a cell of a matrix to the images behind it, leaves the first one out, and
// comes back by undo.
func TestDrillDown(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(2)
	w := d.start(workspace)
	w.open(modelName(1))
	w.tap("Images")
	w.tapCell()
	delta, images := w.ranking(0)
	w.tapWidget("*kit.wallCard", 0) // the matrix shows whether it has the keyboard
	before := w.matrix()
	w.shot("drill-down")

	w.again("an excluded image", func() { w.tapWidget("*kit.wallCard", 0); w.key("x") },
		func() bool { return w.seen("1 excluded") })
	if without, _ := w.ranking(images - 1); without == delta {
		t.Errorf("without the image that contributes most delta is %s as before", without)
	}
	if !w.soon(func() bool { return !bytes.Equal(w.matrix(), before) }) {
		t.Error("the matrix looks as before although an image was left out")
	}
	w.goes("ctrl+z", "none excluded")
	if back, _ := w.ranking(images); back != delta {
		t.Errorf("after undo delta is %s, before %s", back, delta)
	}
	if !w.soon(func() bool { return bytes.Equal(w.matrix(), before) }) {
		t.Error("undo has not brought the matrix back")
	}
	w.goes("ctrl+y", "1 excluded")
	w.close()

	w = d.start(workspace)
	w.goes("ctrl+2", "1 excluded")
	w.shows(modelName(1))
	w.opens("1 excluded", "Include all again")
	w.opens("Include all again", "none excluded")
	w.tap("Images")
	w.tapCell()
	if back, _ := w.ranking(images); back != delta {
		t.Errorf("after reopening and including delta is %s, before %s", back, delta)
	}
	w.close()
}

// tapCell clicks on a point of the first matrix away from its diagonal until the images behind it
// are there.
func (w *window) tapCell() {
	w.t.Helper()
	w.hits("the images behind a cell", nth("*widget.Heatmap", 0), share(0.5, 0.3), func() bool {
		return w.rankingTitle() != nil
	})
}

var rankingTitle = regexp.MustCompile(`between \S+ and \S+: δ = (\S+) from (\d+) images`)

// rankingTitle are the parts of what the pane of images says about the cell, nil while it says
// nothing. Its text is wrapped: each line is a text of its own.
func (w *window) rankingTitle() []string {
	var lines []string
	for _, n := range w.screen() {
		if n.Text != "" {
			lines = append(lines, strings.TrimSpace(n.Text))
		}
	}
	return rankingTitle.FindStringSubmatch(strings.Join(lines, " "))
}

// ranking is what the pane of images says about the cell, once it says it of so many images, and
// says the same twice; 0 is any number.
func (w *window) ranking(of int) (delta string, images int) {
	w.t.Helper()
	last := ""
	w.until(fmt.Sprintf("%d images behind a cell", of), patience, func() bool {
		m := w.rankingTitle()
		if m == nil {
			return false
		}
		same := m[0] == last
		last, delta, images = m[0], m[1], atoi(m[2])
		return same && (of == 0 || of == images)
	})
	return delta, images
}

// matrix is the picture of the first matrix with the pointer away from it.
func (w *window) matrix() []byte {
	w.t.Helper()
	w.tool("mousemove", "--window", w.id, "5", "790")
	time.Sleep(500 * time.Millisecond)
	m, ok := nth("*widget.Heatmap", 0)(w.calm())
	if !ok {
		w.t.Fatal("there is no matrix")
	}
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

// TestCompareAndReport checks two models on the Models screen, compares them with a difference,
// saves the figure, and writes reports of them from the menu.
func TestCompareAndReport(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(3)
	w := d.start(workspace)
	w.tap(modelName(0))
	w.key("space", "Down", "Down", "space")
	w.opens("More", "Compare (2 to 4)")
	w.opens("Compare (2 to 4)", modelName(0)+" - "+modelName(2))
	w.opens("Swap", modelName(2)+" - "+modelName(0))
	w.shows("difference, with its own symmetric range")
	w.until("three matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) == 3 })
	w.shot("compare")
	w.saves(named("Save…"), "One figure as SVG")
	if figures, _ := filepath.Glob(filepath.Join(d.home, "*.svg")); len(figures) != 1 {
		t.Errorf("figures written: %v, want one", figures)
	}

	w.menu("Report")
	w.tick("PDF")
	w.shot("report")
	w.tap("Write report")
	w.shows("Report written")
	w.closes("Close")
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
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) ||
		!bytes.Contains(pdf[max(len(pdf)-64, 0):], []byte("%%EOF")) {
		d.t.Errorf("no whole PDF beside the page: %v, %d bytes", err, len(pdf))
	}
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
