// Package result holds what a method answers: tables of records that are declared once, beside the
// formulas, and everything that people and programs see of them. A Table names its columns; a Sheet
// is a table with the values of some records, by columns; filters, orders and writers (terminal,
// CSV, JSON, Parquet, HTML) know sheets alone. A Figure is a picture as data. A value is said to
// people in one way (Format.Say) and written to files in one way (Format.Write).
//
// A method adds a number by adding a Column. It then stands in the window's table with sort,
// filter and columns menu, in the terminal, in every file and in columns.csv of an export.
//
//	var Results = result.Table[Row]{
//		Name: "ei", Title: "Effective invariance", Noun: "row",
//		ID: func(r Row) string { return r.Key },
//		Columns: []result.Column[Row]{
//			{Key: "model_id", Title: "model", Text: func(r Row) string { return r.Model.ID }},
//			{Key: "ei", Title: "EI", Help: "effective invariance, 0..1 (spec/ei.md)",
//				Format: result.Number, Why: Row.missing,
//				Value: func(r Row) float64 { return r.EI }},
//		},
//		First: result.Order{Key: "model_id"},
//	}
//
// Nothing here reads files, clocks or the locale; equal records give equal bytes.
package result

import (
	"fmt"
	"slices"
	"time"
)

// Fitting are the decimals of a column with which the smallest of its values that is not 0 has
// three digits, from 3 to 6: for numbers of which it is not known beforehand how large they are.
const Fitting = -1

// Show says where a column is met.
type Show int

// A column is shown in the window and the terminal, offered in the window's columns menu and in
// files, or in files alone. Files and filters have all columns.
const (
	Shown Show = iota
	Offered
	FileOnly
)

// Column is one column of a table. Text or Value gives its values: Text where Format.Textual, Value
// for all other formats.
type Column[R any] struct {
	// Key names the column in files, filters and JSON, in snake case, and never changes. Columns
	// that are made from training records are called "record.NAME" (see RecordKey).
	Key string
	// Title stands over the column, in lower case unless it is a name. Help says what the values
	// mean, with definition, range and source. Unit is of the values as they are written.
	Title, Help, Unit string
	Format            Format
	// Decimals after the point for people, 0 for the format's usual number of them, Fitting for as
	// many as the values of the column need, -2 or less for so many significant digits of a Number.
	Decimals int
	Show     Show
	// Text is the value as files have it, "" for a missing one. Said, which may be nil, is the
	// same for people, such as a name in place of a canonical text.
	Text, Said func(R) string
	// Rank, which may be nil, orders texts by a number in place of their letters.
	Rank func(R) float64
	// Value is NaN for a missing value. Shares are from 0 to 1, points are differences of shares,
	// durations are seconds, times are seconds since 1970, booleans are 0 or 1.
	Value func(R) float64
	// At gives the times of a column of Format Time to the nanosecond, in place of Value. The zero
	// time is a missing one.
	At func(R) time.Time
	// Low and High, nil or both given, are the ends of the value's 95 % interval, NaN for none.
	Low, High func(R) float64
	// SD, which may be nil, is the standard deviation of what the value is the mean of, NaN for
	// none.
	SD func(R) float64
	// Why, which may be nil, says why a value is missing.
	Why func(R) Reason
	// Caveat, which may be nil, says what to know about a value that is there, such as that it is
	// one by convention. People see an asterisk behind the value, and the caveat in its read-out.
	Caveat func(R) Reason
	// Sign, which may be nil, stands before the value where people read: ★ for the best of a
	// column.
	Sign func(R) string
	// As, which may be nil, is the format and the decimals of one value of a column of numbers
	// whose rows are different quantities. Format still aligns the column.
	As func(R) (Format, int)
	// Descending begins a sort by this column with the largest value.
	Descending bool
	// Narrow keeps a long table small in Parquet: numbers have 32 bits there, texts are numbered.
	Narrow bool
	// Fleeting values are those of one call, such as the id of a run: Sheet.Lasting leaves them
	// out.
	Fleeting bool
}

// Table declares the columns of a kind of record.
type Table[R any] struct {
	Name  string // of files and in JSON, in snake case
	Title string // over the table, for people
	Noun  string // one record: "model", "suite"
	// ID names a record, also after another reading; no two records of a sheet have the same.
	ID      func(R) string
	Columns []Column[R]
	// More, which may be nil, are columns that depend on the records, such as those of training
	// records. They stand behind Columns.
	More func(rows []R) []Column[R]
	// First is the order of the rows where nobody has chosen another.
	First Order
}

// Reason says why something is missing or left out. The zero Reason is none.
type Reason struct {
	// Code is what programs branch on, such as "no_labels"; Text is the whole sentence for people,
	// without capital and full stop.
	Code, Text string
}

// Because makes a reason; format and values are those of fmt.Sprintf.
func Because(code, format string, values ...any) Reason {
	return Reason{code, fmt.Sprintf(format, values...)}
}

// String is the reason for people.
func (r Reason) String() string { return r.Text }

// None tells whether there is no reason.
func (r Reason) None() bool { return r == Reason{} }

// Lift makes columns of a part of a record into columns of the record, such as those of a model
// into those of a result. All functions of the columns are asked about part(record).
func Lift[R, A any](columns []Column[A], part func(R) A) []Column[R] {
	list := make([]Column[R], len(columns))
	for k, c := range columns {
		list[k] = Column[R]{
			Key: c.Key, Title: c.Title, Help: c.Help, Unit: c.Unit, Format: c.Format, Decimals: c.Decimals,
			Show: c.Show, Descending: c.Descending, Narrow: c.Narrow, Fleeting: c.Fleeting, Text: lift(c.Text, part),
			Said: lift(c.Said, part), Rank: lift(c.Rank, part), Value: lift(c.Value, part), At: lift(c.At, part),
			Low: lift(c.Low, part), High: lift(c.High, part), SD: lift(c.SD, part), Why: lift(c.Why, part),
			Caveat: lift(c.Caveat, part), Sign: lift(c.Sign, part),
		}
		if c.As != nil {
			list[k].As = func(r R) (Format, int) { return c.As(part(r)) }
		}
	}
	return list
}

func lift[R, A, V any](f func(A) V, part func(R) A) func(R) V {
	if f == nil {
		return nil
	}
	return func(r R) V { return f(part(r)) }
}

// Shown gives columns another place.
func Showing[R any](show Show, columns ...Column[R]) []Column[R] {
	list := make([]Column[R], len(columns))
	for k, c := range columns {
		c.Show = show
		list[k] = c
	}
	return list
}

// Place is the table with some of its columns (their keys) in another place, such as names that are
// the same in all rows.
func (t Table[R]) Place(show Show, keys ...string) Table[R] {
	t.Columns = slices.Clone(t.Columns)
	for k, c := range t.Columns {
		if slices.Contains(keys, c.Key) {
			t.Columns[k].Show = show
		}
	}
	return t
}

// Say is the cell of one record for people, as Field.Say.
func (c Column[R]) Say(r R) string {
	f := c.field([]R{r})
	return f.Say(0)
}

// RecordKey is the key of a column that is made from a field of the training records.
func RecordKey(name string) string { return "record." + name }

// Check reports what is wrong with a declaration: no name, ID or columns, a column without key,
// title or values, values that do not go with the format, a key that is there twice, half an
// interval, or a first order by no column unless More may have it. Every table of the program is
// checked in one test.
func (t Table[R]) Check() error {
	if t.Name == "" || t.Title == "" || t.Noun == "" || t.ID == nil || len(t.Columns) == 0 {
		return fmt.Errorf("table %q needs a name, a title, a noun, an ID and columns", t.Name)
	}
	seen := map[string]bool{}
	for _, c := range t.Columns {
		switch {
		case c.Key == "" || c.Title == "":
			return fmt.Errorf("table %s: a column needs a key and a title: %q, %q", t.Name, c.Key, c.Title)
		case seen[c.Key]:
			return fmt.Errorf("table %s: two columns are called %s", t.Name, c.Key)
		case c.Format.Textual() != (c.Text != nil) || c.Format.Textual() == (c.Value != nil || c.At != nil):
			return fmt.Errorf("table %s, column %s: texts need Text, all other formats Value", t.Name, c.Key)
		case c.At != nil && (c.Value != nil || c.Format != Time):
			return fmt.Errorf("table %s, column %s: At is for times, in place of Value", t.Name, c.Key)
		case (c.Low == nil) != (c.High == nil) || c.Low != nil && c.Value == nil:
			return fmt.Errorf("table %s, column %s: an interval has two ends around a value", t.Name, c.Key)
		case c.SD != nil && c.Value == nil:
			return fmt.Errorf("table %s, column %s: a deviation stands beside a value", t.Name, c.Key)
		case c.As != nil && c.Value == nil:
			return fmt.Errorf("table %s, column %s: texts are said in one format", t.Name, c.Key)
		}
		seen[c.Key] = true
	}
	if t.First.Key != "" && !seen[t.First.Key] && t.More == nil {
		return fmt.Errorf("table %s is sorted by %s at first, which is no column of it", t.Name, t.First.Key)
	}
	return nil
}
