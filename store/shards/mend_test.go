package shards

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/job"
)

// TestPlanningAgainAfterACollection: whatever of an unfinished plan was collected, lost or
// computed elsewhere meanwhile, the same command brings its files back, and the other shards go
// on.
func TestPlanningAgainAfterACollection(t *testing.T) {
	b := newFixture(t, 700, "a", "b")
	want := newFixture(t, 700, "a", "b").local(b.request())
	f := b.plan(b.request(), 3)
	before := files(t, f.dir)
	b.work(f, 1)
	b.collect(f)
	models := []string{f.models[0].Spec.Model, f.models[1].Spec.Model}
	// from now on signals of that batch are there
	b.local(job.Request{Models: models[1:], Suite: b.suite.Hash, Family: family, Batch: 16})
	b.change(f.path(modelName(models[0])), func(data []byte) []byte { return append(data, 'x') })
	must(b, os.Remove(f.path(modelName(models[1]))))
	must(b, os.Remove(f.path(scriptFile)))
	for _, blob := range f.packs {
		b.change(f.path(packName(blob.SHA256)), func(data []byte) []byte { return data[1:] })
	}
	out := testdata.Must(b.write(f.dir, b.request(), 3))(b)
	if !out.Again || out.ID != f.ID || len(out.Brought) != 2+1+len(f.packs) ||
		!slices.Contains(out.Brought, scriptFile) || len(out.Remarks) > 0 {
		t.Errorf("%+v", out)
	}
	after := files(t, f.dir)
	maps.DeleteFunc(after, func(name, _ string) bool { return strings.HasPrefix(name, resultsFolder) })
	if !maps.Equal(before, after) {
		t.Errorf("%q in place of %q, or other content", slices.Sorted(maps.Keys(after)),
			slices.Sorted(maps.Keys(before)))
	}
	if out, err := b.write(f.dir, b.request(), 3); err != nil || len(out.Brought) > 0 || !out.Again {
		t.Errorf("%+v %v", out, err)
	}
	b.work(f, 2)
	b.work(f, 3)
	status, _ := b.collect(f)
	got := b.signals()
	maps.DeleteFunc(got, func(name, _ string) bool { _, ok := want[name]; return !ok }) // those of the other batch
	if status.Done != status.Total || status.Failed > 0 || !maps.Equal(got, want) {
		t.Errorf("%+v, %d signal files", status, len(got))
	}
	says(t, testdata.Err(b.write(f.dir, b.request(), 3)), "nothing to plan")
}

// TestTextsThatWereEdited stay when a run is planned again: a person has put there what the
// cluster asks for. Where nothing of a text is left, it comes back.
func TestTextsThatWereEdited(t *testing.T) {
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 2)
	original := files(t, f.dir)
	for _, name := range []string{scriptFile, readmeFile} {
		for what, text := range map[string]string{
			"edited":                strings.Replace(original[name], "\n", "\n#SBATCH --time=2:00:00\n", 1),
			"longer than it can be": strings.Repeat(original[name], 100),
			"shorter":               "#!/bin/sh\n",
			"of the same length":    strings.ToUpper(original[name]),
			"empty":                 "",
			"gone":                  "",
		} {
			must(b, os.WriteFile(f.path(name), []byte(text), 0o644))
			want, brought := maps.Clone(original), []string{name}
			if what == "gone" {
				must(b, os.Remove(f.path(name)))
			} else if text != "" {
				want[name], brought = text, nil
			}
			out, err := b.write(f.dir, b.request(), 2)
			if err != nil || !slices.Equal(out.Brought, brought) || !maps.Equal(files(t, f.dir), want) {
				t.Errorf("%s %s: %q were brought, %v", name, what, out.Brought, err)
			}
			must(b, os.WriteFile(f.path(name), []byte(original[name]), 0o644))
		}
	}
	must(b, errors.Join(os.Remove(f.path(scriptFile)), os.Mkdir(f.path(scriptFile), 0o755)))
	says(t, testdata.Err(b.write(f.dir, b.request(), 2)), f.path(scriptFile))
}

// TestPlanningAgainWithOthers: what the plan does not have is said, and the plan stays as it is.
func TestPlanningAgainWithOthers(t *testing.T) {
	b := newFixture(t, 300, "a", "b")
	f := b.plan(b.request(), 2)
	want := files(t, f.dir)
	const movable = "move what is in its folder results"
	for _, test := range []struct {
		name   string
		change func()
		says   string // a remark, or the error
		fails  bool
	}{
		{"a model more", func() { b.model("c") }, "without 2 units that the workspace lacks by now, of c;", false},
		{
			"one is corrected", func() { b.correct(f.models[0].Spec.Model, 0.25) },
			"model a was planned with another preprocessing", false,
		},
		{"one is removed", func() {
			_, err := b.ws.RemoveModels([]string{f.models[0].Spec.Model}, nil)
			must(b, err)
		}, "model a of the plan is not in the run", false},
		{"its file is lost", func() {
			must(b, os.Remove(f.path(modelName(f.models[0].Spec.Model))))
		}, "its file cannot be brought back", true},
		{"the other one is corrected", func() { b.correct(f.models[1].Spec.Model, 0.25) }, "holds another plan", true},
		{"the manifest is of another form", func() {
			b.change(f.path(manifestFile), func(data []byte) []byte {
				return bytes.Replace(data, []byte(`"variscope_plan":3`), []byte(`"variscope_plan":4`), 1)
			})
		}, "use the same version of Variscope on all machines; choose another folder", true},
		{"the manifest is cut off", func() {
			b.change(f.path(manifestFile), func(data []byte) []byte { return data[1:] })
		}, movable, true},
		{"the manifest is a folder", func() {
			must(b, errors.Join(os.Remove(f.path(manifestFile)), os.Mkdir(f.path(manifestFile), 0o755)))
		}, "choose another folder", true},
	} {
		test.change()
		out, err := b.write(f.dir, b.request(), 2)
		if !test.fails {
			err = errors.Join(errors.Join(out.Remarks...), err)
		}
		if err == nil || !strings.Contains(err.Error(), test.says) || test.fails == out.Again ||
			strings.Contains(err.Error(), movable) != (test.says == movable) {
			t.Errorf("%s: %+v, %v", test.name, out, err)
		}
		if got := files(t, f.dir); !test.fails && !maps.Equal(got, want) {
			t.Errorf("%s: the folder has changed", test.name)
		}
	}
}

// TestAnotherRunIntoTheSameFolder is refused with what differs, before anything is changed.
func TestAnotherRunIntoTheSameFolder(t *testing.T) {
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 2)
	must(b, os.Remove(f.path(modelName(f.models[0].Spec.Model))))
	want := files(t, f.dir)
	for says, alter := range map[string]func(*job.Request){
		"family rotation":         func(r *job.Request) { r.Family = transform.Rot90 },
		"other positions":         func(r *job.Request) { r.Positions = []string{model.CONF} },
		"other vector modalities": func(r *job.Request) { r.Vectors = []string{"L2@CONV-1"} },
		"another table of classes": func(r *job.Request) {
			r.ClassMap = map[string]string{"cat": "0", "dog": "1", "eel": "2"}
		},
		"without --mixed":         func(r *job.Request) { r.Mixed = true },
		"with another batch size": func(r *job.Request) { r.Batch = 16 },
		"with another suite":      func(r *job.Request) { r.Suite = b.derived() },
	} {
		req := b.request()
		alter(&req)
		testdata.Refused(t, says, testdata.Err(b.write(f.dir, req, 2)), says, f.dir)
	}
	says(t, testdata.Err(b.write(f.dir, b.request(), 3)), "3 shards are asked for")
	mixed := b.request()
	mixed.Mixed = true
	says(t, testdata.Err(b.write(b.plan(mixed, 1).dir, b.request(), 1)), "planned with --mixed")
	older := b.remade(f, func(m *manifest) { m.Program = "0.0.9" })
	says(t, testdata.Err(b.write(older.dir, b.request(), 2)), "it is of Variscope 0.0.9, and this is 0.1.0")
	foreign := b.remade(f, func(m *manifest) { b.orders(m, func(o *wire.Order) { o.Spec.Level = "other" }) })
	says(t, testdata.Err(b.write(foreign.dir, b.request(), 2)), "another kind of processor")
	if got := files(t, f.dir); !maps.Equal(got, want) {
		t.Error("the folder has changed")
	}
}
