package render

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func mosaic() Mosaic {
	return Mosaic{
		Title: "Hard images", XName: "models by rank", YName: "images", Note: "3 models, 2 images",
		Rows: []string{"#12", "#7"}, Columns: []string{"m1", "m2", "m3"},
		Kinds: []Group{{Name: "right", Colour: color.RGBA{0x00, 0x72, 0xb2, 0xff}}, {Name: "wrong", Colour: color.RGBA{0xd5, 0x5e, 0x00, 0xff}}},
		Cells: [][]int{{0, 1, -1}, {1, 1, 0}},
	}
}

func TestMosaicFormats(t *testing.T) {
	for _, format := range Formats() {
		var first, second bytes.Buffer
		if err := mosaic().Write(&first, format); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if err := mosaic().Write(&second, format); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: equal figures give different bytes (%v)", format, err)
		}
	}
	var svg bytes.Buffer
	if err := mosaic().Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Hard images", "#12", "m3", "right", "wrong", "models by rank", "3 models, 2 images"} {
		if !strings.Contains(svg.String(), text) {
			t.Errorf("%q is not in the figure", text)
		}
	}
}

// A cell has the colour of its kind, and as many cells as there are of each kind are drawn.
func TestMosaicColours(t *testing.T) {
	var out bytes.Buffer
	if err := mosaic().Write(&out, "png"); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			count[color.RGBAModel.Convert(img.At(x, y))]++
		}
	}
	m := mosaic()
	right, wrong := count[m.Kinds[0].Colour], count[m.Kinds[1].Colour]
	if right == 0 || float64(wrong)/float64(right) < 1.2 || float64(wrong)/float64(right) > 1.6 {
		t.Errorf("%d pixels of 2 right cells, %d of 3 wrong ones", right, wrong)
	}
}

func TestMosaicOfManyModels(t *testing.T) {
	m := mosaic()
	m.Rows, m.Columns, m.Cells = nil, make([]string, 165), nil
	for r := range 100 {
		m.Rows = append(m.Rows, strings.Repeat("x", r%3+1))
		m.Cells = append(m.Cells, make([]int, 165))
	}
	var svg bytes.Buffer
	if err := m.Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(svg.String(), ">161<") {
		t.Error("many columns are not counted")
	}
}

func TestMosaicRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Mosaic){
		"no cells":   func(m *Mosaic) { m.Rows, m.Cells = nil, nil },
		"no columns": func(m *Mosaic) { m.Columns = nil },
		"names":      func(m *Mosaic) { m.Rows = m.Rows[:1] },
		"short row":  func(m *Mosaic) { m.Cells[1] = m.Cells[1][:2] },
		"kind":       func(m *Mosaic) { m.Cells[0][0] = 2 },
		"below":      func(m *Mosaic) { m.Cells[0][0] = -2 },
	} {
		m := mosaic()
		spoil(&m)
		if err := m.Write(&bytes.Buffer{}, "svg"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
