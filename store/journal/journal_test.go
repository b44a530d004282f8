package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

// lines are a journal of a round in two states, a removed one and three label events, line by line.
func lines(tb testing.TB) [][]byte {
	tb.Helper()
	raw := func(v any) json.RawMessage {
		text := testdata.Must(json.Marshal(v))(tb)
		return text
	}
	list := [][]byte{Head}
	for _, l := range []Line{
		{Round: "R1", Suite: "pets", Models: []string{"a"}, State: raw(label.Round{ID: "R", Name: "R1"})},
		{Round: "R1", Model: "a", Event: raw(label.Event{ID: "1", Round: "R", Note: "<\n>"})},
		{Round: "R2", State: raw(label.Round{ID: "Q", Name: "R2"})},
		{Round: "R1", Model: "a", Event: raw(label.Event{ID: "2", Round: "R"})},
		{Removed: "Q"},
		{Round: "R1", Models: []string{"a", "b"}, State: raw(label.Round{ID: "R", Name: "R1", Closed: true})},
		{Event: raw(label.Event{ID: "3", Round: "R"})},
	} {
		text, err := l.Bytes()
		must(tb, err)
		list = append(list, text)
	}
	return list
}

func read(tb testing.TB, text []byte) Content {
	tb.Helper()
	c := testdata.Must(Read(tb.Context(), bytes.NewReader(text)))(tb)
	return c
}

// events are the ids of a content's events.
func (c Content) events() string {
	var ids []string
	for id := range maps.Keys(c.Events) {
		ids = append(ids, id[1:])
	}
	slices.Sort(ids)
	return strings.Join(ids, "")
}

// TestLastStateAndUnion: each event is there once, a round as it was last, and a removed one is
// not.
func TestLastStateAndUnion(t *testing.T) {
	text := bytes.Join(lines(t), nil)
	c := read(t, append(bytes.Clone(text), bytes.Join(lines(t)[4:5], nil)...))
	var r label.Round
	must(t, json.Unmarshal(c.Rounds["R"], &r))
	if c.events() != "123" || len(c.Rounds) != 1 || !r.Closed || c.Bad != 0 || c.Ragged ||
		c.End != int64(len(text)+len(lines(t)[4])) {
		t.Errorf("%+v", c)
	}
}

// TestCutAnywhere: of a journal that is cut off at any byte, every whole line is read, and End is
// where the last one ends.
func TestCutAnywhere(t *testing.T) {
	list := lines(t)
	text := bytes.Join(list, nil)
	ends, at := map[int]int{0: 0}, 0 // bytes to whole lines
	for i, l := range list {
		at += len(l)
		ends[at] = i + 1
	}
	last := 0
	for n := range len(text) + 1 {
		if _, ok := ends[n]; ok {
			last = n
		}
		_, ragged := ends[n+1]
		c := read(t, text[:n])
		if c.End != int64(last) || c.Bad != 0 || c.Ragged != ragged {
			t.Errorf("cut at %d: %+v", n, c)
		}
	}
}

// TestDamagedLines: a line that cannot be read is counted and takes no other one with it.
func TestDamagedLines(t *testing.T) {
	for i := range lines(t) {
		for _, bad := range []string{
			"", "{", "{}", `{"event":{"id":"1"}}`, `{"state":{"id":""}}`,
			`{"removed":"` + strings.Repeat("x", maxID+1) + `"}`,
		} {
			list := lines(t)
			list[i] = []byte(bad + "\n")
			want := strings.Trim("123", map[int]string{2: "1", 7: "3"}[i])
			if i == 4 {
				want = "13"
			}
			if c := read(t, bytes.Join(list, nil)); c.Bad != 1 || c.events() != want ||
				c.End != int64(len(bytes.Join(list, nil))) {
				t.Errorf("line %d is %.20q: %d bad, events %s", i, bad, c.Bad, c.events())
			}
		}
	}
}

// TestLongLine: a line that is too long is read over, and takes no memory.
func TestLongLine(t *testing.T) {
	long := io.MultiReader(bytes.NewReader(Head), io.LimitReader(endless('x'), maxLine+1),
		bytes.NewReader(bytes.Join(lines(t), nil)[len(Head)-1:]))
	if c, err := Read(t.Context(), long); err != nil || c.Bad != 1 || c.events() != "123" {
		t.Errorf("%d bad, events %s, %v", c.Bad, c.events(), err)
	}
}

// TestRefusals: a newer journal, one of too many lines, an error of the disk and a cancel are
// errors.
func TestRefusals(t *testing.T) {
	newer := fmt.Sprintf(`{"schema":"variscope.labels","version":%d,"new":[]}`+"\n{}\n", version+1)
	testdata.ErrorIs(t, "Read", testdata.Err(Read(t.Context(), strings.NewReader(newer))), ErrNewer)
	defer func(before int) { maxLines = before }(maxLines)
	maxLines = 1000
	testdata.Refused(t, "Read", testdata.Err(Read(t.Context(), endless('\n'))), "lines")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "Read", testdata.Err(Read(ctx, bytes.NewReader(Head))), context.Canceled)
	_, err := Read(t.Context(), io.MultiReader(bytes.NewReader(Head), failing{}))
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

// endless repeats a byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte{byte(e)}, len(p)))
	return len(p), nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzRead reads anything: what is read of it can be written and read again, and says the same.
func FuzzRead(f *testing.F) {
	f.Add(bytes.Join(lines(f), nil))
	f.Add([]byte("{}\n[]\n\"\"\n{\"event\":null,\"state\":{}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Read(t.Context(), bytes.NewReader(text))
		if err != nil {
			return
		}
		if c.End > int64(len(text)) || c.End > 0 && text[c.End-1] != '\n' {
			t.Errorf("the end is %d", c.End)
		}
		again := bytes.Clone(Head)
		for _, r := range c.Rounds {
			line := testdata.Must(Line{State: r}.Bytes())(t)
			again = append(again, line...)
		}
		for _, ev := range c.Events {
			line, err := Line{Event: ev}.Bytes()
			must(t, err)
			again = append(again, line...)
		}
		if d := read(t, again); d.Bad != 0 || len(d.Rounds) != len(c.Rounds) || len(d.Events) != len(c.Events) {
			t.Errorf("%+v became %+v", c, d)
		}
	})
}
