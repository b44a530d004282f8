package invariance

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func TestTablesHoldResults(t *testing.T) {
	testdata.OK(t, errors.Join(Images.Check(), LeftOuts.Check(), Lacks.Check(), Predictions.Check()))
	written(t, Transformations, Steps(example(), true))
	s := written(t, Results, example())
	for key, codes := range map[string][3]string{ // of m2 on pets and on wild, and of big on wild
		"accuracy": {"", NoLabels, NoLabels}, "robust_accuracy": {"", NoLabels, NoLabels}, "ei": {},
		"accuracy_drop": {"", NoLabels, NoLabels}, "js": {"", "", NoSoftmax},
	} {
		for k, row := range []int{0, 1, 5} {
			why := s.Fields[s.Field(key)].Why(row)
			testdata.Is(t, fmt.Sprintf("why %s of row %d is missing", key, row), why.Code, codes[k])
		}
	}
}

// written checks a table, fills it and writes it, for people and as a file.
func written[R any](t *testing.T, table result.Table[R], rows []R) *result.Sheet {
	t.Helper()
	testdata.OK(t, table.Check())
	s := table.Sheet(rows)
	testdata.OK(t, errors.Join(s.Check(), s.Text(io.Discard), s.CSV(io.Discard, true)))
	return s
}

// example has labels on pets, none on wild, and whole softmax vectors of neither model big.
func example() []Measured {
	var rows []Measured
	for _, id := range []string{"m2", "m10", "big"} {
		for _, suite := range []string{"pets", "wild"} {
			m := Measured{
				Model: model.Model{
					ID: id, Hash: "hash " + id,
					Record: []model.Field{{Name: "fold", Value: "f" + id}, {Name: "ei", Value: "high"}},
				},
				Suite: "hash " + suite, SuiteName: suite, Family: "rotation:-1:1:1;interpolation=bilinear;border=zero",
				FamilyName: "rotation -1..1°", Key: "key " + id + suite,
				Result: Result{
					Images: 1000, Labelled: 900, Accuracy: 0.9663, Drop: 0.0125,
					Mean: Values{0.51234, 0.3, 0.1, 0.2, 0.4, 0.5, 0.75},
					Rows: []Row{
						{0, "rotation -1°", -1, Values{0.5}, 0.9, 0.0663},
						{2, "rotation 1°", 1, Values{0.6}, 0.91, 0.0563},
					},
				},
			}
			m.Scores.CorrectProduct = 0.8
			if suite == "wild" {
				m.Labelled, m.Accuracy, m.Drop, m.Scores.CorrectProduct = 0, nan, nan, nan
			}
			if id == "big" {
				m.Missing = result.Because(NoSoftmax, "the model has 1000 classes")
				m.Mean[JS] = nan
			}
			rows = append(rows, m)
		}
	}
	return rows
}

// A filter finds models by what the training records say, and our own columns before those of the
// same name in a record.
func TestRecordsCanBeFiltered(t *testing.T) {
	s := Results.Sheet(example())
	for text, want := range map[string]int{
		"fold=fm2": 2, "fm10": 2, "record.ei=high": 6, "ei=high": 0, "ei>0.5": 6,
		"accuracy<=97%": 3, "-rotation": 0,
	} {
		testdata.Is(t, fmt.Sprintf("%s leaves", text), len(s.Arrange(result.ParseFilter(text), s.First)), want)
	}
	first := s.Arrange(result.Filter{}, s.First)
	if s.ID(first[0]) != example()[4].ID() || s.ID(first[2]) != example()[0].ID() {
		t.Errorf("the first row is %s", s.ID(first[0]))
	}
}

func TestStepsBeginWithTheirMean(t *testing.T) {
	rows := example()
	if got := Steps(rows, false); len(got) != 12 || got[0].Of.Model.ID != "m2" || got[1].Transformation != 2 {
		t.Errorf("%d steps", len(got))
	}
	with := Steps(rows[:1], true)
	if len(with) != 3 || with[0].Accuracy != rows[0].Accuracy-rows[0].Drop || with[0].Mean != rows[0].Mean {
		t.Errorf("%+v", with[0])
	}
	s := written(t, OfOneRow, with)
	if f := s.Fields[s.Field("name")]; f.Say(0) != "all" || f.Say(1) != "rotation -1°" {
		t.Errorf("%q", f.Say(0))
	}
	if s.Fields[s.Field("model_id")].Show != result.FileOnly || Transformations.Columns[0].Show != result.Shown {
		t.Error("the model's name stands at each step of one row")
	}
}
