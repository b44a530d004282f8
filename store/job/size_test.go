package job

import (
	"errors"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

func (b *fixture) measure(req Request) Size {
	b.Helper()
	return testdata.Must(Measure(b.Context(), b.ws, b.rt, req))(b)
}

// signalBytes is what the signals take on disk.
func (b *fixture) signalBytes() int64 {
	b.Helper()
	u := testdata.Must(b.ws.Usage(b.Context()))(b)
	return u.SignalBytes()
}

func TestMeasureComesCloseToTheFiles(t *testing.T) {
	for name, change := range map[string]func(*Request){
		"default":      func(*Request) {},
		"CONF only":    func(r *Request) { r.Positions = []string{model.CONF} },
		"with vectors": func(r *Request) { r.Vectors = []string{"L2@CONV-1"} },
	} {
		b := newFixture(t, 300)
		b.model("a", nil)
		b.model("b", nil)
		req := b.request()
		change(&req)
		before := b.measure(req)
		if before.Units != 4 || before.Free <= 0 || before.Took != 0 || !before.Slower {
			t.Errorf("%s: %+v", name, before)
		}
		b.done(req)
		on := b.signalBytes()
		if ratio := float64(before.Bytes) / float64(on); ratio < 0.97 || ratio > 1.1 {
			t.Errorf("%s: %d bytes were expected, %d are there", name, before.Bytes, on)
		}
		if after := b.measure(req); after.Bytes != 0 || after.Units != 0 || after.Refused != nil {
			t.Errorf("%s: a run that is done still adds %+v", name, after)
		}
		other := req
		other.Family = transform.Rot90
		if next := b.measure(other); next.Units > 0 && (next.Took <= 0 || next.Slower) {
			t.Errorf("%s: models that were run before take %v, slower %v", name, next.Took, next.Slower)
		}
		req.ClassMap = map[string]string{"none": "none"}
		if both, err := MeasureEach(t.Context(), b.ws, b.rt, []Request{req, b.request()}); err != nil ||
			both.Refused != nil {
			t.Errorf("%s: one of two that can take part is refused: %v, %v", name, both.Refused, err)
		}
		if none := b.measure(req); none.Units != 0 || none.Refused == nil ||
			!strings.Contains(none.Refused.Error(), "model a") {
			t.Errorf("%s: models that cannot take part add %+v", name, none)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		size Size
		fits bool
	}{
		{Size{Bytes: 1000, Free: reserve + 1000}, true},
		{Size{Bytes: 1000, Free: reserve + 999}, false},
		{Size{Bytes: 1000, Free: 0}, false},
		{Size{Bytes: 1000, Free: -1}, true},
		{Size{Bytes: 0, Free: 0}, true},
	} {
		err := c.size.Fits()
		if (err == nil) != c.fits || err != nil && !errors.Is(err, ErrNoRoom) {
			t.Errorf("%+v: %v", c.size, err)
		}
	}
	err := Size{Bytes: 3_200_000_000, Free: 1_100_000_000}.Fits()
	for _, want := range []string{"3.2 GB", "1.1 GB", "50.0 MB", "choose fewer"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
}

// TestNoRoomForSignalsThatFitOnNoDisk asks for so many vector modalities that a single unit is
// larger than any disk.
func TestNoRoomForSignalsThatFitOnNoDisk(t *testing.T) {
	b := newFixture(t, 4)
	m := b.model("a", nil)
	many := testdata.Must(transform.Parse("rotation:-90:90:0.5"))(b)
	p := planner{models: b.ws, rt: b.rt, suite: b.suite, family: many}
	task := engine.Task{Spec: signal.Spec{Model: m.Hash, Images: 256, Vectors: make([]string, 1_000_000)}}
	testdata.ErrorIs(t, "error", p.room(t.Context(), b.ws, []engine.Task{task}), ErrNoRoom)
}
