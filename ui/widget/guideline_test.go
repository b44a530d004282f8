package widget

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

func TestGuidelineParts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []GuidelinePart
	}{
		{"", nil},
		{"\n \n", nil},
		{"**Look** at CONF.", []GuidelinePart{{Text: "**Look** at CONF."}}},
		{"![a cross](0f.png)", []GuidelinePart{{Picture: "0f.png", Caption: "a cross"}}},
		{"before\n\n![](0f.png)\nafter ![x](1.jpeg)", []GuidelinePart{{Text: "before"}, {Picture: "0f.png"}, {Text: "after "}, {Picture: "1.jpeg", Caption: "x"}}},
		{"no ![picture] (here)", []GuidelinePart{{Text: "no ![picture] (here)"}}},
	} {
		if got := GuidelineParts(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestGuidelineShowsPictures(t *testing.T) {
	test.NewTempApp(t)
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 600, 300))); err != nil {
		t.Fatal(err)
	}
	pictures := DecodePictures(map[string][]byte{"good.png": data.Bytes(), "bad.png": []byte("no picture")})
	if len(pictures) != 1 {
		t.Fatalf("%d pictures were decoded", len(pictures))
	}
	g := NewGuideline(300)
	g.Show("first\n\n![wide](good.png)\n\n![gone](bad.png)", pictures)
	var texts []string
	var size fyne.Size
	for _, o := range g.column.Objects {
		switch w := o.(type) {
		case *widget.RichText:
			texts = append(texts, w.String())
		case *canvas.Image:
			size = w.MinSize()
		}
	}
	if size != fyne.NewSize(300, 150) {
		t.Errorf("the picture is %v large", size)
	}
	if all := strings.Join(texts, "|"); !strings.Contains(all, "first") || !strings.Contains(all, "wide") || !strings.Contains(all, "bad.png is not here") {
		t.Errorf("texts %q", all)
	}
	g.Show("second", nil)
	if len(g.column.Objects) != 1 {
		t.Error("the old guideline is still there")
	}
}
