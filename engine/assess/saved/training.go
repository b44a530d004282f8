package saved

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime"
	"time"

	"github.com/variscope/variscope/engine/assess"
)

// New is the file of an assessor that learns from the labelled models of d, which were measured and
// labelled as from says; version is the program's. The assessor itself, and its results, are put in
// by the caller.
func New(name string, created time.Time, version string, from Source, d assess.Data) File {
	rows := d.Labelled()
	f := File{
		Name: name, Created: created.UTC().Truncate(time.Second), Family: from.Family, Images: from.Images,
		Suite: from.Suite, Layout: d.Layout, Labels: from.Labels, TrainingHash: TrainingHash(d, rows),
		Results: []Result{}, Versions: map[string]string{"variscope": version, "go": runtime.Version()},
	}
	f.Labels.Counts = CountLabels(d)
	for _, i := range rows {
		row := d.Rows[i]
		f.Training = append(f.Training, Example{ID: row.ID, Hash: row.Hash, Label: row.Label, Features: row.X})
	}
	return f
}

// CountLabels counts the models of each label, for Labels.Counts.
func CountLabels(d assess.Data) map[string]int {
	counts := map[string]int{}
	for _, i := range d.Labelled() {
		counts[string(d.Rows[i].Label)]++
	}
	return counts
}

// TrainingHash names a training set: SHA-256 over the columns' names and each row's hash (else id),
// label and features, in the order of the rows, on which a forest's draws depend.
func TrainingHash(d assess.Data, rows []int) string {
	h := sha256.New()
	number := func(v uint64) { _, _ = h.Write(binary.LittleEndian.AppendUint64(nil, v)) } // a hash never fails to write
	text := func(s string) {
		number(uint64(len(s)))
		_, _ = h.Write([]byte(s))
	}
	number(uint64(len(d.Names)))
	for _, name := range d.Names {
		text(name)
	}
	number(uint64(len(rows)))
	for _, i := range rows {
		row := d.Rows[i]
		name := row.Hash
		name = cmp.Or(name, row.ID)
		text(name)
		text(string(row.Label))
		number(uint64(len(row.X)))
		for _, x := range row.X {
			number(math.Float64bits(x))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
