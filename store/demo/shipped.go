package demo

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// agreement is how far a softmax may differ between shipped signals and another processor: what
// processors of several kinds agree to (signal.Mixed).
const agreement = 1e-4

// shippedFolder of the embedded demo has a file per model, named after its id.
const shippedFolder = "signals"

// shipped is a finished set of signals that comes with the program.
type shipped struct {
	ID              string      `json:"id"` // of the model
	Spec            signal.Spec `json:"spec"`
	Transformations int         `json:"transformations"`
	Classes         int         `json:"classes"`
	Absent          []string    `json:"absent,omitempty"`
	ClassMap        []int       `json:"class_map,omitempty"`
	MappedBy        string      `json:"mapped_by,omitempty"`
	set             *signal.Set
}

// isHere tells whether this computer's processor, with its library, computes the same bytes.
func (s shipped) isHere(rt engine.Runtime) bool {
	return s.Spec.Arch == runtime.GOARCH && s.Spec.Level == engine.Level() && (rt == nil ||
		s.Spec.Runtime == rt.Version())
}

// readShipped reads sets of a model as the demo ships them: their descriptions as JSON, then the
// arrays. Numbers that follow from others are left out: confidences and what is reduced from
// softmaxes. The bits of a float32 are taken as an integer of the same order, of which the
// difference from the transformation before is stored, byte by byte, since neighbours differ
// little; zstd makes all that smaller. Nothing is rounded: every number has the same bits again.
func readShipped(in io.Reader) ([]shipped, error) {
	decoder, err := zstd.NewReader(in)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	text := bufio.NewReader(decoder)
	line, err := text.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var list []shipped
	if err := json.Unmarshal(line, &list); err != nil {
		return nil, err
	}
	for k := range list {
		list[k].set = list[k].empty()
		for _, array := range arraysOf(list[k].set) {
			data := make([]byte, binary.Size(array))
			if _, err := io.ReadFull(text, data); err != nil {
				return nil, err
			}
			if err := unpack(array, data, list[k].Transformations); err != nil {
				return nil, err
			}
		}
		derive(list[k].set)
	}
	return list, nil
}

// empty is the set without its numbers.
func (s shipped) empty() *signal.Set {
	return signal.NewSet(s.Spec, s.Transformations, s.Spec.Images, s.Classes, signal.Want{Everything: true})
}

// arraysOf are the arrays of a set that are stored, as slices of int32 and float32.
func arraysOf(set *signal.Set) []any {
	list := []any{set.Prediction, set.Softmax}
	for p, position := range set.Spec.Positions {
		if position.Name != model.CONF {
			for _, reduced := range set.Reduced[p] {
				list = append(list, reduced)
			}
		}
	}
	return list
}

// derive fills in what follows from predictions and softmaxes.
func derive(set *signal.Set) {
	conf := set.Spec.Position(model.CONF)
	for cell, class := range set.Prediction {
		softmax := set.Softmax[cell*set.Classes : (cell+1)*set.Classes]
		set.Confidence[cell] = softmax[class]
		if conf < 0 {
			continue
		}
		var reduced [signal.Reducers]float32
		signal.Reduce(&reduced, softmax, set.Classes, false)
		for r, v := range reduced {
			set.Reduced[conf][r][cell] = v
		}
	}
}

// unpack reads an array of so many rows: numbers of 32 bits as integers of the same order, their
// differences from the row before with the sign in the last bit, and of these all lowest bytes,
// then all second ones, and so on.
func unpack(array any, data []byte, rows int) error {
	n := len(data) / 4
	out, last := make([]byte, len(data)), make([]uint32, n/rows)
	for i := range n {
		difference := uint32(0)
		for b := range 4 {
			difference |= uint32(data[b*n+i]) << (8 * b)
		}
		last[i%len(last)] += difference>>1 ^ -(difference & 1)
		binary.LittleEndian.PutUint32(out[4*i:], ordered(last[i%len(last)]))
	}
	_, err := binary.Decode(out, binary.LittleEndian, array)
	return err
}

// ordered maps the bits of a float32 to an integer of the same order; it is its own inverse.
func ordered(bits uint32) uint32 { return bits ^ uint32(int32(bits)>>31)>>1 }

// eachShipped reads the sets that come with the program of models that are in the workspace,
// several at a time, and hands them on.
func eachShipped(ctx context.Context, ws *store.Workspace, each func(shipped) error) error {
	files, err := fs.Glob(assets.Demo(), shippedFolder+"/*")
	if err != nil {
		return err
	}
	models, err := ws.Models()
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, name := range files {
		at := slices.IndexFunc(models, func(m model.Model) bool { return m.ID == path.Base(name) })
		if at < 0 {
			continue // somebody removed it
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			file, err := assets.Demo().Open(name)
			if err != nil {
				return err
			}
			list, err := readShipped(file)
			if err = errors.Join(err, file.Close()); err != nil {
				return fmt.Errorf("read the demo's signals of model %s: %w", path.Base(name), err)
			}
			for _, s := range list {
				if s.Spec.Model == models[at].Hash {
					if err := each(s); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// takeShipped keeps the sets that come with the program as far as the workspace has none for the
// same model, suite and family. Where this computer would not compute the same bytes, it takes the
// sets of a model whose softmaxes agree with its own on 64 images of the suite, with
// device.Shipped for a device; say tells which models do not, so that they are computed anew.
func takeShipped(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, say func(string), p engine.Progress,
) error {
	var mu sync.Mutex
	var foreign []shipped
	err := eachShipped(ctx, ws, func(s shipped) error {
		if known, err := isKnown(ws, s); err != nil || known {
			return err
		}
		if s.isHere(rt) {
			return s.keep(ctx, ws, "")
		}
		mu.Lock()
		defer mu.Unlock()
		foreign = append(foreign, s)
		return nil
	})
	if err != nil || len(foreign) == 0 || rt == nil {
		return err
	}
	differences, err := compareShipped(ctx, ws, rt, foreign, p)
	if err != nil {
		return err
	}
	var other []string
	for _, s := range foreign {
		difference, compared := differences[s.Spec.Model]
		switch {
		case compared && difference <= agreement:
			if err := s.keep(ctx, ws, device.Shipped); err != nil {
				return err
			}
		case compared && !slices.Contains(other, s.ID):
			other = append(other, s.ID)
		}
	}
	if len(other) > 0 {
		slices.SortFunc(other, result.Natural)
		say(fmt.Sprintf("The signals of %s that come with the program do not agree with this computer's within %s; "+
			"they are computed anew.", strings.Join(other, ", "), result.Digits(agreement, 1)))
	}
	return nil
}

// isKnown tells whether the workspace has finished signals in the place of a shipped set, and
// whether it lacks its images.
func isKnown(ws *store.Workspace, s shipped) (bool, error) {
	if _, err := ws.Suite(s.Spec.Source); errors.Is(err, store.ErrNotFound) {
		return true, nil // somebody removed or changed them
	}
	m, err := ws.Model(s.Spec.Model)
	if err != nil {
		return false, err
	}
	_, known, err := ws.BestSet(m, s.Spec.Source, s.Spec.Family)
	return known, err
}

// keep records the set's units and its summary.
func (s shipped) keep(ctx context.Context, ws *store.Workspace, from string) error {
	for chunk := range s.Spec.Chunks() {
		if err := ws.Record(ctx, s.Spec, s.set.Unit(chunk)); err != nil {
			return err
		}
	}
	if err := ws.CameFrom(s.Spec.Key(), from); err != nil {
		return err
	}
	return ws.Finish(ctx, engine.Task{
		ID: s.ID, Spec: s.Spec, Absent: s.Absent, Classes: s.ClassMap, MappedBy: s.MappedBy,
	})
}

// compareShipped compares the models of sets with this computer (job.Compare), each by its set
// under a family, whose identity shows the images as they are.
func compareShipped(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, list []shipped, p engine.Progress,
) (map[string]float64, error) {
	req := job.Request{}
	of := map[string]shipped{}
	for _, s := range list {
		if !transform.IsSet(s.Spec.Family) {
			of[s.Spec.Model] = s
			req.Models, req.Suite, req.Family = append(req.Models, s.Spec.Model), s.Spec.Source, s.Spec.Family
		}
	}
	if len(req.Models) == 0 {
		return nil, nil // sets alone show no image as it is
	}
	return job.Compare(ctx, job.Place{Workspace: ws, Runtime: rt}, req, func(hash string, images []int) [][]float64 {
		set := of[hash].set
		identity := transform.IdentityOf(set.Spec.Family, set.Transformations)
		rows := make([][]float64, len(images))
		for k, image := range images {
			at := (identity*set.Images + image) * set.Classes
			for _, v := range set.Softmax[at : at+set.Classes] {
				rows[k] = append(rows[k], float64(v))
			}
		}
		return rows
	}, p)
}
