package export

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/outside"
)

// ReadFeaturesParquet reads features.parquet, ours or one that another program wrote with these
// columns: texts for model_id, model_hash and final, numbers for the features. name is the file's,
// for errors. Footer, rows, columns and codecs are bounded before anything is read; the size of a
// single page is not: a damaged one may take up to 2 GiB before it is refused.
func ReadFeaturesParquet(r io.ReaderAt, size int64, name string) (t FeatureTable, err error) {
	defer func() { // the library trusts what is between the header and the footer
		if recover() != nil {
			err = fmt.Errorf("%s is damaged; export it again", name)
		}
	}()
	if err := checkFooter(r, size); err != nil {
		return t, fmt.Errorf("%s is no Parquet file, or cut short: %w", name, err)
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return t, fmt.Errorf("%s is no Parquet file, or damaged; export it again", name)
	}
	if t, err = readFeatureFile(file); err != nil {
		return t, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// checkFooter holds the footer's length, which ends the file before its last four letters, to the
// file's: the library allocates it unseen.
func checkFooter(r io.ReaderAt, size int64) error {
	const magic, end = "PAR1", 8
	last := make([]byte, end)
	if size < int64(len(magic)+end) {
		return errors.New("it is too short")
	}
	if _, err := r.ReadAt(last, size-end); err != nil {
		return err
	}
	if string(last[4:]) != magic {
		return errors.New("it does not end as one")
	}
	if length := int64(binary.LittleEndian.Uint32(last)); length > size-int64(len(magic))-end {
		return fmt.Errorf("its footer of %d bytes is longer than the file", length)
	}
	return nil
}

func readFeatureFile(file *parquet.File) (FeatureTable, error) {
	var header []string
	for _, path := range file.Schema().Columns() {
		if len(path) != 1 {
			return FeatureTable{}, fmt.Errorf("column %q is nested; a table of features has plain columns", path)
		}
		header = append(header, path[0])
	}
	c, err := featureColumns(header)
	if err != nil {
		return FeatureTable{}, err
	}
	if err := checkChunks(file); err != nil {
		return FeatureTable{}, err
	}
	t := FeatureTable{Names: c.names}
	if text, ok := file.Lookup(layoutKey); ok {
		if t.Layout, err = parseLayout(text); err != nil {
			return FeatureTable{}, err
		}
	}
	rows := newFeatureRows()
	for _, group := range file.RowGroups() {
		if err := eachParquetRow(group, len(header), func(values []parquet.Value) error {
			cells, err := c.texts(header, values)
			var row FeatureRow
			if err == nil {
				row, err = c.row(cells)
			}
			if err != nil {
				return fmt.Errorf("row %d: %w", len(rows.list)+1, err)
			}
			return rows.add(row)
		}); err != nil {
			return FeatureTable{}, err
		}
	}
	t.Rows = rows.list
	return t, nil
}

// checkChunks bounds what reading a file takes: its rows, the size of its columns, and the ways of
// compression to those whose readers allocate no more than there is.
func checkChunks(file *parquet.File) error {
	if n := file.NumRows(); n > maxFeatureRows {
		return fmt.Errorf("%d models are too many; at most %d can be read", n, maxFeatureRows)
	}
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			m := chunk.MetaData
			switch m.Codec {
			case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd:
			default:
				return fmt.Errorf("it is compressed with %s; "+
					"write it with zstd, snappy, gzip or without compression", m.Codec)
			}
			if m.NumValues < 0 || m.NumValues > maxFeatureRows || m.TotalUncompressedSize < 0 ||
				m.TotalUncompressedSize > outside.Table.Most {
				return errors.New("it says that a column has more than can be read")
			}
		}
	}
	return nil
}

func parseLayout(text string) (*feature.Layout, error) {
	var l feature.Layout
	err := json.Unmarshal([]byte(text), &l)
	if err == nil {
		l, err = l.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("what it says of how the features were measured cannot be read: %w", err)
	}
	return &l, nil
}

// eachParquetRow calls visit with the cells of each row by column; nulls are null values.
func eachParquetRow(group parquet.RowGroup, columns int, visit func(cells []parquet.Value) error) (err error) {
	rows := group.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	batch, cells := make([]parquet.Row, 64), make([]parquet.Value, columns)
	for {
		n, err := rows.ReadRows(batch)
		for _, row := range batch[:n] {
			clear(cells)
			for _, v := range row {
				if v.Column() < 0 || v.Column() >= columns || v.RepetitionLevel() != 0 {
					return errors.New("a cell holds a list; a table of features has one value per cell")
				}
				cells[v.Column()] = v
			}
			if err := visit(cells); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && n == 0 {
			err = errors.New("it has fewer rows than it says")
		}
		if err != nil {
			return err
		}
	}
}

// texts are the cells of a row as a CSV has them, with all digits; null is empty.
func (c columns) texts(header []string, values []parquet.Value) ([]string, error) {
	cells, numbers := make([]string, len(values)), make([]bool, len(values))
	for _, k := range c.features {
		numbers[k] = true
	}
	for k, v := range values {
		switch number, kind := numbers[k], v.Kind(); {
		case v.IsNull():
		case !number && kind != parquet.ByteArray:
			return nil, fmt.Errorf("column %s: %v is no text", header[k], v)
		case !number:
			cells[k] = string(v.ByteArray())
		case kind == parquet.Double:
			cells[k] = fmt.Sprint(v.Double())
		case kind == parquet.Float:
			cells[k] = fmt.Sprint(v.Float())
		case kind == parquet.Int32:
			cells[k] = strconv.Itoa(int(v.Int32()))
		case kind == parquet.Int64:
			cells[k] = strconv.FormatInt(v.Int64(), 10)
		default:
			return nil, fmt.Errorf("column %s: %v is no number", header[k], v)
		}
	}
	return cells, nil
}
