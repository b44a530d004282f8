package widget

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/testdata"
)

func TestGuidelineShowsPictures(t *testing.T) {
	test.NewTempApp(t)
	var data bytes.Buffer
	testdata.OK(t, png.Encode(&data, image.NewGray(image.Rect(0, 0, 600, 300))))
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
	if all := strings.Join(texts, "|"); !strings.Contains(all, "first") || !strings.Contains(all, "wide") ||
		!strings.Contains(all, "bad.png is not here") {
		t.Errorf("texts %q", all)
	}
	g.Show("second", nil)
	if len(g.column.Objects) != 1 {
		t.Error("the old guideline is still there")
	}
}

// header is the beginning of a PNG file of a size, which is all that is read of it to tell the
// size.
func header(width, height uint32) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	chunk = append(binary.BigEndian.AppendUint32(chunk, height), 8, 0, 0, 0, 0)
	data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(chunk))
}

// TestPictureFormat: a picture that would fill the memory is refused before it is decoded.
func TestPictureFormat(t *testing.T) {
	if format, err := PictureFormat(header(4096, 4096)); err != nil || format != "png" {
		t.Errorf("%q, %v", format, err)
	}
	for _, size := range [][2]uint32{{4096, 4097}, {1<<31 - 1, 1}, {60_000, 60_000}} {
		if _, err := PictureFormat(header(size[0], size[1])); err == nil ||
			!strings.Contains(err.Error(), "at most 16 million") {
			t.Errorf("%v: %v", size, err)
		}
	}
	if _, err := PictureFormat([]byte("no picture")); err == nil ||
		!strings.Contains(err.Error(), "neither PNG nor JPEG") {
		t.Error(err)
	}
	var large bytes.Buffer
	testdata.OK(t, png.Encode(&large, image.NewGray(image.Rect(0, 0, MostPixels+1, 1))))
	if got := DecodePictures(map[string][]byte{"large.png": large.Bytes()}); len(got) != 0 {
		t.Error("a picture of too many pixels was decoded")
	}
}

// TestGuidelineReadsNoFiles: only the round's own pictures are shown, whatever the text asks for.
func TestGuidelineReadsNoFiles(t *testing.T) {
	test.NewTempApp(t)
	g := NewGuideline(300)
	for _, text := range []string{
		`![x](file:///etc/hostname "t")`, "![x](<file:///etc/hostname>)", "![x][1]\n\n[1]: file:///etc/hostname",
		"- ![x](http://127.0.0.1:1/x.png \"t\")",
		"| a |\n| --- |\n| ![x](file:///etc/hostname 't') |", "> ![a\nb](file:///etc/hostname)",
	} {
		g.Show(text, nil)
		for _, o := range g.column.Objects {
			if images := imagesIn(o.(*widget.RichText).Segments); images > 0 {
				t.Errorf("%q shows %d images", text, images)
			}
		}
	}
}

// imagesIn counts the images among segments and what they hold.
func imagesIn(segments []widget.RichTextSegment) (n int) {
	for _, segment := range segments {
		switch s := segment.(type) {
		case *widget.ImageSegment:
			n++
		case *widget.ParagraphSegment:
			n += imagesIn(s.Texts)
		case *widget.ListSegment:
			n += imagesIn(s.Items)
		case *widget.TableSegment:
			for _, row := range append(s.Rows, s.Headers) {
				for _, cell := range row {
					n += imagesIn(cell)
				}
			}
		}
	}
	return n
}
