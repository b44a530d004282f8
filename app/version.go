package app

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/variscope/variscope/engine/onnx"
)

// Version is the program's version; FyneApp.toml has the same.
const Version = "0.1.0"

type versionCommand struct{}

type versionReport struct {
	Version string            `json:"version"`
	Go      string            `json:"go"`
	System  string            `json:"system"`
	Library string            `json:"onnxruntime"`
	Modules map[string]string `json:"modules"`
}

func (c *versionCommand) Run(s *session) error {
	report := versionReport{
		Version: Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Library: "not found", Modules: map[string]string{},
	}
	if loaded, err := onnx.Load(s.common.Library); err == nil {
		report.Library = loaded.Version() + " (" + loaded.LibraryPath() + ")"
		s.onClose(loaded.Close)
	}
	rows := [][]string{{"variscope", report.Version}, {"go", report.Go}, {"system", report.System}, {"ONNX Runtime", report.Library}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			switch module.Path {
			case "fyne.io/fyne/v2", "go.etcd.io/bbolt", "gonum.org/v1/gonum", "gonum.org/v1/plot", "github.com/yalue/onnxruntime_go":
				report.Modules[module.Path] = module.Version
				rows = append(rows, []string{module.Path, fmt.Sprint(module.Version)})
			}
		}
	}
	return s.print(report, rows)
}
