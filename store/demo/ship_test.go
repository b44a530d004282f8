package demo

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
)

// TestShip writes the signals that come with the demo from a workspace that variscope demo and
// variscope dscore have filled, and which VARISCOPE_SHIP names. It is run by hand after the demo's
// models, images or family have changed, and after the engine computes other numbers, on a
// processor that most users have; the repository keeps every version of what it writes.
func TestShip(t *testing.T) {
	path := os.Getenv("VARISCOPE_SHIP")
	if path == "" {
		return
	}
	ws := testdata.Must(store.Read(t.Context(), path))(t)
	defer func() { testdata.OK(t, ws.Close()) }()
	for _, m := range testdata.Must(ws.Models())(t) {
		sets := testdata.Must(toShip(ws, m))(t)
		file := filepath.Join(testdata.Root(), "assets", "scenes", shippedFolder, m.ID)
		testdata.OK(t, durable.WriteFile(file, func(w io.Writer) error {
			return writeShipped(t.Context(), ws, m, sets, w)
		}))
	}
}

// inDetail are the models that come with signals in scenes and with those of a D-Score, too.
var inDetail = []string{"s09", "s11"}

// toShip are the sets of a model that come with the program, of those that a workspace has: under
// the demo's first family and, of two models, in its scenes and what the default D-Score rests on.
func toShip(ws *store.Workspace, m model.Model) ([]store.SetInfo, error) {
	manifest, err := ws.FindSuite(Suite)
	if err != nil {
		return nil, err
	}
	first, err := firstFamily()
	if err != nil {
		return nil, err
	}
	grid := dscore.Defaults()
	sets, err := ws.Sets(m.Hash, manifest.Hash, "")
	return slices.DeleteFunc(sets, func(info store.SetInfo) bool {
		if info.Spec.Family == first {
			return false
		}
		family, err := transform.ParseAny(info.Spec.Family)
		_, _, scened := family.Scened()
		n, t, shifted := family.Shifted()
		masks, masked := family.Masked()
		return err != nil || !slices.Contains(inDetail, m.ID) ||
			!scened && !(shifted && n == grid.N[0] && t == grid.T[0]) &&
				!(masked && reflect.DeepEqual(masks, grid.Masks(grid.N[0])))
	}), err
}

// writeShipped writes what readShipped reads.
func writeShipped(
	ctx context.Context, ws *store.Workspace, m model.Model, sets []store.SetInfo, out io.Writer,
) (err error) {
	encoder, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, encoder.Close()) }()
	list := make([]shipped, len(sets))
	for k, info := range sets {
		if info.Classes > signal.FullSoftmaxClasses || len(info.Spec.Vectors) > 0 || !info.Finished ||
			info.Skipped > 0 {
			return fmt.Errorf("model %s: its signals under %s cannot be shipped: they are not whole, or have vector "+
				"modalities, skipped images or more than %d classes", m.ID, info.Spec.Family, signal.FullSoftmaxClasses)
		}
		list[k] = shipped{
			ID: m.ID, Spec: info.Spec, Transformations: info.Transformations, Classes: info.Classes,
			Absent: info.Absent, ClassMap: info.ClassMap, MappedBy: info.MappedBy,
		}
		if list[k].set, err = ws.LoadSet(ctx, info.Key, store.Want{Everything: true}); err != nil {
			return err
		}
	}
	if err := json.NewEncoder(encoder).Encode(list); err != nil {
		return err
	}
	for _, s := range list {
		again := s.empty()
		for k, array := range arraysOf(s.set) {
			data, err := pack(array, s.Transformations)
			if err == nil {
				_, err = encoder.Write(data)
			}
			if err == nil {
				err = unpack(arraysOf(again)[k], data, s.Transformations)
			}
			if err != nil {
				return err
			}
		}
		if derive(again); !reflect.DeepEqual(again, s.set) {
			return fmt.Errorf("model %s: its signals under %s do not follow from its softmaxes; "+
				"compute them anew with this version", m.ID, s.Spec.Family)
		}
	}
	return nil
}

// pack is the inverse of unpack.
func pack(array any, rows int) ([]byte, error) {
	data, err := binary.Append(nil, binary.LittleEndian, array)
	if err != nil {
		return nil, err
	}
	n := len(data) / 4
	out, last := make([]byte, len(data)), make([]uint32, n/rows)
	for i := range n {
		now := ordered(binary.LittleEndian.Uint32(data[4*i:]))
		difference := now - last[i%len(last)]
		last[i%len(last)] = now
		difference = difference<<1 ^ uint32(int32(difference)>>31)
		for b := range 4 {
			out[b*n+i] = byte(difference >> (8 * b))
		}
	}
	return out, nil
}
