package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/wire"
)

// protocol is the version of what coordinator and workers say to each other. It changes with the
// forms in package engine/wire, too. Machine and welcome stay, so that other versions learn of it.
const protocol = 6

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

// The bounds of what a machine may say of itself. Units that a core has cannot be computed by
// anybody else at the time.
const (
	maxCores   = 1024
	maxDevices = 16
	maxLabel   = 255 // bytes of a name
)

// check refuses what cannot be a machine. Its texts are shown to people.
func (m Machine) check() error {
	if !plainName.MatchString(m.ID) {
		return fmt.Errorf("a machine with id %.40q", m.ID)
	}
	if m.Cores < 1 || m.Cores > maxCores {
		return fmt.Errorf("a machine with %d cores, where 1 to %d make sense", m.Cores, maxCores)
	}
	unknown := func(kind string) bool { return kind == "" || !device.IsKind(kind) }
	if len(m.Devices) > maxDevices || slices.ContainsFunc(m.Devices, unknown) {
		return fmt.Errorf("a machine with devices %.80q", m.Devices)
	}
	for _, text := range []string{m.Name, m.Program, m.Runtime, m.Arch, m.Level} {
		if text != wire.Plain(text, maxLabel) {
			return fmt.Errorf("a machine that calls something %.40q", text)
		}
	}
	return nil
}

// refusal says why a worker cannot compute for a coordinator; empty where it can. Results of
// another kind of processor agree to 1e-4 only, and need runs that allow it.
func (m Machine) refusal(c Machine, allowMixed bool) string {
	const sameVersion = "install the same version"
	switch {
	case m.Protocol != c.Protocol:
		return fmt.Sprintf("this worker is Variscope %s and the coordinator is %s, "+
			"which do not understand each other; %s", m.Program, c.Program, sameVersion)
	case m.Program != c.Program:
		return fmt.Sprintf("this worker is Variscope %s and the coordinator is %s, so results may differ; %s",
			m.Program, c.Program, sameVersion)
	case m.Runtime != c.Runtime:
		return fmt.Sprintf("this worker has ONNX Runtime %s and the coordinator %s, so results would differ; %s",
			m.Runtime, c.Runtime, sameVersion)
	case allowMixed || m.alike(c):
		return ""
	}
	return fmt.Sprintf("this worker computes with %s (%s) and the coordinator with %s (%s), so the last bits of "+
		"results would differ; "+
		"it can join once runs allow mixed processors (--mixed)", m.Level, m.Arch, c.Level, c.Arch)
}

// offers tells whether the machine has a kind of device.
func (m Machine) offers(kind string) bool { return kind == "" || slices.Contains(m.Devices, kind) }

// alike tells whether two machines give the same bits.
func (m Machine) alike(o Machine) bool {
	return m.Arch == o.Arch && m.Level == o.Level && m.Runtime == o.Runtime
}

// Pace are the times after which something has gone wrong. Zero values are the defaults.
type Pace struct {
	Beat    time.Duration `json:"beat"`     // between two signs of life of a worker: 2 s
	AckWait time.Duration `json:"ack_wait"` // without a sign of life of a unit it goes to somebody else: 30 s
}

// lostBeats is how many signs of life a worker may miss before it counts as lost.
const lostBeats = 5

// welcome answers a worker's hello.
type welcome struct {
	Refused     string  `json:"refused,omitempty"`
	Coordinator Machine `json:"coordinator"`
	Pace
}

// Doing is what a worker does.
type Doing struct {
	Units     []UnitInWork `json:"units"`      // with those that wait
	PerSecond float64      `json:"per_second"` // inferences
	Done      int          `json:"done"`       // units since it joined
	Failed    int          `json:"failed"`     // units that it could not compute
}

// UnitInWork is a unit that a worker has.
type UnitInWork struct {
	Unit     string `json:"unit"`  // key
	Model    string `json:"model"` // id, for people
	Chunk    int    `json:"chunk"`
	Inferred int64  `json:"inferred"`        // inferences so far
	Waits    bool   `json:"waits,omitempty"` // until others are computed
}

// inWork is what is computed or brought, without the units that wait.
func (d Doing) inWork() Doing {
	d.Units = slices.DeleteFunc(slices.Clone(d.Units), func(u UnitInWork) bool { return u.Waits })
	return d
}

// beat is a worker's sign of life.
type beat struct {
	Machine Machine `json:"machine"`
	Doing
	Leaving bool `json:"leaving,omitempty"`
}

// check refuses a sign of life of the worker of an id that makes no sense.
func (b beat) check(id string) error {
	if err := b.Machine.check(); err != nil {
		return err
	}
	if b.Machine.ID != id {
		return fmt.Errorf("it is signed with %.40q", b.Machine.ID)
	}
	if len(b.Units) > 2*spare*b.Machine.Cores || b.Done < 0 || b.Failed < 0 ||
		!(b.PerSecond >= 0 && b.PerSecond < 1e12) {
		return fmt.Errorf("%d units at work, %d done, %d failed, %g per second",
			len(b.Units), b.Done, b.Failed, b.PerSecond)
	}
	for _, u := range b.Units {
		if u.Chunk < 0 || u.Inferred < 0 {
			return fmt.Errorf("a unit of %.40q, chunk %d, %d inferences", u.Model, u.Chunk, u.Inferred)
		}
	}
	return nil
}

// given is a unit that a worker is to compute.
type given struct {
	Unit  string          `json:"unit"` // key
	Order json.RawMessage `json:"order"`
}

// trouble is why a worker has no result for a unit.
type trouble struct {
	Unit   string `json:"unit"`
	Reason string `json:"reason"`
}

// notice says that a worker has a result.
type notice struct {
	Unit    string         `json:"unit"`
	Size    int64          `json:"size"` // bytes
	Timings engine.Timings `json:"spent"`
}

// verdict answers a worker that has brought a result.
type verdict struct {
	Later   bool   `json:"later,omitempty"`   // it cannot be taken now
	Refused string `json:"refused,omitempty"` // why it cannot be used
}

// longestTime is more than any step of a unit takes.
const longestTime = 7 * 24 * time.Hour

// timings is what the unit took, as far as it can be believed.
func (n notice) timings() engine.Timings {
	s := n.Timings
	s.Store = 0 // it has kept nothing
	for _, d := range []*time.Duration{&s.Decode, &s.Transform, &s.Infer, &s.Reduce} {
		*d = min(max(*d, 0), longestTime)
	}
	return s
}

// Sizes of what is read from others.
const (
	maxBeat   = 1 << 20
	maxNotice = 4 << 10
	maxReason = 2000
	// maxTrouble holds a reason of which JSON escapes every byte.
	maxTrouble = 8 * maxReason
)
