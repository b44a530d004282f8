package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// vitals are what the program takes at one moment. Sizes are bytes.
type vitals struct {
	at                              time.Duration // since the start
	Heap, Objects                   float64
	Goroutines                      float64
	resident, private               float64
	descriptors, threads, processes float64
}

// measure is one of the vitals with how much it may grow from the first third of the samples to the
// last: a share of what it was, and as much besides.
type measure struct {
	name  string
	of    func(vitals) float64
	unit  float64
	share float64
	more  float64
}

const megabyte = 1 << 20

// measures and their limits. What is resident also holds what Go keeps for later, and what the
// graphics driver does.
var measures = []measure{
	{"Go heap (MB)", func(v vitals) float64 { return v.Heap }, megabyte, 0.10, 6 * megabyte},
	{"heap objects (thousands)", func(v vitals) float64 { return v.Objects }, 1000, 0.10, 40_000},
	{"goroutines", func(v vitals) float64 { return v.Goroutines }, 1, 0, 3},
	{"resident (MB)", func(v vitals) float64 { return v.resident }, megabyte, 0.10, 24 * megabyte},
	{"private (MB)", func(v vitals) float64 { return v.private }, megabyte, 0.10, 24 * megabyte},
	{"file descriptors", func(v vitals) float64 { return v.descriptors }, 1, 0, 2},
	{"threads", func(v vitals) float64 { return v.threads }, 1, 0, 4},
	{"child processes", func(v vitals) float64 { return v.processes }, 1, 0, 0},
}

// vitals asks the program and the system what the program takes.
func (w *window) vitals() (v vitals) {
	w.t.Helper()
	conn, err := net.DialTimeout("unix", w.socket+".vitals", patience)
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	if err := json.NewDecoder(conn).Decode(&v); err != nil {
		w.t.Fatal(err)
	}
	process := fmt.Sprintf("/proc/%d", w.command.Process.Pid)
	v.resident = w.field(process+"/status", "VmRSS:") * 1024
	v.threads = w.field(process+"/status", "Threads:")
	v.private = (w.field(process+"/smaps_rollup", "Private_Clean:") +
		w.field(process+"/smaps_rollup", "Private_Dirty:")) * 1024
	files, err := os.ReadDir(process + "/fd")
	if err != nil {
		w.t.Fatal(err)
	}
	v.descriptors = float64(len(files))
	tasks, _ := filepath.Glob(process + "/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task) // threads end
		v.processes += float64(len(strings.Fields(string(text))))
	}
	return v
}

// field is the number behind a name in a file of /proc.
func (w *window) field(file, name string) float64 {
	w.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			value, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				w.t.Fatal(err)
			}
			return value
		}
	}
	w.t.Fatalf("%s has no %s", file, name)
	return 0
}

// fewest samples tell a trend: fewer are compared with the wider limits of a start.
const fewest = 9

// grown is a table of how the vitals went, and what of them grew beyond its limit. The samples of
// the first quarter are the warm-up: caches fill, the driver compiles what it draws with.
func grown(samples []vitals) (table string, problems []string) {
	warm := samples[min(max(1, len(samples)/4), len(samples)-1):]
	third := max(1, len(warm)/3)
	var text strings.Builder
	fmt.Fprintf(&text,
		"%d samples, %d of them after the warm-up\n\n| | first | after the warm-up | at the end | most | limit |\n| "+
			"--- | --- | --- | --- | --- | --- |\n",
		len(samples), len(warm))
	for _, m := range measures {
		first, last := median(warm[:third], m.of), median(warm[len(warm)-third:], m.of)
		limit := first*(1+m.share) + m.more
		if len(warm) < fewest {
			limit = first*(1+3*m.share) + 3*m.more
		}
		most := 0.0
		for _, v := range samples {
			most = max(most, m.of(v))
		}
		fmt.Fprintf(&text, "| %s | %.1f | %.1f | %.1f | %.1f | %.1f |\n", m.name, m.of(samples[0])/m.unit, first/m.unit,
			last/m.unit, most/m.unit, limit/m.unit)
		if last > limit {
			problems = append(problems, fmt.Sprintf("%s grew from %.1f to %.1f, more than to %.1f", m.name,
				first/m.unit, last/m.unit, limit/m.unit))
		}
	}
	return text.String(), problems
}

// TestGrown: what fills up during the warm-up is no growth, what goes on growing is, and one sample
// that stands out is none.
func TestGrown(t *testing.T) {
	for name, c := range map[string]struct {
		heap func(turn int) float64
		want int
	}{
		"flat":          {func(int) float64 { return 100 }, 0},
		"warm-up":       {func(turn int) float64 { return 100 + 20*float64(min(turn, 8)) }, 0},
		"grows":         {func(turn int) float64 { return 100 + 2*float64(turn) }, 1},
		"one stand-out": {func(turn int) float64 { return 100 + 900*float64(turn/39) }, 0},
	} {
		var samples []vitals
		for turn := range 40 {
			samples = append(samples, vitals{Heap: c.heap(turn) * megabyte, Goroutines: 30})
		}
		if table, problems := grown(samples); len(problems) != c.want ||
			!strings.Contains(table, "| goroutines | 30.0 | 30.0 |") {
			t.Errorf("%s: %v\n%s", name, problems, table)
		}
	}
}

func median(list []vitals, of func(vitals) float64) float64 {
	values := make([]float64, len(list))
	for i, v := range list {
		values[i] = of(v)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
