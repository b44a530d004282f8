package suite

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/bmp"
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
	size        func(data []byte) (image.Point, error)
	decode      func(data []byte) (Image, error)
	orientation func(data []byte) int
}

var codecs = []*codec{
	{"PNG", begins("\x89PNG\r\n\x1a\n"), []string{".png"}, sized(png.DecodeConfig), decodePNG, pngOrientation},
	{"JPEG", begins("\xff\xd8\xff"), []string{".jpg", ".jpeg", ".jpe", ".jfif"}, sizeOfJPEG, decodeJPEG, jpegOrientation},
	{"GIF", begins("GIF8"), []string{".gif"}, sized(gif.DecodeConfig), decodeGIF, nil},
	{"BMP", begins("BM"), []string{".bmp"}, sized(bmp.DecodeConfig), decodeBMP, nil},
	{"TIFF", isTIFF, []string{".tif", ".tiff"}, sizeOfTIFF, decodeTIFF, tiffOrientation},
	{
		"WebP", func(b []byte) bool { return begins("RIFF")(b) && len(b) >= 12 && string(b[8:12]) == "WEBP" },
		[]string{".webp"},
		sizeOfWebP, decodeWebP, webpOrientation,
	},
}

// sized makes a codec's size of a decoder's reader of headers.
func sized(config func(io.Reader) (image.Config, error)) func([]byte) (image.Point, error) {
	return func(data []byte) (image.Point, error) {
		c, err := config(bytes.NewReader(data))
		return image.Pt(c.Width, c.Height), err
	}
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
	size, err := c.size(data)
	if err != nil {
		return Image{}, c.wrong(err)
	}
	if w, h := size.X, size.Y; w < 1 || h < 1 || w > maxEdge || h > maxEdge || w*h > maxPixels {
		return Image{}, fmt.Errorf("%s of %d x %d pixels; at most %d million pixels and sides up to %d can be read", c.name, w, h, maxPixels/1000000, maxEdge)
	}
	if img, err = c.decode(data); err != nil {
		return Image{}, c.wrong(err)
	}
	if c.orientation != nil {
		img = img.upright(c.orientation(data))
	}
	return img, nil
}

// refusal is the error of a good file of a kind that is not read: it names the kind and what to do.
type refusal string

func (r refusal) Error() string { return string(r) }

// wrong says what is wrong with a file.
func (c *codec) wrong(err error) error {
	if r := refusal(""); errors.As(err, &r) {
		return r
	}
	return fmt.Errorf("damaged %s: %w", c.name, noEOF(err))
}

func decodePNG(data []byte) (Image, error) {
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, err
	}
	const colourType = 25 // of IHDR: 0 gray, 4 gray with alpha, which the decoder widens to colours
	return fromImage(m, isGray(m) || data[colourType] == 0 || data[colourType] == 4), nil
}

func decodeBMP(data []byte) (Image, error) {
	m, err := bmp.Decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, err
	}
	return fromImage(m, isGray(m)), nil
}

// decodeGIF decodes the first frame of a GIF at its place on the black screen.
func decodeGIF(data []byte) (Image, error) {
	config, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Image{}, err
	}
	frame, err := gif.Decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, err
	}
	screen := image.Rect(0, 0, config.Width, config.Height)
	if frame.Bounds() == screen {
		return fromImage(frame, false), nil
	}
	canvas := image.NewRGBA(screen)
	draw.Draw(canvas, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
	return fromImage(canvas, false), nil
}

func isGray(img image.Image) bool {
	switch img.(type) {
	case *image.Gray, *image.Gray16:
		return true
	}
	return false
}
