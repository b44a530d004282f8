package suite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine/suite"
)

// Two digits of 2 x 2 pixels as IDX files, scanned once and opened from the manifest.
func ExampleScan() {
	folder, err := os.MkdirTemp("", "digits")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	for name, data := range map[string]string{
		"few-images-idx3-ubyte": "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x02" +
			"\x00\x33\x66\x99\xff\xff\xff\xff",
		"few-labels-idx1-ubyte": "\x00\x00\x08\x01\x00\x00\x00\x02\x01\x00",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	m, err := suite.Scan(context.Background(), folder, suite.Options{Name: "few"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := suite.Open(m, m.Root)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	img, err := s.Image(0)
	fmt.Println(m.Name, m.Format, m.Classes, m.Counts, s.Len())
	fmt.Println(s.Label(0), img.Channels, img.Height, img.Width, img.Pix, err)
	// Output:
	// few idx [0 1] [1 1] 2
	// 1 1 2 2 [0 0.2 0.4 0.6] <nil>
}

func ExampleFit() {
	wide := suite.Image{Channels: 1, Height: 1, Width: 4, Pix: []float32{0, 0.2, 0.6, 1}}
	fmt.Printf("%.3f\n", suite.Fit(wide, suite.Fitting{Channels: 1, Height: 1, Width: 2}).Pix)
	// Output: [0.171 0.714]
}
