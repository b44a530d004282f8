package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

// Sheet is a table with the values of some records, by columns: all that writers, filters and the
// window's tables know. It is immutable and may be read by several goroutines.
type Sheet struct {
	Name, Title, Noun string
	Fields            []Field
	First             Order
	// Meta is what a Parquet file says of itself beside its rows, by key; nil for nothing.
	Meta map[string]string

	ids []string
}

// Field is a column of a sheet. Rows are numbered from 0 in the order of the records.
type Field struct {
	Key, Title, Help, Unit string
	Format                 Format
	Decimals               int
	Show                   Show
	Descending, Narrow     bool
	Fleeting               bool

	texts, said       []string
	rank              []float64   // of texts, nil where their letters order them
	values, low, high []float64   // low and high nil without intervals
	at                []time.Time // of values that are exact times, else nil
	sd                []float64   // nil without deviations
	why, caveats      []Reason    // nil without reasons
	signs             []string    // nil without signs
	as                []written   // nil where all values are written alike
	order             *ordering
}

// written is how one value is written.
type written struct {
	format   Format
	decimals int
}

// ordering ranks the texts of a field as people sort them, made when it is first asked for.
type ordering struct {
	once  sync.Once
	ranks []int32 // by row; -1 for a missing text
}

// Order is how rows are sorted. The zero Order leaves them as they are.
type Order struct {
	Key        string
	Descending bool
}

// Sheet gives the values of all records. Records must not change any more.
func (t Table[R]) Sheet(rows []R) *Sheet {
	s := &Sheet{Name: t.Name, Title: t.Title, Noun: t.Noun, First: t.First, ids: make([]string, len(rows))}
	for k, r := range rows {
		s.ids[k] = t.ID(r)
	}
	for _, c := range t.all(rows) {
		s.Fields = append(s.Fields, c.field(rows))
	}
	return s
}

// all are the columns for these records.
func (t Table[R]) all(rows []R) []Column[R] {
	if t.More == nil {
		return t.Columns
	}
	return append(slices.Clone(t.Columns), t.More(rows)...)
}

func (c Column[R]) field(rows []R) Field {
	f := Field{
		Key: c.Key, Title: c.Title, Help: c.Help, Unit: c.Unit, Format: c.Format, Decimals: c.Decimals, Show: c.Show,
		Descending: c.Descending, Narrow: c.Narrow, Fleeting: c.Fleeting,
		order: &ordering{},
	}
	f.texts, f.rank, f.values = over(rows, c.Text), over(rows, c.Rank), over(rows, c.Value)
	if f.at = over(rows, c.At); f.at != nil {
		f.values = over(f.at, seconds)
	}
	f.low, f.high, f.sd = over(rows, c.Low), over(rows, c.High), over(rows, c.SD)
	if f.said = over(rows, c.Said); f.said == nil {
		f.said = f.texts
	}
	if f.Decimals == Fitting {
		f.Decimals = fitting(f.values)
	}
	f.caveats = over(rows, c.Caveat)
	f.signs = over(rows, c.Sign)
	if c.As != nil {
		f.as = over(rows, func(r R) written { format, decimals := c.As(r); return written{format, decimals} })
	}
	if c.Why != nil {
		f.why = make([]Reason, len(rows))
		for k, r := range rows {
			if f.Missing(k) {
				f.why[k] = c.Why(r)
			}
		}
	}
	return f
}

// seconds is a time since 1970, NaN for the zero time.
func seconds(at time.Time) float64 {
	if at.IsZero() {
		return math.NaN()
	}
	return float64(at.Unix()) + float64(at.Nanosecond())/1e9
}

// fitting are the decimals that Fitting stands for.
func fitting(values []float64) int {
	least := math.Inf(1)
	for _, v := range values {
		if abs := math.Abs(v); abs > 0 && abs < least {
			least = abs
		}
	}
	const fewest, most, digits = 3, 6, 3
	if math.IsInf(least, 1) {
		return fewest
	}
	return min(max(digits-1-int(math.Floor(math.Log10(least))), fewest), most)
}

func over[R, V any](rows []R, f func(R) V) []V {
	if f == nil {
		return nil
	}
	list := make([]V, len(rows))
	for k, r := range rows {
		list[k] = f(r)
	}
	return list
}

// Len is the number of rows.
func (s *Sheet) Len() int { return len(s.ids) }

// ID names a row.
func (s *Sheet) ID(row int) string { return s.ids[row] }

// Row is the row of an ID, -1 where it is not there.
func (s *Sheet) Row(id string) int { return slices.Index(s.ids, id) }

// Field is the place of a column by its key, -1 where there is none.
func (s *Sheet) Field(key string) int {
	return slices.IndexFunc(s.Fields, func(f Field) bool { return f.Key == key })
}

// Take is a sheet of these rows in this order.
func (s *Sheet) Take(rows []int) *Sheet {
	t := *s
	t.ids, t.Fields = pick(s.ids, rows), slices.Clone(s.Fields)
	for k := range t.Fields {
		f := &t.Fields[k]
		f.texts, f.said, f.rank, f.values = pick(f.texts, rows), pick(f.said, rows), pick(f.rank, rows),
			pick(f.values, rows)
		f.at = pick(f.at, rows)
		f.low, f.high, f.sd = pick(f.low, rows), pick(f.high, rows), pick(f.sd, rows)
		f.why, f.caveats, f.signs, f.as = pick(f.why, rows), pick(f.caveats, rows), pick(f.signs, rows),
			pick(f.as, rows)
		f.order = &ordering{}
	}
	return &t
}

// With is the sheet with these columns alone, by their places, in this order, and all shown.
func (s *Sheet) With(fields []int) *Sheet {
	t := *s
	t.Fields = pick(s.Fields, fields)
	for k := range t.Fields {
		t.Fields[k].Show = Shown
	}
	return &t
}

// Lasting is the sheet without columns whose values are those of one call: what is the same when
// the command is called again.
func (s *Sheet) Lasting() *Sheet {
	var lasting []int
	for k, f := range s.Fields {
		if !f.Fleeting {
			lasting = append(lasting, k)
		}
	}
	t := *s
	t.Fields = pick(s.Fields, lasting)
	return &t
}

// Replaced is the sheet with parts of its texts and of its reasons replaced.
func (s *Sheet) Replaced(r *strings.Replacer) *Sheet {
	t := *s
	t.Fields = slices.Clone(s.Fields)
	reason := func(why Reason) Reason { why.Text = r.Replace(why.Text); return why }
	for k := range t.Fields {
		f := &t.Fields[k]
		f.texts, f.said = changed(f.texts, r.Replace), changed(f.said, r.Replace)
		f.why, f.caveats = changed(f.why, reason), changed(f.caveats, reason)
		f.order = &ordering{}
	}
	return &t
}

func changed[V any](list []V, to func(V) V) []V {
	list = slices.Clone(list)
	for k, v := range list {
		list[k] = to(v)
	}
	return list
}

// Check reports two records with the same ID: a selection could not tell them apart.
func (s *Sheet) Check() error {
	seen := make(map[string]bool, len(s.ids))
	for _, id := range s.ids {
		if seen[id] {
			return fmt.Errorf("table %s: two rows have the ID %q", s.Name, id)
		}
		seen[id] = true
	}
	return nil
}

func pick[V any](from []V, rows []int) []V {
	if from == nil {
		return nil
	}
	list := make([]V, len(rows))
	for k, row := range rows {
		list[k] = from[row]
	}
	return list
}

// Missing tells whether a row has no value in the column.
func (f *Field) Missing(row int) bool {
	if f.values != nil {
		return math.IsNaN(f.values[row])
	}
	return f.texts[row] == ""
}

// Why says why a value is missing, the zero Reason where it is there or where that is not known.
func (f *Field) Why(row int) Reason {
	if f.why == nil {
		return Reason{}
	}
	return f.why[row]
}

// Number is the value of a numeric column, NaN where it is missing and for texts.
func (f *Field) Number(row int) float64 {
	if f.values == nil {
		return math.NaN()
	}
	return f.values[row]
}

// Interval has the ends of the value's 95 % interval, NaN where there are none.
func (f *Field) Interval(row int) (low, high float64) {
	if f.low == nil {
		return math.NaN(), math.NaN()
	}
	return f.low[row], f.high[row]
}

// Say is the cell for people, with its sign, its deviation, "★ 0.912 ± 0.031", and its interval
// where there are some.
func (f *Field) Say(row int) string {
	sign := ""
	if f.signs != nil && f.signs[row] != "" {
		sign = f.signs[row] + " "
	}
	if f.values == nil {
		return sign + f.Format.SayText(f.said[row])
	}
	low, high := f.Interval(row)
	sd := math.NaN()
	if f.sd != nil {
		sd = f.sd[row]
	}
	as := f.written(row)
	text := sign + as.format.saySpread(f.values[row], sd, low, high, as.decimals)
	if !f.caveat(row).None() {
		text += "*"
	}
	return text
}

// caveat says what to know about a value that is there, the zero Reason for nothing.
func (f *Field) caveat(row int) Reason {
	if f.caveats == nil || f.Missing(row) {
		return Reason{}
	}
	return f.caveats[row]
}

// written is how the value of a row is written.
func (f *Field) written(row int) written {
	if f.as != nil {
		return f.as[row]
	}
	return written{f.Format, f.Decimals}
}

// Written is the format of a row's value, and its decimals.
func (f *Field) Written(row int) (Format, int) {
	as := f.written(row)
	return as.format, as.decimals
}

// Tell is the cell in a line of its own, with all that is known of it: "EI 0.913 (0.870..0.941),
// in full 0.91349", "accuracy is missing: the suite fog has no labels", "asymm 0.000*; all elements
// are 0".
func (f *Field) Tell(row int) string {
	switch why := f.Why(row); {
	case f.Missing(row) && why.None():
		return f.Title + " is missing"
	case f.Missing(row):
		return f.Title + " is missing: " + why.Text
	case f.values == nil:
		return f.Title + " " + f.said[row]
	}
	text, full := f.Say(row), f.Write(row)
	if f.Unit != "" {
		text += " " + f.Unit
	}
	switch f.Format {
	case Number, Share, Points, Coefficient, P:
		if short, _, _ := strings.Cut(f.plain(row), " "); short != full {
			text += ", in full " + full
		}
	}
	if caveat := f.caveat(row); !caveat.None() {
		text += "; " + caveat.Text
	}
	return f.Title + " " + text
}

// Write is the cell for files, without its interval.
func (f *Field) Write(row int) string {
	switch {
	case f.values == nil:
		return f.texts[row]
	case f.at != nil && !f.at[row].IsZero():
		return f.at[row].UTC().Format(time.RFC3339Nano)
	}
	return f.Format.Write(f.values[row])
}

// Arrange finds the rows that meet a filter, in this order: texts as people sort them, with digits
// as numbers; missing values last in both directions; equal ones as the records were.
func (s *Sheet) Arrange(filter Filter, by Order) []int {
	rows := make([]int, 0, s.Len())
	meets := filter.compile(s)
	for row := range s.Len() {
		if meets(row) {
			rows = append(rows, row)
		}
	}
	at := s.Field(by.Key)
	if at < 0 {
		return rows
	}
	f := &s.Fields[at]
	if numbers := f.numbers(); numbers != nil {
		slices.SortStableFunc(rows, func(a, b int) int { return Compare(numbers[a], numbers[b], by.Descending) })
		return rows
	}
	ranks := f.ranks()
	turn := int32(1)
	if by.Descending {
		turn = -1
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		x, y := ranks[a], ranks[b]
		if x < 0 || y < 0 { // the missing one stands last
			return cmp.Compare(min(y, 0), min(x, 0))
		}
		return int(turn * (x - y))
	})
	return rows
}

// numbers are what the rows are ordered by, nil for the letters of texts.
func (f *Field) numbers() []float64 {
	if f.values != nil {
		return f.values
	}
	return f.rank
}

// Values are the different values of a column, as Filter.Choose takes them, in the order of a sort
// by it, each with the number of rows that have it. The missing one is "".
func (s *Sheet) Values(column int) (values []string, counts map[string]int) {
	f := &s.Fields[column]
	counts = map[string]int{}
	for _, row := range s.Arrange(Filter{}, Order{Key: f.Key}) {
		text := ""
		if !f.Missing(row) {
			text = f.plain(row)
		}
		if counts[text] == 0 {
			values = append(values, text)
		}
		counts[text]++
	}
	return values, counts
}

// labels are in the order from invariant to variant, backwards: other texts stand behind them.
var labels = []string{"variant", "borderline", "invariant"}

// ranks are the places of the texts among all different ones, as CompareTexts orders them, labels
// from invariant to variant, -1 for missing ones.
func (f *Field) ranks() []int32 {
	f.order.once.Do(func() {
		places := map[string]int32{}
		var different []string
		for _, text := range f.said {
			if _, ok := places[text]; !ok {
				places[text] = 0
				different = append(different, text)
			}
		}
		slices.SortFunc(different, func(a, b string) int {
			if f.Format == Label {
				return cmp.Or(cmp.Compare(slices.Index(labels, b), slices.Index(labels, a)), Natural(a, b))
			}
			return CompareTexts(a, b)
		})
		for place, text := range different {
			places[text] = int32(place)
		}
		f.order.ranks = make([]int32, len(f.said))
		for row, text := range f.said {
			f.order.ranks[row] = places[text]
			if text == "" {
				f.order.ranks[row] = -1
			}
		}
	})
	return f.order.ranks
}

// Find is the place of a column by its key or its title, without regard to capitals, blanks and
// underscores; -1 where there is none.
func (s *Sheet) Find(name string) int {
	plain := func(text string) string {
		return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(text))
	}
	name = plain(name)
	at := slices.IndexFunc(s.Fields, func(f Field) bool { return plain(f.Key) == name })
	if at < 0 {
		at = slices.IndexFunc(s.Fields, func(f Field) bool { return plain(f.Title) == name })
	}
	return at
}
