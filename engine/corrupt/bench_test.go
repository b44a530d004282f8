package corrupt

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// BenchmarkCorruption measures every corruption at severity 3 on one image of 28 x 28 gray and of
// 32 x 32 RGB.
func BenchmarkCorruption(b *testing.B) {
	for _, size := range [][3]int{{1, 28, 28}, {3, 32, 32}} {
		for _, name := range Names() {
			b.Run(fmt.Sprintf("%dx%dx%d/%s", size[0], size[1], size[2], name), func(b *testing.B) {
				c := corruption(b, Setting{Name: name, Severity: 3, Seed: 1})
				img := picture(1, size[0], size[1], size[2])
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					testdata.Must(c.Apply(i, img))(b)
				}
				perImage := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(perImage/float64(size[1]*size[2]), "ns/pixel")
				b.ReportMetric(1e9/perImage, "images/s")
			})
		}
	}
}

// BenchmarkLarge measures the corruptions whose work grows with the lengths on 224 x 224 RGB.
func BenchmarkLarge(b *testing.B) {
	for _, name := range []string{"defocus_blur", "glass_blur", "motion_blur", "zoom_blur", "elastic"} {
		b.Run(name, func(b *testing.B) {
			c := corruption(b, Setting{Name: name, Severity: 5, Seed: 1})
			img := picture(1, 3, 224, 224)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				testdata.Must(c.Apply(i, img))(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(224*224), "ns/pixel")
		})
	}
}
