package cluster

import (
	"fmt"
	"time"
)

// protocol is the version of what coordinator and workers say to each other. It changes with the forms in package engine/wire, too.
const protocol = 2

// Machine is what a process says of itself and of the computer that it runs on.
type Machine struct {
	ID       string `json:"id"` // of a worker: of its secret (see identity), new for every process
	Name     string `json:"name"`
	Protocol int    `json:"protocol"`
	Program  string `json:"program"` // version
	Runtime  string `json:"runtime"` // version of ONNX Runtime
	Arch     string `json:"arch"`
	Level    string `json:"level"` // engine.Level
	Cores    int    `json:"cores"` // that it computes with
}

// maxCores bounds what a worker may claim.
const maxCores = 4096

// check refuses what cannot be a machine.
func (m Machine) check() error {
	if !plainName.MatchString(m.ID) || len(m.Name) > 255 || m.Cores < 1 || m.Cores > maxCores {
		return fmt.Errorf("a machine with id %.40q, %d cores", m.ID, m.Cores)
	}
	return nil
}

// refusal says why a worker cannot compute for a coordinator; empty where it can. Results of another kind of processor agree to 1e-4 only, and
// need runs that allow it.
func (m Machine) refusal(coordinator Machine, allowMixed bool) string {
	switch c := coordinator; {
	case m.Protocol != c.Protocol:
		return fmt.Sprintf("this worker is Variscope %s and the coordinator is %s, which do not understand each other; install the same version", m.Program, c.Program)
	case m.Runtime != c.Runtime:
		return fmt.Sprintf("this worker has ONNX Runtime %s and the coordinator %s, so results would differ; install the same version", m.Runtime, c.Runtime)
	case allowMixed || m.Arch == c.Arch && m.Level == c.Level:
		return ""
	}
	return fmt.Sprintf("this worker computes with %s (%s) and the coordinator with %s (%s), so the last bits of results would differ; "+
		"it can join once runs allow mixed processors (--mixed)", m.Level, m.Arch, coordinator.Level, coordinator.Arch)
}

// alike tells whether two machines give the same bits.
func (m Machine) alike(o Machine) bool {
	return m.Arch == o.Arch && m.Level == o.Level && m.Runtime == o.Runtime
}

// welcome answers a worker's hello.
type welcome struct {
	Refused     string        `json:"refused,omitempty"`
	Coordinator Machine       `json:"coordinator"`
	Beat        time.Duration `json:"beat"`
	AckWait     time.Duration `json:"ack_wait"`
}

// beat is a worker's sign of life.
type beat struct {
	Machine   Machine  `json:"machine"`
	Units     []inWork `json:"units"`      // one per core at most
	PerSecond float64  `json:"per_second"` // inferences
	Done      int      `json:"done"`       // units
	Failed    int      `json:"failed"`     // units
	Leaving   bool     `json:"leaving,omitempty"`
}

// inWork is a unit that a worker computes or brings.
type inWork struct {
	Unit     string `json:"unit"`  // key
	Model    string `json:"model"` // id, for people
	Chunk    int    `json:"chunk"`
	Inferred int64  `json:"inferred"` // inferences so far
}

// trouble is why a worker has no result for a unit.
type trouble struct {
	Unit   string `json:"unit"`
	Reason string `json:"reason"`
	// Missing says that the unit's model or images are not on the server, which is not the worker's failure.
	Missing bool `json:"missing,omitempty"`
}

// notice says that a result lies among the objects.
type notice struct {
	Unit   string           `json:"unit"`
	Worker string           `json:"worker"` // id
	Object string           `json:"object"`
	Size   int64            `json:"size"`
	Spent  [4]time.Duration `json:"spent"` // decode, transform, infer, reduce
}

// leave asks a worker to end.
type leave struct {
	Reason string `json:"reason"`
}

// withdrawn are units that nobody needs any more.
type withdrawn struct {
	Units []string `json:"units"`
}

// Sizes of what is read from others.
const (
	maxBeat   = 1 << 20
	maxNotice = 4 << 10
	maxReason = 2000
	// maxTrouble holds a reason of which JSON escapes every byte.
	maxTrouble = 8 * maxReason
)
