package suite

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// pillows is decoded.json: what Pillow decodes from the images of zoo/exports.
type pillows struct {
	Images map[string]struct {
		Encoding      string
		Height, Width int
		Exactness     string
		MeanRGB       []float64 `json:"mean_rgb"`
		Top, Left     int
		Crop          []int // height and width of what is stored, the whole image where absent
		Corner16      *struct {
			Top, Left int
			Values    [][][]float64
		}
	}
}

func bytesOf(tb testing.TB, path string) []byte {
	tb.Helper()
	return testdata.Must(os.ReadFile(path))(tb)
}

// allowed is the largest difference of a value and of the mean absolute difference, of 255, by
// decoded.json's exactness.
var allowed = map[string][2]float64{
	"exact": {1, 1}, "exact16": {1, 1}, "jpeg": {3, 0.6}, "jpeg_subsampled": {6, 0.8}, "webp_lossy": {4, 1},
}

// TestZooExportsImages compares what is decoded with what Pillow decodes.
func TestZooExportsImages(t *testing.T) {
	folder, ok := testdata.Zoo("exports")
	if !ok {
		fmt.Println("zoo exports: absent")
		return
	}
	text := testdata.Must(os.ReadFile(filepath.Join(folder, "decoded.json")))(t)
	var want pillows
	testdata.OK(t, json.Unmarshal(text, &want))
	arrays := testdata.Must(npz.Open(filepath.Join(folder, "decoded.npz")))(t)
	defer arrays.Close()
	within, worst := 0, map[string][2]float64{}
	for _, name := range slices.Sorted(maps.Keys(want.Images)) {
		w := want.Images[name]
		limit, known := allowed[w.Exactness]
		if !known {
			t.Errorf("%s: unknown exactness %q", name, w.Exactness)
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Error(err)
			continue
		}
		img, err := Decode(data)
		if err != nil {
			t.Errorf("%s (%s): %v", name, w.Encoding, err)
			continue
		}
		var stored []uint8
		for _, key := range []string{name, filepath.Base(name)} {
			if slices.Contains(arrays.Keys(), key+".npy") {
				key += ".npy"
			} else if !slices.Contains(arrays.Keys(), key) {
				continue
			}
			testdata.OK(t, arrays.Read(key, &stored))
		}
		crop := [2]int{w.Height, w.Width}
		if len(w.Crop) == 2 {
			crop = [2]int(w.Crop)
		}
		if img.Height != w.Height || img.Width != w.Width || len(stored) != 3*crop[0]*crop[1] {
			t.Errorf("%s (%s): %d x %d and %d stored values", name, w.Encoding, img.Height, img.Width, len(stored))
			continue
		}
		most, mean := img.against(stored, w.Top, w.Left, crop[0], crop[1])
		for c, v := range img.means() {
			if math.Abs(v-w.MeanRGB[c]) > limit[1] {
				t.Errorf("%s (%s): mean of channel %d is %.2f, Pillow's %.2f", name, w.Encoding, c, v, w.MeanRGB[c])
			}
		}
		if c := w.Corner16; c != nil {
			for y, row := range c.Values {
				for x, colour := range row {
					for k, v := range colour {
						if got := img.at(k, c.Top+y, c.Left+x); math.Abs(got-v/65535) > 1e-6 {
							t.Errorf("%s (%s): %v at (%d, %d), want %v", name, w.Encoding, got, y, x, v/65535)
						}
					}
				}
			}
		}
		const rounding = 1e-3 // of float32 values
		if most > limit[0]+rounding || mean > limit[1]+rounding {
			t.Errorf("%s (%s): up to %.2f and %.3f on average of 255 away from Pillow", name, w.Encoding, most, mean)
			continue
		}
		within++
		worst[w.Exactness] = [2]float64{max(worst[w.Exactness][0], most), max(worst[w.Exactness][1], mean)}
	}
	var lines []string
	for _, exactness := range slices.Sorted(maps.Keys(worst)) {
		lines = append(lines, fmt.Sprintf("%s %.2f and %.3f on average",
			exactness, worst[exactness][0], worst[exactness][1]))
	}
	fmt.Printf("zoo exports: %d images, %d within tolerance (of 255 at most: %s)\n", len(want.Images), within,
		strings.Join(lines, "; "))
}

func (img Image) at(c, y, x int) float64 {
	return float64(img.Pix[(min(c, img.Channels-1)*img.Height+y)*img.Width+x])
}

// against is the largest and mean absolute difference, of 255, to a stored crop of height x width
// x 3 values.
func (img Image) against(stored []uint8, top, left, height, width int) (most, mean float64) {
	for i, v := range stored {
		y, x := top+i/3/width, left+i/3%width
		d := math.Abs(255*img.at(i%3, y, x) - float64(v))
		most, mean = max(most, d), mean+d/float64(len(stored))
	}
	return most, mean
}

func (img Image) means() (rgb [3]float64) {
	for c := range rgb {
		area := img.Height * img.Width
		for _, v := range img.Pix[min(c, img.Channels-1)*area:][:area] {
			rgb[c] += 255 * float64(v) / float64(area)
		}
	}
	return rgb
}

// TestDecodesAsPillow: beside each file of testdata/pillow lies what Pillow 9.4 decodes from it.
func TestDecodesAsPillow(t *testing.T) {
	names, err := filepath.Glob("testdata/pillow/*.want.png")
	if err != nil || len(names) < 30 {
		t.Fatal(len(names), err)
	}
	for _, want := range names {
		name := strings.TrimSuffix(want, ".want.png")
		right := decoded(t, bytesOf(t, want)).RGBA()
		img, err := Decode(bytesOf(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var stored []uint8
		for i := 0; i < len(right.Pix); i += 4 {
			stored = append(stored, right.Pix[i:i+3]...)
		}
		if size := right.Rect.Size(); img.Height != size.Y || img.Width != size.X {
			t.Errorf("%s: %d x %d", name, img.Height, img.Width)
			continue
		}
		limit := 1.0 // blends and 16 bits are not rounded here
		if strings.HasPrefix(filepath.Base(name), "j") {
			limit = 3
		}
		if most, mean := img.against(stored, 0, 0, img.Height, img.Width); most > limit+1e-3 || mean > 0.3 {
			t.Errorf("%s: up to %.2f and %.2f on average of 255 away from Pillow", name, most, mean)
		}
	}
}

// TestRefusesByName: good files of kinds that are not read are not called damaged.
func TestRefusesByName(t *testing.T) {
	for name, want := range map[string]string{
		"arithmetic.jpg": "JPEG with arithmetic coding, which is not read; save it again as a usual JPEG or as PNG",
		"sampling.jpg": "JPEG whose components are sampled 2x2, 1x1, 1x2, " +
			"which is not read; save it again as a usual JPEG or as PNG",
	} {
		if _, err := Decode(bytesOf(t, "testdata/refused/"+name)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for start, want := range map[string]string{
		"\x00\x00\x00\x0cjP  \r\n\x87\n":           "is a JPEG 2000 image, which is not read; save it as PNG",
		"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00": "is a HEIC image, which is not read; save it as PNG",
		"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00": "is an AVIF image, which is not read; save it as PNG",
		"version https://git-lfs.github.com/spec/v1": "is a pointer of Git LFS instead of the image; " +
			"fetch the files with git lfs pull",
	} {
		if _, err := Decode([]byte(start)); err == nil || err.Error() != want {
			t.Errorf("%q: %v", start, err)
		}
	}
	flat := func(tag uint16, value uint32) []byte { // a gray TIFF of 2 x 2 pixels with one entry changed
		data := tiffBytes(2, 2, 1, []byte{1, 2, 3, 4})
		for at := 10; at < len(data)-16; at += 12 {
			if binary.LittleEndian.Uint16(data[at:]) == tag {
				binary.LittleEndian.PutUint32(data[at+8:], value)
			}
		}
		return data
	}
	near(t, decoded(t, flat(0, 0)), 1, 2, 2, 0, levels[1], levels[2], levels[3], levels[4])
	for _, test := range []struct {
		tag   uint16
		value uint32
		want  string
	}{
		{259, 34925, "TIFF with LZMA compression"},
		{259, 6, "old-style JPEG"},
		{259, 77, "compression 77"},
		{262, 8, "L*a*b* colours"},
		{262, 77, "photometric interpretation 77"},
		{258, 12, "12 bits per sample"},
		{277, 65, "65 samples"},
	} {
		if _, err := Decode(flat(test.tag, test.value)); err == nil || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), "save it as PNG") {
			t.Errorf("%d %d: %v", test.tag, test.value, err)
		}
	}
}

// TestNumbersThatAreNoLevels: Pillow would cut them off without a word.
func TestNumbersThatAreNoLevels(t *testing.T) {
	whole := bytesOf(t, "testdata/pillow/f32.tif")
	d := testdata.Must(readDirectory(whole))(t)
	at, size := d.number(tagStripOffsets, 0), d.number(tagStripSize, 0)
	for _, test := range []struct {
		from, to int // bytes of the pixels that become value
		value    float32
		want     string
	}{
		{0, size, 0.5, "floating-point values from 0 to 1"},
		{0, 4, 300, "TIFF of 32 bits with values below 0 or above 255"},
		{4, 8, -9, "TIFF of 32 bits with values below 0 or above 255"},
		{0, 4, float32(math.NaN()), "damaged TIFF: a value is not a number"},
		{0, 4, float32(math.Inf(1)), "above 255"},
	} {
		data := bytes.Clone(whole)
		for k := test.from; k < test.to; k += 4 {
			binary.LittleEndian.PutUint32(data[at+k:], math.Float32bits(test.value))
		}
		testdata.Refused(t, fmt.Sprintf("%v", test.value), testdata.Err(Decode(data)), test.want)
	}
}

// TestChromaAgainstSlow compares the enlarged rows with the weights 3/4 and 1/4 in each
// direction, cut off at the edges.
func TestChromaAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(3, 9).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
		pix := rapid.SliceOfN(rapid.Byte(), w*h, w*h).Draw(t, "pix")
		across, down := rapid.IntRange(1, 2).Draw(t, "across"), rapid.IntRange(1, 2).Draw(t, "down")
		weigh := func(at, factor, size int) (near, far int) {
			if factor == 1 {
				return at, at
			}
			return at / 2, max(0, min(size-1, at/2-1+at%2*2))
		}
		slow := func(y, x int) float64 {
			y0, y1 := weigh(y, down, h)
			x0, x1 := weigh(x, across, w)
			of := func(y, x int) float64 { return float64(pix[y*w+x]) }
			return (9*of(y0, x0) + 3*of(y0, x1) + 3*of(y1, x0) + of(y1, x1)) / 16
		}
		c := chroma{pix, w, w, h, across, down}
		line, sums := make([]byte, w*across), make([]int, w)
		for y := range h * down {
			c.row(line, sums, y)
			for x, v := range line {
				if math.Abs(float64(v)-slow(y, x)) > 0.5+1e-9 {
					t.Fatalf("%d x %d at (%d, %d): %d, want %v", across, down, y, x, v, slow(y, x))
				}
			}
			if across == 2 && down == 2 {
				near, far := nearFar(y, h)
				smoothWebP(line, pix[near*w:][:w], pix[far*w:][:w])
				for x, v := range line {
					if math.Abs(float64(v)-slow(y, x)) > 1 {
						t.Fatalf("WebP at (%d, %d): %d, want %v", y, x, v, slow(y, x))
					}
				}
			}
		}
	})
}

func TestPNGsWithoutRightEnd(t *testing.T) {
	whole := pngBytes(3, 2, red)
	want := decoded(t, whole)
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"whole":               {whole, ""},
		"something behind it": {append(bytes.Clone(whole), "and more"...), ""},
		"no end":              {whole[:len(whole)-12], "the PNG has no end (IEND)"},
		"end cut off":         {whole[:len(whole)-6], "the PNG has no end (IEND)"},
		"last checksum":       {flip(whole, len(whole)-1), "a checksum of the PNG is wrong or missing"},
		"checksum of pixels":  {flip(whole, len(whole)-13), "a checksum of the PNG is wrong or missing"},
	} {
		testdata.Equal(t, name, testdata.Must(Decode(test.data))(t).Pix, want.Pix)
		testdata.Is(t, fmt.Sprintf("%s: remark", name), remark(test.data), test.want)
	}
	m := scan(t,
		tree(t, map[string][]byte{
			"a/1.png": whole, "a/2.png": whole[:len(whole)-12],
			"a/3.png": whole[:len(whole)-12],
		}), Options{})
	if want := []string{"images read although the PNG has no end (IEND): 2, first a/2.png"}; m.Images != 3 ||
		!slices.Equal(m.Notes, want) {
		t.Errorf("%d images, %q", m.Images, m.Notes)
	}
	for name, data := range map[string][]byte{
		"pixels":             flip(whole, len(whole)-20),
		"checksum of header": flip(whole, 8+8+13),
		"half of the pixels": whole[:len(whole)-20],
	} {
		testdata.Refused(t, fmt.Sprintf("%s: it is read", name), testdata.Err(Decode(data)))
	}
}

// TestOrientationOfAnyWholeNumber: tags of type LONG and BYTE count too, in small and large
// directories.
func TestOrientationOfAnyWholeNumber(t *testing.T) {
	long := exifBytes(binary.BigEndian, 0)
	at := 8 + 2 + 12
	binary.BigEndian.PutUint16(long[at+2:], 4)
	binary.BigEndian.PutUint32(long[at+8:], 6)
	testdata.Is(t, "LONG", tiffOrientation(long), 6)
	testdata.Is(t, "BigTIFF", tiffOrientation(bytesOf(t, "testdata/pillow/big.tif")), 1)
}

func TestDecodingOfASuite(t *testing.T) {
	for file, want := range map[string]string{
		"a/b.png": "", "b.PPM": "", "c.bmp": "", "d.jpg": decodedAsPillow,
		"e.WebP": decodedAsPillow, "f.tif": decodedAsPillow,
	} {
		m := Manifest{Format: Folder, Files: []File{{Path: "0.png"}, {Path: file}}}
		testdata.Is(t, file, m.Decoding(), want)
	}
	testdata.Is(t, "IDX", (Manifest{Format: IDX, Files: []File{{Path: "images.gz"}}}).Decoding(), "")
}
