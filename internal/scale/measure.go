package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/doctor"
)

// measured prints what something takes: clock, processor, and how much the program has in memory
// after it.
func measured(what string, times int, do func() error) error {
	begun, used := time.Now(), processor()
	for range times {
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	n := time.Duration(times)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("| %s | %s | %s | %d |\n", what, (time.Since(begun) / n).Round(10*time.Microsecond),
		((processor() - used) / n).Round(10*time.Microsecond), m.Sys>>20)
	return nil
}

// processor is the processor time of this process.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measurement is what the measurements share.
type measurement struct {
	ctx    context.Context
	ws     *store.Workspace
	models []model.Model
	suites map[string]string
	round  label.Round
}

func measureAll(ctx context.Context, path string) error {
	size, files := int64(0), 0
	err := filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err // a folder that is not there has no entry
		}
		if info, err := entry.Info(); err == nil && !entry.IsDir() {
			size, files = size+info.Size(), files+1
		}
		return nil
	})
	if err != nil {
		return err
	}
	database, err := os.Stat(filepath.Join(path, "workspace.db"))
	if err != nil {
		return err
	}
	fmt.Printf("%d files, %s, the database %s\n\n| what | clock | processor | program (MB) |\n| --- | --- | --- | "+
		"--- |\n", files, store.SizeText(size), store.SizeText(database.Size()))
	b := &measurement{ctx: ctx, suites: map[string]string{}}
	if err := measured("open", 1, func() (err error) { b.ws, err = store.Open(path); return err }); err != nil {
		return err
	}
	defer func() { _ = b.ws.Close() }()
	return errors.Join(b.lists(), b.browse(), b.judge(), b.examine(path))
}

// lists reads what the screens show first.
func (b *measurement) lists() error {
	suites, err := b.ws.Suites()
	if err != nil {
		return err
	}
	for _, s := range suites {
		b.suites[s.Name] = s.Hash
	}
	if b.models, err = b.ws.Models(); err != nil {
		return err
	}
	rounds, err := b.ws.Rounds()
	if err != nil || len(rounds) == 0 {
		return errors.Join(err, errors.New("the workspace has no round"))
	}
	b.round = rounds[0]
	return errors.Join(
		measured("list of models with states and accuracies", 10,
			func() error { _, err := b.ws.Overview(b.suites["some"], sample.Family); return err }),
		measured("matrices of a model for its tile", len(b.models), b.each(func(m model.Model) error {
			_, _, err := b.ws.Summary(m, b.suites["some"], sample.Family)
			return err
		})),
		measured("shared colour ranges", 1, func() error { _, err := b.ws.RoundRanges(b.ctx, b.round); return err }),
	)
}

// each goes round the models.
func (b *measurement) each(do func(m model.Model) error) func() error {
	k := -1
	return func() error {
		k++
		return do(b.models[k%len(b.models)])
	}
}

// browse opens models as Inspect does, on 10,000 images.
func (b *measurement) browse() error {
	var whole []store.SetInfo
	for _, m := range b.models {
		info, ok, err := b.ws.BestSet(m, b.suites["every"], sample.Family)
		if err != nil {
			return err
		}
		if ok {
			whole = append(whole, info)
		}
	}
	if len(whole) == 0 {
		return nil
	}
	k := -1
	load := func() error {
		k++
		_, err := b.ws.LoadSet(b.ctx, whole[k%len(whole)].Key, store.Want{Everything: true})
		return err
	}
	return errors.Join(measured("all signals of a model on 10,000 images, first time", len(whole), load),
		measured("the same again", len(whole), load))
}

// judge is what Label, Agreement and Features wait for.
func (b *measurement) judge() error {
	next := func(m model.Model) error {
		_, err := b.ws.Matrices(b.ctx, store.MatrixRequest{
			Model: m, Suite: b.round.Suite, Family: b.round.Family,
			Modalities: b.round.Modalities, Images: variance.AllImages(),
		})
		return err
	}
	some, err := b.ws.Suite(b.suites["some"])
	if err != nil {
		return err
	}
	return errors.Join(
		measured("next model to label", len(b.models), b.each(next)),
		measured("all label events of the round", 5, func() error { _, err := b.ws.Events(b.round.ID); return err }),
		measured("agreement with intervals", 1, func() error {
			events, err := b.ws.Events(b.round.ID)
			if err != nil {
				return err
			}
			agreement.OfRound(b.round, events, b.round.Models, b.round.Annotators, agreement.Options{Intervals: true})
			return nil
		}),
		measured("the 80 features of a model", 20, b.each(func(m model.Model) error {
			q := store.FeatureRequest{
				Model: m, Suite: some, Family: sample.Family, Layout: feature.DefaultLayout(),
				Images: variance.AllImages(),
			}
			info, err := b.ws.FeatureSet(q)
			var lacks *store.NoFeaturesError
			if errors.As(err, &lacks) {
				return nil // every fifth model has one convolution only
			}
			if err != nil {
				return err
			}
			_, err = b.ws.Features(b.ctx, info, q)
			return err
		})),
	)
}

// examine is variscope doctor.
func (b *measurement) examine(path string) error {
	if err := b.ws.Close(); err != nil {
		return err
	}
	return measured("variscope doctor", 1, func() error {
		e, err := doctor.Examine(b.ctx, path, engine.NoProgress{})
		if err == nil && len(e.Problems()) > 0 {
			err = errors.New(e.Problems()[0].Sentence())
		}
		return err
	})
}
