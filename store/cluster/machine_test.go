package cluster

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
)

func TestRefusal(t *testing.T) {
	c := self()
	c.Protocol = protocol
	for name, tt := range map[string]struct {
		change        func(m *Machine)
		want, inMixed string // part of the sentence; empty where the worker is taken
	}{
		"the same":           {func(*Machine) {}, "", ""},
		"other protocol":     {func(m *Machine) { m.Protocol++ }, "understand each other", "understand each other"},
		"newer program":      {func(m *Machine) { m.Program = "1.0.1" }, "and the coordinator is 1,", "same version"},
		"no program":         {func(m *Machine) { m.Program = "" }, "same version", "same version"},
		"other runtime":      {func(m *Machine) { m.Runtime = "1.1" }, "ONNX Runtime 1.1", "ONNX Runtime 1.1"},
		"other level":        {func(m *Machine) { m.Level = "x" }, "--mixed", ""},
		"other architecture": {func(m *Machine) { m.Arch = "x" }, "--mixed", ""},
		"other name, cores":  {func(m *Machine) { m.Name, m.Cores = "other", 64 }, "", ""},
	} {
		for mixed, want := range map[bool]string{false: tt.want, true: tt.inMixed} {
			m := c
			tt.change(&m)
			if text := m.refusal(c, mixed); (want == "") != (text == "") || !strings.Contains(text, want) {
				t.Errorf("%s, mixed %t: %q", name, mixed, text)
			}
		}
	}
}

func TestBeatsThatMakeNoSense(t *testing.T) {
	unit := UnitInWork{Unit: someHash, Model: "Größe 3"}
	good := beat{Machine: self(), Doing: Doing{Units: []UnitInWork{unit}}}
	good.Machine.ID = identityOf("x").id
	must(t, good.check(good.Machine.ID))
	for name, change := range map[string]func(b *beat){
		"no id":             func(b *beat) { b.Machine.ID = "" },
		"another's id":      func(b *beat) { b.Machine.ID = identityOf("y").id },
		"no cores":          func(b *beat) { b.Machine.Cores = 0 },
		"too many cores":    func(b *beat) { b.Machine.Cores = maxCores + 1 },
		"a long name":       func(b *beat) { b.Machine.Name = strings.Repeat("a", maxLabel+1) },
		"a name of bytes":   func(b *beat) { b.Machine.Name = "\xff" },
		"a name of lines":   func(b *beat) { b.Machine.Name = "a\nb" },
		"a hidden level":    func(b *beat) { b.Machine.Level = "avx\u202e512" },
		"too many units":    func(b *beat) { b.Units = slices.Repeat([]UnitInWork{unit}, 2*spare*b.Machine.Cores+1) },
		"less than nothing": func(b *beat) { b.Done = -1 },
		"less than no rate": func(b *beat) { b.PerSecond = -1 },
		"no number":         func(b *beat) { b.PerSecond = math.NaN() },
		"an endless rate":   func(b *beat) { b.PerSecond = math.Inf(1) },
		"no such chunk":     func(b *beat) { b.Units = []UnitInWork{{Chunk: -1}} },
	} {
		b := good
		change(&b)
		if b.check(good.Machine.ID) == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestBeatsOfModelsWithOddNames count: whatever a model is called, its worker is there. The names
// are kept as they can be shown.
func TestBeatsOfModelsWithOddNames(t *testing.T) {
	o := Options{Self: self()}.orDefault()
	for name, want := range map[string]string{
		"Größe 3":                       "Größe 3",
		"a\u3000b\u00a0c":               "a b c",
		"a\x1b[31m\nb":                  "a\ufffd[31m b",
		"a\u202eb\xff":                  "a\ufffdb\ufffd",
		strings.Repeat("a", 4096):       strings.Repeat("a", maxLabel),
		"a" + strings.Repeat("ü", 2000): "a" + strings.Repeat("ü", maxLabel/2),
	} {
		c := &Coordinator{options: o, members: map[string]*member{}}
		b := beat{Machine: o.Self, Doing: Doing{Units: []UnitInWork{{Unit: someHash, Model: name}}}}
		b.Machine.ID = identityOf("x").id
		data := testdata.Must(json.Marshal(b))(t)
		c.receiveBeat(b.Machine.ID, data)
		list := c.Workers()
		if len(list) != 1 || len(list[0].Units) != 1 || list[0].Units[0].Model != want {
			t.Errorf("%.40q: %+v", name, list)
		}
	}
}

// TestBeatsThatCannotBeUsed: their worker has to leave, which is logged once.
func TestBeatsThatCannotBeUsed(t *testing.T) {
	var log bytes.Buffer
	o := Options{Self: self(), Log: slog.New(slog.NewTextHandler(&log, nil))}.orDefault()
	c := &Coordinator{options: o, members: map[string]*member{"a": {}}, removed: map[string]bool{}}
	for _, id := range []string{"a", "a", "b"} {
		c.receiveBeat(id, []byte("{}"))
	}
	if n := strings.Count(log.String(), "cannot be used"); n != 1 || len(c.members) != 0 || !c.removed["a"] {
		t.Errorf("%d lines: %s", n, log.String())
	}
}

// TestReasonsOfWorkers are shown and kept in one line of a bounded length.
func TestReasonsOfWorkers(t *testing.T) {
	d, r := newRound(t, 20)
	p := r.give(t, "w")
	r.receiveTrouble("w", trouble{Unit: p.Key(), Reason: "a\x1b[2J\nb\u202e" + strings.Repeat("c", 2*maxReason)})
	for _, reason := range []string{r.faults[p.Key()].reason, r.members["w"].Problem} {
		if !strings.HasPrefix(reason, "a\ufffd[2J b\ufffdccc") || len(reason) != maxReason {
			t.Errorf("%d bytes: %.40q", len(reason), reason)
		}
	}
	if again := r.give(t, "w"); again.Key() != p.Key() || d.brought() {
		t.Error("the unit does not go out again")
	}
}

// TestNoMoreMembersThanThereIsRoomFor: those who were lost make room.
func TestNoMoreMembersThanThereIsRoomFor(t *testing.T) {
	c := &Coordinator{options: Options{Self: self()}.orDefault(), members: map[string]*member{}}
	for i := range maxMembers {
		seen := time.Now()
		if i == 7 {
			seen = seen.Add(-time.Hour)
		}
		c.members[certHash([]byte{byte(i), byte(i >> 8)})] = &member{Worker: Worker{Seen: seen}}
	}
	if c.full() || len(c.members) != maxMembers-1 {
		t.Errorf("%d are left", len(c.members))
	}
	c.members["new"] = &member{Worker: Worker{Seen: time.Now()}}
	if !c.full() {
		t.Error("there is room")
	}
}

func TestTimingsThatAreBelieved(t *testing.T) {
	n := notice{Timings: engine.Timings{
		Decode: -time.Second, Transform: time.Second, Infer: math.MaxInt64, Store: time.Hour,
	}}
	if got, want := n.timings(), (engine.Timings{Transform: time.Second, Infer: longestTime}); got != want {
		t.Errorf("%+v", got)
	}
}
