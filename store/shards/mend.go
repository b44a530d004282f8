package shards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/job"
)

// mender brings back what the folder of a plan has lost. The plan itself stays.
type mender struct {
	folder   *Folder
	in       Making
	progress engine.Progress
	brought  []string
}

// mend looks at everything that the plan has; units of tasks are what the workspace lacks now.
func (m *mender) mend(ctx context.Context, tasks []engine.Task, units []planned) (Written, error) {
	f := m.folder
	apart := f.apart(m.in.Run)
	what := m.other()
	if what == "" && len(apart) == len(f.models) {
		what = apart[0].Err.Error()
	}
	if what != "" {
		return Written{}, fmt.Errorf("the folder %s holds another plan, of %d units in %d shards: %s; choose another folder", f.dir, f.UnitCount(), f.Shards(), what)
	}
	if _, err := durable.Within(f.dir, resultsFolder); err != nil {
		return Written{}, err
	}
	m.progress.SetTotal(int64(len(f.packs) + len(f.models)))
	if err := errors.Join(m.texts(), m.packs(ctx), m.models(ctx)); err != nil {
		return Written{}, err
	}
	out := Written{Plan: f.Plan, Again: true, Brought: m.brought}
	for _, r := range news(apart, m.in.Run.Refused) { // the caller knows of those
		out.Remarks = append(out.Remarks, r.Err)
	}
	if err := m.beyond(tasks, units, apart); err != nil {
		out.Remarks = append(out.Remarks, err)
	}
	return out, nil
}

// other says in which way the plan is that of another run than the one that is asked for, "" where it is the same.
func (m *mender) other() string {
	f, asked := m.folder, m.in.Run.Request()
	for _, d := range []struct {
		what    string
		differs bool
	}{
		{fmt.Sprintf("it is of Variscope %s, and this is %s", f.Program, m.in.Program), f.Program != m.in.Program},
		{"it is for another suite", f.Request.Suite != asked.Suite},
		{"it is for the family " + f.Request.Family, f.Request.Family != asked.Family},
		{"it has other positions", !slices.Equal(f.Request.Positions, asked.Positions)},
		{"it has other vector modalities", !slices.Equal(f.Request.Vectors, asked.Vectors)},
		{"it has another table of classes", !maps.Equal(f.Request.ClassMap, asked.ClassMap)},
		{"it was made without --mixed", !f.Mixed() && asked.Mixed},
		{"it was made with --mixed", f.Mixed() && !asked.Mixed},
		{fmt.Sprintf("%d shards are asked for", m.in.Shards), f.Shards() != m.in.Shards},
	} {
		if d.differs {
			return d.what
		}
	}
	return ""
}

// texts brings back what people and job schedulers read where nothing of it is there: job.sh may have been edited for a cluster.
func (m *mender) texts() error {
	for _, name := range []string{scriptFile, readmeFile} {
		if info, err := os.Lstat(m.folder.path(name)); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			continue
		}
		if err := m.bring(name, writing(m.folder.text(name))); err != nil {
			return err
		}
	}
	return nil
}

func (m *mender) packs(ctx context.Context) error {
	spec := m.folder.models[0].Spec
	for _, chunk := range slices.Sorted(maps.Keys(m.folder.packs)) {
		blob := m.folder.packs[chunk]
		err := m.object(ctx, packName(blob.SHA256), blob, func(out io.Writer) (wire.Blob, error) {
			first, n := spec.ChunkImages(chunk)
			return wire.WritePack(ctx, out, m.in.Run.Source, first, n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *mender) models(ctx context.Context) error {
	tasks := map[string]engine.Task{}
	for _, t := range m.in.Run.Tasks {
		tasks[t.Spec.Model] = t
	}
	for _, o := range m.folder.models {
		err := m.object(ctx, modelName(o.Model.SHA256), o.Model, func(out io.Writer) (wire.Blob, error) {
			task, ok := tasks[o.Spec.Model]
			if !ok {
				return wire.Blob{}, fmt.Errorf("model %s is not in the run, so that its file cannot be brought back", o.ID)
			}
			return copyModel(ctx, out, task)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// object brings a model or pack back where the one that is there is not what its name says.
func (m *mender) object(ctx context.Context, name string, blob wire.Blob, write func(io.Writer) (wire.Blob, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer m.progress.Add(1)
	if m.folder.check(name, blob) == nil {
		return nil
	}
	return m.bring(name, func(out io.Writer) error {
		made, err := write(out)
		if err == nil && made != blob {
			err = fmt.Errorf("the workspace has other content now, %.12s; plan the run again into another folder", made.SHA256)
		}
		return err
	})
}

// bring writes a file of the folder anew.
func (m *mender) bring(name string, fill func(io.Writer) error) error {
	if folder := path.Dir(name); folder != "." {
		if _, err := durable.Within(m.folder.dir, folder); err != nil {
			return err
		}
	}
	if err := durable.WriteFile(m.folder.path(name), fill); err != nil {
		return err
	}
	m.brought = append(m.brought, name)
	return nil
}

// beyond says which units the workspace lacks that the plan does not have: those of models that were imported since, or that were lost.
func (m *mender) beyond(tasks []engine.Task, units []planned, apart []job.Refused) error {
	has := map[string]bool{}
	for _, u := range m.folder.all() {
		has[u.Order.Unit] = true
	}
	keys := make([]string, len(tasks))
	for i, t := range tasks {
		keys[i] = t.Spec.Key()
	}
	var ids []string
	count := 0
	for _, u := range units {
		task := tasks[u.model]
		if has[signal.UnitKeyOf(keys[u.model], u.chunk)] || indexOf(apart, task.Spec.Model) >= 0 {
			continue
		}
		if count++; !slices.Contains(ids, task.ID) {
			ids = append(ids, task.ID)
		}
	}
	if count == 0 {
		return nil
	}
	return fmt.Errorf("the plan that was there stays as it is, without %d units that the workspace lacks by now, of %s; plan these models into another folder",
		count, strings.Join(ids, ", "))
}
