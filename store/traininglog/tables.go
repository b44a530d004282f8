package traininglog

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
)

// The columns of a table that say where a row stands.
const (
	columnEpoch = "epoch"
	columnStep  = "step"
)

// formOfTable tells the table of a log by its header: Lightning's has a column step, that of Keras
// only epoch, and one of their columns is a loss or accuracy. Tables with an id are curves.csv and
// its like.
func formOfTable(header []string) Form {
	has := func(column string) bool { return slices.Contains(header, column) }
	if has("id") || !has(columnEpoch) && !has(columnStep) || !slices.ContainsFunc(header, func(column string) bool {
		name, _ := curve{name: column}.usual()
		return strings.HasSuffix(name, "loss") || strings.HasSuffix(name, "accuracy")
	}) {
		return None
	}
	if has(columnStep) {
		return Lightning
	}
	return Keras
}

// table reads the CSV of a logger. An empty cell, or NA, is no value; a column with other texts is
// left out, and so is a last row that is not whole yet.
func (b *builder) table(ctx context.Context, path string) error {
	file, err := outside.Open(path, outside.Log)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	name := filepath.Base(path)
	in := csvfile.Foreign(file)
	header, err := in.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var broken *csv.ParseError // of the row before
	for ctx.Err() == nil {
		row, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && broken != nil && broken.Line <= broken.StartLine+1:
			b.leave(fmt.Sprintf("line %d", broken.StartLine), "it is not whole yet")
			return nil
		case errors.Is(err, io.EOF) && broken == nil:
			return nil
		case broken != nil:
			return fmt.Errorf("%s, line %d: %w", name, broken.StartLine, broken.Err)
		case errors.As(err, &broken):
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		default:
			if err := b.row(header, row); err != nil {
				line, _ := in.FieldPos(0)
				return fmt.Errorf("%s, line %d: %w", name, line, err)
			}
		}
	}
	return ctx.Err()
}

func (b *builder) row(header, row []string) error {
	p := point{epoch: math.NaN(), step: -1}
	for k, cell := range row {
		v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		whole := err == nil && v >= 0 && v <= math.MaxInt32
		switch column := header[k]; {
		case column != columnEpoch && column != columnStep || strings.TrimSpace(cell) == "":
		case !whole:
			return fmt.Errorf("%s %q is no number from 0", column, cell)
		case column == columnEpoch:
			p.epoch = v
		default:
			p.step = int64(v)
		}
	}
	for k, cell := range row {
		cell = strings.TrimSpace(cell)
		if header[k] == columnEpoch || header[k] == columnStep || cell == "" || cell == "NA" {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			b.leave(header[k], "its cells are no numbers")
		case math.IsNaN(p.epoch) && p.step < 0:
			return errors.New("the row has neither epoch nor step")
		default:
			err := cmp.Or(b.count(), b.add(curve{name: header[k]}, point{epoch: p.epoch, value: v, step: p.step}))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// state reads trainer_state.json of transformers.
func (b *builder) state(ctx context.Context, path string) error {
	data, err := outside.Read(path, outside.Document)
	if err != nil {
		return err
	}
	var state struct {
		Epoch      *float64        `json:"epoch"`
		Epochs     *float64        `json:"num_train_epochs"`
		Step       *float64        `json:"global_step"`
		Steps      *float64        `json:"max_steps"`
		Batch      *float64        `json:"train_batch_size"`
		LogHistory json.RawMessage `json:"log_history"`
	}
	if err := outside.JSON(b.finite(data), &state, false); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	history := json.NewDecoder(bytes.NewReader(state.LogHistory)) // one entry after the other: there may be millions
	if start, err := history.Token(); err != nil || start != json.Delim('[') {
		return fmt.Errorf("%s: it has no log_history, in which transformers writes down losses; choose a %s",
			filepath.Base(path), stateFile)
	}
	type record map[string]any // named, for the words of an error
	for history.More() {
		var entry record
		err := cmp.Or(ctx.Err(), b.count())
		if err == nil {
			err = history.Decode(&entry)
		}
		if err != nil {
			return fmt.Errorf("%s, log_history: %w", filepath.Base(path), err)
		}
		if _, whole := entry["train_runtime"]; whole { // the means of the whole training
			continue
		}
		p := point{epoch: math.NaN(), step: -1}
		if e, ok := entry[columnEpoch].(float64); ok && e >= 0 {
			p.epoch = e
		}
		if s, ok := entry[columnStep].(float64); ok && s >= 0 && s < math.MaxInt32 {
			p.step = int64(s)
		}
		if math.IsNaN(p.epoch) && p.step < 0 {
			b.leave("an entry of log_history", "it has neither epoch nor step")
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(entry)) {
			value := entry[name]
			v, number := value.(float64)
			switch {
			case name == columnEpoch || name == columnStep || value == nil:
			case !number:
				b.leave(name, "it is no number")
			default:
				err := cmp.Or(b.count(), b.add(curve{name: name}, point{epoch: p.epoch, value: v, step: p.step}))
				if err != nil {
					return fmt.Errorf("%s: %w", filepath.Base(path), err)
				}
			}
		}
	}
	// What has been trained stands before what was planned: a training may end early.
	for _, f := range []struct {
		name  string
		among []*float64
	}{
		{fieldEpochs, []*float64{state.Epoch, state.Epochs}},
		{"steps", []*float64{state.Step, state.Steps}},
		{"batch_size", []*float64{state.Batch}},
	} {
		for _, v := range f.among {
			if v != nil && *v > 0 {
				b.field(f.name, result.Count.Write(math.Ceil(*v-0.01)), true) // 19.995 epochs are 20
				break
			}
		}
	}
	return nil
}

// finite puts null in the place of NaN, Infinity and -Infinity, which Python writes outside of
// JSON's rules, and counts them.
func (b *builder) finite(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	var out bytes.Buffer
	quoted := false
	for k := 0; k < len(data); k++ {
		word := ""
		for _, w := range []string{"NaN", "-Infinity", "Infinity"} {
			if !quoted && bytes.HasPrefix(data[k:], []byte(w)) {
				word = w
				break
			}
		}
		switch c := data[k]; {
		case word != "":
			out.WriteString("null")
			k += len(word) - 1
			b.wrong++
			continue
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted && k+1 < len(data):
			out.WriteByte(c)
			k++
		}
		out.WriteByte(data[k])
	}
	return out.Bytes()
}
