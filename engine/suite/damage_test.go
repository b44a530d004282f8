package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/gif"
	"image/jpeg"
	"image/png"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/variscope/variscope/internal/testdata"
)

// TestTruncatedImagesAreErrors cuts a noisy image of every format at several places.
func TestTruncatedImagesAreErrors(t *testing.T) {
	img := noisy(1, 3, 24, 24).RGBA()
	for name, data := range map[string][]byte{
		"PNG":  encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, img) }),
		"JPEG": encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) }),
		"GIF":  encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) }),
		"BMP":  encoded(t, func(b *bytes.Buffer) error { return bmp.Encode(b, img) }),
		"TIFF": encoded(t, func(b *bytes.Buffer) error { return tiff.Encode(b, img, nil) }),
	} {
		decoded(t, data)
		for _, share := range []int{20, 50, 80} {
			part := data[:len(data)*share/100]
			testdata.Refused(t, fmt.Sprintf("%s cut at %d %%", name, share),
				testdata.Err(Decode(part)), "damaged "+name)
		}
	}
}

// TestFlippedBytesNeverPanic turns each byte of small files in turn.
func TestFlippedBytesNeverPanic(t *testing.T) {
	for _, data := range [][]byte{pngBytes(3, 3, red), webpBytes(3, 3, red, nil)} {
		for i := range data {
			if i >= 16 && i < 24 && data[0] == 0x89 {
				continue // a PNG's size: large and good is slow, not wrong
			}
			if img, err := Decode(flip(data, i)); err == nil && len(img.Pix) != img.Channels*img.Height*img.Width {
				t.Errorf("byte %d: %d values", i, len(img.Pix))
			}
		}
	}
}

// TestManifestSurvivesJSON: that is how it is kept, and Open compares times exactly.
func TestManifestSurvivesJSON(t *testing.T) {
	for name, path := range small(t) {
		m := scan(t, path, Options{})
		data := testdata.Must(json.Marshal(m))(t)
		var back Manifest
		testdata.OK(t, json.Unmarshal(data, &back))
		open(t, back)
		if !reflect.DeepEqual(back.Files, m.Files) || back.Hash != m.Hash || !slices.Equal(back.Labels, m.Labels) {
			t.Errorf("%s: %+v became %+v", name, m, back)
		}
	}
}
