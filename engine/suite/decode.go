package suite

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// The largest image that is decoded: a file of a few kB may otherwise unpack to gigabytes.
const (
	maxPixels = 40 << 20
	maxEdge   = 1 << 15
)

// codec reads one image file format. orientation finds the EXIF orientation, nil where the format has none.
type codec struct {
	name        string
	magic       func(start []byte) bool
	endings     []string
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
	orientation func(data []byte) int
}

var codecs = []*codec{
	{"PNG", begins("\x89PNG\r\n\x1a\n"), []string{".png"}, png.DecodeConfig, png.Decode, pngOrientation},
	{"JPEG", begins("\xff\xd8\xff"), []string{".jpg", ".jpeg", ".jpe", ".jfif"}, jpeg.DecodeConfig, jpeg.Decode, jpegOrientation},
	{"GIF", begins("GIF8"), []string{".gif"}, gif.DecodeConfig, firstFrame, nil},
	{"BMP", begins("BM"), []string{".bmp"}, bmp.DecodeConfig, bmp.Decode, nil},
	{
		"TIFF", func(b []byte) bool { return begins("II*\x00")(b) || begins("MM\x00*")(b) },
		[]string{".tif", ".tiff"},
		tiff.DecodeConfig, tiff.Decode, tiffOrientation,
	},
	{
		"WebP", func(b []byte) bool { return begins("RIFF")(b) && len(b) >= 12 && string(b[8:12]) == "WEBP" },
		[]string{".webp"},
		webp.DecodeConfig, webp.Decode, webpOrientation,
	},
}

func begins(with string) func([]byte) bool {
	return func(start []byte) bool { return bytes.HasPrefix(start, []byte(with)) }
}

// codecOf finds the codec by the file's first bytes, whatever its name; nil when there is none.
func codecOf(start []byte) *codec {
	for _, c := range codecs {
		if c.magic(start) {
			return c
		}
	}
	return nil
}

// isImageName tells an image file by its ending.
func isImageName(name string) bool {
	ending := strings.ToLower(filepath.Ext(name))
	return slices.ContainsFunc(codecs, func(c *codec) bool { return slices.Contains(c.endings, ending) })
}

// Decode reads a PNG, JPEG, GIF (first frame), BMP, TIFF or WebP file, told by its bytes: turned upright by its EXIF
// orientation, alpha composited on black, 8-bit values divided by 255 and 16-bit ones by 65535, gray kept as one channel
// (DESIGN.md section 5). Images of more than 40 Mi pixels are refused before they are unpacked. Errors say what is wrong
// and do not name a file.
func Decode(data []byte) (img Image, err error) {
	c := codecOf(data)
	switch {
	case len(data) == 0:
		return Image{}, errors.New("is empty")
	case c == nil:
		return Image{}, errors.New("is no PNG, JPEG, GIF, BMP, TIFF or WebP image")
	}
	defer func() { // decoders have been seen to panic on damaged files
		if r := recover(); r != nil {
			img, err = Image{}, fmt.Errorf("damaged %s: %v", c.name, r)
		}
	}()
	config, err := c.config(bytes.NewReader(data))
	if err != nil {
		return Image{}, fmt.Errorf("damaged %s: %w", c.name, noEOF(err))
	}
	w, h := config.Width, config.Height
	if w < 1 || h < 1 || w > maxEdge || h > maxEdge || w*h > maxPixels {
		return Image{}, fmt.Errorf("%s of %d x %d pixels; at most %d million pixels and sides up to %d can be read", c.name, w, h, maxPixels/1000000, maxEdge)
	}
	decoded, err := c.decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, fmt.Errorf("damaged %s: %w", c.name, noEOF(err))
	}
	img = fromImage(decoded, isGray(decoded, c, data))
	if c.orientation != nil {
		img = img.upright(c.orientation(data))
	}
	return img, nil
}

// firstFrame decodes the first frame of a GIF at its place on the black screen.
func firstFrame(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	config, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	frame, err := gif.Decode(bytes.NewReader(data))
	screen := image.Rect(0, 0, config.Width, config.Height)
	if err != nil || frame.Bounds() == screen {
		return frame, err
	}
	canvas := image.NewRGBA(screen)
	draw.Draw(canvas, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
	return canvas, nil
}

// isGray tells gray images, also those that the decoder widened to colours because they have alpha.
func isGray(img image.Image, c *codec, data []byte) bool {
	switch img.(type) {
	case *image.Gray, *image.Gray16:
		return true
	}
	const colourType = 25 // of a PNG's IHDR: 0 gray, 4 gray with alpha
	return c.name == "PNG" && len(data) > colourType && (data[colourType] == 0 || data[colourType] == 4)
}
