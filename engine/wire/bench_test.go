package wire

import (
	"io"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
)

// BenchmarkPack is a chunk of the usual small images.
func BenchmarkPack(b *testing.B) {
	source := images.Gray(b, 256, 28)
	data := written(b, source, 0, 256)
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			testdata.Must(WritePack(b.Context(), io.Discard, source, 0, 256))(b)
		}
	})
	b.Run("open and read all", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			p := opened(b, data)
			for i := range 256 {
				testdata.Must(p.Image(i))(b)
			}
		}
	})
}

// BenchmarkResult is a usual unit: 31 transformations of 256 images, three positions, ten classes.
func BenchmarkResult(b *testing.B) {
	spec := smallSpec(256)
	spec.Positions = append(spec.Positions, signal.Position{Name: model.Conv2, Tensor: "/conv1/Conv_output_0"})
	spec.Vectors = nil
	u := someUnit(spec, 0, 31, 10, 1)
	data := result(b, spec, u)
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			result(b, spec, u)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			testdata.Must(DecodeResult(data, spec, 0, 31))(b)
		}
	})
}
