package result

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// record is a record with a value of every format.
type record struct {
	id, name, hash           string
	label                    string
	count, number, share     float64
	low, high, points, bytes float64
	seconds, at, yes         float64
}

var noLabels = Because("no_labels", "the suite %s has no labels", "fog")

var everything = Table[record]{
	Name: "everything", Title: "Everything", Noun: "record", ID: func(r record) string { return r.id },
	First: Order{Key: "name"},
	Columns: []Column[record]{
		{Key: "name", Title: "model name", Text: func(r record) string { return r.name }},
		{Key: "hash", Title: "hash", Format: ID, Show: FileOnly, Text: func(r record) string { return r.hash }},
		{Key: "label", Title: "label", Format: Label, Text: func(r record) string { return r.label }},
		{Key: "images", Title: "images", Format: Count, Value: func(r record) float64 { return r.count }},
		{Key: "ei", Title: "EI", Format: Number, Value: func(r record) float64 { return r.number }, Descending: true},
		{
			Key: "accuracy", Title: "accuracy", Format: Share, Value: func(r record) float64 { return r.share },
			Low: func(r record) float64 { return r.low }, High: func(r record) float64 { return r.high },
			Why: func(record) Reason { return noLabels },
		},
		{Key: "drop", Title: "drop", Format: Points, Value: func(r record) float64 { return r.points }},
		{Key: "size", Title: "size", Format: Bytes, Show: Offered, Value: func(r record) float64 { return r.bytes }},
		{Key: "took", Title: "took", Format: Duration, Value: func(r record) float64 { return r.seconds }},
		{Key: "made", Title: "made", Format: Time, Value: func(r record) float64 { return r.at }},
		{Key: "kept", Title: "kept", Format: Bool, Value: func(r record) float64 { return r.yes }},
	},
	More: func(rows []record) []Column[record] {
		return []Column[record]{{
			Key: RecordKey("optimizer"), Title: "optimizer", Show: Offered,
			Text: func(r record) string { return "Adam W" + r.id },
		}}
	},
}

func some() []record {
	return []record{
		{"a", "m10", "0123456789abcdef", "invariant", 12345, 0.9134, 0.966, 0.951, 0.977, 0.0123, 1.5e6, 192, 1.7e9, 1},
		{
			"b", "m9", "fedcba9876543210", "", 0, -0.0001, math.NaN(), math.NaN(), math.NaN(), -0.5, 999, 0.0412,
			1.8e9, 0,
		},
		{"c", "=m1", "", "variant", 7, math.Inf(1), 1, math.NaN(), 1, 0, math.NaN(), 93784, math.NaN(), math.NaN()},
	}
}

func TestFormats(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		f        Format
		v        float64
		decimals int
		want     string
	}{
		{Count, 12345, 0, "12,345"},
		{Count, -1234567, 0, "-1,234,567"},
		{Number, 0.91349, 0, "0.913"},
		{Number, 0.0004, 0, "<0.001"},
		{Number, -0.0004, 0, ">-0.001"},
		{Number, 0, 0, "0.000"},
		{Number, math.Copysign(0, -1), 0, "0.000"},
		{Number, 12345.678, 1, "12,345.7"},
		{Number, math.Inf(-1), 0, "-∞"},
		{Share, 0.966, 0, "96.6 %"},
		{Share, 0.0001, 0, "<0.1 %"},
		{Points, 0.0123, 0, "+1.2 pp"},
		{Points, -0.0123, 0, "-1.2 pp"},
		{Points, 0, 0, "0.0 pp"},
		{Points, 1e-5, 0, "<0.1 pp"},
		{Coefficient, -0.5, 0, "-0.500"},
		{P, 0.0123, 0, "0.012"},
		{P, 1e-9, 0, "<0.001"},
		{Bytes, 999, 0, "999 B"},
		{Bytes, 1500, 0, "1.5 kB"},
		{Duration, 0.041, 0, "41 ms"},
		{Duration, 12.44, 0, "12.4 s"},
		{Duration, 192, 0, "3 min 12 s"},
		{Duration, 0, 0, "0 s"},
		{Duration, 7500, 0, "2 h 5 min"},
		{Duration, 273600, 0, "3 d 4 h"},
		{Duration, 1e-5, 0, "<1 ms"},
		{Duration, 0.9999, 0, "1.0 s"},
		{Duration, 59.97, 0, "1 min"},
		{Duration, -90, 0, "-1 min 30 s"},
		{Duration, math.Inf(1), 0, "∞"},
		{Bool, 1, 0, "yes"},
		{Bool, nan, 0, "-"},
	} {
		testdata.Is(t, fmt.Sprintf("format %d says %v as", c.f, c.v), c.f.Say(c.v, c.decimals), c.want)
	}
	for n, want := range map[int]string{0: "0 classes", 1: "1 class", 1234567: "1,234,567 classes", -1: "-1 class"} {
		testdata.Is(t, "Counted", Counted(n, "class"), want)
	}
	for noun, want := range map[string]string{
		"model": "models", "class": "classes", "box": "boxes", "entry": "entries",
		"day": "days", "batch": "batches", "matrix": "matrices",
	} {
		testdata.Is(t, fmt.Sprint(noun), Plural(noun), want)
	}
	testdata.Is(t, "SayInterval", Share.SayInterval(0.966, 0.951, 0.977, 0), "96.6 % (95.1..97.7)")
	testdata.Is(t, "SayInterval", Coefficient.SayInterval(0.5, nan, 1, 0), "0.500")
	for v, want := range map[float64]string{1.5: "1.5", 1e-300: "1e-300", math.Inf(1): "Inf", math.Inf(-1): "-Inf"} {
		testdata.Is(t, fmt.Sprintf("%v is written", v), Number.Write(v), want)
	}
	testdata.Is(t, "Write", Time.Write(1.7e9), "2023-11-14T22:13:20Z")
}

func TestTableCheck(t *testing.T) {
	testdata.OK(t, everything.Check())
	for part, wrong := range map[string]func(*Table[record]){
		"needs a name":         func(t *Table[record]) { t.ID = nil },
		"sorted by":            func(t *Table[record]) { t.First.Key, t.More = "nothing", nil },
		"two columns":          func(t *Table[record]) { t.Columns = append(t.Columns, t.Columns[0]) },
		"needs a key":          func(t *Table[record]) { t.Columns = append(t.Columns, Column[record]{Key: "x"}) },
		"texts need":           func(t *Table[record]) { t.Columns[3].Format = Text },
		"interval has two end": func(t *Table[record]) { t.Columns[5].High = nil },
	} {
		table := everything
		table.Columns = slices.Clone(everything.Columns)
		wrong(&table)
		testdata.Refused(t, part, table.Check(), part)
	}
	rows := some()
	testdata.OK(t, everything.Sheet(rows).Check())
	rows[2].id = rows[0].id
	testdata.Refused(t, "equal IDs", everything.Sheet(rows).Check(), `everything: two rows have the ID "a"`)
}

func TestArrange(t *testing.T) {
	s := everything.Sheet(some())
	for filter, want := range map[string]string{
		"":                          "abc",
		"0123":                      "", // not in files alone
		"ei>":                       "abc",
		"name>m9":                   "a",
		"EI<=0.9134":                "ab",
		"adam":                      "abc",
		"hash:0123":                 "a",
		"ei>0.5":                    "ac",
		"accuracy>=96.6%":           "ac",
		"accuracy=0.966":            "a",
		`accuracy="96.6 %"`:         "a",
		`accuracy!=""`:              "ac",
		"-accuracy<1":               "bc",
		"label=variant|invariant":   "ac",
		"-label:variant":            "b",
		"kept=yes":                  "a",
		"made>2025-01-01":           "b",
		`"model name":m1`:           "ac",
		"modelname=M10":             "a",
		`optimizer="adam wb"`:       "b",
		"ei>word":                   "",
		"-m1":                       "b",
		"-1..9":                     "",
		"-nothing=1":                "abc",
		"=m1":                       "c",
		"size<1000 took<1":          "b",
		"-":                         "",
		"took>=93784":               "c",
		`name="m10"|"m9" -"m9"`:     "a",
		"accuracy:97.7":             "a",
		"images>1000000000000000x1": "",
	} {
		var got string
		for _, row := range s.Arrange(ParseFilter(filter), Order{}) {
			got += s.ID(row)
		}
		testdata.Is(t, fmt.Sprintf("%s admits", filter), got, want)
	}
	for _, c := range []struct {
		by   Order
		want string
	}{
		{Order{}, "abc"},
		{Order{"name", true}, "abc"},
		{Order{"accuracy", true}, "cab"},
		{Order{Key: "label"}, "acb"},
		{Order{Key: "no column"}, "abc"},
	} {
		var got string
		for _, row := range s.Arrange(Filter{}, c.by) {
			got += s.ID(row)
		}
		testdata.Is(t, fmt.Sprintf("by %+v", c.by), got, c.want)
	}
	testdata.Equal(t, "unknown", s.Unknown(ParseFilter("ei>1 nothing<2 word")), []string{"nothing"})
}

// Sorting by texts equals the slow way, with what is missing last.
func TestArrangeEqualsSlowVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching(`[abA]?[0-9]{0,3}`), 0, 40).Draw(t, "names")
		var rows []record
		for k, name := range names {
			rows = append(rows, record{id: fmt.Sprint(k), name: name})
		}
		down := rapid.Bool().Draw(t, "descending")
		want := testdata.UpTo(len(rows))
		slices.SortStableFunc(want, func(a, b int) int {
			x, y := names[a], names[b]
			switch {
			case (x == "") != (y == ""):
				return map[bool]int{true: 1, false: -1}[x == ""]
			case down:
				return Natural(y, x)
			}
			return Natural(x, y)
		})
		got := everything.Sheet(rows).Arrange(Filter{}, Order{"name", down})
		if diff := cmp.Diff(want, append([]int{}, got...)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestFilterTextComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-ab "|=<>!:%.0-9]{0,20}`).Draw(t, "text")
		once := ParseFilter(text)
		testdata.NoDiff(t, fmt.Sprintf("%q became %q", text, once), cmp.Diff(once, ParseFilter(once.String())))
	})
}

func TestChoosing(t *testing.T) {
	f := ParseFilter("vgg").Choose("fold", []string{"a b", "c", `"`})
	if f.String() != `vgg fold="a b"|"c"` || !slices.Equal(f.Chosen("Fold"), []string{"a b", "c"}) {
		t.Errorf("%s, chosen %v", f, f.Chosen("fold"))
	}
	if f = f.Choose("fold", []string{""}); f.String() != `vgg fold=""` || f.Clauses[1].Say() != "fold is missing" {
		t.Errorf("%s, %s", f, f.Clauses[1].Say())
	}
	if f = f.Choose("fold", nil); f.String() != "vgg" || f.Chosen("fold") != nil || f.Without(0).String() != "" {
		t.Errorf("%s", f)
	}
	if got := ParseFilter("-robust_accuracy<=90%").Clauses[0].Say(); got != "not: robust accuracy ≤ 90%" {
		t.Error(got)
	}
}

func TestCSV(t *testing.T) {
	var plain, guarded, streamed bytes.Buffer
	s := everything.Sheet(some())
	testdata.OK(t, s.CSV(&plain, false))
	rows := testdata.Must(csv.NewReader(bytes.NewReader(plain.Bytes())).ReadAll())(t)
	want := [][]string{
		{
			"name", "hash", "label", "images", "ei", "accuracy", "accuracy_low", "accuracy_high", "drop", "size",
			"took", "made", "kept", "record.optimizer", "missing",
		},
		{
			"m10", "0123456789abcdef", "invariant", "12345", "0.9134", "0.966", "0.951", "0.977", "0.0123", "1500000",
			"192", "2023-11-14T22:13:20Z", "true", "Adam Wa", "",
		},
		{
			"m9", "fedcba9876543210", "", "0", "-0.0001", "", "", "", "-0.5", "999", "0.0412", "2027-01-15T08:00:00Z",
			"false", "Adam Wb", "accuracy: the suite fog has no labels",
		},
		{"=m1", "", "variant", "7", "Inf", "1", "", "1", "0", "", "93784", "", "", "Adam Wc", ""},
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, rows))
	if err := s.CSV(&guarded, true); err != nil || !strings.Contains(guarded.String(), "\n'=m1,") ||
		!strings.Contains(guarded.String(), ",-0.0001,") {
		t.Errorf("%v\n%s", err, guarded.String())
	}
	out := everything.Stream(&streamed, false)
	for _, r := range some() {
		out.Write(r)
	}
	testdata.OK(t, out.Close())
	fixed := everything
	fixed.More = nil
	plain.Reset()
	if err := fixed.Sheet(some()).CSV(&plain, false); err != nil || streamed.String() != plain.String() {
		t.Errorf("%v; streamed\n%s\nin one piece\n%s", err, streamed.String(), plain.String())
	}
	var none bytes.Buffer
	if err := everything.Stream(&none, false).Close(); err != nil || !strings.HasPrefix(none.String(), "name,hash,") {
		t.Errorf("%v %q", err, none.String())
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	d := Document{
		Schema: "variscope.everything", Version: 1, Options: map[string]any{"seed": 1},
		Sheets: []*Sheet{everything.Sheet(some())},
	}
	testdata.OK(t, d.JSON(&b))
	if !strings.HasPrefix(b.String(),
		"{\n  \"schema\": \"variscope.everything\",\n  \"version\": 1,\n  \"options\": {") {
		t.Errorf("%.80s", b.String())
	}
	var got struct {
		Sheets []struct {
			Name    string
			Columns []map[string]string
			Rows    []map[string]any
		}
	}
	testdata.OK(t, json.Unmarshal(b.Bytes(), &got))
	second := got.Sheets[0].Rows[1]
	if second["accuracy"] != nil || second["ei"] != -0.0001 || second["kept"] != false || second["label"] != nil ||
		second["made"] != "2027-01-15T08:00:00Z" ||
		second["missing"].(map[string]any)["accuracy"] != "the suite fog has no labels" ||
		len(got.Sheets[0].Columns) != 12 {
		t.Errorf("%v", second)
	}
	if third := got.Sheets[0].Rows[2]; third["ei"] != nil || third["accuracy_high"] != 1.0 || third["missing"] != nil {
		t.Errorf("%v", third)
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	rows := some()[:2]
	rows[1].name = "m9\x1b[31m"
	testdata.OK(t, everything.Sheet(rows).Text(&b))
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "model name  label") || strings.Contains(lines[0], "hash") ||
		strings.Contains(b.String(), "\x1b") ||
		!strings.Contains(lines[1], "  12,345    0.913  96.6 % (95.1..97.7)   +1.2 pp  3 min 12 s  2023") ||
		!strings.Contains(lines[2], "       0  >-0.001                    -  -50.0 pp       41 ms  2027") {
		t.Errorf("\n%s", b.String())
	}
}

func TestParquet(t *testing.T) {
	var b bytes.Buffer
	sheet := everything.Sheet(some())
	sheet.Meta = map[string]string{"variscope.layout": "{}"}
	testdata.OK(t, sheet.Parquet(&b))
	type row struct {
		Name     *string  `parquet:"name,optional"`
		Label    *string  `parquet:"label,optional"`
		Images   *int64   `parquet:"images,optional"`
		EI       *float64 `parquet:"ei,optional"`
		Accuracy *float64 `parquet:"accuracy,optional"`
		Low      *float64 `parquet:"accuracy_low,optional"`
		Kept     *bool    `parquet:"kept,optional"`
		Missing  *string  `parquet:"missing,optional"`
	}
	rows := testdata.Must(parquet.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	if len(rows) != 3 || *rows[0].Images != 12345 || *rows[0].Low != 0.951 || rows[1].Accuracy != nil ||
		rows[1].Label != nil || *rows[1].Kept || rows[2].Kept != nil ||
		*rows[1].Missing != "accuracy: the suite fog has no labels" || *rows[2].Name != "=m1" ||
		!math.IsInf(*rows[2].EI, 1) {
		t.Errorf("%+v", rows)
	}
	file := testdata.Must(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	if text, ok := file.Lookup("variscope.layout"); !ok || text != "{}" {
		t.Errorf("the file says of itself %q", text)
	}
}

// TestPlace: columns in another place are in files all the same, and the declaration stays as it
// was.
func TestPlace(t *testing.T) {
	table := everything.Place(FileOnly, everything.Columns[0].Key)
	var whole, placed bytes.Buffer
	if everything.Sheet(some()).CSV(&whole, false) != nil || table.Sheet(some()).CSV(&placed, false) != nil ||
		whole.String() != placed.String() {
		t.Errorf("%s\n%s", whole.String(), placed.String())
	}
	if table.Columns[0].Show != FileOnly || everything.Columns[0].Show != Shown ||
		table.Columns[1].Show != everything.Columns[1].Show {
		t.Errorf("%v, %v", table.Columns[0].Show, everything.Columns[0].Show)
	}
}

func TestTakeAndLift(t *testing.T) {
	s := everything.Sheet(some()).Take([]int{2, 0})
	if s.Len() != 2 || s.ID(0) != "c" || s.Fields[3].Say(1) != "12,345" || s.Row("a") != 1 || s.Row("b") != -1 {
		t.Errorf("%+v", s)
	}
	var part bytes.Buffer
	if err := s.With([]int{s.Field("size"), s.Field("name")}).Text(&part); err != nil ||
		!strings.HasPrefix(strings.TrimSpace(part.String()), "size  model name") || len(s.Fields) < 10 {
		t.Errorf("%q, %v", part.String(), err)
	}
	type pair struct{ first record }
	lifted := Table[pair]{
		Name: "pairs", Title: "Pairs", Noun: "pair", ID: func(p pair) string { return p.first.id },
		Columns: Lift(everything.Columns, func(p pair) record { return p.first }),
	}
	testdata.OK(t, lifted.Check())
	var a, b bytes.Buffer
	fixed := everything
	fixed.More = nil
	testdata.OK(t, fixed.Sheet(some()).Text(&a))
	if err := lifted.Sheet([]pair{{some()[0]}, {some()[1]}, {some()[2]}}).Text(&b); err != nil ||
		a.String() != b.String() {
		t.Errorf("%v\n%s%s", err, a.String(), b.String())
	}
}

func TestFigure(t *testing.T) {
	f := Figure{
		Title: "study", Groups: []Group{{Name: "models", Look: Category(0)}},
		Points: []Point{{Name: "m1", X: 1, Y: 2}, {Name: "m2", X: 2, Y: 3, Low: 2, High: 4}},
		Lines:  []Line{{Name: "line", X: []float64{0, 1}, Y: []float64{1, math.NaN()}}},
		Trends: []Trend{{X: []float64{0, 1}, Y: []float64{1, 2}}},
	}
	if err := f.Check(); err != nil || !f.Drawable() {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Sheet().CSV(&b, false); err != nil || !strings.Contains(b.String(), "point,models,m2,,2,3,2,4\n") ||
		!strings.Contains(b.String(), "line,line,,,1,,,\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	f.Points[0].Group = 1
	if f.Check() == nil {
		t.Error("a point of no group")
	}
	if Category(Categories) != Category(0) || Category(-1) != Category(0) {
		t.Error("categories do not begin anew")
	}
}

// large is a sheet of 10,000 rows and 20 columns, half of them texts.
func large() *Sheet {
	source := rand.New(rand.NewPCG(1, 1))
	table := Table[int]{Name: "large", Title: "Large", Noun: "row", ID: func(k int) string { return fmt.Sprint(k) }}
	values := make([][]float64, 20)
	for c := range values {
		for range 10_000 {
			values[c] = append(values[c], source.Float64())
		}
		if key := fmt.Sprint("c", c); c%2 == 0 {
			table.Columns = append(table.Columns, Column[int]{
				Key: key, Title: key, Format: Number, Value: func(k int) float64 { return values[c][k] },
			})
		} else {
			table.Columns = append(table.Columns, Column[int]{
				Key: key, Title: key,
				Text: func(k int) string { return fmt.Sprintf("model %d", int(values[c][k]*1e4)) },
			})
		}
	}
	rows := testdata.UpTo(10_000)
	return table.Sheet(rows)
}

func BenchmarkArrange(b *testing.B) {
	s := large()
	for name, c := range map[string]struct {
		filter string
		by     Order
	}{
		"numbers": {"", Order{Key: "c0"}}, "texts": {"", Order{Key: "c1"}}, "word": {"99", Order{}},
		"compare": {"c0<0.5 c2>0.25", Order{Key: "c4"}},
	} {
		b.Run(name, func(b *testing.B) {
			f := ParseFilter(c.filter)
			for b.Loop() {
				s.Arrange(f, c.by)
			}
		})
	}
	b.Run("csv", func(b *testing.B) {
		for b.Loop() {
			testdata.OK(b, s.CSV(io.Discard, false))
		}
	})
}

func TestCellIsToldInFull(t *testing.T) {
	s := everything.Sheet(some())
	for _, c := range []struct {
		key  string
		row  int
		want string
	}{
		{"hash", 0, "hash 0123456789abcdef"},
		{"images", 0, "images 12,345"},
		{"ei", 0, "EI 0.913, in full 0.9134"},
		{"accuracy", 0, "accuracy 96.6 % (95.1..97.7), in full 0.966"},
		{"accuracy", 1, "accuracy is missing: the suite fog has no labels"},
		{"size", 2, "size is missing"},
	} {
		testdata.Is(t, fmt.Sprintf("%s of row %d is told", c.key, c.row),
			s.Fields[s.Field(c.key)].Tell(c.row), c.want)
	}
}

func TestFittingDecimals(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0.01982, 0.0000513, 0}, "0.019820 0.000051 0.000000"},
		{[]float64{0.0935, 12.3456, math.NaN()}, "0.0935 12.3456 -"},
		{[]float64{18.4252, 7}, "18.425 7.000"},
		{[]float64{1e-9, 0.25}, "<0.000001 0.250000"},
		{[]float64{0, math.NaN()}, "0.000 -"},
	} {
		table := Table[float64]{Columns: []Column[float64]{{
			Format: Number, Decimals: Fitting, Value: func(v float64) float64 { return v },
		}}}
		table.ID = func(v float64) string { return fmt.Sprint(v) }
		sheet, cells := table.Sheet(c.values), []string{}
		for row := range c.values {
			cells = append(cells, sheet.Fields[0].Say(row))
		}
		testdata.Is(t, fmt.Sprintf("%v are said as", c.values), strings.Join(cells, " "), c.want)
	}
}

// TestCaveats: people see which values are there by convention, files have the values as they are.
func TestCaveats(t *testing.T) {
	c := Numbers("asymm", "asymm", "", Number, func(v float64) float64 { return v })
	c.Caveat = func(v float64) Reason {
		if v == 0 {
			return Because("mean_zero", "all elements are 0")
		}
		return Reason{}
	}
	table := Table[float64]{ID: func(v float64) string { return fmt.Sprint(v) }, Columns: []Column[float64]{c}}
	f := table.Sheet([]float64{0, 0.5, math.NaN()}).Take([]int{1, 0, 2}).Fields[0]
	if f.Say(0) != "0.500" || f.Say(1) != "0.000*" || f.Say(2) != None || f.Write(1) != "0" {
		t.Errorf("said as %q, %q, %q, written as %q", f.Say(0), f.Say(1), f.Say(2), f.Write(1))
	}
	testdata.Is(t, "told as", f.Tell(1), "asymm 0.000*, in full 0; all elements are 0")
}

func TestLabelsAreSortedFromInvariantToVariant(t *testing.T) {
	var rows []record
	for k, l := range []string{"variant", "odd", "", "invariant", "borderline"} {
		rows = append(rows, record{id: fmt.Sprint(k), label: l})
	}
	testdata.Is(t, "sorted",
		fmt.Sprint(everything.Sheet(rows).Arrange(Filter{}, Order{Key: "label"})), "[3 4 0 1 2]")
}

func TestFigureIsToldInWords(t *testing.T) {
	f := Figure{
		X: Axis{Name: "rotation", Unit: "°"}, Y: Axis{Name: "accuracy", Format: Share}, Crossed: "at chance",
		Groups: []Group{{Name: "invariant", Look: LookInvariant}, {}},
		Points: []Point{
			{Name: "m1", X: -3, Y: 0.966, Low: 0.951, High: 0.977},
			{Name: "m2", X: 1.23456, Y: 0.5, Group: 1, Crossed: true},
		},
		Lines: []Line{
			{X: []float64{-3, 0}, Y: []float64{0.981, math.NaN()}},
			{Name: "robust", X: []float64{-3, 0}, Y: []float64{0.96, 0.5}},
		},
	}
	for got, want := range map[string]string{
		f.Tell(0):                         "m1, invariant: rotation -3°, accuracy 96.6 % (95.1 %..97.7 %)",
		f.Tell(1):                         "m2, at chance: rotation 1.235°, accuracy 50.0 %",
		f.Tell(2):                         "",
		f.TellAt(-3):                      "rotation -3°: accuracy 98.1 %, robust 96.0 %",
		f.TellAt(0):                       "rotation 0°: robust 50.0 %",
		Axis{Logit: true}.Say(0):          "50.0 %",
		Axis{Unit: "labels"}.Say(1234567): "1,234,567 labels",
		Axis{}.Say(1.5e-7):                "1.5e-07",
		Axis{}.Say(math.NaN()):            "-",
		Axis{Name: "time", Format: Duration}.Say(192): "3 min 12 s",
		Axis{Name: "rotation", Unit: "°"}.Title():     "rotation (°)",
		Axis{Name: "accuracy", Format: Share}.Title(): "accuracy",
	} {
		testdata.Is(t, "it", got, want)
	}
}

func TestDeviationsStandBesideTheirMeans(t *testing.T) {
	number := func(k int) func([5]float64) float64 { return func(r [5]float64) float64 { return r[k] } }
	table := Table[[5]float64]{
		Name: "spread", Title: "Spread", Noun: "row", ID: func(r [5]float64) string { return fmt.Sprint(r) },
		Columns: []Column[[5]float64]{
			{
				Key: "rho", Title: "rho", Format: Coefficient, Value: number(0), Low: number(1), High: number(2),
				SD: number(3),
			},
			{Key: "share", Title: "share", Format: Share, Value: number(0), SD: number(3)},
			{Key: "drop", Title: "drop", Format: Points, Value: number(0), SD: number(4)},
		},
	}
	testdata.OK(t, table.Check())
	s := table.Sheet([][5]float64{
		{0.9123, 0.8, 0.95, 0.031, 0.02}, {0.5, nan, nan, nan, nan}, {nan, nan, nan, nan, nan},
	}).Take([]int{1, 0, 2})
	for k, want := range [3][3]string{
		{"0.500", "0.912 ± 0.031 (0.800..0.950)", "-"},
		{"50.0 %", "91.2 ± 3.1 %", "-"},
		{"+50.0 pp", "+91.2 ± 2.0 pp", "-"},
	} {
		for row, text := range want {
			testdata.Is(t, fmt.Sprintf("%s is said", s.Fields[k].Key), s.Fields[k].Say(row), text)
		}
	}
	var csv, json, parquet bytes.Buffer
	testdata.OK(t, s.CSV(&csv, false))
	want := "rho,rho_low,rho_high,rho_sd,share,share_sd,drop,drop_sd\n0.5,,,,0.5,,0.5,\n" +
		"0.9123,0.8,0.95,0.031,0.9123,0.031,0.9123,0.02\n,,,,,,,\n"
	testdata.Is(t, "String", csv.String(), want)
	if err := (Document{Schema: "s", Version: 1, Sheets: []*Sheet{s}}).JSON(&json); err != nil ||
		!strings.Contains(json.String(), `"share_sd": 0.031`) {
		t.Errorf("%s, %v", json.String(), err)
	}
	if testdata.OK(t, s.Parquet(&parquet)); !strings.Contains(parquet.String(), "rho_sd") {
		t.Error("the Parquet file has no column rho_sd")
	}
}
