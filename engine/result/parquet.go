package result

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Parquet writes the sheet as one row group, with the columns of CSV: texts as optional strings,
// counts as optional 64-bit integers, booleans as such, times as timestamps in nanoseconds, all
// other numbers as doubles; narrow columns as Column.Narrow says. Missing values are null. Meta
// stands among the file's own words.
func (s *Sheet) Parquet(w io.Writer) error {
	out := s.parquet(w)
	if err := out.rows(s); err != nil {
		return err
	}
	return out.close()
}

// parquetWriter writes rows as Parquet.
type parquetWriter struct {
	*parquet.Writer
	name       string
	most, held int // rows of a row group, 0 for all; those of the group at work
}

// groupRows is how many rows a row group of a streamed file has at least.
const groupRows = 1 << 16

// parquet begins a file with the columns of the sheet.
func (s *Sheet) parquet(w io.Writer) *parquetWriter {
	group := parquetGroup{Group: parquet.Group{}}
	for _, c := range s.parquetColumns() {
		group.Group[c.key] = parquet.Optional(c.node)
		group.keys = append(group.keys, c.key)
	}
	options := []parquet.WriterOption{
		parquet.NewSchema(s.Name, group), parquet.Compression(&zstd.Codec{}),
		parquet.CreatedBy("variscope", "1", s.Name),
	}
	for key, text := range s.Meta { // the library writes them in the order of their keys
		options = append(options, parquet.KeyValueMetadata(key, text))
	}
	return &parquetWriter{Writer: parquet.NewWriter(w, options...), name: s.Name}
}

func (w *parquetWriter) rows(s *Sheet) error {
	columns := s.parquetColumns()
	cells := make(parquet.Row, len(columns))
	for row := range s.ids {
		for k, c := range columns {
			cells[k] = parquet.NullValue().Level(0, 0, k)
			if v, ok := c.value(row); ok {
				cells[k] = v.Level(0, 1, k)
			}
		}
		if _, err := w.WriteRows([]parquet.Row{cells}); err != nil {
			return w.failed(err)
		}
	}
	if w.held += s.Len(); w.most == 0 || w.held < w.most {
		return nil
	}
	w.held = 0
	return w.failed(w.Flush())
}

func (w *parquetWriter) close() error { return w.failed(w.Close()) }

func (w *parquetWriter) failed(err error) error {
	if err != nil {
		return fmt.Errorf("write %s as Parquet: %w", w.name, err)
	}
	return nil
}

type parquetColumn struct {
	key   string
	node  parquet.Node
	value func(row int) (v parquet.Value, ok bool)
}

func (s *Sheet) parquetColumns() []parquetColumn {
	var list []parquetColumn
	number := func(key string, f *Field, values []float64) {
		node, of := parquet.Leaf(parquet.DoubleType), parquet.DoubleValue
		switch {
		case f.Narrow && f.Format == Count:
			node, of = parquet.Int(32), func(v float64) parquet.Value { return parquet.Int32Value(int32(v)) }
		case f.Format == Count || f.Format == Bytes:
			node, of = parquet.Int(64), func(v float64) parquet.Value { return parquet.Int64Value(int64(v)) }
		case f.Format == Time:
			node, of = parquet.Timestamp(parquet.Nanosecond), func(v float64) parquet.Value {
				return parquet.Int64Value(int64(v) * 1e9)
			}
		case f.Format == Bool:
			node, of = parquet.Leaf(parquet.BooleanType),
				func(v float64) parquet.Value { return parquet.BooleanValue(v != 0) }
		case f.Narrow:
			node, of = parquet.Leaf(parquet.FloatType),
				func(v float64) parquet.Value { return parquet.FloatValue(float32(v)) }
		}
		list = append(list, parquetColumn{key, node, func(row int) (parquet.Value, bool) {
			v := values[row]
			return of(v), !math.IsNaN(v)
		}})
	}
	text := func(key string, narrow bool, of func(row int) string) {
		node := parquet.String()
		if narrow {
			node = parquet.Encoded(node, &parquet.RLEDictionary)
		}
		list = append(list, parquetColumn{key, node, func(row int) (parquet.Value, bool) {
			cell := of(row)
			return parquet.ByteArrayValue([]byte(cell)), cell != ""
		}})
	}
	for k := range s.Fields {
		f := &s.Fields[k]
		if f.values == nil {
			text(f.Key, f.Narrow, f.Write)
			continue
		}
		number(f.Key, f, f.values)
		if f.at != nil {
			list[len(list)-1].value = func(row int) (parquet.Value, bool) {
				return parquet.Int64Value(f.at[row].UnixNano()), !f.at[row].IsZero()
			}
		}
		if f.low != nil {
			number(f.Key+"_low", f, f.low)
			number(f.Key+"_high", f, f.high)
		}
		if f.sd != nil {
			number(f.Key+"_sd", f, f.sd)
		}
	}
	if s.reasons() {
		text("missing", false, s.missing)
	}
	return list
}

// parquetGroup are columns in the order of keys; parquet.Group sorts them by name.
type parquetGroup struct {
	parquet.Group
	keys []string
}

// Fields implements parquet.Node.
func (g parquetGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.keys, a.Name()) - slices.Index(g.keys, b.Name())
	})
	return fields
}
