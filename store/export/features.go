package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// FeatureTable is features.csv or features.parquet: models x features.
type FeatureTable struct {
	Names []string // of the columns of Values: "max@CONF.svm", "max@CONF.I1.mean"
	// Layout says how the features were measured. A CSV does not tell: nil.
	Layout *feature.Layout
	// Of names the suite and the family of transformations. A file that was read does not tell:
	// none.
	Of   subject.Subject
	Rows []FeatureRow
}

// FeatureRow is one model. Values has one number per name; a feature that the published code
// leaves undefined is NaN, which is an empty cell or null in files.
type FeatureRow struct {
	ModelID, ModelHash string
	Values             []float64
	Final              label.Value // the training label, empty where there is none
}

// The columns beside the features.
const (
	columnModelID   = "model_id"
	columnModelHash = "model_hash"
	columnFinal     = "final"
)

// The limits on files of features.
const (
	maxFeatureRows    = 1 << 20
	maxFeatureColumns = 1 << 12
)

// layoutKey is the key of the layout, as JSON, among the words of a Parquet file about itself.
const layoutKey = "variscope.layout"

// Sheet is the table as it is written: model_id, model_hash, suite, suite_hash, family, one column
// per feature, final. As Parquet it has the layout among the file's metadata. Numbers are read
// back as they were.
func (t FeatureTable) Sheet() *result.Sheet {
	sheet := result.Table[FeatureRow]{
		Name: "features", Title: "Features", Noun: "model", ID: func(r FeatureRow) string { return r.ModelID },
		Columns: slices.Concat(
			result.Lift(subject.Columns, func(r FeatureRow) subject.Subject {
				of := t.Of
				of.Model, of.ModelHash = r.ModelID, r.ModelHash
				return of
			}),
			feature.Columns(t.Names, func(r FeatureRow) []float64 { return r.Values }),
			[]result.Column[FeatureRow]{{
				Key: columnFinal, Title: "label", Format: result.Label,
				Help: "training label: the adjudicated one, else that of more than half of the annotators",
				Text: func(r FeatureRow) string { return string(r.Final) },
			}}),
	}.Sheet(t.Rows)
	if text, err := json.Marshal(t.Layout); err == nil && t.Layout != nil {
		sheet.Meta = map[string]string{layoutKey: string(text)}
	}
	return sheet
}

// ReadFeatures reads a features.csv or features.parquet, by the file's ending.
func ReadFeatures(path string) (FeatureTable, error) {
	name := filepath.Base(path)
	data, err := outside.Read(path, outside.Table)
	if err != nil {
		return FeatureTable{}, err
	}
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case ".csv":
		return ReadFeaturesCSV(bytes.NewReader(data), name)
	case ".parquet":
		return ReadFeaturesParquet(bytes.NewReader(data), int64(len(data)), name)
	}
	return FeatureTable{}, fmt.Errorf("%s is no table of features: its name must end in .csv or .parquet", name)
}

// ReadFeaturesCSV reads features.csv: model_id and model_hash (whose cells may be empty), final
// where it is there, and every other column is a feature; their order is free. name is the file's,
// for the *TableError.
func ReadFeaturesCSV(r io.Reader, name string) (FeatureTable, error) {
	var c columns
	rows := newFeatureRows()
	err := readTable(newReader(r), name, func(header []string) (err error) {
		c, err = featureColumns(header)
		return err
	}, func(cells []string) error {
		row, err := c.row(cells)
		if err != nil {
			return err
		}
		return rows.add(row)
	})
	if err != nil {
		return FeatureTable{}, err
	}
	return FeatureTable{Names: c.names, Rows: rows.list}, nil
}

// columns say where in a row what stands.
type columns struct {
	id, hash, final int // -1 where there is none
	features        []int
	names           []string
	undefined       []bool // per feature: the published code may leave it undefined
}

// featureColumns finds out what the columns of a table are.
func featureColumns(header []string) (columns, error) {
	c := columns{
		id: slices.Index(header, columnModelID), hash: slices.Index(header, columnModelHash),
		final: slices.Index(header, columnFinal),
	}
	if c.id < 0 || c.hash < 0 {
		return c, errors.New("this is no table of features: it must have the columns model_id, model_hash, and one " +
			"per feature, such as max@CONF.svm")
	}
	if len(header) > maxFeatureColumns {
		return c, fmt.Errorf("%d columns are too many; at most %d can be read", len(header), maxFeatureColumns)
	}
	seen := map[string]bool{}
	for i, column := range header {
		switch i {
		case c.id, c.hash, c.final:
			continue
		}
		if slices.ContainsFunc(subject.Columns, func(of result.Column[subject.Subject]) bool {
			return of.Key == column
		}) {
			continue // suite, suite_hash and family say what the whole table is of
		}
		name, undefined, err := featureColumn(column)
		if err != nil {
			return c, fmt.Errorf("column %q is no feature: %w", column, err)
		}
		if seen[name] {
			return c, fmt.Errorf("column %q is there twice", column)
		}
		seen[name] = true
		c.features, c.names = append(c.features, i), append(c.names, name)
		c.undefined = append(c.undefined, undefined)
	}
	if len(c.names) == 0 {
		return c, errors.New("the table has no features")
	}
	return c, nil
}

// featureColumn is the canonical name of a column, of a variance matrix or an interpolated one,
// and whether the published code may leave the feature undefined.
func featureColumn(column string) (name string, undefined bool, err error) {
	if matrix, measurement, err := feature.SplitBackground(column); err == nil {
		return matrix + "." + measurement, false, nil
	}
	modality, f, err := feature.Split(column)
	if err != nil {
		return "", false, err
	}
	return modality + "." + f.String(), f == feature.GOverall || f == feature.Dctny || f == feature.Asymm, nil
}

func (c columns) row(cells []string) (r FeatureRow, err error) {
	if r.ModelID = cells[c.id]; !utf8.ValidString(r.ModelID) || r.ModelID == "" {
		return r, fmt.Errorf("column model_id: %q is no id", cells[c.id])
	}
	if err := readHash(&r.ModelHash, cells[c.hash], true); err != nil {
		return r, fmt.Errorf("column model_hash: %w", err)
	}
	r.Values = make([]float64, len(c.features))
	for i, at := range c.features {
		if r.Values[i], err = c.number(i, cells[at]); err != nil {
			return r, fmt.Errorf("model %s, column %s: %w", r.ModelID, c.names[i], err)
		}
	}
	if c.final >= 0 {
		if err := readValue(&r.Final, cells[c.final]); err != nil {
			return r, fmt.Errorf("model %s, column final: %w", r.ModelID, err)
		}
	}
	return r, nil
}

// number reads a feature's cell: a finite number, or nothing where the published code may leave it
// undefined.
func (c columns) number(i int, cell string) (float64, error) {
	if cell == "" && c.undefined[i] {
		return math.NaN(), nil
	}
	if cell == "" {
		return 0, errors.New("it is empty; only g_overall, dctny and asymm may be, " +
			"where the published code leaves them undefined")
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no number", cell)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%v is not finite", v)
	}
	return v, nil
}

// featureRows collects rows and refuses a model that is there twice.
type featureRows struct {
	list []FeatureRow
	seen map[string]bool
}

func newFeatureRows() featureRows {
	return featureRows{list: []FeatureRow{}, seen: map[string]bool{}}
}

func (l *featureRows) add(r FeatureRow) error {
	if len(l.list) == maxFeatureRows {
		return fmt.Errorf("more than %d models are too many", maxFeatureRows)
	}
	for _, key := range []string{"id " + r.ModelID, "hash " + r.ModelHash} {
		if key != "hash " && l.seen[key] {
			return fmt.Errorf("model %s is there twice", r.ModelID)
		}
		l.seen[key] = true
	}
	l.list = append(l.list, r)
	return nil
}
