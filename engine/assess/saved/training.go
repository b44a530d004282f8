package saved

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/variscope/variscope/engine/assess"
)

// TrainingHash names a training set: SHA-256 over the columns' names and each row's hash (else id), label and features, in
// the order of the rows, on which a forest's draws depend.
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
		if name == "" {
			name = row.ID
		}
		text(name)
		text(string(row.Label))
		number(uint64(len(row.X)))
		for _, x := range row.X {
			number(math.Float64bits(x))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
