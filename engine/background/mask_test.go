package background

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"reflect"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	testdata.OK(t, png.Encode(&b, img))
	return b.Bytes()
}

// row is a picture of one line with these colours.
func row(model color.Model, colours ...color.Color) image.Image {
	place := image.Rect(0, 0, len(colours), 1)
	var img interface {
		image.Image
		Set(x, y int, c color.Color)
	}
	switch model {
	case color.GrayModel:
		img = image.NewGray(place)
	case color.Gray16Model:
		img = image.NewGray16(place)
	default:
		img = image.NewNRGBA(place)
	}
	for x, c := range colours {
		img.Set(x, 0, c)
	}
	return img
}

func TestDecodeMaskThreshold(t *testing.T) {
	for name, img := range map[string]image.Image{
		"gray": row(color.GrayModel, color.Gray{0}, color.Gray{127}, color.Gray{128}, color.Gray{255}),
		"16 bits": row(color.Gray16Model, color.Gray16{0}, color.Gray16{0x7fff}, color.Gray16{0x8000},
			color.Gray16{0xffff}),
		"colours": row(nil, color.NRGBA{0, 0, 255, 255}, color.NRGBA{127, 127, 127, 255},
			color.NRGBA{128, 128, 128, 255}, color.NRGBA{0, 255, 0, 255}),
		"alpha": row(nil, color.NRGBA{255, 255, 255, 0}, color.NRGBA{255, 255, 255, 127},
			color.NRGBA{255, 255, 255, 128}, color.NRGBA{255, 255, 255, 255}),
	} {
		got, err := DecodeMask(encoded(t, img), 1, 4)
		if want := maskOf("..##"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
}

func TestDecodeMaskRefuses(t *testing.T) {
	black, white := color.Gray{0}, color.Gray{255}
	whole := encoded(t, row(color.GrayModel, black, white, black))
	for want, c := range map[string]struct {
		data          []byte
		height, width int
	}{
		"is empty":                          {nil, 1, 3},
		"is no PNG":                         {[]byte("white"), 1, 3},
		"damaged PNG":                       {whole[:len(whole)-20], 1, 3},
		"1 x 3 pixels and its image 3 x 1":  {whole, 3, 1},
		"the mask is empty":                 {encoded(t, row(color.GrayModel, black, color.Gray{1}, black)), 1, 3},
		"the mask is full":                  {encoded(t, row(color.GrayModel, white, white, white)), 1, 3},
		"1 x 3 pixels and its image 64 x 3": {encoded(t, row(color.GrayModel, black, black, black)), 64, 3},
	} {
		testdata.Refused(t, "error", testdata.Err(DecodeMask(c.data, c.height, c.width)), want)
	}
}

// TestMaskOfANetwork: three elements on 2 x 3 pixels, the last two are foreground; equal logits
// belong to the first element.
func TestMaskOfANetwork(t *testing.T) {
	logits := []float32{5, 0, 1, 0, 2, -1, 0, 5, 1, 0, 3, -2, 0, 0, 1, 9, 3, 0}
	for _, c := range []struct {
		foreground map[int]bool
		want       Mask
	}{
		{map[int]bool{1: true, 2: true}, maskOf(".#.", "###")},
		{map[int]bool{2: true, 9: true}, maskOf("...", "#.#")},
		{map[int]bool{0: true, 1: false}, maskOf("#.#", "...")},
		{nil, maskOf("...", "...")},
	} {
		if got := MaskOf(logits, 3, 2, 3, c.foreground); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.foreground, got, c.want)
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "18 logits in place of 2 x 2 x 3") {
			t.Errorf("recovered %v", r)
		}
	}()
	MaskOf(logits, 2, 2, 3, nil)
}

func TestMaskFitsAsItsImage(t *testing.T) {
	m := maskOf("#.....", "..####")
	for _, c := range []struct {
		to   suite.Fitting
		want Mask
	}{
		{suite.Fitting{}, m},
		{suite.Fitting{Height: 2, Width: 6, Resize: model.Crop}, m},
		{suite.Fitting{Height: 4, Width: 3}, maskOf("...", "...", ".##", ".##")},
		{suite.Fitting{Height: 2, Width: 2, Resize: model.Crop}, maskOf("..", "##")},
	} {
		if got := m.Fit(c.to); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.to, got, c.want)
		}
	}
}

// FuzzDecodeMask: no file breaks the reading, and a mask that is read is whole.
func FuzzDecodeMask(f *testing.F) {
	for _, img := range []image.Image{
		row(color.GrayModel, color.Gray{0}, color.Gray{255}),
		row(nil, color.NRGBA{255, 255, 255, 0}, color.NRGBA{255, 255, 255, 255}),
	} {
		f.Add(encoded(f, img), 1, 2)
	}
	f.Add([]byte("GIF89a"), 1, 1)
	f.Fuzz(func(t *testing.T, data []byte, height, width int) {
		m, err := DecodeMask(data, height, width)
		if err != nil {
			return
		}
		if n := m.count(); m.Height != height || m.Width != width || len(m.Set) != height*width || n == 0 ||
			n == len(m.Set) {
			t.Errorf("a mask of %d x %d with %d of %d set", m.Height, m.Width, n, len(m.Set))
		}
	})
}
