package suite

import (
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

// allowed is the largest difference of a value and of the mean absolute difference, of 255, by decoded.json's exactness.
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
	text, err := os.ReadFile(filepath.Join(folder, "decoded.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want pillows
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	arrays, err := npz.Open(filepath.Join(folder, "decoded.npz"))
	if err != nil {
		t.Fatal(err)
	}
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
			if err := arrays.Read(key, &stored); err != nil {
				t.Fatal(name, err)
			}
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
		lines = append(lines, fmt.Sprintf("%s %.2f and %.3f on average", exactness, worst[exactness][0], worst[exactness][1]))
	}
	fmt.Printf("zoo exports: %d images, %d within tolerance (of 255 at most: %s)\n", len(want.Images), within, strings.Join(lines, "; "))
}

func (img Image) at(c, y, x int) float64 {
	return float64(img.Pix[(min(c, img.Channels-1)*img.Height+y)*img.Width+x])
}

// against is the largest and mean absolute difference, of 255, to a stored crop of height x width x 3 values.
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
