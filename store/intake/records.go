package intake

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

// columnHash names a model by the hash of its file, in place of or beside its id.
const columnHash = "model_hash"

// measured are the columns of an exported models.csv that say what was measured there; they are no
// part of a record.
var measured = export.Measured()

// holdsRecords tells whether a path is a CSV table of records for models that are in a workspace
// already: it has a column id or model_hash, is no table of labels, curves or images, and none of
// the models that it lists lies beside it.
func holdsRecords(path string) bool {
	if !strings.EqualFold(filepath.Ext(path), ".csv") || filepath.Base(path) == curvesTable {
		return false
	}
	in, err := outside.Open(path, outside.Table)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }()
	header, err := csvfile.NewReader(in).Read()
	if err != nil {
		return false
	}
	has := func(column string) bool { return slices.Contains(header, column) }
	for _, foreign := range []string{"event_id", "round_id", "path", "filename", "image", columnEpoch} {
		if has(foreign) {
			return false
		}
	}
	return has(columnHash) || has(columnID) && !hasFilesBeside(path)
}

// hasFilesBeside tells whether a file of any model that the table lists is where models.csv would
// have it.
func hasFilesBeside(path string) bool {
	in, err := outside.Open(path, outside.Table)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }()
	rows, err := readModels(in, filepath.Base(path))
	if err != nil {
		return false // a table with a fault: reading it as records says which
	}
	return slices.ContainsFunc(rows, func(row modelRow) bool {
		_, err := locate(filepath.Dir(path), row)
		return err == nil
	})
}

// recordRow is one row of a table of records.
type recordRow struct {
	line     int
	id, hash string
	fields   []model.Field
}

// name is what the table calls the model.
func (r recordRow) name() string {
	if r.id != "" {
		return r.id
	}
	return r.hash
}

// readRecords reads a table with a column id or model_hash (with both, the hash decides); all
// other columns but file and those that an export measured are fields, in an export also
// record.NAME.
func readRecords(r io.Reader, name string) ([]recordRow, error) {
	t, err := openTable(r, name)
	if err != nil {
		return nil, err
	}
	if t.need(columnHash) != nil && t.need(columnID) != nil {
		return nil, t.fail(1, fmt.Errorf("there is neither a column %q nor a column %q", columnID, columnHash))
	}
	exported := slices.Contains(t.header, columnHash)
	var rows []recordRow
	lines := map[string]int{}
	for {
		cells, line, err := t.row()
		if errors.Is(err, io.EOF) && len(rows) == 0 {
			return nil, t.fail(1, errors.New("there is no row after the header"))
		}
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		row := t.record(cells, line, exported)
		if row.name() == "" {
			return nil, t.fail(line, errors.New("the row names no model"))
		}
		key := row.hash + "\n" + row.id
		if row.hash != "" {
			key = row.hash
		}
		if first, twice := lines[key]; twice {
			return nil, t.fail(line, fmt.Errorf("model %s is in line %d already", row.name(), first))
		}
		lines[key] = line
		rows = append(rows, row)
	}
}

func (t *table) record(cells []string, line int, exported bool) recordRow {
	row := recordRow{line: line}
	for i, cell := range cells {
		switch column := t.header[i]; {
		case column == columnID:
			row.id = strings.TrimSpace(cell)
		case column == columnHash:
			row.hash = strings.ToLower(strings.TrimSpace(cell))
		case column == columnFile, exported && slices.Contains(measured, column):
		default:
			if exported {
				column = strings.TrimPrefix(column, result.RecordKey(""))
			}
			row.fields = append(row.fields, model.Field{Name: column, Value: cell})
		}
	}
	return row
}

// RecordsPlan says what the import of a table of records changes.
type RecordsPlan struct {
	Path    string
	Matched int // rows whose model is in the workspace
	// Changes are the records as they become, of the matched models that change at all.
	Changes []store.Record
	Unknown []string // models of the table that are not in the workspace
	Columns []string // fields that no model had before
}

// String says it in one line.
func (p RecordsPlan) String() string {
	text := fmt.Sprintf("records of %s, %d of them change", counted(p.Matched, "model"), len(p.Changes))
	if len(p.Columns) > 0 {
		text += ", new columns: " + few(p.Columns)
	}
	if len(p.Unknown) > 0 {
		text += fmt.Sprintf("; %s not in this workspace: %s", counted(len(p.Unknown), "model"), few(p.Unknown))
	}
	return text
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// few lists the first names of many.
func few(names []string) string {
	const most = 8
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += ", …"
	}
	return text
}

// PlanRecords reads a CSV table with a column id or model_hash and works out what it changes: its
// columns become fields of the models' records, new or in place of those of the same name; a field
// that the table does not have stays, and so does one whose cell is empty where the model has no
// such field. Nothing is stored. An error names the table, the line and what is wrong.
func PlanRecords(ws *store.Workspace, path string) (RecordsPlan, error) {
	plan := RecordsPlan{Path: path}
	in, err := outside.Open(path, outside.Table)
	if err != nil {
		return plan, err
	}
	defer func() { _ = in.Close() }()
	rows, err := readRecords(in, filepath.Base(path))
	if err != nil {
		return plan, err
	}
	glances, err := ws.Overview("", "")
	if err != nil {
		return plan, err
	}
	return plan, plan.match(rows, glances)
}

// match finds the models of the rows and notes what changes.
func (p *RecordsPlan) match(rows []recordRow, glances []store.Glance) error {
	byHash, byID, known := map[string]model.Model{}, map[string]string{}, map[string]bool{}
	for _, g := range glances {
		byHash[g.Model.Hash], byID[g.Model.ID] = g.Model, g.Model.Hash
		for _, f := range g.Model.Record {
			known[f.Name] = true
		}
	}
	lines := map[string]int{}
	for _, row := range rows {
		hash := row.hash
		if hash == "" {
			hash = byID[row.id]
		}
		m, ok := byHash[hash]
		if !ok {
			p.Unknown = append(p.Unknown, row.name())
			continue
		}
		if first, twice := lines[hash]; twice {
			err := fmt.Errorf("model %s is in line %d already", m.ID, first)
			return &export.TableError{File: filepath.Base(p.Path), Line: row.line, Err: err}
		}
		lines[hash] = row.line
		p.Matched++
		p.add(m, row, known)
	}
	if p.Matched == 0 {
		return fmt.Errorf("%s: none of its models (%s) is in this workspace; "+
			"import the models first or check the column %s", filepath.Base(p.Path), few(p.Unknown), columnID)
	}
	return nil
}

// add notes what a row changes of its model.
func (p *RecordsPlan) add(m model.Model, row recordRow, known map[string]bool) {
	record := store.RecordOf(m)
	for _, f := range row.fields {
		if f.Value == "" && !slices.ContainsFunc(m.Record, func(have model.Field) bool { return have.Name == f.Name }) {
			continue
		}
		record.Set(f.Name, f.Value)
		if !known[f.Name] {
			known[f.Name] = true
			p.Columns = append(p.Columns, f.Name)
		}
	}
	if !slices.Equal(record.Fields, m.Record) {
		p.Changes = append(p.Changes, record)
	}
}

// Records imports a table of records, see PlanRecords. All models are changed or, on an error,
// none.
func Records(ws *store.Workspace, path string) (Outcome, error) {
	plan, err := PlanRecords(ws, path)
	o := Outcome{
		What: "records", Name: filepath.Base(path), Path: path, Models: plan.Matched, Unknown: plan.Unknown,
		Columns: plan.Columns, Details: []string{plan.String()},
	}
	if err != nil || len(plan.Changes) == 0 {
		return o, err
	}
	for _, change := range plan.Changes {
		o.Changed = append(o.Changed, change.ID)
	}
	o.After = plan.Changes
	if o.Before, err = ws.PutRecords(plan.Changes); err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return o, err
}
