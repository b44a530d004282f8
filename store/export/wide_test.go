package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

func wideTable() Wide {
	return Wide{
		Annotators: []string{"r1", "=r2"},
		Rows: []WideRow{
			{
				roundID, "s1", sums.Hash("s1"),
				[]label.Value{label.Variant, label.Variant},
				label.Variant,
				label.Variant, false,
			},
			{roundID, "-s2", sums.Hash("s2"), []label.Value{"", label.Borderline}, label.Borderline, "", false},
		},
	}
}

func wideText(t *testing.T, wide Wide) string {
	t.Helper()
	var out bytes.Buffer
	testdata.OK(t, wide.Sheet().CSV(&out, false))
	return out.String()
}

func TestReadLabelsWideRefuses(t *testing.T) {
	good := wideText(t, wideTable())
	for want, change := range map[string][2]string{
		"w.csv, line 1: this is no labels_wide.csv":            {"round_id,model_id", "round,model"},
		"line 1: annotator \"r1\" is empty or has two columns": {"=r2", "r1"},
		"line 1: annotator \"\" is empty":                      {"=r2", ""},
		"line 2: column majority: \"yes\" is no label": {
			"variant,variant,variant,variant", "variant,variant,yes,variant",
		},
		"line 3: column =r2: \"maybe\" is no label":                     {",borderline,", ",maybe,"},
		"line 2: column round_id: \"R\" is no ULID":                     {roundID + ",s1", "R,s1"},
		"line 2: column model_hash: \"\" is no SHA-256":                 {sums.Hash("s1"), ""},
		"line 2: 8 cells in place of 7":                                 {"variant\n", "variant,\n"},
		"line 3: model -s2 is listed twice in round " + roundID:         {sums.Hash("s2"), sums.Hash("s1")},
		"w.csv, line 1: the file is empty":                              {good, ""},
		"w.csv, line 3: extraneous or missing \" in quoted-field":       {"-s2", "\"-s2"},
		"w.csv, line 2: bare \" in non-quoted-field":                    {"s1,", "s\"1,"},
		"header must be round_id,model_id,model_hash, one column per a": {",majority,final", ",final"},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		testdata.Refused(t, "error", testdata.Err(ReadLabelsWide(strings.NewReader(text), "w.csv")), want)
	}
}

func TestWideOf(t *testing.T) {
	first := label.Round{ID: ulidOf(1), Classes: 2, Annotators: []string{"r1", "r2"}, Models: []string{"h1", "h2"}}
	second := label.Round{
		ID: ulidOf(2), Classes: 3, Annotators: []string{"r3", "r1"}, Models: []string{"h1"}, ByRule: true,
	}
	events := map[string][]label.Event{}
	add := func(r label.Round, annotator, model string, v label.Value, kind label.Kind) {
		list := events[r.ID]
		events[r.ID] = append(list, label.Event{
			ID: ulidOf(len(list)), Round: r.ID, Model: model, Annotator: annotator, Kind: kind, Pass: 1, Value: v,
		})
	}
	add(first, "r1", "h1", label.Variant, label.Label)
	add(first, "r2", "h1", label.Invariant, label.Label)
	add(first, "r1", "h2", label.Variant, label.Label)
	add(first, "judge", "h1", label.Invariant, label.Adjudicate)
	add(second, "r3", "h1", label.Borderline, label.Label)
	measured := []*agreement.Round{
		agreement.OfRound(first, events[first.ID], []string{"id-h1", "id-h2"}, first.Annotators, agreement.Options{}),
		agreement.OfRound(second, events[second.ID], []string{"id-h1"}, second.Annotators, agreement.Options{}),
	}
	got := WideOf(measured, events)
	want := Wide{
		Annotators: []string{"r1", "r2", "r3"},
		Rows: []WideRow{
			{first.ID, "id-h1", "h1", []label.Value{label.Variant, label.Invariant, ""}, "", label.Invariant, false},
			{first.ID, "id-h2", "h2", []label.Value{label.Variant, "", ""}, label.Variant, label.Variant, false},
			{
				second.ID, "id-h1", "h1",
				[]label.Value{"", "", label.Borderline},
				label.Borderline, label.Borderline, true,
			},
		},
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, got))
}

func FuzzLabelsWide(f *testing.F) {
	f.Add("round_id,model_id,model_hash,r1,majority,final\n" + roundID + ",s1," + sums.Hash("s1") +
		",variant,variant,variant\n")
	f.Add("round_id,model_id,model_hash,majority,final\n")
	f.Add("round_id,model_id,model_hash,majority,final,by_rule\n" + roundID + ",s1," + sums.Hash("s1") + ",,,true\n")
	f.Add("round_id,model_id\n")
	f.Fuzz(func(t *testing.T, text string) {
		wide, err := ReadLabelsWide(strings.NewReader(text), "w.csv")
		if err != nil {
			if !strings.Contains(err.Error(), "w.csv") {
				t.Fatalf("the error %q does not name the file", err)
			}
			return
		}
		testdata.Must(ReadLabelsWide(strings.NewReader(wideText(t, wide)), "w.csv"))(t)
	})
}
