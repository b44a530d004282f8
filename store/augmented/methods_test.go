package augmented

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
)

// pixel is the level of a pixel of an image.
type pixel func(y, x int) float64

// slowMethod makes a level of an image by the words of the recipe alone, and says what was drawn.
func slowMethod(m Method, u [3]float64, height, width int, at pixel) (value pixel, drawn string) {
	across, down := u[0] < 0.5, u[0] < 0.5
	switch m {
	case RHF:
		down, drawn = false, fmt.Sprint(across)
	case RVF:
		across, drawn = false, fmt.Sprint(down)
	case RHV:
		down = u[1] < 0.5
		drawn = fmt.Sprint(across, ",", down)
	case RR:
		degrees := math.Floor(1800000*u[0]) / 10000
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		cy, cx := float64(height-1)/2, float64(width-1)/2
		return func(y, x int) (sum float64) {
			dy, dx := float64(y)-cy, float64(x)-cx
			// What lies at dy, dx after a turn counter-clockwise on the screen lay here before it.
			sy, sx := cy+dy*cos+dx*sin, cx+dx*cos-dy*sin
			for row := range height {
				for col := range width {
					sum += math.Max(0, 1-math.Abs(sy-float64(row))) * math.Max(0, 1-math.Abs(sx-float64(col))) * at(row,
						col)
				}
			}
			return sum
		}, strconv.FormatFloat(degrees, 'f', -1, 64)
	case RPR:
		high, wide := int(math.Floor(u[0]*float64(height)+0.5)), int(math.Floor(u[0]*float64(width)+0.5))
		s := script{
			height: height, width: width, paddedHigh: height + high, paddedWid: width + wide, padded: true,
			left: min(wide, int(math.Floor(u[1]*float64(wide+1)))),
			top:  min(high, int(math.Floor(u[2]*float64(high+1)))),
		}
		drawn = fmt.Sprintf("%d,%d,%d,%d", s.top, high-s.top, s.left, wide-s.left)
		return func(y, x int) float64 { return s.value(y, x, at) }, drawn
	}
	return func(y, x int) float64 {
		if across {
			x = width - 1 - x
		}
		if down {
			y = height - 1 - y
		}
		return at(y, x)
	}, drawn
}

// Another program makes the same sets of the words of recipe.json alone.
func TestComparedMethodsAgainstSlow(t *testing.T) {
	folder := t.TempDir()
	for i := range 24 {
		images.Picture(t, filepath.Join(folder, "a", fmt.Sprintf("%02d.png", i)), 9, 7)
	}
	s := images.Open(t, folder)
	for m, way := range ways {
		o := Options{Out: t.TempDir(), Method: m, Seed: 11}
		done := write(t, s, o)
		if base := filepath.Base(done.Folder); !strings.HasSuffix(base, "-"+string(m)+"-seed11") {
			t.Errorf("%s: folder %s", m, base)
		}
		if again := write(t, s, o); !again.There || again.Padded != done.Padded {
			t.Errorf("%s: written again as %+v, not %+v", m, again, done)
		}
		file := fields(t, testdata.Must(os.ReadFile(filepath.Join(done.Folder, "recipe.json")))(t))
		_, resizes := file["resize"]
		if file["method"] != string(m) || file["seed"] != 11.0 || len(file["steps"].([]any)) < 2 ||
			resizes != (m == RPR) {
			t.Errorf("%s: %v", m, file)
		}
		table := testdata.Must(os.Open(filepath.Join(done.Folder, "draws.csv")))(t)
		rows := testdata.Must(csv.NewReader(table).ReadAll())(t)
		testdata.OK(t, table.Close())
		if !slices.Equal(rows[0], append([]string{"image"}, way.columns...)) || len(rows) != 25 {
			t.Fatalf("%s: %d rows of %v", m, len(rows), rows[0])
		}
		again, changed := images.Open(t, done.Folder), 0
		for i := range s.Len() {
			before, after := testdata.Must(s.Image(i))(t), testdata.Must(again.Image(i))(t)
			size := before.Height * before.Width
			for c := range before.Channels {
				at := func(y, x int) float64 { return 255 * float64(before.Pix[c*size+y*before.Width+x]) }
				value, drawn := slowMethod(m, draws(11, int64(i)), before.Height, before.Width, at)
				drawn = strings.ReplaceAll(drawn, " ", "")
				testdata.Is(t, fmt.Sprint(m, " draws for ", i), strings.Join(rows[i+1][1:], ","), drawn)
				if c == 0 && (m == RR || m == RPR || strings.Contains(drawn, "true")) {
					changed++
				}
				for k, v := range after.Pix[c*size:][:size] {
					want := value(k/before.Width, k%before.Width)
					if math.Abs(math.Round(255*float64(v))-want) > 0.5+1e-3 {
						t.Fatalf("%s: image %d, channel %d, pixel %d has level %g for %g", m, i, c, k, 255*v, want)
					}
				}
			}
		}
		testdata.Is(t, string(m)+": images that are changed", done.Padded, changed)
	}
	_, err := Write(t.Context(), s, Options{Out: t.TempDir(), Method: "mixup"}, nil)
	testdata.Refused(t, "a method that is none", err, "mixup is no augmentation")
}
