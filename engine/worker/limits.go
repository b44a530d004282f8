package worker

import (
	"os"
	"path/filepath"
	"time"
)

// Budget bounds what models may take that workers compute. 0 is the default.
type Budget struct {
	WorkerMemory int `help:"Memory of all worker processes together (default: half of the computer's)." label:"Memory for models" unit:"MiB" zero:"half of the computer's" min:"0" max:"16777216" placeholder:"MIB"`
	BatchTime    int `help:"Time that a batch of images may take in a worker (default: 120)." label:"Time for a batch" unit:"seconds" zero:"120" min:"0" max:"86400" placeholder:"SECONDS"`
	LoadTime     int `help:"Time that a model may take until it is open in a worker (default: 300)." label:"Time for opening a model" unit:"seconds" zero:"300" min:"0" max:"86400" placeholder:"SECONDS"`
}

// raise says how a limit is changed.
const raise = "allow more by --%s (in the window: Settings, Computing)"

// Bounds are the budget as a pool needs it. Zeros are the defaults.
func (b Budget) Bounds() Bounds {
	return Bounds{
		Memory: int64(b.WorkerMemory) << 20, Batch: time.Duration(b.BatchTime) * time.Second,
		Load: time.Duration(b.LoadTime) * time.Second,
	}
}

// Bounds bound workers.
type Bounds struct {
	Memory int64         // resident, of all workers together, in bytes
	Batch  time.Duration // for a batch, and for the decoding of its images
	Load   time.Duration // until a model is open
	Trial  time.Duration // for a trial run
}

func (b Bounds) orDefault() Bounds {
	if b.Memory <= 0 {
		b.Memory = halfOfMemory()
	}
	if b.Batch <= 0 {
		b.Batch = 2 * time.Minute
	}
	if b.Load <= 0 {
		b.Load = 5 * time.Minute
	}
	if b.Trial <= 0 {
		b.Trial = time.Minute
	}
	return b
}

// CacheFolder is where the driver of a GPU keeps what it has compiled, of this user; empty where
// there is no such place.
func CacheFolder() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "variscope", "gpu")
}
