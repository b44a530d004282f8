package kill_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/variscope/variscope/app/command"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/job"
)

// window does what the window's process does while somebody labels during a run that another
// machine has joined. It writes each label and each unit after it was kept.
func window(args []string) int {
	if err := labelsWhileRunning(args[0], args[1]); err != nil {
		return kill.Complain(err)
	}
	return 0
}

func labelsWhileRunning(path, family string) (err error) {
	pool, err := onnx.Workers("", nil, worker.Bounds{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	ws, err := store.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()
	ctx := context.Background()
	coordinator, err := cluster.Serve(ctx, ws.QueueFolder(), "127.0.0.1:0", cluster.Options{Self: cluster.Machine{
		Name: "window", Program: command.Version, Runtime: pool.Version(), Arch: runtime.GOARCH, Level: engine.Level(),
		Cores: runtime.NumCPU(),
	}})
	if err != nil {
		return err
	}
	defer func() {
		for _, w := range coordinator.Workers() {
			fmt.Println("elsewhere", w.Done)
		}
		coordinator.Close()
	}()
	fmt.Println("join", coordinator.Join()[0])
	eng := engine.New(pool, keeper{ws}, engine.Limits{})
	defer func() { err = errors.Join(err, eng.Close()) }()
	eng.Attach(coordinator)
	suites, err := ws.Suites()
	if err != nil {
		return err
	}
	id, _, err := job.Start(ctx, ws, eng, pool, job.Request{Suite: suites[0].Hash, Family: family}, engine.NoProgress{})
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		status, err := eng.Wait(ctx, id)
		for _, task := range status.Tasks {
			err = errors.Join(err, task.Err)
		}
		ended <- err
	}()
	rounds, err := ws.Rounds()
	if err != nil {
		return err
	}
	r := rounds[0]
	for i := 0; ; i++ {
		select {
		case err := <-ended:
			return err
		case <-time.After(20 * time.Millisecond):
		}
		ev, err := ws.Append(label.Event{
			Round: r.ID, Model: r.Models[i%len(r.Models)], Annotator: r.Annotators[i%2], Kind: label.Label, Seconds: 1,
			Value: []label.Value{label.Variant, label.Invariant}[i/2%2],
		})
		if err != nil {
			return err
		}
		fmt.Println("label", ev.ID)
	}
}

// keeper says of each unit that it is kept.
type keeper struct{ *store.Workspace }

// Record implements engine.Recorder.
func (k keeper) Record(ctx context.Context, spec signal.Spec, unit *signal.Unit) error {
	err := k.Workspace.Record(ctx, spec, unit)
	if err == nil {
		fmt.Println("unit", spec.UnitKey(unit.Chunk))
	}
	return err
}
