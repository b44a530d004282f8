// Probe is the program with additions for the window tests: it answers, on the socket named by
// VARISCOPE_SCREEN, what is on the screen and where, on another one beside it what it has in
// memory, and tells at its end which goroutines are left. The tests then click on a text wherever
// the layout puts it; keys, mouse and pixels stay real.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/app"
)

func main() {
	path := os.Getenv("VARISCOPE_SCREEN")
	window := path != "" && len(os.Args) > 1 && os.Args[1] == "--verbose"
	if window {
		go answer(listen(path), func() any {
			var all []Node
			fyne.DoAndWait(func() { all = screen() })
			return all
		})
		go answer(listen(path+vitalsSuffix), func() any { return vitals() })
	}
	code := app.Run(os.Args[1:], os.Stdout, os.Stderr)
	if window {
		for _, stack := range left(30 * time.Second) {
			fmt.Fprintf(os.Stderr, "probe: left behind: %s\n", stack)
		}
	}
	os.Exit(code)
}

// left are the stacks of the program's own goroutines that have not ended after patience.
func left(patience time.Duration) []string {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		var own []string
		var all bytes.Buffer
		_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
		for stack := range strings.SplitSeq(all.String(), "\n\n") {
			probes := strings.Contains(stack, "main.left(") || strings.Contains(stack, "main.answer(")
			if strings.Contains(stack, "github.com/variscope/variscope/") && !probes {
				own = append(own, stack)
			}
		}
		if len(own) == 0 || time.Now().After(end) {
			return own
		}
	}
}

func listen(path string) net.Listener {
	listener, err := net.Listen("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
	return listener
}

// answer writes what tell says, as JSON, to everyone who connects.
func answer(listener net.Listener, tell func() any) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		_ = json.NewEncoder(conn).Encode(tell())
		_ = conn.Close()
	}
}

// vitalsSuffix follows the name of the screen's socket.
const vitalsSuffix = ".vitals"

// profileVariable names a file that gets a profile of the heap each time that the vitals are asked
// for.
const profileVariable = "VARISCOPE_HEAP_PROFILE"

// Vitals are what the program has in memory.
type Vitals struct {
	Heap       uint64 `json:"heap"` // bytes of Go's heap that are in use after a collection
	Objects    uint64 `json:"objects"`
	Goroutines int    `json:"goroutines"`
}

func vitals() Vitals {
	runtime.GC()
	runtime.GC() // what finalizers and pools held goes with the second one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if path := os.Getenv(profileVariable); path != "" {
		if f, err := os.Create(path); err == nil {
			_ = pprof.WriteHeapProfile(f)
			_ = f.Close()
		}
	}
	return Vitals{Heap: m.HeapAlloc, Objects: m.HeapObjects, Goroutines: runtime.NumGoroutine()}
}
