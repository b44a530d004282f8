package result

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/variscope/variscope/internal/testdata"
)

func TestMeaningsAreTheColumnsOfFiles(t *testing.T) {
	testdata.OK(t, Dictionary.Check())
	s := everything.Sheet(some())
	var keys []string
	for _, m := range s.Meanings("e.csv") {
		if keys = append(keys, m.Key); m.File != "e.csv" || m.Title == "" || m.Values == "" {
			t.Errorf("%+v", m)
		}
	}
	var text, data bytes.Buffer
	testdata.OK(t, s.CSV(&text, false))
	if header, _, _ := strings.Cut(text.String(), "\n"); header != strings.Join(keys, ",") {
		t.Errorf("%s, want %v", header, keys)
	}
	testdata.OK(t, s.Parquet(&data))
	file := testdata.Must(parquet.OpenFile(bytes.NewReader(data.Bytes()), int64(data.Len())))(t)
	var columns []string
	for _, path := range file.Schema().Columns() {
		columns = append(columns, path[0])
	}
	testdata.Equal(t, "columns", columns, keys)
}

func TestParquetIsStreamed(t *testing.T) {
	table := Table[int]{
		Name: "numbers", Title: "Numbers", Noun: "number", ID: func(int) string { return "" },
		Columns: []Column[int]{
			Texts("parity", "parity", "", func(n int) string { return []string{"even", "odd"}[n%2] }),
			Counts("n", "n", "", func(n int) int { return n }),
			Numbers("half", "half", "", Number, func(n int) float64 { return float64(n) / 2 }),
			Numbers("third", "third", "", Number, func(n int) float64 { return float64(n) / 3 }),
		},
	}
	for k := range table.Columns {
		table.Columns[k].Narrow = k < 3
	}
	var out bytes.Buffer
	stream := table.StreamParquet(&out, map[string]string{"about": "numbers"})
	const n = groupRows + 10
	for k := range n {
		stream.Write(k)
	}
	testdata.OK(t, stream.Close())
	type row struct {
		Parity string  `parquet:"parity,optional"`
		N      int32   `parquet:"n,optional"`
		Half   float32 `parquet:"half,optional"`
		Third  float64 `parquet:"third,optional"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(rows) != n {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for k, r := range rows {
		if want := (row{[]string{"even", "odd"}[k%2], int32(k), float32(k) / 2, float64(k) / 3}); r != want {
			t.Fatalf("row %d is %+v, want %+v", k, r, want)
		}
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(file.RowGroups()) != 2 {
		t.Fatalf("%v, %v", err, file)
	}
	for k, kind := range []parquet.Kind{parquet.ByteArray, parquet.Int32, parquet.Float, parquet.Double} {
		testdata.Is(t, fmt.Sprintf("column %d is of", k), file.Schema().Fields()[k].Type().Kind(), kind)
	}
	if text, _ := file.Lookup("about"); text != "numbers" {
		t.Errorf("the file says of itself %q", text)
	}
}
