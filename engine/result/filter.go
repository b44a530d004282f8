package result

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Filter is what the filter line over a table, and the flags that choose models and images, ask
// for: a row is shown that meets all clauses. The grammar is the same everywhere:
//
//	vgg leak             words that occur in any of the row's texts
//	architecture:cnn     the column contains this
//	fold=holdout         the column is this; fold="" is missing
//	fold!=holdout        the column is something else, or missing
//	accuracy<=0.9        comparisons < <= > >=; shares also as 90%, times as 2026-11-25
//	fold=a|b             one of several
//	-leak -fold=holdout  the opposite
//	-12..12              a range that begins below 0, no opposite
//	optimizer="Adam W"   quotation marks keep blanks, bars and signs
//
// Columns are named by key or title; capitals do not matter. Every text is a filter: what is half
// typed means what it says so far, and a clause of no column is looked for as a word.
type Filter struct{ Clauses []Clause }

// Clause is one condition.
type Clause struct {
	Not    bool
	Column string // as it was typed, "" for a word
	Op     string // one of : = != < <= > >=, "" for a word
	Values []Operand
}

// Operand is a value of a clause; Quoted where it stood in quotation marks.
type Operand struct {
	Text   string
	Quoted bool
}

// ParseFilter reads a filter.
func ParseFilter(text string) Filter {
	var f Filter
	rest := strings.TrimLeft(text, " \t")
	for rest != "" {
		var c Clause
		c, rest = parseClause(rest)
		if c.Op != "" || c.Values[0].Text != "" {
			f.Clauses = append(f.Clauses, c)
		}
		rest = strings.TrimLeft(rest, " \t")
	}
	return f
}

// belowZero is how a range begins that begins below 0, as ranges stand in tables.
var belowZero = regexp.MustCompile(`^-[0-9]+(\.[0-9]+)?\.\.`)

func parseClause(text string) (c Clause, rest string) {
	if len(text) > 1 && text[0] == '-' && text[1] != ' ' && text[1] != '\t' && !belowZero.MatchString(text) {
		c.Not, text = true, text[1:]
	}
	if column, op, after, ok := cutColumn(text); ok {
		c.Column, c.Op, text = column, op, after
	}
	for {
		var v Operand
		v, text = parseOperand(text, c.Op != "")
		c.Values = append(c.Values, v)
		if c.Op == "" || !strings.HasPrefix(text, "|") {
			return c, text
		}
		text = text[1:]
	}
}

// operators are tried in this order: a longer one before its beginning.
var operators = []string{"!=", "<=", ">=", "=", ":", "<", ">"}

// cutColumn cuts a column and its operator off, where the text begins with them.
func cutColumn(text string) (column, op, rest string, ok bool) {
	if text[0] == '"' {
		v, after := parseOperand(text, false)
		column, rest, ok = v.Text, after, v.Quoted
	} else if at := strings.IndexAny(text, " \t=<>!:\""); at > 0 {
		column, rest, ok = text[:at], text[at:], true
	}
	if !ok || column == "" {
		return "", "", text, false
	}
	for _, op := range operators {
		if after, found := strings.CutPrefix(rest, op); found {
			return column, op, after, true
		}
	}
	return "", "", text, false
}

// parseOperand reads a value in quotation marks, the second of which may still be to come, or up to
// the next blank; of several also up to the next bar.
func parseOperand(text string, several bool) (v Operand, rest string) {
	if quoted, ok := strings.CutPrefix(text, `"`); ok {
		inside, after, _ := strings.Cut(quoted, `"`)
		return Operand{Text: inside, Quoted: true}, after
	}
	ends := " \t"
	if several {
		ends += "|"
	}
	if at := strings.IndexAny(text, ends); at >= 0 {
		return Operand{Text: text[:at]}, text[at:]
	}
	return Operand{Text: text}, ""
}

// String is the filter as it is typed; ParseFilter reads it back.
func (f Filter) String() string {
	parts := make([]string, len(f.Clauses))
	for k, c := range f.Clauses {
		parts[k] = c.String()
	}
	return strings.Join(parts, " ")
}

// String is the clause as it is typed.
func (c Clause) String() string {
	var b strings.Builder
	if c.Not {
		b.WriteByte('-')
	}
	b.WriteString(Operand{c.Column, strings.ContainsAny(c.Column, " \t=<>!:\"")}.String())
	b.WriteString(c.Op)
	for k, v := range c.Values {
		if k > 0 {
			b.WriteByte('|')
		}
		b.WriteString(v.String())
	}
	return b.String()
}

// String is the value as it is typed. A quotation mark cannot be written inside others.
func (v Operand) String() string {
	if v.Quoted {
		return `"` + v.Text + `"`
	}
	return v.Text
}

// Say is the clause for people, as on its chip: "fold is a or b", "accuracy ≤ 0.9", "not: leak".
func (c Clause) Say() string {
	texts := make([]string, len(c.Values))
	for k, v := range c.Values {
		texts[k] = v.Text
		if v.Text == "" {
			texts[k] = "missing"
		}
	}
	text := strings.Join(texts, " or ")
	if c.Op != "" {
		op := map[string]string{
			"=": "is", ":": "contains", "!=": "is not", "<": "<", "<=": "≤", ">": ">",
			">=": "≥",
		}[c.Op]
		text = strings.ReplaceAll(c.Column, "_", " ") + " " + op + " " + text
	}
	if c.Not {
		text = "not: " + text
	}
	return text
}

// Without is the filter without one clause.
func (f Filter) Without(k int) Filter {
	return Filter{slices.Delete(slices.Clone(f.Clauses), k, k+1)}
}

// chooses tells whether a clause is one that Choose writes for this column.
func (c Clause) chooses(column string) bool {
	return c.Op == "=" && !c.Not && strings.EqualFold(c.Column, column) &&
		!slices.ContainsFunc(c.Values, func(v Operand) bool { return !v.Quoted })
}

// Chosen are the values that the filter admits in a column by Choose, nil for any.
func (f Filter) Chosen(column string) []string {
	at := slices.IndexFunc(f.Clauses, func(c Clause) bool { return c.chooses(column) })
	if at < 0 {
		return nil
	}
	var values []string
	for _, v := range f.Clauses[at].Values {
		values = append(values, v.Text)
	}
	return values
}

// Choose admits only these values in a column, or any where there are none. A value with a
// quotation mark in it cannot be written; it is left out.
func (f Filter) Choose(column string, values []string) Filter {
	next := Clause{Column: column, Op: "="}
	for _, v := range values {
		if !strings.Contains(v, `"`) {
			next.Values = append(next.Values, Operand{v, true})
		}
	}
	list := slices.Clone(f.Clauses)
	at := slices.IndexFunc(list, func(c Clause) bool { return c.chooses(column) })
	switch {
	case at < 0 && len(next.Values) == 0:
	case at < 0:
		list = append(list, next)
	case len(next.Values) == 0:
		list = slices.Delete(list, at, at+1)
	default:
		list[at] = next
	}
	return Filter{list}
}

// Unknown are the columns that a filter names and the sheet does not have, so that an empty table
// is not a riddle.
func (s *Sheet) Unknown(f Filter) []string {
	var list []string
	for _, c := range f.Clauses {
		if c.Op != "" && s.Find(c.Column) < 0 {
			list = append(list, c.Column)
		}
	}
	return list
}

// compile makes a filter ready for the rows of a sheet.
func (f Filter) compile(s *Sheet) func(row int) bool {
	tests := make([]func(row int) bool, len(f.Clauses))
	for k, c := range f.Clauses {
		at := -1
		if c.Op != "" {
			at = s.Find(c.Column)
		}
		if at < 0 {
			word := c.Values[0].Text
			if c.Op != "" {
				word = strings.TrimPrefix(c.String(), "-")
			}
			tests[k] = s.hasWord(strings.ToLower(word))
		} else {
			tests[k] = c.of(&s.Fields[at])
		}
		if test := tests[k]; c.Not {
			tests[k] = func(row int) bool { return !test(row) }
		}
	}
	return func(row int) bool {
		for _, test := range tests {
			if !test(row) {
				return false
			}
		}
		return true
	}
}

// hasWord looks through the texts of a row that people can see, in lower case.
func (s *Sheet) hasWord(word string) func(row int) bool {
	var fields []*Field
	for k := range s.Fields {
		if f := &s.Fields[k]; f.Format.Textual() && f.Show != FileOnly {
			fields = append(fields, f)
		}
	}
	return func(row int) bool {
		return slices.ContainsFunc(fields, func(f *Field) bool {
			return strings.Contains(strings.ToLower(f.said[row]), word)
		})
	}
}

// of is the clause for the rows of a column.
func (c Clause) of(f *Field) func(row int) bool {
	lower := make([]string, len(c.Values))
	numbers := make([]float64, len(c.Values))
	for k, v := range c.Values {
		lower[k], numbers[k] = strings.ToLower(v.Text), f.Format.parse(v.Text)
	}
	switch c.Op {
	case ":":
		return func(row int) bool {
			text := strings.ToLower(f.Say(row))
			return !f.Missing(row) && slices.ContainsFunc(lower,
				func(part string) bool { return strings.Contains(text, part) })
		}
	case "=", "!=":
		equal := func(row int) bool {
			if f.Missing(row) {
				return slices.Contains(lower, "")
			}
			if f.values != nil && slices.Contains(numbers, f.values[row]) {
				return true
			}
			said, written := strings.ToLower(f.plain(row)), strings.ToLower(f.Write(row))
			return slices.ContainsFunc(lower, func(v string) bool { return v == said || v == written })
		}
		return func(row int) bool { return equal(row) == (c.Op == "=") }
	}
	if lower[0] == "" { // nothing to compare with yet
		return func(int) bool { return true }
	}
	return func(row int) bool {
		if f.Missing(row) {
			return false
		}
		order := 0
		if f.values == nil {
			if _, ok := Decimal(f.said[row]); !ok && !math.IsNaN(numbers[0]) {
				return false // and a word neither above nor below a number
			}
			order = CompareTexts(strings.ToLower(f.said[row]), lower[0])
		} else if math.IsNaN(numbers[0]) {
			return false // a number is neither above nor below a word
		} else {
			order = Compare(f.values[row], numbers[0], false)
		}
		switch c.Op {
		case "<":
			return order < 0
		case "<=":
			return order <= 0
		case ">":
			return order > 0
		}
		return order >= 0
	}
}

// plain is the cell for people without its interval, and texts in full.
func (f *Field) plain(row int) string {
	if f.values == nil {
		return f.said[row]
	}
	as := f.written(row)
	return as.format.Say(f.values[row], as.decimals)
}

// parse reads a number as people write it in a filter: 0.9, 90% or 90 % (of shares and points),
// 12,345, a time as 2026-11-25 or 2026-11-25 14:03, yes and no; NaN for anything else.
func (f Format) parse(text string) float64 {
	text = strings.TrimSpace(strings.ReplaceAll(text, ",", ""))
	switch f {
	case Bool:
		switch strings.ToLower(text) {
		case "yes", "true":
			return 1
		case "no", "false":
			return 0
		}
	case Time:
		for _, layout := range []string{"2006-01-02", "2006-01-02 15:04", time.RFC3339} {
			if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
				return float64(t.Unix())
			}
		}
		return math.NaN()
	case Share, Points:
		bare := text
		for _, sign := range []string{"%", "pp"} {
			bare = strings.TrimSpace(strings.TrimSuffix(bare, sign))
		}
		if v, err := strconv.ParseFloat(bare, 64); err == nil && bare != text {
			return v / 100
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
