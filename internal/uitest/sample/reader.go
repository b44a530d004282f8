package sample

import (
	"io"
	"os"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/intake"
)

// Reader reads model files for an import with a graph of the test's own.
func Reader(graph func(path string) (model.Graph, error)) intake.Reader {
	return func(path string) (model.Graph, func() (io.ReadCloser, error), error) {
		g, err := graph(path)
		return g, func() (io.ReadCloser, error) { return os.Open(path) }, err
	}
}
