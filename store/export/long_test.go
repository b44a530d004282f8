package export

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

func longText(t testing.TB, rows []label.Row) string {
	t.Helper()
	var out bytes.Buffer
	testdata.OK(t, label.Labels.Sheet(rows).CSV(&out, false))
	return out.String()
}

func TestLabelsLongText(t *testing.T) {
	row := sample(1, "r1", "=s1", label.Variant)
	row.Note, row.Flag, row.Sure = "-20, \"odd\"\r\nline", "@home", false
	skip := sample(2, "r2", "s2", "")
	skip.Kind, skip.Started, skip.Saved = label.Skip, time.Date(2026, 3, 1, 13, 0, 0, 1, time.FixedZone("", 3600)),
		time.Time{}
	undo := sample(3, "r1", "s1", "")
	undo.Kind, undo.Supersedes = label.Undo, row.ID
	want := "event_id,desk,round_id,round,model_id,model_hash,annotator,kind,pass,label,sure,flag,note,started,saved," +
		"seconds,guideline_hash,supersedes\n" +
		ulidOf(1) + "," + ulidOf(8000) + "," + roundID + ",first,=s1," + sums.Hash("=s1") +
		",r1,label,1,variant,false,@home,\"-20, \"\"odd\"\"\nline\",,2026-03-01T12:00:01.25Z,1.5," +
		sums.Hash("look") + ",\n" +
		ulidOf(2) + "," + ulidOf(8000) + "," + roundID + ",first,s2," + sums.Hash("s2") +
		",r2,skip,1,,true,,,2026-03-01T12:00:00.000000001Z,,1.5," + sums.Hash("look") + ",\n" +
		ulidOf(3) + "," + ulidOf(8000) + "," + roundID + ",first,s1," + sums.Hash("s1") +
		",r1,undo,1,,true,,,,2026-03-01T12:00:03.25Z,1.5," + sums.Hash("look") + "," + ulidOf(1) + "\n"
	text := longText(t, []label.Row{row, skip, undo})
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, text))
	back, err := ReadLong(strings.NewReader(text), "labels_long.csv")
	if err != nil || len(back) != 3 || back[0].Note != "-20, \"odd\"\nline" || back[0].ModelID != "=s1" ||
		!back[1].Started.Equal(skip.Started) {
		t.Errorf("%+v, %v", back, err)
	}
	if _, added, err := label.Merge([]label.Event{row.Event}, []label.Event{back[0].Event}); err != nil || added != 0 {
		t.Errorf("the event read is not the event written: %v", err)
	}
	if marked, err := ReadLabelsLong(strings.NewReader("\ufeff"+text), "x.csv"); err != nil || len(marked) != 3 {
		t.Errorf("with a byte order mark: %v", err)
	}
}

// Whatever texts, times and numbers an event holds, it comes back, and as the same bytes.
func TestLabelsLongRoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.String(),
		rapid.SampledFrom([]string{"'", "=x", "a\r\nb", "\r", "\"", " ", "a,b", "\n\n"}))
	rapid.Check(t, func(t *rapid.T) {
		var rows []label.Row
		for k := range rapid.IntRange(0, 5).Draw(t, "rows") {
			row := sample(k, rapid.StringN(1, 10, -1).Draw(t, "annotator"), text.Draw(t, "id"), label.Variant)
			row.Note, row.Flag, row.RoundName = text.Draw(t, "note"), text.Draw(t, "flag"), text.Draw(t, "round")
			row.Seconds = rapid.Float64Range(0, 1e9).Draw(t, "seconds")
			row.Started = time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "s"),
				rapid.Int64Range(0, 999999999).Draw(t, "ns")).UTC()
			row.Pass = rapid.IntRange(1, 2).Draw(t, "pass")
			rows = append(rows, row)
		}
		var out bytes.Buffer
		forSpreadsheets := rapid.Bool().Draw(t, "for spreadsheets")
		testdata.OK(t, label.Labels.Sheet(rows).CSV(&out, forSpreadsheets))
		back := testdata.Must(ReadLong(bytes.NewReader(out.Bytes()), "x"))(t)
		for k := range rows {
			for _, cell := range []*string{
				&rows[k].Note, &rows[k].Flag, &rows[k].RoundName, &rows[k].ModelID, &rows[k].Annotator,
			} {
				*cell = unixEnds.Replace(*cell)
			}
		}
		testdata.NoDiff(t, "-want +got", cmp.Diff(append([]label.Row{}, rows...), back))
		var again bytes.Buffer
		if err := label.Labels.Sheet(back).CSV(&again, forSpreadsheets); err != nil ||
			!bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Fatalf("written again the table differs: %v", err)
		}
	})
}

func TestReadLongRefuses(t *testing.T) {
	good := longText(t, []label.Row{sample(1, "r1", "s1", label.Variant), sample(2, "r2", "s1", label.Invariant)})
	for _, c := range []struct {
		name, from, to, want string
	}{
		{"empty", good, "", "f.csv, line 1: the file is empty"},
		{"another table", "event_id,desk", "id,desk", "this is no labels_long.csv: its header must be event_id,"},
		{"missing cell", sums.Hash("look") + ",\n" + ulidOf(2), "\n" + ulidOf(2), "line 2: 17 cells in place of 18"},
		{"id", ulidOf(2), "x", "f.csv, line 3: column event_id: \"x\" is no ULID"},
		{"lower-case id", ulidOf(2), strings.ToLower(ulidOf(2)), "is no ULID"},
		{"label", ",invariant,", ",Invariant,", "line 3: column label: \"Invariant\" is no label; use invariant"},
		{"label missing", ",invariant,", ",,", "line 3: a label event needs a label"},
		{"label on a skip", "r2,label,1", "r2,skip,1", "a skip event carries no label, but \"invariant\" stands there"},
		{"undo of nothing", "r2,label,1,invariant", "r2,undo,1,", "line 3: an undo event must name in supersedes"},
		{"kind", "r2,label,1", "r2,vote,1", "column kind: \"vote\" is no kind"},
		{"pass", "r2,label,1", "r2,label,3", "column pass: \"3\" is neither 1 nor 2"},
		{"sure", "invariant,true", "invariant,yes", "column sure: \"yes\" is neither true nor false"},
		{"annotator", ",r2,", ",,", "column annotator: it is empty"},
		{"hash", sums.Hash("s1") + ",r2", "abc,r2", "column model_hash: \"abc\" is no SHA-256"},
		{"saved", "2026-03-01T12:00:02.25Z", "yesterday", "column saved: \"yesterday\" is no time"},
		{"seconds", ",1.5,", ",-1,", "column seconds: \"-1\" is no number of seconds"},
		{"seconds NaN", ",1.5,", ",NaN,", "column seconds"},
		{"supersedes", sums.Hash("look") + ",\n", sums.Hash("look") + ",x\n", "column supersedes: \"x\" is no ULID"},
		{"not UTF-8", ",first,", ",\xff,", "column round is not UTF-8"},
		{"a quote inside", ",first,", ",fi\"rst,", "f.csv, line 2: bare"},
		{"listed twice", ulidOf(2), ulidOf(1), "event " + ulidOf(1) + " is listed twice with different content"},
	} {
		text := strings.Replace(good, c.from, c.to, 1)
		if text == good {
			t.Fatalf("%s: %q is not in the table", c.name, c.from)
		}
		_, err := ReadLabelsLong(strings.NewReader(text), "f.csv")
		testdata.Refused(t, c.name, err, "f.csv", c.want)
		var place *TableError
		if !errors.As(err, &place) || place.Unwrap() == nil {
			t.Errorf("%s: %T is no TableError", c.name, err)
		}
	}
}

func TestReadLongTwiceTheSame(t *testing.T) {
	row := sample(1, "r1", "s1", label.Variant)
	events, err := ReadLabelsLong(strings.NewReader(longText(t, []label.Row{row, row})), "x")
	if err != nil || len(events) != 1 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestTablesReportFailingFiles(t *testing.T) {
	_, err := ReadLong(iotest.ErrReader(errors.New("cable pulled")), "f.csv")
	testdata.Refused(t, "reading", err, "read f.csv: cable pulled")
}

// Whatever is read can be written and read again as the same rows, and nothing crashes.
func FuzzLabelsLong(f *testing.F) {
	odd := sample(1, "=r1", "'s1", label.Borderline)
	odd.Note = "a\nb, \"c\""
	undo := sample(2, "r2", "s1", "")
	undo.Kind, undo.Supersedes = label.Undo, odd.ID
	text := longText(f, []label.Row{odd, undo})
	f.Add(text)
	f.Add("\ufeff" + text)
	f.Add(strings.ReplaceAll(text, "\n", "\r\n"))
	f.Add(text[:len(text)/2])
	f.Add(strings.Join(longHeader(), ",") + "\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadLong(strings.NewReader(text), "f.csv")
		if err != nil {
			if !strings.Contains(err.Error(), "f.csv") {
				t.Fatalf("the error %q does not name the file", err)
			}
			return
		}
		again, err := ReadLong(strings.NewReader(longText(t, rows)), "f.csv")
		for k := range rows { // lone carriage returns become line feeds
			for _, cell := range []*string{
				&rows[k].Desk, &rows[k].Note, &rows[k].Flag, &rows[k].RoundName,
				&rows[k].ModelID, &rows[k].Annotator,
			} {
				*cell = unixEnds.Replace(*cell)
			}
		}
		if diff := cmp.Diff(rows, again); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}

// TestTablesNameLines: the line is named where a row is wrong, where it has too few cells, and
// where the header is wrong.
func TestTablesNameLines(t *testing.T) {
	wrong := errors.New("wrong")
	var seen [][]string
	read := func(text, head string) error {
		return readTable(newReader(strings.NewReader(text)), "t.csv", func(header []string) error {
			if strings.Join(header, ",") != head {
				return wrong
			}
			return nil
		}, func(cells []string) error {
			seen = append(seen, slices.Clone(cells))
			if cells[0] == "3" {
				return wrong
			}
			return nil
		})
	}
	testdata.Refused(t, "header", read("a,b\n", "a,c"), "t.csv, line 1: wrong")
	testdata.Refused(t, "cells", read("a,b\n1\n", "a,b"), "t.csv, line 2: 1 cells in place of 2")
	err := read("a,b\n\n1,\"two\nlines\"\n3,4\n", "a,b")
	var place *TableError
	if !errors.As(err, &place) || place.Line != 5 || !errors.Is(err, wrong) || err.Error() != "t.csv, line 5: wrong" {
		t.Errorf("%v, want line 5: an empty line and a cell of two lines come before", err)
	}
	if len(seen) != 2 || seen[0][1] != "two\nlines" {
		t.Errorf("rows %q", seen)
	}
}
