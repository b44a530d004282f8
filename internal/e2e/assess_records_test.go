package e2e

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// TestAssessorsFromRecords trains on a column of the training records of MNIST's models, where
// that zoo is there, and reads the same table as the command line's.
func TestAssessorsFromRecords(t *testing.T) {
	zoo, ok := testdata.Zoo("mnist")
	if !wanted(t) {
		return
	}
	if !ok {
		fmt.Println("window tests: no models of MNIST beside the repository")
		return
	}
	begun := time.Now()
	d := newDesk(t, "1280x800")
	workspace := d.someOfMNIST(zoo)
	want := d.learned(workspace, "--column", "rule_label")
	w := d.start(workspace)
	w.goes("ctrl+6", "column rule_label")
	w.tap("Train and compare")
	w.shows("20 of 20 models labelled (10 invariant, 10 variant), 6 held out")
	w.compares(want)
	w.press("AdaBoost among the scores", onLine("AdaBoost", "accuracy"), node.middle)
	w.opens("Inside", "The trees of AdaBoost in their order.")
	w.shot("assessors-stumps")
	w.opens("Verdicts", "all models")
	w.choose("all models", "somebody says otherwise")
	w.shows(fmt.Sprintf("%d of 20", want.doubts("adaboost")))
	w.opens("Stability and transfer", "Compute")
	w.tap("Compute")
	w.shows("± on all")
	w.shot("assessors-stability")
	w.close()
	fmt.Printf("window tests: assessors from records in %s\n", time.Since(begun).Round(time.Second))
}

// someOfMNIST makes a workspace with ten invariant and ten variant models, three of each held out,
// and a short suite.
func (d *desk) someOfMNIST(zoo string) string {
	d.t.Helper()
	folder := d.t.TempDir()
	images := filepath.Join(folder, "some-images-idx3-ubyte")
	d.shorten(filepath.Join(zoo, "test-images-idx3-ubyte.gz"), images, 16, 28*28)
	d.shorten(filepath.Join(zoo, "test-labels-idx1-ubyte.gz"), filepath.Join(folder, "some-labels-idx1-ubyte"), 8, 1)
	records := filepath.Join(folder, "models.csv")
	f, err := os.Create(records)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	out := csv.NewWriter(f)
	_ = out.Write([]string{"id", "file", "fold", "mean", "std", "output_kind", "rule_label"})
	taken := map[string]int{}
	for _, row := range table(d.t, filepath.Join(zoo, "models.csv")) {
		kind := row["fold"] + row["rule_label"]
		if most := map[string]int{"regular": 7, "holdout": 3}[row["fold"]]; taken[kind] < most {
			taken[kind]++
			file := filepath.Join(zoo, "models", row["id"]+".onnx")
			_ = out.Write([]string{
				row["id"], file, row["fold"], row["mean"], row["std"], row["output_kind"], row["rule_label"],
			})
		}
	}
	if out.Flush(); out.Error() != nil {
		d.t.Fatal(out.Error())
	}
	workspace := filepath.Join(folder, "mnist.variscope")
	d.run("import", workspace, records, images)
	d.run("run", workspace, "--suite", "some", "--family", "rotation:-15:15:7.5")
	return workspace
}

// someImages is how many images the short suite has.
const someImages = 240

// shorten writes the first items of a compressed IDX file, whose header has so many bytes.
func (d *desk) shorten(from, to string, header, item int) {
	d.t.Helper()
	f, err := os.Open(from)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		d.t.Fatal(err)
	}
	data := make([]byte, header+someImages*item)
	if _, err := io.ReadFull(unpacked, data); err != nil {
		d.t.Fatal(err)
	}
	binary.BigEndian.PutUint32(data[4:], someImages)
	if err := os.WriteFile(to, data, 0o600); err != nil {
		d.t.Fatal(err)
	}
}
