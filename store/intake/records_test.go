package intake

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

var must = testdata.OK

// recorded is a workspace of models a and b, a with a record.
func recorded(t *testing.T) *store.Workspace {
	t.Helper()
	w := sums.Empty(t)
	folder := files(t, map[string]string{"models.csv": "id,fold,epochs\na,regular,12\n", "a.onnx": "model a"})
	imported(t, w, nil, folder)
	imported(t, w, nil, files(t, map[string]string{"b.onnx": "model b"}))
	return w
}

func csvFile(t *testing.T, name, text string) string {
	t.Helper()
	return filepath.Join(files(t, map[string]string{name: text}), name)
}

func allRecords(t *testing.T, w *store.Workspace) map[string][]model.Field {
	t.Helper()
	models := testdata.Must(w.Models())(t)
	records := map[string][]model.Field{}
	for _, m := range models {
		records[m.ID] = m.Record
	}
	return records
}

func TestRecordsAreMergedById(t *testing.T) {
	w := recorded(t)
	was := allRecords(t, w)
	path := csvFile(t, "extra.csv", "\ufeffid,epochs,owner,remark\na,20,lab 1,=odd\nb,,lab 2,\nzz,1,lab 3,\n")
	plan, err := PlanRecords(w, path)
	if err != nil || plan.Matched != 2 || len(plan.Changes) != 2 {
		t.Fatalf("%+v %v", plan, err)
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff([]string{"owner", "remark"}, plan.Columns))
	testdata.NoDiff(t, "-want +got", cmp.Diff([]string{"zz"}, plan.Unknown))
	testdata.Is(t, "String", plan.String(),
		"records of 2 models, 2 of them change, new columns: owner, remark; 1 model not in this workspace: zz")
	testdata.NoDiff(t, "planning stores", cmp.Diff(was, allRecords(t, w)))
	came := testdata.Must(Records(w, path))(t)
	want := map[string][]model.Field{
		"a": {
			{Name: "fold", Value: "regular"},
			{Name: "epochs", Value: "20"},
			{Name: "owner", Value: "lab 1"},
			{Name: "remark", Value: "=odd"},
		},
		"b": {{Name: "owner", Value: "lab 2"}}, // its empty cells add no fields
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, allRecords(t, w)))
	if again, err := Records(w, path); err != nil || len(again.Changed) != 0 {
		t.Errorf("the same table again changes %q, %v", again.Changed, err)
	}
	testdata.Must(w.PutRecords(came.Before))(t)
	testdata.NoDiff(t, "-want +got", cmp.Diff(was, allRecords(t, w)))
}

// TestExportedTableComesBack reads an exported models.csv: what was measured is no part of the
// records.
func TestExportedTableComesBack(t *testing.T) {
	w := recorded(t)
	models := testdata.Must(w.Models())(t)
	var items []export.Item
	for _, m := range models {
		items = append(items, export.Item{Model: m, Known: true, State: "none"})
	}
	var out bytes.Buffer
	must(t, export.ModelSheet(export.View{Items: items}).CSV(&out, false))
	path := csvFile(t, "models.csv", out.String())
	if !holdsRecords(path) {
		t.Fatal("an exported models.csv is no table of records")
	}
	if _, err := Records(w, path); err != nil {
		t.Fatal(err)
	}
	m, err := w.FindModel("a")
	if err != nil || m.Value("state") != "" || m.Value("model_hash") != "" || m.Value("epochs") != "12" {
		t.Errorf("%+v %v", m.Record, err)
	}
}

// TestColumnNamesComeBack exports names that a spreadsheet would take for formulas and one that is
// called like a column of ours, for spreadsheets and not; readers of models.csv take them as they
// were.
func TestColumnNamesComeBack(t *testing.T) {
	record := []model.Field{
		{Name: "=lab", Value: "=1+1"},
		{Name: "-noise", Value: "-5"},
		{Name: "'quoted'", Value: "'q"},
		{Name: "plain", Value: "x"},
		{Name: "state", Value: "old"},
	}
	for _, forSpreadsheets := range []bool{false, true} {
		var out bytes.Buffer
		view := export.View{Items: []export.Item{{
			Model: model.Model{ID: "a", Record: record}, Known: true, State: "ready",
		}}}
		must(t, export.ModelSheet(view).CSV(&out, forSpreadsheets))
		training := testdata.Must(TrainingRecords(csvFile(t, "models.csv", out.String())))(t)
		records, err := readRecords(bytes.NewReader(out.Bytes()), "models.csv")
		if err != nil || len(records) != 1 {
			t.Fatalf("%d rows, %v", len(records), err)
		}
		written := slices.Clone(record)
		written[4].Name = "record.state"
		for reader, c := range map[string]struct{ got, want []model.Field }{
			"training": {training["a"], written},
			"records":  {records[0].fields, record},
		} {
			got := slices.DeleteFunc(slices.Clone(c.got), func(f model.Field) bool {
				return !slices.ContainsFunc(c.want,
					func(want model.Field) bool { return strings.Trim(want.Name, "'") == strings.Trim(f.Name, "'") })
			})
			testdata.NoDiff(t, reader, cmp.Diff(c.want, got))
		}
	}
}

func TestRecordsAreRefusedWhole(t *testing.T) {
	w := recorded(t)
	was := allRecords(t, w)
	a := testdata.Must(w.FindModel("a"))(t)
	for want, text := range map[string]string{
		"t.csv, line 3: the row has another number of cells than the header": "id,x\na,1\nb\n",
		`t.csv, line 1: column "x" is there twice`:                           "id,x,x\na,1,2\n",
		"t.csv, line 3: model a is in line 2 already":                        "id,x\na,1\na,2\n",
		"t.csv, line 3: model a is in line 2 already ": "id,model_hash,x\na,,1\n," + a.Hash +
			",2\n", "t.csv, line 3: the row names no model": "id,x\na,1\n ,2\n",
		"t.csv, line 1: there is no row after the header":       "id,x\n",
		"t.csv: none of its models (q, r) is in this workspace": "id,x\nq,1\nr,1\n",
		`t.csv: model a: output_kind "guesses"`:                 "id,output_kind\nb,logits\na,guesses\n",
		`t.csv, line 1: there is neither a column "id"`:         "name,x\na,1\n",
		`t.csv, line 1: the file is empty`:                      "",
	} {
		if _, err := Records(w, csvFile(t, "t.csv", text)); err == nil ||
			!strings.HasPrefix(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(was, allRecords(t, w)))
}

func TestHoldsRecords(t *testing.T) {
	for text, want := range map[string]bool{
		"id,x\na,1\n":                               true,
		"x,model_hash\n1,00\n":                      true,
		"id,epoch,loss\na,1,2\n":                    false,
		"path,label\nx.png,1\n":                     false,
		"id,path\n1,x.png\n":                        false,
		"event_id,annotator,label,model_hash\n":     false,
		"round_id,model_id,model_hash,a,majority\n": false,
		"": false,
	} {
		if got := holdsRecords(csvFile(t, "t.csv", text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	beside := files(t, map[string]string{"models.csv": "id\na\n", "models/a.onnx": "model", "text.txt": "id,x\na,1\n"})
	for _, name := range []string{"models.csv", "text.txt", "absent.csv"} {
		if holdsRecords(filepath.Join(beside, name)) {
			t.Errorf("%s is taken for records", name)
		}
	}
}

// TestRecordsOfAnyTextComeBack writes records of random texts as an export does, and reads them
// again: nothing changes. With the record emptied in between, everything is there again.
func TestRecordsOfAnyTextComeBack(t *testing.T) {
	w := recorded(t)
	m := testdata.Must(w.FindModel("a"))(t)
	text := rapid.StringOf(rapid.RuneFrom([]rune("aZ0 ,;\"'=+-@\tä|\n")))
	rapid.Check(t, func(r *rapid.T) {
		record := store.Record{Hash: m.Hash, ID: "a"}
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z=@][a-z0-9 _]{0,6}[a-z]`), 1, 5,
			rapid.ID[string]).Draw(r, "names") {
			record.Set(name, text.Filter(func(s string) bool { return s != "" }).Draw(r, "value"))
		}
		for _, own := range append([]string{columnID, columnFile, columnHash, "mean", "std", "output_kind"},
			measured...) {
			record.Fields = slices.DeleteFunc(record.Fields, func(f model.Field) bool { return f.Name == own })
		}
		testdata.Must(w.PutRecords([]store.Record{record}))(r)
		now := testdata.Must(w.Model(m.Hash))(r)
		var out bytes.Buffer
		sheet := export.ModelSheet(export.View{Items: []export.Item{{Model: now, Known: true, State: "none"}}})
		must(r, sheet.CSV(&out, false))
		path := csvFile(t, "t.csv", out.String())
		testdata.Must(w.PutRecords([]store.Record{{Hash: m.Hash, ID: "a"}}))(r)
		if _, err := Records(w, path); err != nil {
			r.Fatalf("%v\n%s", err, out.String())
		}
		got := testdata.Must(w.Model(m.Hash))(r)
		for _, f := range record.Fields {
			if got.Value(f.Name) != f.Value {
				r.Fatalf("%q was %q and is %q\n%s", f.Name, f.Value, got.Value(f.Name), out.String())
			}
		}
	})
}

// FuzzRecords: any bytes are refused or read; a table that is read has a model in every row.
func FuzzRecords(f *testing.F) {
	f.Add([]byte("id,x\na,1\n"))
	f.Add([]byte("\xef\xbb\xbfmodel_hash,id\nAB,\n"))
	f.Add([]byte("id,\"x\n\"\n'a,\"'=1\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := readRecords(bytes.NewReader(data), "t.csv")
		if err != nil {
			if rows != nil {
				t.Error("rows beside an error")
			}
			return
		}
		for _, row := range rows {
			if row.name() == "" || row.line < 2 {
				t.Errorf("%+v", row)
			}
		}
	})
}
