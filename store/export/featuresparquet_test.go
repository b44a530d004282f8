package export

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/internal/testdata"
)

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
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.parquet") {
			t.Errorf("%v, want %q", err, c.want)
		}
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
