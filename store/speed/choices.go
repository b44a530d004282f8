package speed

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/durable"
)

// choice is what a calibration found.
type choice struct {
	engine.Tuning
	PerSecond float64 `json:"images_per_s"`
}

// maxChoices bounds the file; one that has more is begun anew.
const maxChoices = 10_000

// readChoices reads the file; one that is not there or not readable holds nothing.
func readChoices(file string) map[string]choice {
	all := map[string]choice{}
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &all) != nil || all == nil || len(all) > maxChoices {
		return map[string]choice{}
	}
	return all
}

// readChoice finds a choice that makes sense.
func readChoice(file, place string) (choice, bool) {
	c, ok := readChoices(file)[place]
	return c, ok && file != "" && slices.Contains(engine.Batches(), c.Batch) && c.Workers >= 0
}

// keepChoice adds a choice. Another process may write at the same time: then one of the two measures again, some day. The file is
// replaced as a whole, so that nobody reads half of it; an error costs a calibration and nothing else.
func keepChoice(file, place string, c choice) {
	if file == "" {
		return
	}
	all := readChoices(file)
	all[place] = c
	text, err := json.MarshalIndent(all, "", " ")
	if err == nil {
		err = durable.Folders(filepath.Dir(file))
	}
	if err == nil {
		_ = durable.WriteFile(file, func(out io.Writer) error {
			_, err := out.Write(text)
			return err
		})
	}
}

// processor is the processor's name as far as the system tells it.
func processor() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return name
	}
	for line := range strings.Lines(string(text)) {
		if what, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(what) == "model name" {
			return name + " " + strings.TrimSpace(value)
		}
	}
	return name
}
