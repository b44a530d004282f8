// Package augmented writes training sets that are augmented as a D-Score recommends
// (spec/dscore.md section 4), or by the methods that its paper compares, and the recipe for other
// programs.
//
// A set is a folder of its own below the one that is asked for, in a form of store/imageset:
//
//	train-augmented-p0.2532/    the suite and p; with a seed other than 1 it says so
//	    README.md               what it was made of
//	    recipe.json             see Recipe
//	    paddings.csv            image,padded,top,bottom,left,right: the number of the image
//	                            in the suite, from 0; true or false; pixels
//	    classes.txt, zero/00017.png, ...    or images-idx3-ubyte and labels-idx1-ubyte
//	train-rhf/                  a set of another method, with draws.csv in place of paddings.csv
//
// Every image of the suite is there once. Values are rounded to the nearest of 256 levels:
// corruptions truncate, since the published sets that they are compared with do so, but that
// darkens an image by half a level on average. Only padded images would be darkened, and a network
// could learn the difference. An image of 8 bits that is not padded keeps all its values.
package augmented

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/imageset"
)

// Options say what is written and where.
type Options struct {
	Out     string          // folder that takes the set's folder, made where there is none
	Format  imageset.Format // folder or idx; empty is folder
	Method  Method          // empty for Guided
	P       float64         // of Guided: probability and share of padding (Eq. 7); sizes are each image's own
	Seed    uint64          // 0 for 1
	Version string          // of the program, for the README
	// From says which score recommends it; nil for none. Its augmentation and seed are not read:
	// recipe.json has those of the set.
	From *Recipe
}

// Written is what became of a set.
type Written struct {
	Folder string
	Images int
	Padded int // of them; of another method than Guided: changed
	There  bool
}

// The files beside the images.
const (
	recipeName   = "recipe.json"
	paddingsName = "paddings.csv"
	drawsName    = "draws.csv"
)

// FolderName is the name of the folder of a guided set.
func FolderName(suiteName string, p float64, seed uint64) string {
	return folderName(suiteName, "augmented-p"+result.Digits(p, 4), seed)
}

func folderName(suiteName, how string, seed uint64) string {
	name := imageset.FolderName(suiteName) + "-" + how
	if seed > 1 {
		name += fmt.Sprintf("-seed%d", seed)
	}
	return name
}

// Write writes every image of an opened suite once, with probability P padded and resized back or
// as another method changes it, labels and order kept, with README.md, recipe.json and
// paddings.csv or draws.csv. The folder is written beside its place and renamed, so that nothing
// is left after an error or when ctx ends. A folder that holds just what would be written is left
// as it is (There); any other of that name is an error. p (may be nil) counts images. The files
// have the same bytes for any number of processors.
func Write(ctx context.Context, s *suite.Suite, o Options, p engine.Progress) (Written, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	j, err := plan(s, o)
	if err != nil {
		return Written{}, err
	}
	p.SetTotal(int64(s.Len()))
	if j.There {
		p.Add(int64(s.Len()))
		return j.Written, nil
	}
	undo, err := imageset.Parent(o.Out)
	if err != nil {
		return Written{}, fmt.Errorf("write augmented images: %w", err)
	}
	if err := j.set.Write(ctx, p); err != nil {
		return Written{}, fmt.Errorf("augmented images of suite %s: %w", s.Manifest().Name, errors.Join(err, undo()))
	}
	return j.Written, nil
}

// job is a set to be written.
type job struct {
	Written
	Options
	set    imageset.Set
	recipe []byte
	drawn  [][]string // by image; each is written once, by whoever makes the image
}

// plan prepares the set and refuses what cannot be written.
func plan(s *suite.Suite, o Options) (*job, error) {
	m := s.Manifest()
	o.Method = cmp.Or(o.Method, Guided)
	if o.Out == "" {
		return nil, errors.New("name a folder to write the images to")
	}
	if _, known := ways[o.Method]; !known && o.Method != Guided {
		return nil, fmt.Errorf("%s is no augmentation: take guided, rhf, rvf, rhv, rr or rpr", o.Method)
	}
	if _, err := dscore.NewRecipe(1, 1, o.P); err != nil {
		return nil, err
	}
	o.Format, o.Seed = cmp.Or(o.Format, imageset.Folder), max(o.Seed, 1)
	if err := o.Format.Check(m); err != nil {
		return nil, err
	}
	j := &job{Options: o, drawn: make([][]string, s.Len())}
	j.Written = Written{
		Folder: filepath.Join(o.Out, FolderName(m.Name, o.P, o.Seed)), Images: s.Len(),
		Padded: Count(o.P, o.Seed, s.Len()),
	}
	if o.Method != Guided {
		j.Folder, j.Padded = filepath.Join(o.Out, folderName(m.Name, string(o.Method), o.Seed)), o.changed(s.Len())
	}
	var err error
	if j.recipe, err = recipeOf(m, o); err != nil {
		return nil, err
	}
	j.set = imageset.Set{Folder: j.Folder, Suite: s, Format: o.Format, Card: j.card(m), Image: j.image, More: j.more}
	j.There, err = j.set.There()
	return j, err
}

// changed is how many of the first images another method than Guided changes.
func (o Options) changed(images int) (n int) {
	flips := ways[o.Method].flips
	for i := range images {
		if flips == nil || flips(three(random(o.Seed, i))) != [2]bool{} {
			n++
		}
	}
	return n
}

// recipeOf is recipe.json of a set: where the suite's images have several sizes, without one.
func recipeOf(m suite.Manifest, o Options) ([]byte, error) {
	var out bytes.Buffer
	if o.Method != Guided {
		err := writeMethod(&out, o.Method, o.Seed)
		return out.Bytes(), err
	}
	var r Recipe
	if o.From != nil {
		r = *o.From
	}
	r.Seed, r.Augmentation = o.Seed, dscore.Recipe{P: o.P}
	if m.Shape != [3]int{} {
		var err error
		if r.Augmentation, err = dscore.NewRecipe(m.Shape[1], m.Shape[2], o.P); err != nil {
			return nil, err
		}
	}
	err := WriteRecipe(&out, r)
	return out.Bytes(), err
}

// card says for people, and for the next write, what the folder was made of.
func (j *job) card(m suite.Manifest) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p := result.Number.Write(j.P)
	title, drawn := "padded with probability "+p, "p: "+p+", "
	what, file := "paddings: `%s`, in pixels, before images are resized back", paddingsName
	done := "padded"
	if j.Method != Guided {
		title, drawn, done = ways[j.Method].title, "", "changed"
		what, file = "draws: `%s`, what was drawn for each image", drawsName
	}
	line("# %s: %s\n", m.Name, title)
	line("- suite: %s, %d images, content hash %s", m.Name, m.Images, m.Hash)
	line("- %sseed: %d; %d images are %s", drawn, j.Seed, j.Padded, done)
	line("- how: `%s`, SHA-256 %x", recipeName, sha256.Sum256(j.recipe))
	line("- "+what, file)
	line("- values: 8 bits, rounded to the nearest level")
	line("- format: %s", j.Format)
	for _, note := range imageset.ClassNotes(m, j.Format) {
		line("%s", note)
	}
	line("- made by: Variscope %s", j.Version)
	return b.String()
}

// image makes one image of the set.
func (j *job) image(i int, img suite.Image) (out suite.Image, err error) {
	if j.Method != Guided {
		out, j.drawn[i], err = ways[j.Method].image(img, three(random(j.Seed, i)))
		return out, err
	}
	out, padding, padded, err := Image(j.P, j.Seed, i, img)
	j.drawn[i] = append([]string{strconv.FormatBool(padded)}, pixels(padding)...)
	return out, err
}

// more writes the recipe and what was drawn beside the images.
func (j *job) more(draft *durable.Draft) error {
	var out bytes.Buffer
	columns, name := []string{"padded", "top", "bottom", "left", "right"}, paddingsName
	if j.Method != Guided {
		columns, name = ways[j.Method].columns, drawsName
	}
	rows := [][]string{append([]string{"image"}, columns...)}
	for i, drawn := range j.drawn {
		rows = append(rows, append([]string{strconv.Itoa(i)}, drawn...))
	}
	if err := csvfile.NewWriter(&out).WriteAll(rows); err != nil {
		return err
	}
	return errors.Join(draft.WriteBytes(recipeName, j.recipe), draft.WriteBytes(name, out.Bytes()))
}

// random is the source of one image's draws. It depends on nothing but the seed and the image's
// number, so that neither the order nor the number of workers can change a set.
func random(seed uint64, image int) *rand.Rand {
	return rand.New(rand.NewPCG(max(seed, 1), uint64(image)))
}

// Padded tells whether image i of a suite is padded, whatever its size.
func Padded(p float64, seed uint64, i int) bool {
	return random(seed, i).Float64() < p // the first of the three draws of dscore.Recipe.Draw
}

// Count is how many of the first images are padded.
func Count(p float64, seed uint64, images int) (padded int) {
	for i := range images {
		if Padded(p, seed, i) {
			padded++
		}
	}
	return padded
}

// Image is what Write makes of image i of a suite, before its values are rounded: padded and
// resized back, or the image itself. It fails for p outside [0, 1].
func Image(
	p float64, seed uint64, i int, img suite.Image,
) (out suite.Image, padding region.Padding, padded bool, err error) {
	r, err := dscore.NewRecipe(img.Height, img.Width, p)
	if err != nil {
		return suite.Image{}, region.Padding{}, false, err
	}
	padding, padded = r.Draw(random(seed, i))
	return placed(img, padding), padding, padded, nil
}
