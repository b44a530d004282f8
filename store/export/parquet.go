package export

import (
	"io"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// parquetRow has the columns of labels_long.csv with types. Texts stand as they are, without the apostrophe of tables
// for spreadsheets; a time that was not taken is null, a label or reference that an event does not have is empty.
type parquetRow struct {
	EventID    string     `parquet:"event_id"`
	Desk       string     `parquet:"desk,dict"`
	RoundID    string     `parquet:"round_id,dict"`
	Round      string     `parquet:"round,dict"`
	ModelID    string     `parquet:"model_id,dict"`
	ModelHash  string     `parquet:"model_hash,dict"`
	Annotator  string     `parquet:"annotator,dict"`
	Kind       string     `parquet:"kind,dict"`
	Pass       int32      `parquet:"pass"`
	Label      string     `parquet:"label,dict"`
	Sure       bool       `parquet:"sure"`
	Flag       string     `parquet:"flag,dict"`
	Note       string     `parquet:"note"`
	Started    *time.Time `parquet:"started,optional,timestamp(nanosecond)"`
	Saved      *time.Time `parquet:"saved,optional,timestamp(nanosecond)"`
	Seconds    float64    `parquet:"seconds"`
	Guideline  string     `parquet:"guideline_hash,dict"`
	Supersedes string     `parquet:"supersedes"`
}

// LabelsParquet writes labels.parquet: the rows of labels_long.csv, compressed with zstd. Equal rows give equal bytes.
func LabelsParquet(w io.Writer, rows []LongRow) error {
	out := parquet.NewGenericWriter[parquetRow](w,
		parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("variscope", "1", "labels"))
	list := make([]parquetRow, len(rows))
	for k, r := range rows {
		list[k] = parquetRow{
			EventID: r.ID, Desk: r.Desk, RoundID: r.Round, Round: r.RoundName, ModelID: r.ModelID, ModelHash: r.Model,
			Annotator: r.Annotator, Kind: string(r.Kind), Pass: int32(r.Pass), Label: string(r.Value), Sure: r.Sure, Flag: r.Flag,
			Note: r.Note, Started: taken(r.Started), Saved: taken(r.Saved), Seconds: r.Seconds, Guideline: r.Guideline, Supersedes: r.Supersedes,
		}
	}
	if _, err := out.Write(list); err != nil {
		return err
	}
	return out.Close()
}

func taken(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
