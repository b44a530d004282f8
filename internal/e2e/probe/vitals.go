package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

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
