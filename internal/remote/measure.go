package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// experiment is what is measured.
type experiment struct {
	program, shape, family string
	images, rounds, cores  int
	models                 []string
	workers                []int // numbers of workers with one core each

	folder string // that is thrown away afterwards
}

// figures are what a run took.
type figures struct {
	units int
	// perSecond are units per second from the moment at which everybody had brought one, so that
	// the start of the processes is left out.
	perSecond     float64
	desk, workers time.Duration // processor time of the process that has the workspace, and of all workers
}

// each is processor time per unit in milliseconds.
func (f figures) each(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond) / float64(f.units)
}

// measure prints a line per run, and at the end the medians of each kind of run.
func (t experiment) measure(ctx context.Context, out io.Writer) (err error) {
	if t.folder, err = os.MkdirTemp("", "variscope-remote-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.folder)) }()
	if err := t.importAll(ctx); err != nil {
		return err
	}
	all := map[string][]figures{}
	fmt.Fprintln(out, "| round | run | units | units/s | of the first | desk, ms/unit | workers, ms/unit |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- | --- |")
	for round := range t.rounds {
		first := 0.0
		for _, k := range t.kinds() {
			f, err := t.one(ctx, k)
			if err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
			if first == 0 {
				first = f.perSecond
			}
			all[k.String()] = append(all[k.String()], f)
			fmt.Fprintf(out, "| %d | %s | %d | %.2f | %.3f | %.2f | %.2f |\n", round+1, k, f.units, f.perSecond,
				f.perSecond/first, f.each(f.desk), f.each(f.workers))
		}
	}
	first := t.kinds()[0].String()
	for _, k := range t.kinds() {
		list := all[k.String()]
		fmt.Fprintf(out, "| median | %s | %d | %.2f | %.3f | %.2f | %.2f |\n", k, list[0].units,
			median(list, func(i int) float64 { return list[i].perSecond }),
			median(list, func(i int) float64 { return list[i].perSecond / all[first][i].perSecond }),
			median(list, func(i int) float64 { return list[i].each(list[i].desk) }),
			median(list, func(i int) float64 { return list[i].each(list[i].workers) }))
	}
	return nil
}

// median is that of a number of every run in the list.
func median(list []figures, number func(i int) float64) float64 {
	var all []float64
	for i := range list {
		all = append(all, number(i))
	}
	slices.Sort(all)
	return (all[len(all)/2] + all[(len(all)-1)/2]) / 2
}

// kind is a way to run: so many cores of this computer alone, or so many workers.
type kind struct{ cores, workers int }

func (k kind) String() string {
	if k.workers == 0 {
		return fmt.Sprintf("%d cores here", k.cores)
	}
	return fmt.Sprintf("%d workers", k.workers)
}

// kinds are the runs of a round in their order.
func (t experiment) kinds() (list []kind) {
	if t.cores > 0 {
		list = append(list, kind{cores: t.cores})
	}
	for _, n := range t.workers {
		list = append(list, kind{workers: n})
	}
	return list
}

// importAll makes the workspace that every run gets a copy of.
func (t experiment) importAll(ctx context.Context) error {
	suite := filepath.Join(t.folder, "noise")
	if err := writeNoise(suite, t.shape, t.images); err != nil {
		return err
	}
	paths := slices.Concat([]string{"import", t.workspace("base")}, t.models)
	for _, line := range [][]string{paths, {
		"import", t.workspace("base"), "--name", "noise",
		suite + suffixes[t.shape],
	}} {
		if out, err := exec.CommandContext(ctx, t.program, line...).CombinedOutput(); err != nil {
			return fmt.Errorf("variscope %s: %w: %s", strings.Join(line, " "), err, out)
		}
	}
	return nil
}

func (t experiment) workspace(name string) string { return filepath.Join(t.folder, name+".variscope") }

// one is a run in a workspace and with caches of its own.
func (t experiment) one(ctx context.Context, k kind) (f figures, err error) {
	ws := t.workspace("round")
	if err := os.CopyFS(ws, os.DirFS(t.workspace("base"))); err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(ws)) }()
	line := []string{"run", ws, "--suite", "noise", "--family", t.family, "--batch", "32"}
	if k.workers == 0 {
		f.desk, err = t.alone(ctx, append(line, "--workers", fmt.Sprint(k.cores)))
	} else {
		f.desk, f.workers, err = t.together(ctx, append(line, "--listen", "127.0.0.1:0", "--only-others"), k.workers)
	}
	if err != nil {
		return f, err
	}
	f.units, f.perSecond, err = pace(filepath.Join(ws, "signals"), k.cores+k.workers)
	return f, err
}

// alone runs a command and returns its processor time.
func (t experiment) alone(ctx context.Context, line []string) (time.Duration, error) {
	command := exec.CommandContext(ctx, t.program, line...)
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Run(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, said.String())
	}
	return used(command), nil
}

// together runs a coordinator and its workers.
func (t experiment) together(ctx context.Context, line []string, workers int) (desk, busy time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	coordinator := exec.CommandContext(ctx, t.program, line...)
	said, err := coordinator.StderrPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := coordinator.Start(); err != nil {
		return 0, 0, err
	}
	join, text, read := listen(said)
	if join == "" {
		return 0, 0, fmt.Errorf("the coordinator has ended: %w: %s", coordinator.Wait(), text())
	}
	var group errgroup.Group
	workersContext, release := context.WithCancel(ctx)
	defer release()
	spent := make([]time.Duration, workers)
	for k := range workers {
		group.Go(func() error {
			var err error
			if spent[k], err = t.worker(workersContext, join, k); err != nil {
				cancel() // without it the coordinator waits for ever
			}
			return err
		})
	}
	<-read
	err = coordinator.Wait()
	release()
	if err = errors.Join(err, group.Wait()); err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, text())
	}
	for _, d := range spent {
		busy += d
	}
	return used(coordinator), busy, nil
}

// worker works until ctx ends, which it is told by an interrupt, and returns its processor time.
func (t experiment) worker(ctx context.Context, join string, number int) (time.Duration, error) {
	cache, err := os.MkdirTemp(t.folder, "cache-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(cache) }() // the folder around it goes later, too
	command := exec.Command(t.program, "worker", join, "--cores", "1", "--name", fmt.Sprint(number+1), "--cache", cache)
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Start(); err != nil {
		return 0, err
	}
	stop := context.AfterFunc(ctx, func() { _ = command.Process.Signal(syscall.SIGTERM) })
	defer stop()
	if err := command.Wait(); err != nil && ctx.Err() == nil {
		return 0, fmt.Errorf("a worker has ended: %w: %s", err, said.String())
	}
	return used(command), nil
}

var joinLine = regexp.MustCompile(`variscope worker '([^']+)'`)

// listen waits for the line with which workers join, empty where the process ended without, and
// goes on reading what is said; read is closed at its end.
func listen(from io.Reader) (join string, text func() string, read chan struct{}) {
	var mu sync.Mutex
	var said strings.Builder
	lines := bufio.NewScanner(from)
	next := func() bool {
		if !lines.Scan() {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(&said, lines.Text())
		return true
	}
	for join == "" && next() {
		if found := joinLine.FindStringSubmatch(lines.Text()); found != nil {
			join = found[1]
		}
	}
	read = make(chan struct{})
	go func() {
		defer close(read)
		for next() {
		}
	}()
	return join, func() string {
		mu.Lock()
		defer mu.Unlock()
		return said.String()
	}, read
}

// used is the processor time of a process that has ended, and of those that it has started.
func used(c *exec.Cmd) time.Duration { return c.ProcessState.UserTime() + c.ProcessState.SystemTime() }

// pace reads from the times of the signal files how many units were kept per second, after as many
// as are computed at a time: these come together.
func pace(folder string, together int) (units int, perSecond float64, err error) {
	var times []time.Time
	err = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			times = append(times, info.ModTime())
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	if len(times) < 2*together {
		return 0, 0, fmt.Errorf("%d units are too few to measure; take more images or models", len(times))
	}
	slices.SortFunc(times, time.Time.Compare)
	took := times[len(times)-1].Sub(times[together-1]).Seconds()
	return len(times), float64(len(times)-together) / took, nil
}
