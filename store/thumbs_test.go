package store

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

func TestThumbsRoundTrip(t *testing.T) {
	w := fresh(t)
	for _, shade := range []uint8{10, 200} {
		must(t, w.PutThumb("a", storetest.Thumb(shade)))
	}
	got, ok := w.Thumb("a")
	if !ok || got.Bounds() != image.Rect(0, 0, 9, 5) {
		t.Fatalf("%v %v", got, ok)
	}
	for _, at := range []image.Point{{3, 2}, {0, 0}} { // the line, and the gap, which is transparent
		want := storetest.Thumb(200).At(at.X, at.Y)
		testdata.Is(t, at.String(), color.RGBAModel.Convert(got.At(at.X, at.Y)), want)
	}
	if _, ok := w.Thumb("a "); ok {
		t.Error("another key gives the same picture")
	}
	freed, err := w.RemoveThumbs()
	if err != nil || freed.Files != 1 || freed.Bytes == 0 || mustUsage(t, w).Thumbnails != 0 {
		t.Errorf("%+v %v", freed, err)
	}
}

func TestDamagedThumbIsMadeAnew(t *testing.T) {
	w := fresh(t)
	for name, damage := range map[string]func(path string, data []byte) error{
		"empty": func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o644) },
		"cut":   func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o644) },
		"scrambled": func(path string, data []byte) error {
			data[len(data)-20] ^= 0xff
			return os.WriteFile(path, data, 0o644)
		},
		"folder": func(path string, _ []byte) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
	} {
		must(t, w.PutThumb(name, storetest.Thumb(1)))
		data := storetest.Read(t, w.thumbFile(name))
		must(t, damage(w.thumbFile(name), data))
		if _, ok := w.Thumb(name); ok {
			t.Errorf("%s: a damaged picture was taken", name)
		}
	}
}

func TestThumbsAreBounded(t *testing.T) {
	w := fresh(t)
	must(t, w.PutThumb("0", storetest.Thumb(0)))
	one := mustUsage(t, w).Thumbnails
	w.thumbs.budget = 20 * one
	for i := 1; i < 60; i++ {
		key := fmt.Sprint(i)
		must(t, w.PutThumb(key, storetest.Thumb(uint8(i))))
		when := time.Now().Add(time.Duration(i-100) * time.Minute)
		must(t, os.Chtimes(w.thumbFile(key), when, when))
		if u := mustUsage(t, w); u.Thumbnails > 21*one {
			t.Fatalf("%d bytes after %d pictures, the bound is %d", u.Thumbnails, i, 20*one)
		}
	}
	if _, ok := w.Thumb("1"); ok {
		t.Error("the oldest picture is still there")
	}
	if _, ok := w.Thumb("59"); !ok {
		t.Error("the newest picture went")
	}
}

// TestALargeThumbIsNotUnpacked: a workspace may come from anybody.
func TestALargeThumbIsNotUnpacked(t *testing.T) {
	w := fresh(t)
	must(t, w.PutThumb("a", image.NewGray(image.Rect(0, 0, 2100, 2100))))
	if _, ok := w.Thumb("a"); ok {
		t.Error("4.4 million pixels were read")
	}
}

func TestThumbLeavesNothingWhenTheDiskFails(t *testing.T) {
	w := fresh(t)
	faults.Watch(t, w.Path()).Refuse(durable.Rename, errors.New("no"))
	testdata.Refused(t, "no error", w.PutThumb("a", storetest.Thumb(1)))
	if left := storetest.Parts(t, w.path); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	// What a crash leaves counts as a thumbnail's file and goes with the others.
	part := filepath.Join(w.path, database.ThumbsFolder, "x"+database.PartSuffix)
	must(t, os.WriteFile(part, []byte("half"), 0o644))
	if freed, err := w.RemoveThumbs(); err != nil || freed.Bytes != 4 {
		t.Errorf("%+v %v", freed, err)
	}
}
