package speed

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
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
	if err != nil || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return
	}
	_, err = part.Write(text)
	if closing := part.Close(); err != nil || closing != nil || os.Rename(part.Name(), file) != nil {
		_ = os.Remove(part.Name()) // a stray file in the cache folder does no harm
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
