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
// other numbers as doubles. Missing values are null. Meta stands among the file's own words.
func (s *Sheet) Parquet(w io.Writer) error {
	columns := s.parquetColumns()
	group := ParquetGroup{Group: parquet.Group{}}
	for _, c := range columns {
		group.Add(c.key, parquet.Optional(c.node))
	}
	options := []parquet.WriterOption{
		parquet.NewSchema(s.Name, group), parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("variscope", "1", s.Name),
	}
	for key, text := range s.Meta { // the library writes them in the order of their keys
		options = append(options, parquet.KeyValueMetadata(key, text))
	}
	out := parquet.NewWriter(w, options...)
	for row := range s.ids {
		cells := make(parquet.Row, len(columns))
		for k, c := range columns {
			cells[k] = parquet.NullValue().Level(0, 0, k)
			if v, ok := c.value(row); ok {
				cells[k] = v.Level(0, 1, k)
			}
		}
		if _, err := out.WriteRows([]parquet.Row{cells}); err != nil {
			return fmt.Errorf("write %s as Parquet: %w", s.Name, err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write %s as Parquet: %w", s.Name, err)
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
	number := func(key string, f Format, values []float64) {
		node, of := parquet.Leaf(parquet.DoubleType), parquet.DoubleValue
		switch f {
		case Count, Bytes:
			node, of = parquet.Int(64), func(v float64) parquet.Value { return parquet.Int64Value(int64(v)) }
		case Time:
			node, of = parquet.Timestamp(parquet.Nanosecond), func(v float64) parquet.Value {
				return parquet.Int64Value(int64(v) * 1e9)
			}
		case Bool:
			node, of = parquet.Leaf(parquet.BooleanType), func(v float64) parquet.Value { return parquet.BooleanValue(v != 0) }
		}
		list = append(list, parquetColumn{key, node, func(row int) (parquet.Value, bool) {
			v := values[row]
			return of(v), !math.IsNaN(v)
		}})
	}
	text := func(key string, of func(row int) string) {
		list = append(list, parquetColumn{key, parquet.String(), func(row int) (parquet.Value, bool) {
			cell := of(row)
			return parquet.ByteArrayValue([]byte(cell)), cell != ""
		}})
	}
	reasons := false
	for k := range s.Fields {
		f := &s.Fields[k]
		reasons = reasons || f.why != nil
		if f.values == nil {
			text(f.Key, f.Write)
			continue
		}
		number(f.Key, f.Format, f.values)
		if f.at != nil {
			list[len(list)-1].value = func(row int) (parquet.Value, bool) {
				return parquet.Int64Value(f.at[row].UnixNano()), !f.at[row].IsZero()
			}
		}
		if f.low != nil {
			number(f.Key+"_low", f.Format, f.low)
			number(f.Key+"_high", f.Format, f.high)
		}
		if f.sd != nil {
			number(f.Key+"_sd", f.Format, f.sd)
		}
	}
	if reasons {
		text("missing", s.missing)
	}
	return list
}

// ParquetGroup are columns in the order of Keys; parquet.Group sorts them by name.
type ParquetGroup struct {
	parquet.Group
	Keys []string
}

// Add appends a column.
func (g *ParquetGroup) Add(key string, node parquet.Node) {
	g.Group[key] = node
	g.Keys = append(g.Keys, key)
}

// Fields implements parquet.Node.
func (g ParquetGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.Keys, a.Name()) - slices.Index(g.Keys, b.Name())
	})
	return fields
}
