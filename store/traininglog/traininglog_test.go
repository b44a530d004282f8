package traininglog

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

// write writes files below a new folder, which it returns.
func write(t testing.TB, contents map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range contents {
		images.Put(t, filepath.Join(folder, filepath.FromSlash(name)), []byte(text))
	}
	return folder
}

// The functions from here to eventFile write event files as slowly and plainly as their
// description reads, also wrong ones: they share no code with the reader.

func varint(v uint64) string {
	if v < 128 {
		return string([]byte{byte(v)})
	}
	return string([]byte{byte(v%128) + 128}) + varint(v/128)
}

func part(number int, content string) string {
	return varint(uint64(number*8+2)) + varint(uint64(len(content))) + content
}

func whole(number int, v uint64) string { return varint(uint64(number*8)) + varint(v) }

func single(number int, v float32) string {
	return varint(uint64(number*8+5)) + string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
}

func double(number int, v float64) string {
	return varint(uint64(number*8+1)) + string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
}

// checksum is CRC-32C bit by bit, masked.
func checksum(text string) string {
	sum := uint32(0xffffffff)
	for _, b := range []byte(text) {
		sum ^= uint32(b)
		for range 8 {
			odd := sum%2 == 1
			if sum /= 2; odd {
				sum ^= 0x82f63b78
			}
		}
	}
	sum = ^sum
	return string(binary.LittleEndian.AppendUint32(nil, (sum>>15|sum<<17)+0xa282ead8))
}

func framed(data string) string {
	length := string(binary.LittleEndian.AppendUint64(nil, uint64(len(data))))
	return length + checksum(length) + data + checksum(data)
}

// event is an event with a value at a step.
func event(step int, value string) string {
	return framed(double(1, 1.7e9) + whole(2, uint64(step)) + part(5, part(1, value)))
}

// simple is a value as PyTorch and TensorFlow 1 write it, tensors one as TensorFlow 2 does.
func simple(tag string, v float32) string { return part(1, tag) + single(2, v) }

func tensors(tag string, v float32) string {
	raw := string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
	return part(1, tag) + part(8, whole(1, 1)+part(2, "")+part(4, raw)) + part(9, part(1, part(1, "scalars")))
}

func text(tag, content string) string {
	return part(1, tag) + part(8, whole(1, 7)+part(2, part(2, whole(1, 1)))+part(8, content)) + part(9,
		part(1, part(1, "text")))
}

func hparams(entries ...string) string {
	session := ""
	for _, entry := range entries {
		session += part(1, entry)
	}
	return part(1, "_hparams_/session_start_info") + part(9, part(1, part(1, "hparams")+part(2, part(3, session))))
}

func eventFile(events ...string) string {
	return framed(double(1, 1.7e9)+part(3, "brain.Event:2")) + strings.Join(events, "")
}

// TestChecksumIsThatOfTFRecord: of 32 zeros from RFC 3720, B.4, and of an event and the length
// 24 as TensorFlow wrote them (tests of TensorBoard's data server).
func TestChecksumIsThatOfTFRecord(t *testing.T) {
	plain := uint32(0x8a9136aa)
	for data, want := range map[string]uint32{
		strings.Repeat("\x00", 32):         (plain>>15 | plain<<17) + 0xa282ead8,
		"\x1a\x11CRC test, one two":        0x5794d08a,
		"\x18\x00\x00\x00\x00\x00\x00\x00": 0x224b7fa3,
	} {
		if got := masked([]byte(data)); got != want ||
			checksum(data) != string(binary.LittleEndian.AppendUint32(nil, want)) {
			t.Errorf("%q has %x", data, got)
		}
	}
}

type values = map[string]float64

func at(epoch int, v values) model.Epoch { return model.Epoch{Epoch: epoch, Values: v} }

// The logs that programs write, each whole.
func TestReadLogs(t *testing.T) {
	jpeg := part(1, "input") + part(4, "jpeg")
	var long, perStep []string
	both := values{"train_loss": 1, "val_accuracy": 0.5}
	for step := range 5000 {
		long = append(long, event(10*step, simple("loss", float32(step%5))))
	}
	for step := range 4 {
		perStep = append(perStep, event(step, simple("Loss/train", 1)), event(step, simple("Acc/val", 0.5)))
	}
	for name, c := range map[string]struct {
		files map[string]string
		path  string
		want  Log
	}{
		"Keras' CSVLogger": {
			map[string]string{"m.csv": "epoch,accuracy,learning_rate,loss,val_accuracy,val_loss\n" +
				"0,0.5,0.01,2.0,0.25,nan\n1,0.75,0.001,1.0,0.5,1.5\n"},
			"m.csv",
			Log{
				Form: Keras,
				Curves: []model.Epoch{
					at(0, values{"train_accuracy": 0.5, "train_loss": 2, "val_accuracy": 0.25, "learning_rate": 0.01}),
					at(1, values{
						"train_accuracy": 0.75, "train_loss": 1, "val_accuracy": 0.5, "val_loss": 1.5,
						"learning_rate": 0.001,
					}),
				},
				Fields:  []model.Field{{Name: "learning_rate", Value: "0.01"}, {Name: "epochs", Value: "2"}},
				LeftOut: []string{"1 value (no finite number)"},
			},
		},
		// Lightning writes each kind of value in a row of its own; the learning rate has no epoch.
		"Lightning's CSVLogger": {
			map[string]string{
				"version_0/metrics.csv": "epoch,lr-Adam,step,train_loss_epoch,train_loss_step,val_acc,val_loss\n" +
					",0.1,0,,,,\n0,,49,,2.5,,\n0,,99,,,0.5,1.5\n0,,99,2.0,,,\n,0.01,100,,,,\n" +
					"1,,149,,1.5,,\n1,,199,,,0.75,1\n1,,199,1.25,,,\n1,,2",
				"version_0/hparams.yaml": "# saved\nbatch_size: 64\nlr: 0.1\nmean: 0.5\naugment:\n  rotation: 15\n  " +
					"flips: [h, v]\nmodel: !!python/object:net.Net\n  depth: 4\nnothing: null\n",
			},
			"version_0",
			Log{
				Form: Lightning,
				Curves: []model.Epoch{
					at(0, values{"train_loss": 2, "val_accuracy": 0.5, "val_loss": 1.5, "learning_rate": 0.1}),
					at(1, values{"train_loss": 1.25, "val_accuracy": 0.75, "val_loss": 1, "learning_rate": 0.01}),
				},
				Fields: []model.Field{
					{Name: "batch_size", Value: "64"},
					{Name: "learning_rate", Value: "0.1"},
					{Name: "augment.rotation", Value: "15"},
					{Name: "augment.flips", Value: "h;v"},
					{Name: "model.depth", Value: "4"},
					{Name: "epochs", Value: "2"},
				},
				LeftOut: []string{
					"line 10 (it is not whole yet)", "mean (a record's field of this name says how the model is run)",
					"train_loss_step (train_loss is the same by epoch)",
				},
			},
		},
		"trainer_state.json": {
			map[string]string{"trainer_state.json": `{"epoch": 1.996, "global_step": 40, "max_steps": 60, "num_train_epochs": 3, "train_batch_size": 8,
				"note": "a \"NaN\" in a text", "log_history": [
				{"epoch": 0.5, "grad_norm": NaN, "learning_rate": 0.25, "loss": 2.0, "step": 10},
				{"epoch": 1.0, "learning_rate": 0.5, "loss": 1.0, "step": 20},
				{"epoch": 1.0, "eval_accuracy": 0.5, "eval_loss": -Infinity, "eval_runtime": 3.5, "step": 20},
				{"epoch": 1.996, "learning_rate": 0.25, "loss": 0.5, "step": 40},
				{"epoch": 1.996, "train_loss": 1.1, "train_runtime": 9, "step": 40}]}`},
			"trainer_state.json",
			Log{
				Form: Transformers,
				Curves: []model.Epoch{
					at(1, values{"train_loss": 1.5, "val_accuracy": 0.5, "learning_rate": 0.375}),
					at(2, values{"train_loss": 0.5, "learning_rate": 0.25}),
				},
				Fields: []model.Field{
					{Name: "epochs", Value: "2"},
					{Name: "steps", Value: "40"},
					{Name: "batch_size", Value: "8"},
					{Name: "learning_rate", Value: "0.5"},
				},
				LeftOut: []string{"eval_runtime (it says nothing of the model)", "2 values (no finite number)"},
			},
		},
		// Keras has a folder for each set of images, and the same tags in both.
		"TensorBoard of Keras": {
			map[string]string{
				"train/events.out.tfevents.1.v2": eventFile(event(0, tensors("epoch_loss", 2)),
					event(1, tensors("epoch_loss", 1)),
					event(0, tensors("epoch_learning_rate", 0.5))),
				"validation/events.out.tfevents.2.v2": eventFile(event(0, tensors("epoch_loss", 3)),
					event(1, tensors("epoch_loss", float32(math.Inf(1)))),
					event(77, tensors("evaluation_loss_vs_iterations", 3))),
			},
			".",
			Log{
				Form: TensorBoard,
				Curves: []model.Epoch{
					at(0, values{"train_loss": 2, "val_loss": 3, "learning_rate": 0.5}), at(1, values{"train_loss": 1}),
				},
				Fields: []model.Field{{Name: "learning_rate", Value: "0.5"}, {Name: "epochs", Value: "2"}},
				LeftOut: []string{
					"evaluation_loss_vs_iterations (it counts batches, not epochs)", "1 value (no finite number)",
				},
			},
		},
		// Lightning and transformers write the epoch of a step down; settings come as a plugin's,
		// or as text.
		"TensorBoard with epochs": {
			map[string]string{
				"events.out.tfevents.1.host.1.0": eventFile(
					event(50, simple("train/loss", 3)), event(50, simple("train/epoch", 0.5)),
					event(100, simple("train/loss", 1)), event(100, simple("train/epoch", 1)),
					event(200, simple("eval/loss", 1.5)), event(200, simple("train/epoch", 2)),
					event(0, text("args/text_summary",
						`{"per_device_train_batch_size": 16, "optim": "adamw_torch", "warmup_steps": 7, "seed": 42}`)),
					event(0, text("notes", "hello")), event(3, jpeg)),
				"1699.5/events.out.tfevents.2.host.1.1": eventFile(event(0, hparams(
					part(1, "augmentation")+part(2, part(3, "rotation")), part(1, "flip")+part(2, whole(4, 1)),
					part(1, "range")+part(2, double(2, 15)), part(1, "class_names")+part(2, part(3, "cat;dog")),
					part(1, "scheduler")+part(2, part(3, "None"))))),
			},
			".",
			Log{
				Form:   TensorBoard,
				Curves: []model.Epoch{at(1, values{"train_loss": 2}), at(2, values{"val_loss": 1.5})},
				Fields: []model.Field{
					{Name: "batch_size", Value: "16"},
					{Name: "optimizer", Value: "adamw_torch"},
					{Name: "seed", Value: "42"},
					{Name: "augmentation", Value: "rotation"},
					{Name: "flip", Value: "true"},
					{Name: "range", Value: "15"},
					{Name: "epochs", Value: "2"},
				},
				LeftOut: []string{
					"notes (it is no single number)", "input (it is no single number)",
					"class_names (a record's field of this name says how the model is run)",
				},
			},
		},
		"TensorBoard, a step per epoch": {
			map[string]string{"runs/events.out.tfevents.1": eventFile(perStep...) + strings.Repeat("\x00", 99)},
			"runs/events.out.tfevents.1",
			Log{
				Form:    TensorBoard,
				Curves:  []model.Epoch{at(0, both), at(1, both), at(2, both), at(3, both)},
				Fields:  []model.Field{{Name: "epochs", Value: "4"}},
				Remarks: []string{"it names no epochs; its steps (4, from 0 on) are taken for them"},
				LeftOut: []string{"the end of events.out.tfevents.1 (it is not whole, as of a file that is still " +
					"being written)"},
			},
		},
		"TensorBoard over steps": {
			map[string]string{"events.out.tfevents.1": eventFile(long...)}, ".", Log{Form: TensorBoard, Steps: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(write(t, c.files), filepath.FromSlash(c.path))
			got := testdata.Must(Read(t.Context(), path))(t)
			if c.want.Steps { // of many steps some are put together
				first, last := got.Curves[0], got.Curves[len(got.Curves)-1]
				if len(got.Curves) < 500 || len(got.Curves) > mostPlaces+1 || first.Epoch != 0 || last.Epoch < 49_990 ||
					last.Values["train_loss"] > 4 {
					t.Errorf("%d places from %v to %v", len(got.Curves), first, last)
				}
				got.Curves = nil
			}
			testdata.NoDiff(t, "the log", cmp.Diff(c.want, got))
			testdata.Is(t, "recognised", Recognise(path, true), c.want.Form)
		})
	}
}

// TestAnEventFileIsTakenAsFarAsItIsWhole: every beginning of a file is a log of the events in
// it, or has none yet; a byte that is wrong in the middle is found wherever it is.
func TestAnEventFileIsTakenAsFarAsItIsWhole(t *testing.T) {
	head, events := eventFile(), []string{}
	for step := range 3 {
		events = append(events, event(step, simple("loss", float32(step))))
	}
	file := head + strings.Join(events, "")
	path := filepath.Join(write(t, nil), "events.out.tfevents.1")
	for size := range len(file) + 1 {
		must(t, os.WriteFile(path, []byte(file[:size]), 0o644))
		got, err := Read(t.Context(), path)
		if n := max(0, (size-len(head))/len(events[0])); len(got.Curves) != n || (err == nil) != (n > 0) {
			t.Errorf("of %d bytes %d epochs are read, %v", size, len(got.Curves), err)
		}
	}
	for at := range len(file) - len(events[2]) {
		wrong := []byte(file)
		wrong[at] ^= 0x40
		must(t, os.WriteFile(path, wrong, 0o644))
		if _, err := Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("byte %d: %v", at, err)
		}
	}
}

// TestALastRowThatIsNotWholeIsLeftOut: also where it is cut within quotation marks.
func TestALastRowThatIsNotWholeIsLeftOut(t *testing.T) {
	for _, last := range []string{"1", `1"x,2`, `"1"x,2`, `"1,2`, "\"1,2\n"} {
		got, err := Read(t.Context(), filepath.Join(write(t, map[string]string{"k.csv": "epoch,loss\n0,1\n" + last}),
			"k.csv"))
		must(t, err)
		testdata.Equal(t, last, got.LeftOut, []string{"line 3 (it is not whole yet)"})
		testdata.Is(t, last, len(got.Curves), 1)
	}
}

// TestWhatIsLoggedAgainCountsOnce: from where a curve falls back the later values count, in the
// files' order of time, not of names; of several files those of the last have the settings.
func TestWhatIsLoggedAgainCountsOnce(t *testing.T) {
	file := func(time float64, steps, values string, more ...string) string {
		text := framed(double(1, time)+part(3, "brain.Event:2")) + strings.Join(more, "")
		for k, step := range steps {
			text += event(int(step-'0'), simple("loss", float32(values[k]-'0')))
		}
		return text
	}
	rate := func(v float64) string { return event(0, hparams(part(1, "lr")+part(2, double(2, v)))) }
	epoch := func(step int, v float32) string { return event(step, simple("epoch", v)) }
	for name, c := range map[string]struct {
		files   map[string]string
		want    []float64
		leftOut string
	}{
		"appended": {
			map[string]string{"metrics.csv": "epoch,step,loss\n0,9,1\n1,19,2\n2,29,3\n0,9,4\n1,19,5\n"},
			[]float64{4, 5},
			"epoch 0",
		},
		"from a checkpoint": {
			map[string]string{"metrics.csv": "step,loss\n0,1\n1,2\n2,3\n3,4\n2,5\n3,6\n4,7\n"},
			[]float64{1, 2, 5, 6, 7},
			"step 2",
		},
		"steps within each epoch": {
			map[string]string{"metrics.csv": "epoch,step,loss\n0,0,1\n0,1,3\n1,0,4\n1,1,6\n"},
			[]float64{2, 5},
			"",
		},
		"trainer_state.json": {
			map[string]string{"trainer_state.json": `{"log_history": [{"epoch": 1, "loss": 1}, {"epoch": 2, "loss": 2}, {"epoch": 2, "loss": 4}, {"epoch": 1.5, "loss": 7}]}`},
			[]float64{1, 7},
			"epoch 1.5",
		},
		"event files": {
			map[string]string{
				"events.tfevents.1": file(9, "1234", "5678", rate(0.5)),
				"events.tfevents.2": file(8, "0123", "1234", rate(0.1)),
			},
			[]float64{1, 5, 6, 7, 8},
			"step 1",
		},
		"epochs anew while steps run on, in a table": {
			map[string]string{"metrics.csv": "epoch,step,loss\n0,9,1\n1,19,2\n0,29,4\n1,39,5\n"},
			[]float64{4, 5},
			"epoch 0",
		},
		"epochs anew while steps run on": {
			map[string]string{"events.tfevents.1": file(9, "1234", "5678", epoch(1, 0), epoch(2, 1), epoch(3, 0),
				epoch(4, 1))},
			[]float64{7, 8},
			"epoch 0",
		},
		"an event file and one of another folder": {
			map[string]string{
				"events.tfevents.1":        file(8, "012", "123", rate(0.5)),
				"1699.5/events.tfevents.2": file(9, "0", "9"),
			}, []float64{1, 2, 3}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := testdata.Must(Read(t.Context(), write(t, c.files)))(t)
			var losses []float64
			for _, e := range got.Curves {
				losses = append(losses, e.Values["train_loss"])
			}
			testdata.Equal(t, "losses", losses, c.want)
			testdata.Is(t, "left out", strings.Contains(strings.Join(got.LeftOut, "; "),
				"earlier values (logged again from "+c.leftOut), c.leftOut != "")
			if strings.Contains(name, "event file") {
				testdata.Is(t, "settings", got.Fields[0], model.Field{Name: "learning_rate", Value: "0.5"})
			}
		})
	}
}

// TestStepsAreEpochsOnlyWhereTheyAreFew: many steps one by one are batches.
func TestStepsAreEpochsOnlyWhereTheyAreFew(t *testing.T) {
	for n, few := range map[int]bool{mostEpochs: true, mostEpochs + 1: false} {
		text := "step,loss\n"
		for step := range n {
			text += fmt.Sprintf("%d,1\n", step)
		}
		got := testdata.Must(Read(t.Context(), write(t, map[string]string{"metrics.csv": text})))(t)
		if got.Steps == few || len(got.Fields) != len(got.Remarks) || (len(got.Remarks) == 1) != few {
			t.Errorf("%d: steps %v, %v, %v", n, got.Steps, got.Fields, got.Remarks)
		}
	}
}

// TestPercentBecomeShares: a value above 1 is no share, and tells that the curve is in percent.
func TestPercentBecomeShares(t *testing.T) {
	for cells, want := range map[string]struct {
		last   float64
		remark string
	}{
		"0.2 0.93": {0.93, ""}, "0.5 93": {0.93, "val_accuracy is in percent"}, "0.5 1.0000001": {1.0000001, ""},
		"50 101": {101, "val_accuracy holds values that are neither"},
		"-1 50":  {50, "val_accuracy holds values that are neither"}, "1 1": {1, ""},
	} {
		text := "epoch,val_acc,loss\n"
		for k, cell := range strings.Fields(cells) {
			text += fmt.Sprintf("%d,%s,50\n", k, cell)
		}
		got := testdata.Must(Read(t.Context(), filepath.Join(write(t, map[string]string{"k.csv": text}), "k.csv")))(t)
		last := got.Curves[len(got.Curves)-1].Values
		if said := strings.Join(got.Remarks, ""); last["val_accuracy"] != want.last || last["train_loss"] != 50 ||
			!strings.HasPrefix(said, want.remark) || said != "" && want.remark == "" {
			t.Errorf("%s: %v, %q", cells, last, said)
		}
	}
}

// patience is a context that ends after so many questions.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestReadingEndsWithItsContext: within a folder, a file, a table and a list.
func TestReadingEndsWithItsContext(t *testing.T) {
	many := func(text string) string { return strings.Repeat(text, 100) }
	folders := map[string]string{}
	for k := range 100 {
		folders[fmt.Sprint("f", k)] = ""
	}
	for name, files := range map[string]map[string]string{
		"folder": folders, "event file": {"a.tfevents": eventFile(many(event(0, simple("loss", 1))))},
		"table": {"metrics.csv": "step,loss\n" + many("0,1\n")},
		"list":  {"trainer_state.json": `{"log_history":[` + many(`{"step":1},`) + `{}]}`},
	} {
		testdata.ErrorIs(t, name, testdata.Err(Read(&patience{t.Context(), 50}, write(t, files))), context.Canceled)
	}
}

// hostile are records that are whole and wrong, or huge.
func hostile() map[string]string {
	length := func(n uint64) string {
		text := string(binary.LittleEndian.AppendUint64(nil, n))
		return text + checksum(text)
	}
	settings := "" // each costs the time of a document; the last is too much
	for k := range 3 {
		settings += event(0, text(fmt.Sprint("s", k), `{"note": "`+strings.Repeat("x", mostTexts*2/5)+`"}`))
	}
	return map[string]string{
		"all of the memory": eventFile(event(0, simple("loss", 1))) + length(math.MaxUint64) + "x",
		"4 GiB":             eventFile(event(0, simple("loss", 1))) + length(4<<30) + "x",
		"a long tag":        eventFile(event(0, simple("loss", 1)), event(0, simple(strings.Repeat("\xff", 5000), 1))),
		"a far step": eventFile(event(0, simple("loss", 1)), event(math.MaxInt64, simple("loss", 1)),
			event(-5, simple("loss", 1))),
		"many settings": eventFile(event(0, simple("loss", 1)), settings),
		"a tensor of zeros": eventFile(event(0, simple("loss", 1)),
			event(0, part(1, "t")+part(8, whole(1, 1)+part(2, part(2, whole(1, 0)))))),
	}
}

func TestHostileEventFilesEndQuietly(t *testing.T) {
	for name, content := range hostile() {
		got, err := Read(t.Context(), filepath.Join(write(t, map[string]string{"events.out.tfevents.1": content}),
			"events.out.tfevents.1"))
		if err != nil || got.Curves[0].Values["train_loss"] != 1 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, what := range got.LeftOut {
			if utf8.RuneCountInString(what) > 120 || outside.Visible(what) != what {
				t.Errorf("%s leaves out %q", name, what)
			}
		}
	}
	many := ""
	for k := range mostCurves + 1 {
		many += event(0, simple(fmt.Sprint(k), 1))
	}
	_, err := Read(t.Context(), write(t, map[string]string{"a.tfevents": eventFile(many)}))
	testdata.Refused(t, "a log of many curves is read", err, "a.tfevents: it has more than 2,000 curves")
}

// TestSettingsAreSeenAsTheyAre: names with control characters are left out, in values blanks stand
// for them; a text of settings counts once for each tag.
func TestSettingsAreSeenAsTheyAre(t *testing.T) {
	got := testdata.Must(Read(t.Context(), write(t, map[string]string{
		"a.tfevents": eventFile(event(0, text("args", `{"seed": 1}`)), event(1, text("args", `{"momentum": 2}`)),
			event(0, simple("loss", 1))),
		"hparams.yaml": "\"a\\eb\": 1\nnote: \"one\\ntwo\\e[31m\"\n\"\\u202ec\": 2\n" + strings.Repeat("n", 1000) +
			": [{}]\n",
	})))(t)
	testdata.Equal(t, "fields", got.Fields[:2], []model.Field{
		{Name: "seed", Value: "1"}, {Name: "note", Value: "one two [31m"},
	})
	testdata.Equal(t, "left out", got.LeftOut, []string{
		`a\x1bb (its name holds what is not seen)`, `\u202ec (its name holds what is not seen)`,
		strings.Repeat("n", 59) + "… (it is a list of more than single values)",
	})
}

// TestWhatIsNoLogIsRefused: each in one sentence that names the file.
func TestWhatIsNoLogIsRefused(t *testing.T) {
	for want, c := range map[string]struct{ name, content string }{
		"notes.txt is no log of training":                         {"notes.txt", "loss 1"},
		"t.csv is no log of training":                             {"t.csv", "path,label\na.png,1\n"},
		"c.csv is no log of training":                             {"c.csv", "id,epoch,train_loss\na,1,2\n"},
		"x.tfevents: it is empty":                                 {"x.tfevents", ""},
		"x.tfevents: it is no event file of TensorBoard":          {"x.tfevents", "a text that is no event file"},
		"y.tfevents: it is damaged at byte 40: a record holds no": {"y.tfevents", eventFile(framed("\x0a\xff"))},
		"v.tfevents: it is damaged at byte 40: a record holds no": {
			"v.tfevents", eventFile(event(0, simple("loss", 1)+"\xff")),
		},
		"z.tfevents has neither curves nor settings":           {"z.tfevents", eventFile()},
		"k.csv, line 3: epoch \"x\" is no number from 0":       {"k.csv", "epoch,loss\n0,1\nx,2\n"},
		"q.csv, line 3: a quotation mark stands within a cell": {"q.csv", "epoch,loss\n0,1\n1\"x,2\n2,3\n"},
		"q.csv, line 2: the quotation mark that ends a cell":   {"q.csv", "epoch,loss\n\"0,1\n1,2\n2,3\n"},
		"s.trainer_state.json, log_history: it holds a wrong kind of value (number)": {
			"s.trainer_state.json",
			`{"log_history": [1]}`,
		},
		"k.csv, line 2: it has another number of cells":             {"k.csv", "epoch,loss\n0\n1,2\n"},
		"trainer_state.json: it has no log_history":                 {"trainer_state.json", "{}"},
		"trainer_state.json: line 1, column 2: it is no valid JSON": {"trainer_state.json", "{x"},
	} {
		_, err := Read(t.Context(), filepath.Join(write(t, map[string]string{c.name: c.content}), c.name))
		if err == nil || !strings.HasPrefix(outside.Sentence(err), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	two := write(t, map[string]string{"a/x.tfevents": eventFile(), "b/x.tfevents": eventFile()})
	_, err := Read(t.Context(), two)
	testdata.Refused(t, "the folder of two trainings is read", err, "several trainings (a, b)")
	testdata.Is(t, "recognised", Recognise(two, true), TensorBoard)
}

// TestNames: a log is called by its file, without endings, and by the nearest folder that has a
// name of its own.
func TestNames(t *testing.T) {
	folder := write(t, map[string]string{
		"net.v2/lightning_logs/version_3/metrics.csv": "",
		"other/net.v3.trainer_state.json":             "",
	})
	for path, want := range map[string][]string{
		"net.v2/lightning_logs/version_3/metrics.csv": {
			"metrics.csv", "metrics", "version_3", "lightning_logs", "net.v2",
		},
		"net.v2/lightning_logs": {"lightning_logs", "net.v2"},
		"other/net.v3.trainer_state.json": {
			"net.v3.trainer_state.json", "net.v3.trainer_state", "net.v3", "net", "other",
		},
	} {
		names, folders := Names(filepath.Join(folder, filepath.FromSlash(path)))
		testdata.Equal(t, path, names, want)
		if filepath.Base(folders[len(folders)-1]) != names[len(names)-1] {
			t.Errorf("%s lies in %q", path, folders)
		}
	}
}

// FuzzEvents: any bytes are refused or read, framed or not; curves ascend and are finite.
func FuzzEvents(f *testing.F) {
	for _, content := range hostile() {
		f.Add([]byte(content), false)
	}
	f.Add([]byte(eventFile(event(1, tensors("epoch_loss", 2)), event(2, text("args", "{a: [1, {b: 2}]}")))), false)
	f.Add([]byte(part(5, part(1, hparams(part(1, "lr")+part(2, double(2, 0.1)))))), true)
	f.Fuzz(func(t *testing.T, data []byte, frame bool) {
		if frame {
			data = []byte(framed(string(data)))
		}
		sound(t, write(t, map[string]string{"events.out.tfevents.1": string(data)}))
	})
}

// FuzzTables: the same of the other forms.
func FuzzTables(f *testing.F) {
	f.Add([]byte("epoch,loss,step\n0,1,\n,nan,7\n"), []byte("a: [1]\n"),
		[]byte(`{"log_history":[{"loss":NaN,"step":1}]}`))
	f.Add([]byte("epoch,loss\n0,1\n1\"x,2"), []byte("\"a\\eb\": 1\n"), []byte(`{"log_history":[{},[],null]}`))
	f.Add([]byte("step;accuracy\n1e9;0x1p3\n"), []byte("a: &x {b: *x}\n"),
		[]byte(`{"log_history":[{"epoch":1e300,"loss":1}],"epoch":1e300}`))
	f.Fuzz(func(t *testing.T, table, settings, state []byte) {
		sound(t, write(t, map[string]string{"metrics.csv": string(table), "hparams.yaml": string(settings)}))
		sound(t, write(t, map[string]string{"trainer_state.json": string(state)}))
	})
}

func sound(t *testing.T, path string) {
	t.Helper()
	got, err := Read(t.Context(), path)
	for k, e := range got.Curves {
		for name, v := range e.Values {
			if err != nil || k > 0 && e.Epoch <= got.Curves[k-1].Epoch || e.Epoch < 0 || math.IsNaN(v) ||
				math.IsInf(v, 0) || name == "" {
				t.Fatal(fmt.Sprint(got.Curves), err)
			}
		}
	}
}
