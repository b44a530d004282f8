package intake

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/export"
)

func TestReadModels(t *testing.T) {
	rows := testdata.Must(readModels(strings.NewReader("\ufefffold,id,file,mean,note\nregular, s1 "+
		",,0.5;0.5,=x\nholdout,s2,deep/s2.onnx,-1,\"a,\n\"\"b\"\"\"\n"), "models.csv"))(t)
	want := []modelRow{
		{2, "s1", "", []model.Field{
			{Name: "fold", Value: "regular"}, {Name: "mean", Value: "0.5;0.5"}, {Name: "note", Value: "=x"},
		}},
		{3, "s2", "deep/s2.onnx", []model.Field{
			{Name: "fold", Value: "holdout"}, {Name: "mean", Value: "-1"}, {Name: "note", Value: "a,\n\"b\""},
		}},
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, rows, cmp.AllowUnexported(modelRow{})))
}

func TestReadModelsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "models.csv, line 1: the file is empty",
		"name\nx\n":               `models.csv, line 1: there is no column "id"`,
		"id,id\n1,2\n":            `models.csv, line 1: column "id" is there twice`,
		"id,=a,=a\n1,2,3\n":       `models.csv, line 1: column "=a" is there twice`,
		"id,\n1,2\n":              "models.csv, line 1: column 2 has no name",
		"id,a\n1\n":               "models.csv, line 2: the row has another number of cells",
		"id\n1\n2,3\n":            "models.csv, line 3: the row has another number of cells",
		"id,a\n,2\n":              "models.csv, line 2: the id is empty",
		"id\n1\n2\n1\n":           "models.csv, line 4: id 1 is in line 2 already",
		"id,a\n1,\"x\ny\"\n2,b\"": "models.csv, line 4: ",
		"id,a\n1,\xff\n":          `models.csv, line 2: column "a" is not UTF-8`,
		"id,a\n1,\"x\n":           "models.csv, line ",
	} {
		_, err := readModels(strings.NewReader(text), "models.csv")
		var table *export.TableError
		if !errors.As(err, &table) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReadCurves(t *testing.T) {
	c := testdata.Must(readCurves(strings.NewReader("epoch,id,train_loss,test_loss\n2,a,0.5,\n1,a,1e-3,2\n0,b,,\n"),
		"curves.csv"))(t)
	want := map[string][]model.Epoch{
		"a": {
			{Epoch: 1, Values: map[string]float64{"train_loss": 0.001, "test_loss": 2}},
			{Epoch: 2, Values: map[string]float64{"train_loss": 0.5}},
		},
		"b": {{Epoch: 0, Values: map[string]float64{}}},
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, c.epochs))
	testdata.NoDiff(t, "-want +got", cmp.Diff(map[string]int{"a": 2, "b": 4}, c.lines))
}

func TestReadCurvesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"id\n":                      `line 1: there is no column "epoch"`,
		"epoch,id\n1,\n":            "line 2: the id is empty",
		"epoch,id\n-1,a\n":          `line 2: epoch "-1" is not a whole number`,
		"epoch,id\n1.5,a\n":         `line 2: epoch "1.5" is not a whole number`,
		"epoch,id\n1,a\n1,a\n":      "line 3: epoch 1 of model a is there twice",
		"epoch,id,loss\n1,a,nan\n":  `line 2: loss "nan" is not a finite number`,
		"epoch,id,loss\n1,a,1e999n": `line 2: loss "1e999n"`,
		"epoch,id,loss\n1,a,+Inf\n": `line 2: loss "+Inf"`,
	} {
		testdata.Refused(t, text, testdata.Err(readCurves(strings.NewReader(text), "curves.csv")), want)
	}
}

// zooTables are the tables of the zoos that are there, as seeds and as examples that must be read
// whole.
func zooTables(tb testing.TB, name string) map[string][]byte {
	tb.Helper()
	tables := map[string][]byte{}
	for _, zoo := range []string{"scenes", "mnist", "cifar"} {
		folder, ok := testdata.Zoo(zoo)
		if !ok {
			fmt.Printf("zoo %s: absent\n", zoo)
			continue
		}
		if data, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			tables[zoo] = data
		}
	}
	return tables
}

func TestReadTablesOfTheZoos(t *testing.T) {
	for zoo, data := range zooTables(t, modelsTable) {
		rows, err := readModels(bytes.NewReader(data), modelsTable)
		if err != nil || len(rows) != bytes.Count(data, []byte("\n"))-1 || rows[0].record[0].Name != "fold" {
			t.Errorf("%s: %d rows, %v", zoo, len(rows), err)
		}
	}
	for zoo, data := range zooTables(t, curvesTable) {
		c, err := readCurves(bytes.NewReader(data), curvesTable)
		if err != nil || len(c.epochs) == 0 {
			t.Errorf("%s: %v", zoo, err)
		}
	}
}

// FuzzModelsCSV: what is read, written and read again is the same; nothing panics.
func FuzzModelsCSV(f *testing.F) {
	for _, data := range zooTables(f, modelsTable) {
		f.Add(data[:min(len(data), 2000)])
	}
	f.Add([]byte("id,file,a\n1,x.onnx,'=2\n"))
	f.Add([]byte("id,'=a,''b\n1,2,3\n"))
	f.Add([]byte("\ufeffid\n\"1\n\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := readModels(bytes.NewReader(data), "m")
		if err != nil {
			if rows != nil {
				t.Error("rows with an error")
			}
			return
		}
		if len(rows) == 0 {
			return
		}
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		header := []string{columnID, columnFile}
		for _, field := range rows[0].record {
			header = append(header, field.Name)
		}
		all := [][]string{header}
		for _, row := range rows {
			cells := []string{row.id, row.file}
			for _, field := range row.record {
				cells = append(cells, field.Value)
			}
			all = append(all, cells)
		}
		must(t, w.WriteAll(all))
		again := testdata.Must(readModels(&out, "m"))(t)
		for i := range again {
			again[i].line, rows[i].line = 0, 0
		}
		testdata.NoDiff(t, "-want +got", cmp.Diff(rows, again, cmp.AllowUnexported(modelRow{})))
	})
}

// FuzzCurvesCSV: epochs are ascending and finite, nothing panics.
func FuzzCurvesCSV(f *testing.F) {
	for _, data := range zooTables(f, curvesTable) {
		f.Add(data[:min(len(data), 1000)])
	}
	f.Add([]byte("id,epoch,loss\na,1,0.5\na,2,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readCurves(bytes.NewReader(data), "c")
		if err != nil {
			return
		}
		for id, epochs := range c.epochs {
			if id == "" || c.lines[id] < 2 {
				t.Errorf("id %q in line %d", id, c.lines[id])
			}
			for i, e := range epochs {
				if i > 0 && e.Epoch <= epochs[i-1].Epoch {
					t.Error("epochs do not ascend")
				}
				for column, v := range e.Values {
					if v-v != 0 {
						t.Errorf("%s is %v", column, v)
					}
				}
			}
		}
	})
}
