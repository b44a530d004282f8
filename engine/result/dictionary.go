package result

import "cmp"

// Meaning says what a column of a file holds: a row of Dictionary.
type Meaning struct{ File, Key, Title, Values, Help string }

// Dictionary is the table of the columns of files, as they are declared.
var Dictionary = Table[Meaning]{
	Name: "columns", Title: "Columns of the files", Noun: "column",
	ID: func(m Meaning) string { return m.File + "/" + m.Key },
	Columns: []Column[Meaning]{
		Texts("file", "file", "path of the file", func(m Meaning) string { return m.File }),
		Texts("column", "column", "its name in the file", func(m Meaning) string { return m.Key }),
		Texts("title", "title", "what people read over it", func(m Meaning) string { return m.Title }),
		Texts("values", "values", "their kind or unit", func(m Meaning) string { return m.Values }),
		Texts("meaning", "meaning", "what the values mean", func(m Meaning) string { return m.Help }),
	},
}

// kinds say what the values of a column without a unit are in files.
var kinds = map[Format]string{
	Text: "text", ID: "text", Numeral: "number, as it was written", Label: "invariant, borderline or variant",
	Count: "whole number", Number: "number", Share: "0 to 1", Points: "difference of shares", Coefficient: "-1 to 1",
	P: "0 to 1", Bytes: "bytes", Duration: "seconds", Time: "UTC", Bool: "true or false",
}

// Meanings are the columns of a file that CSV or Parquet writes, in their order: KEY_low and
// KEY_high beside a value with an interval, KEY_sd beside one with a standard deviation, and at
// the end "missing" where the table has reasons.
func (s *Sheet) Meanings(file string) (list []Meaning) {
	for k := range s.Fields {
		f := &s.Fields[k]
		add := func(end, help string) {
			list = append(list, Meaning{file, f.Key + end, f.Title, cmp.Or(f.Unit, kinds[f.Format]), help})
		}
		add("", f.Help)
		if f.low != nil {
			add("_low", "lower end of the interval of 95 %")
			add("_high", "upper end of the interval of 95 %")
		}
		if f.sd != nil {
			add("_sd", "standard deviation of what the value is the mean of")
		}
	}
	if s.reasons() {
		const why = "why values are missing: COLUMN: why; COLUMN: why"
		list = append(list, Meaning{file, "missing", "missing", kinds[Text], why})
	}
	return list
}

// reasons tells whether the sheet can say why values are missing.
func (s *Sheet) reasons() bool {
	for k := range s.Fields {
		if s.Fields[k].why != nil {
			return true
		}
	}
	return false
}
