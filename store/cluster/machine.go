package cluster

import (
	"fmt"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/wire"
)

// protocol is the version of what coordinator and workers say to each other. It changes with the forms in package engine/wire, too.
const protocol = 5

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
	// Devices are the kinds of device that it offers besides the processor (device.Device.Kind).
	Devices []string `json:"devices,omitempty"`
}

// maxCores is how many cores a worker may claim: units that it has cannot be computed by anybody else at the time.
const maxCores = 1024

// maxDevices is how many kinds of devices a worker may name.
const maxDevices = 16

// check refuses what cannot be a machine. Its texts are shown to people.
func (m Machine) check() error {
	if !plainName.MatchString(m.ID) {
		return fmt.Errorf("a machine with id %.40q", m.ID)
	}
	if m.Cores < 1 || m.Cores > maxCores {
		return fmt.Errorf("a machine with %d cores, where 1 to %d make sense", m.Cores, maxCores)
	}
	if len(m.Devices) > maxDevices || slices.ContainsFunc(m.Devices, func(kind string) bool { return kind == "" || !device.IsKind(kind) }) {
		return fmt.Errorf("a machine with devices %.80q", m.Devices)
	}
	for _, text := range []string{m.Name, m.Program, m.Runtime, m.Arch, m.Level} {
		if text != wire.Plain(text, maxLabel) {
			return fmt.Errorf("a machine that calls something %.40q", text)
		}
	}
	return nil
}

// maxLabel is how many bytes a name may have that others have given.
const maxLabel = 255

// check refuses a sign of life that makes no sense.
func (b beat) check() error {
	if err := b.Machine.check(); err != nil {
		return err
	}
	if len(b.Units) > spare*b.Machine.Cores || b.Done < 0 || b.Failed < 0 || !(b.PerSecond >= 0 && b.PerSecond < 1e12) {
		return fmt.Errorf("%d units at work, %d done, %d failed, %g per second", len(b.Units), b.Done, b.Failed, b.PerSecond)
	}
	for _, u := range b.Units {
		if u.Chunk < 0 || u.Inferred < 0 {
			return fmt.Errorf("a unit of %.40q, chunk %d, %d inferences", u.Model, u.Chunk, u.Inferred)
		}
	}
	return nil
}

// refusal says why a worker cannot compute for a coordinator; empty where it can. Results of another kind of processor agree to 1e-4 only, and
// need runs that allow it.
func (m Machine) refusal(coordinator Machine, allowMixed bool) string {
	switch c := coordinator; {
	case m.Protocol != c.Protocol:
		return fmt.Sprintf("this worker is Variscope %s and the coordinator is %s, which do not understand each other; install the same version", m.Program, c.Program)
	case m.Program != c.Program:
		return fmt.Sprintf("this worker is Variscope %s and the coordinator is %s, so results may differ; install the same version", m.Program, c.Program)
	case m.Runtime != c.Runtime:
		return fmt.Sprintf("this worker has ONNX Runtime %s and the coordinator %s, so results would differ; install the same version", m.Runtime, c.Runtime)
	case allowMixed || m.Arch == c.Arch && m.Level == c.Level:
		return ""
	}
	return fmt.Sprintf("this worker computes with %s (%s) and the coordinator with %s (%s), so the last bits of results would differ; "+
		"it can join once runs allow mixed processors (--mixed)", m.Level, m.Arch, coordinator.Level, coordinator.Arch)
}

// offers tells whether the machine has a kind of device.
func (m Machine) offers(kind string) bool { return kind == "" || slices.Contains(m.Devices, kind) }

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
	Machine   Machine      `json:"machine"`
	Units     []UnitInWork `json:"units"`      // spare per core at most
	PerSecond float64      `json:"per_second"` // inferences
	Done      int          `json:"done"`       // units
	Failed    int          `json:"failed"`     // units
	Leaving   bool         `json:"leaving,omitempty"`
}

// UnitInWork is a unit that a worker has.
type UnitInWork struct {
	Unit     string `json:"unit"`  // key
	Model    string `json:"model"` // id, for people
	Chunk    int    `json:"chunk"`
	Inferred int64  `json:"inferred"`        // inferences so far
	Waits    bool   `json:"waits,omitempty"` // until others are computed
}

// trouble is why a worker has no result for a unit.
type trouble struct {
	Unit   string `json:"unit"`
	Reason string `json:"reason"`
}

// notice says that a worker has a result.
type notice struct {
	Unit  string           `json:"unit"`
	Size  int64            `json:"size"`
	Spent [4]time.Duration `json:"spent"` // decode, transform, infer, reduce
}

// spent is what the unit took, as far as it can be believed.
func (n notice) spent() engine.Spent {
	for i, d := range n.Spent {
		n.Spent[i] = min(max(d, 0), maxSpent)
	}
	return engine.Spent{Decode: n.Spent[0], Transform: n.Spent[1], Infer: n.Spent[2], Reduce: n.Spent[3]}
}

// maxSpent is more than any step of a unit takes.
const maxSpent = 7 * 24 * time.Hour

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
