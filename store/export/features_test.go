package export

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// someFeatures is a table of so many models, with names like formulas, numbers of every size and
// what may be undefined.
func someFeatures(models int) FeatureTable {
	layout := feature.DefaultLayout()
	t := FeatureTable{Names: layout.Names(), Layout: &layout, Rows: []FeatureRow{}}
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range models {
		id := fmt.Sprintf("=m%d", k)
		r := FeatureRow{
			ModelID: id, ModelHash: sums.Hash(id),
			Final: []label.Value{"", label.Invariant, label.Borderline, label.Variant}[k%4],
		}
		for c := range t.Names {
			v := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
			if f := feature.Feature(c % feature.Count); f == feature.GOverall && k == 1 {
				v = math.NaN()
			}
			r.Values = append(r.Values, v)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func featuresText(tb testing.TB, t FeatureTable) string {
	tb.Helper()
	var out bytes.Buffer
	testdata.OK(tb, t.Sheet().CSV(&out, false))
	return out.String()
}

func featuresParquet(tb testing.TB, t FeatureTable) []byte {
	tb.Helper()
	var out bytes.Buffer
	testdata.OK(tb, t.Sheet().Parquet(&out))
	return out.Bytes()
}

func TestFeaturesComeBackFromBothTables(t *testing.T) {
	for _, models := range []int{0, 1, 130} {
		want := someFeatures(models)
		folder := t.TempDir()
		for name, data := range map[string][]byte{
			"features.csv": []byte(featuresText(t, want)), "features.parquet": featuresParquet(t, want),
		} {
			path := filepath.Join(folder, name)
			testdata.OK(t, os.WriteFile(path, data, 0o644))
			got := testdata.Must(ReadFeatures(path))(t)
			want := want
			if name == "features.csv" {
				want.Layout = nil
			}
			testdata.NoDiff(t, fmt.Sprintf("%d models, %s", models, name), cmp.Diff(want, got, cmpopts.EquateNaNs()))
		}
	}
}

func TestFeatureTablesHaveTheirColumnsInOrder(t *testing.T) {
	table := someFeatures(5)
	want := append(append([]string{"model_id", "model_hash", "suite", "suite_hash", "family"}, table.Names...), "final")
	text := featuresText(t, table)
	if header, _, _ := strings.Cut(text, "\n"); header != strings.Join(want, ",") {
		t.Errorf("header %s", header)
	}
	if !strings.Contains(text, "\n=m1,"+sums.Hash("=m1")+",") || !strings.HasSuffix(text, ",\n") {
		t.Errorf("an id is as it is, a label that is not there empty: %.300s", text)
	}
	data := featuresParquet(t, table)
	file := testdata.Must(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))(t)
	for k, path := range file.Schema().Columns() {
		if len(path) != 1 || path[0] != want[k] {
			t.Errorf("column %d is %v, want %s", k, path, want[k])
		}
	}
	if !bytes.Equal(data, featuresParquet(t, table)) {
		t.Error("equal tables give other bytes")
	}
}

// Columns may come in any order, with the specs' names and without final.
func TestReadFeaturesOfOthers(t *testing.T) {
	text := "\ufeffCONF.max.svm,model_hash,mean@CONV-1.asymm,model_id\r\n1e-3,,,a\r\n2," + sums.Hash("b") + ",-4,b\r\n"
	got := testdata.Must(ReadFeaturesCSV(strings.NewReader(text), "f.csv"))(t)
	want := FeatureTable{Names: []string{"max@CONF.svm", "mean@CONV-1.asymm"}, Rows: []FeatureRow{
		{ModelID: "a", Values: []float64{0.001, math.NaN()}},
		{ModelID: "b", ModelHash: sums.Hash("b"), Values: []float64{2, -4}},
	}}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, got, cmpopts.EquateNaNs()))
	type other struct {
		Asymm *float32 `parquet:"mean@CONV-1.asymm,optional"`
		ID    string   `parquet:"model_id"`
		Hash  *string  `parquet:"model_hash,optional"`
		SVM   int64    `parquet:"max@CONF.svm"`
	}
	hash, four := sums.Hash("b"), float32(-4)
	var out bytes.Buffer
	testdata.OK(t, parquet.Write(&out, []other{
		{ID: "a", SVM: 1},
		{ID: "b", Hash: &hash, Asymm: &four, SVM: 2},
	}))
	got = testdata.Must(ReadFeaturesParquet(bytes.NewReader(out.Bytes()), int64(out.Len()), "f.parquet"))(t)
	a, b := slices.Index(got.Names, "mean@CONV-1.asymm"), slices.Index(got.Names, "max@CONF.svm")
	if !math.IsNaN(got.Rows[0].Values[a]) || got.Rows[0].Values[b] != 1 || got.Rows[1].Values[a] != -4 ||
		got.Rows[1].ModelHash != hash {
		t.Errorf("%+v", got)
	}
}

func TestReadFeaturesRefuses(t *testing.T) {
	h := sums.Hash("a")
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"id,svm\n", "must have the columns model_id, model_hash"},
		{"model_id,model_hash,final\n", "has no features"},
		{"model_id,model_hash,cluster\n", `column "cluster" is no feature`},
		{"model_id,model_hash,max@CONF.svn\n", `column "max@CONF.svn" is no feature`},
		{"model_id,model_hash,max@CONF.svm,CONF.max.svm\n", "is there twice"},
		{"model_id,model_hash,max@CONF.svm\na," + h + "\n", "line 2: 2 cells in place of 3"},
		{"model_id,model_hash,max@CONF.svm\n," + h + ",1\n", "is no id"},
		{"model_id,model_hash,max@CONF.svm\na,xyz,1\n", "no SHA-256"},
		{"model_id,model_hash,max@CONF.svm\na," + h + ",one\n", `model a, column max@CONF.svm: "one" is no number`},
		{"model_id,model_hash,max@CONF.svm\na," + h + ",NaN\n", "model a, column max@CONF.svm: NaN is not finite"},
		{"model_id,model_hash,max@CONF.svm\na," + h + ",1e999\n", `model a, column max@CONF.svm: "1e999" is no number`},
		{"model_id,model_hash,max@CONF.svm\na," + h + ",\n", "it is empty"},
		{"model_id,model_hash,max@CONF.svm\na,,1\na,,2\n", "line 3: model a is there twice"},
		{"model_id,model_hash,max@CONF.svm\na," + h + ",1\nb," + h + ",2\n", "line 3: model b is there twice"},
		{"model_id,model_hash,max@CONF.svm,final\na,,1,yes\n", "model a, column final"},
		{"model_id,model_hash,max@CONF.svm\n\"a", "f.csv, line 2"},
	} {
		_, err := ReadFeaturesCSV(strings.NewReader(c.text), "f.csv")
		testdata.Refused(t, c.text, err, "f.csv", c.want)
	}
	wide := "model_id,model_hash," + strings.Repeat("x,", maxFeatureColumns) + "\n"
	testdata.Refused(t, "error", testdata.Err(ReadFeaturesCSV(strings.NewReader(wide), "f.csv")), "too many")
}

// The export's table holds what the engine measures on the workspace's signals, with the labels of
// the round.
func TestExportedFeatures(t *testing.T) {
	d := newDesk(t)
	r := d.addRound("first", "correct")
	out := t.TempDir()
	exported(t, d, Options{Out: out, Round: r.ID, Without: []Part{Pictures}})
	table := testdata.Must(ReadFeatures(filepath.Join(out, "features.csv")))(t)
	images := testdata.Must(variance.ParseImages("correct"))(t)
	q := store.FeatureRequest{
		Model: d.models[0], Suite: d.suite, Family: r.Family, Layout: feature.DefaultLayout(),
		Images: images,
	}
	info := testdata.Must(d.FeatureSet(q))(t)
	features := testdata.Must(d.Features(t.Context(), info, q))(t)
	want := []FeatureRow{{
		ModelID: "s1", ModelHash: d.models[0].Hash, Values: features[0].Vector.Values, Final: label.Variant,
	}}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, table.Rows))
	lacks(t, content(t, out, cardName),
		"- features of 1 models: profile paper, tau 0.15, 0.9 of the images (seed 1) in the reduced matrix\n",
		"- features left out: 1 models, max@CONV-2: no second convolution\n",
		"- features left out: 1 models, no signals for this suite and family yet: run it first\n")
	parquet, err := ReadFeatures(filepath.Join(out, "features.parquet"))
	if err != nil || parquet.Layout.Profile != feature.Paper || cmp.Diff(parquet.Rows, table.Rows) != "" {
		t.Errorf("%v, %+v", err, parquet)
	}
}

func FuzzFeaturesCSV(f *testing.F) {
	table := someFeatures(2)
	f.Add(featuresText(f, table))
	f.Add("model_id,model_hash,max@CONF.g_overall\na,,\n")
	f.Add("\ufeffCONF.max.svm,model_hash,final,model_id\n1,,variant,=a\n")
	f.Add("model_id,model_hash\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ReadFeaturesCSV(strings.NewReader(text), "f.csv")
		if err != nil {
			if !strings.Contains(err.Error(), "f.csv") {
				t.Fatalf("the error %q does not name the file", err)
			}
			return
		}
		again, err := ReadFeaturesCSV(strings.NewReader(featuresText(t, table)), "f.csv")
		for k := range table.Rows {
			table.Rows[k].ModelID = unixEnds.Replace(table.Rows[k].ModelID)
		}
		if diff := cmp.Diff(table, again, cmpopts.EquateNaNs()); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}

func BenchmarkFeatureTables(b *testing.B) {
	table := someFeatures(600)
	b.Run("csv", func(b *testing.B) {
		for b.Loop() {
			text := featuresText(b, table)
			testdata.Must(ReadFeaturesCSV(strings.NewReader(text), "f.csv"))(b)
		}
	})
	b.Run("parquet", func(b *testing.B) {
		for b.Loop() {
			data := featuresParquet(b, table)
			testdata.Must(ReadFeaturesParquet(bytes.NewReader(data), int64(len(data)), "f.parquet"))(b)
		}
	})
}

func TestReadFeaturesRefusesParquet(t *testing.T) {
	type nested struct {
		ID   string `parquet:"model_id"`
		Hash string `parquet:"model_hash"`
		In   struct {
			A float64 `parquet:"a"`
		} `parquet:"in"`
	}
	type lists struct {
		ID   string    `parquet:"model_id"`
		Hash string    `parquet:"model_hash"`
		SVM  []float64 `parquet:"max@CONF.svm"`
	}
	type words struct {
		ID   string `parquet:"model_id"`
		Hash string `parquet:"model_hash"`
		SVM  string `parquet:"max@CONF.svm"`
	}
	type numbers struct {
		ID   int64   `parquet:"model_id"`
		Hash string  `parquet:"model_hash"`
		SVM  float64 `parquet:"max@CONF.svm"`
	}
	type holes struct {
		ID   string   `parquet:"model_id"`
		Hash string   `parquet:"model_hash"`
		SVM  *float64 `parquet:"max@CONF.svm,optional"`
	}
	whole := featuresParquet(t, someFeatures(3))
	layout := feature.DefaultLayout()
	layout.Share = 7
	odd := someFeatures(1)
	odd.Layout = &layout
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "no Parquet file"},
		{[]byte("PAR1"), "no Parquet file"},
		{whole[:len(whole)/2], "no Parquet file"},
		{parquetOf(t, nested{}), "is nested"},
		{parquetOf(t, lists{ID: "a", SVM: []float64{1, 2}}), "holds a list"},
		{parquetOf(t, words{ID: "a", SVM: "1"}), "is no number"},
		{parquetOf(t, numbers{ID: 3}), "is no text"},
		{parquetOf(t, numbers{}), "model_id"},
		{parquetOf(t, holes{ID: "a"}), "it is empty"},
		{parquetOf(t, struct {
			ID   string  `parquet:"model_id"`
			Hash string  `parquet:"model_hash"`
			SVM  float64 `parquet:"max@CONF.svm"`
		}{"a", "", math.Inf(1)}), "+Inf is not finite"},
		{featuresParquet(t, odd), "share 7"},
	} {
		_, err := ReadFeaturesParquet(bytes.NewReader(c.data), int64(len(c.data)), "f.parquet")
		testdata.Refused(t, "error", err, c.want, "f.parquet")
	}
}

func TestReadFeaturesRefusesOtherFiles(t *testing.T) {
	for _, name := range []string{"f.txt", "absent.csv"} {
		path := filepath.Join(t.TempDir(), name)
		if name == "f.txt" {
			testdata.OK(t, os.WriteFile(path, []byte("model_id"), 0o644))
		}
		testdata.Refused(t, name, testdata.Err(ReadFeatures(path)), name)
	}
}

func parquetOf[T any](tb testing.TB, row T) []byte {
	tb.Helper()
	var out bytes.Buffer
	testdata.OK(tb, parquet.Write(&out, []T{row}))
	return out.Bytes()
}

func FuzzFeaturesParquet(f *testing.F) {
	whole := featuresParquet(f, someFeatures(2))
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	for k := 40; k < len(whole); k += len(whole) / 7 {
		broken := bytes.Clone(whole)
		broken[k] ^= 0x5a
		f.Add(broken)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := ReadFeaturesParquet(bytes.NewReader(data), int64(len(data)), "f.parquet")
		if err != nil {
			return
		}
		for _, r := range table.Rows {
			if r.ModelID == "" || len(r.Values) != len(table.Names) {
				t.Fatalf("%+v", r)
			}
		}
	})
}
