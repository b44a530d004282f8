package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
)

// speckles are images of random pixels.
type speckles struct{ n, channels, height, width int }

func (s speckles) Len() int        { return s.n }
func (speckles) Label(int) int     { return -1 }
func (speckles) Name(i int) string { return fmt.Sprint(i) }

func (s speckles) Image(i int) (suite.Image, error) {
	img := suite.Image{
		Channels: s.channels, Height: s.height, Width: s.width, Pix: make([]float32, s.channels*s.height*s.width),
	}
	random := rand.New(rand.NewPCG(uint64(i), 7))
	for k := range img.Pix {
		img.Pix[k] = float32(random.IntN(256)) / 255
	}
	return img, nil
}

// scoresOn computes the classes' scores of all images on a device.
func scoresOn(t *testing.T, w *worker.Pool, d device.Device, path string, images speckles) (rows [][]float64) {
	t.Helper()
	feed := feedOf(t, path, 5)
	feed.Device, feed.Input.Height, feed.Input.Width = d, images.height, images.width
	zero, one := []float64{0}, []float64{1}
	order := engine.Rows{
		Feed: feed, Numbers: engine.SceneScores, Kind: model.Logits, Prep: model.Preprocessing{Mean: zero, Std: one},
	}
	for i := range images.n {
		order.Images = append(order.Images, i)
	}
	err := w.Rows(t.Context(), order, images, func(_ int, row []float64) error {
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	return rows
}

// Random networks give the processor's scores on WebGPU, in workers with few rights. make webgpu
// demands an adapter; without one there is nothing to test.
func TestWebGPU(t *testing.T) {
	w := workers(t, worker.Bounds{})
	if err := device.Missing(device.WebGPU, w.Devices(t.Context())); err != nil && os.Getenv("VARISCOPE_WEBGPU") == "" {
		fmt.Println("WebGPU: not tested, there is no adapter; make webgpu brings one")
		return
	} else if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 5))
	most := 0.0
	for range 12 {
		net := randomNet(random)
		for net.channels != 1 {
			net = randomNet(random)
		}
		images, path := speckles{7, 1, net.height, net.width}, save(t, "net.onnx", net.file())
		want, got := scoresOn(t, w, device.CPU, path, images), scoresOn(t, w, device.WebGPU, path, images)
		for i := range want {
			for k := range want[i] {
				most = max(most, math.Abs(want[i][k]-got[i][k]))
			}
		}
	}
	if t.Logf("largest difference %.2g", most); most > 1e-4 {
		t.Errorf("scores differ by up to %v", most)
	}
}

// A device that is not there is found to be missing, with a sentence, and harms nothing.
func TestMissingDevice(t *testing.T) {
	t.Setenv("VK_DRIVER_FILES", os.DevNull)
	w := workers(t, worker.Bounds{})
	found := w.Devices(t.Context())
	err := device.Missing(device.WebGPU, found)
	if len(found) < 3 || err == nil || !strings.HasPrefix(err.Error(),
		"the device webgpu cannot be used with the ONNX Runtime library ") ||
		strings.Contains(err.Error(), "lambda") {
		t.Errorf("%v, %v", found, err)
	}
	feed := feedOf(t, save(t, "tiny.onnx", tiny().file()), 1)
	for d, fails := range map[device.Device]bool{device.WebGPU: true, "cuda:3": true, "": false, device.CPU: false} {
		feed.Device = d
		if _, err := w.Probe(t.Context(), feed); (err != nil) != fails {
			t.Errorf("a trial run on %s: %v", d, err)
		}
	}
}
