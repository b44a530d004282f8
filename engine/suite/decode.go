package suite

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The largest image that is decoded: a file of a few kB may otherwise unpack to gigabytes.
const (
	maxPixels = 40 << 20
	maxEdge   = 1 << 15
)

// codec reads one image file format. orientation finds the EXIF orientation, nil where the format
// has none.
type codec struct {
	name        string
	magic       func(start []byte) bool
	endings     []string
	header      func(data []byte) (header, error)
	decode      func(data []byte, c *clock) (Image, error)
	orientation func(data []byte) int
}

// header is what the beginning of a file says of its image: the size, and how many bytes it takes
// to decode it: for each pixel, those of the result included, and more beside them.
type header struct {
	image.Point
	bytes, more int
}

// Bytes of a pixel of the result, gray or with colours.
const bytesGray, bytesRGB = 4, 3 * 4

var codecs = []*codec{
	{"PNG", begins("\x89PNG\r\n\x1a\n"), []string{".png"}, headerOfPNG, decodePNG, pngOrientation},
	{
		"JPEG", begins("\xff\xd8\xff"),
		[]string{".jpg", ".jpeg", ".jpe", ".jfif"},
		headerOfJPEG, decodeJPEG, jpegOrientation,
	},
	{"GIF", begins("GIF8"), []string{".gif"}, headerOfGIF, decodeGIF, nil},
	{"BMP", begins("BM"), []string{".bmp"}, headerOfBMP, decodeBMP, nil},
	{"TIFF", isTIFF, []string{".tif", ".tiff"}, headerOfTIFF, decodeTIFF, tiffOrientation},
	{
		"WebP", func(b []byte) bool { return begins("RIFF")(b) && len(b) >= 12 && string(b[8:12]) == "WEBP" },
		[]string{".webp"},
		headerOfWebP, decodeWebP, webpOrientation,
	},
	{"PNM", isPNM, []string{".ppm", ".pgm", ".pbm", ".pnm"}, headerOfPNM, decodePNM, nil},
}

// decodedAsPillow is Manifest.Decoding of suites with files of formats that were decoded
// otherwise before, by their endings: JPEG without smooth chroma, lossy WebP with full range,
// TIFF with other alphas and palettes, GIF on black.
const decodedAsPillow = "pillow"

// Decoding names how the suite's image files are decoded. It is part of what signals depend on,
// so that signals of an earlier decoding keep their names and new ones get others. It is empty
// where decoding never changed.
func (m Manifest) Decoding() string {
	if m.Format != Folder && m.Format != CSV {
		return ""
	}
	unchanged := []string{".png", ".bmp", ".ppm", ".pgm", ".pbm", ".pnm"}
	for _, f := range m.Files {
		if !slices.Contains(unchanged, strings.ToLower(path.Ext(f.Path))) {
			return decodedAsPillow
		}
	}
	return ""
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

// Decode reads a PNG, JPEG, GIF, BMP, TIFF, WebP or PPM/PGM/PBM file, told by its bytes, as
// Pillow does: the first frame or page, turned upright by its EXIF orientation, alpha composited
// on black, 8-bit values divided by 255 and 16-bit ones by 65535, gray kept as one channel
// (DESIGN.md section 5). Images of more than 40 Mi pixels, or that need more memory than Limits
// allow, are refused before they are unpacked; decoding waits until other images leave it enough
// memory. Errors say what is wrong and do not name a file.
func Decode(data []byte) (Image, error) {
	img, leave, err := current.Load().decode(data)
	leave()
	return img, err
}

// decode is Decode; the image's memory is given back by leave.
func (r *room) decode(data []byte) (img Image, leave func(), err error) {
	leave = func() {}
	c := codecOf(data)
	switch {
	case len(data) == 0:
		return Image{}, leave, errors.New("is empty")
	case c == nil:
		return Image{}, leave, notImage(data)
	}
	defer func() { // decoders have been seen to panic on damaged files
		if recover() != nil {
			img, err = Image{}, fmt.Errorf("damaged %s: its parts contradict each other", c.name)
		}
	}()
	h, err := c.header(data)
	if err != nil {
		return Image{}, leave, c.wrong(err)
	}
	if h.X < 1 || h.Y < 1 || h.X > maxEdge || h.Y > maxEdge || h.X*h.Y > maxPixels {
		return Image{}, leave, fmt.Errorf("%s of %d x %d pixels; "+
			"at most %d million pixels and sides up to %d can be read", c.name, h.X, h.Y, maxPixels/1000000, maxEdge)
	}
	turn := 1
	if c.orientation != nil {
		turn = c.orientation(data)
	}
	need := h.memory(len(data), turn)
	if need > r.memory {
		return Image{}, leave,
			fmt.Errorf("%s of %d x %d pixels takes %d MiB to decode, and %d MiB are allowed for all images together; "+
				raise+", or make it smaller", c.name, h.X, h.Y, need>>20, r.memory>>20, "memory")
	}
	leave = r.enter(need)
	runtime.LockOSThread() // for the clock
	defer runtime.UnlockOSThread()
	watch := &clock{r.time, time.Now(), workTime(), false}
	img, err = c.decode(data, watch)
	switch {
	case watch.late:
		return Image{}, leave, fmt.Errorf("%s of %d x %d pixels takes more than %v to decode; "+raise+
			", or save it again",
			c.name, h.X, h.Y, r.time, "time")
	case err != nil:
		return Image{}, leave, c.wrong(err)
	}
	return img.upright(turn), leave, nil
}

// memory is how many bytes decoding takes at most, for a file of so many bytes and an orientation.
func (h header) memory(file, turn int) int64 {
	const blocks = 32 // decoders round sides up to whole blocks
	if turn > 1 {
		h.bytes += bytesGray
	}
	return int64(file+h.more) + int64(h.X+blocks)*int64(h.Y+blocks)*int64(h.bytes)
}

// remark says what is wrong with a file that Decode reads all the same, "" where nothing is.
func remark(data []byte) string {
	if c := codecOf(data); c != nil && c.name == "PNG" {
		return remarkOnPNG(data)
	}
	return ""
}

// unread are formats of images that are known but not read, by what their files begin with from
// an offset on.
var unread = []struct {
	name   string
	offset int
	magic  string
}{
	{"a JPEG 2000 image", 0, "\x00\x00\x00\x0cjP  "},
	{"a JPEG 2000 image", 0, "\xff\x4f\xff\x51"},
	{"an AVIF image", 4, "ftypavi"},
	{"a HEIC image", 4, "ftyphe"},
	{"a HEIC image", 4, "ftypmif1"},
	{"a HEIC image", 4, "ftypmsf1"},
	{"a JPEG XL image", 0, "\xff\x0a"},
	{"a JPEG XL image", 0, "\x00\x00\x00\x0cJXL "},
	{"a Photoshop file", 0, "8BPS"},
	{"an SVG drawing", 0, "<svg"},
	{"a PDF file", 0, "%PDF"},
	{"an icon", 0, "\x00\x00\x01\x00"},
	{"an OpenEXR image", 0, "v/1\x01"},
	{"a Radiance image", 0, "#?RADIANCE"},
	{"a PAM image", 0, "P7\n"},
	{"a PFM image", 0, "PF\n"},
	{"a PFM image", 0, "Pf\n"},
	{"a pointer of Git LFS", 0, "version https://git-lfs"},
}

func notImage(data []byte) error {
	for _, u := range unread {
		if len(data) > u.offset && bytes.HasPrefix(data[u.offset:], []byte(u.magic)) {
			if u.name == "a pointer of Git LFS" {
				return refusal("is a pointer of Git LFS instead of the image; fetch the files with git lfs pull")
			}
			return refusal("is " + u.name + ", which is not read; save it as PNG")
		}
	}
	return errors.New("is no PNG, JPEG, GIF, BMP, TIFF, WebP or PPM/PGM/PBM image")
}

// refusal is the error of a good file of a kind that is not read: it names the kind and what to
// do.
type refusal string

func (r refusal) Error() string { return string(r) }

// wrong says what is wrong with a file.
func (c *codec) wrong(err error) error {
	if r := refusal(""); errors.As(err, &r) {
		return r
	}
	return fmt.Errorf("damaged %s: %w", c.name, noEOF(err))
}

func headerOfGIF(data []byte) (header, error) {
	c, err := gif.DecodeConfig(bytes.NewReader(data))
	return header{Point: image.Pt(c.Width, c.Height), bytes: bytesRGB + 1}, err
}

// decodeGIF decodes the first frame of a GIF at its place on the screen, which is transparent or,
// where the frame has no transparent colour, filled with the palette's first one.
func decodeGIF(data []byte, c *clock) (Image, error) {
	config, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Image{}, err
	}
	m, err := gif.Decode(c.reader(data))
	if err != nil {
		return Image{}, err
	}
	frame := m.(*image.Paletted)
	var colours [256][3]float32
	opaque := true
	for i, colour := range frame.Palette {
		r, g, b, a := colour.RGBA() // all zero where it is transparent
		colours[i], opaque = [3]float32{levels[r>>8], levels[g>>8], levels[b>>8]}, opaque && a != 0
	}
	var behind [3]float32
	if opaque {
		behind = colours[0]
	}
	return fromRows(image.Pt(config.Width, config.Height), 3, c, func(line [][3]float32, y int) error {
		for x := range line {
			line[x] = behind
		}
		if y >= frame.Rect.Min.Y && y < frame.Rect.Max.Y {
			for x, v := range frame.Pix[frame.PixOffset(frame.Rect.Min.X, y):][:frame.Rect.Dx()] {
				line[frame.Rect.Min.X+x] = colours[v]
			}
		}
		return nil
	})
}
