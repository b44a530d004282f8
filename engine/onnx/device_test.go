package onnx

import (
	"fmt"
	"os"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/engine/suite"
)

type noise struct{}

func (noise) Len() int                           { return 64 }
func (noise) Label(int) int                      { return -1 }
func (noise) Name(i int) string                  { return fmt.Sprint(i) }
func (noise) Image(i int) (suite.Image, error) {
	img := suite.Image{Channels: 1, Height: 28, Width: 28, Pix: make([]float32, 28*28)}
	for k := range img.Pix {
		img.Pix[k] = float32((k*k*(i+3)+k*7)%256) / 255
	}
	return img, nil
}

func TestX(t *testing.T) {
	pool, err := Workers("", nil, worker.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	t.Log(pool.Devices(t.Context()))
	g, err := pool.Network(os.Getenv("M"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []int{1, 2, 3,4,5,8, 32} {
		rows := map[device.Device][][]float64{}
		for _, d := range []device.Device{"", "webgpu"} {
			in := g.Input
			in.Batch = b
			in.Channels, in.Height, in.Width = 1, 28, 28
			one, five := []float64{0}, []float64{1}
			order := engine.Rows{Feed: engine.Feed{Path: os.Getenv("M"), Input: in, Output: g.Outputs[0].Name, Device: d}, Numbers: engine.SceneScores, Kind: model.Logits, Prep: model.Preprocessing{Mean: one, Std: five}}
			for i := range 12 {
				order.Images = append(order.Images, i)
			}
			if err := pool.Rows(t.Context(), order, noise{}, func(k int, row []float64) error { rows[d] = append(rows[d], row); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		for k := range rows[""] {
			m := 0.0
			for j := range rows[""][k] {
				m = max(m, rows[""][k][j]-rows["webgpu"][k][j])
			}
			t.Log(b, k, m)
		}
	}
}
