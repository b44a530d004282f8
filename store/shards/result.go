package shards

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
)

// madeBy begins a result, before the version of the program that has made it.
const madeBy = "variscope "

// errNoResult says that something else lies in the place of a result.
var errNoResult = errors.New("it does not begin as results do, with the version of the program that has made it")

// head is what a result begins with in the folder, before what package engine/wire makes of the unit. Workers of other versions than the plan's are
// refused, so that it is the same whoever has computed the unit.
func (p *Plan) head() []byte { return []byte(madeBy + p.Program + "\n") }

// read reads and checks a result of the folder.
func (f *Folder) read(unit string, spec signal.Spec, chunk, count int) (*signal.Unit, error) {
	most := wire.ResultLimit(spec, chunk, count)
	data, err := f.readLimited(resultName(unit), most+int64(len(madeBy)+maxText+1))
	if err != nil {
		return nil, err
	}
	rest, begins := bytes.CutPrefix(data, []byte(madeBy))
	program, _, ends := bytes.Cut(rest[:min(len(rest), maxText+1)], []byte("\n"))
	switch {
	case !begins || !ends:
		return nil, errNoResult
	case string(program) != f.Program:
		return nil, fmt.Errorf("it was made by Variscope %q, and the plan is of %s, so its bits may be others", program, f.Program)
	}
	return wire.DecodeResult(rest[len(program)+1:], spec, chunk, count)
}
