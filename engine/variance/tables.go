package variance

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// Options are those of the command that makes variance matrices.
type Options struct {
	Models        []string `aliases:"model" help:"Models of the workspace, by id (default: all with signals)." placeholder:"ID"`
	Suite         string   `help:"Suite: by name or hash in a workspace, by path for a model." study:"beside"`
	Family        string   `help:"Family, such as rotation:-15:15:1."`
	Interpolation string   `help:"nearest, bilinear or bicubic; the same as ;interpolation=... in the family." enum:",nearest,bilinear,bicubic" default:""`
	Modality      []string `name:"modalities" aliases:"modality" help:"Modalities, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M"`
	Choice
	Resampling
	Certainty bool    `help:"Also how far the largest element of each matrix may be off (Hoeffding bound), and which images are extreme; this reads the signals."`
	Interval  float64 `help:"Only values of V within this distance of the identity (default: all)." min:"0"`
	Element   string  `help:"Also which images make the element between two values of V, such as 2,-4, with both signals of each; this reads the signals." placeholder:"VI,VJ"`
}

// Check refuses what is no element.
func (o *Options) Check() error {
	if _, err := o.element(); o.Element != "" && err != nil {
		return option.Errorf("{element} takes two values of V, such as {element}=2,-4, and got %q", o.Element)
	}
	return nil
}

// element are the values of V that Element names.
func (o *Options) element() (v [2]float64, err error) {
	first, second, _ := strings.Cut(o.Element, ",")
	for side, text := range []string{first, second} {
		if v[side], err = strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil {
			return v, err
		}
	}
	return v, nil
}

// At are the transformations that Element names, among the values of V. The error names the values
// that there are.
func (o *Options) At(values []float64) (at [2]int, err error) {
	v, err := o.element()
	if err != nil {
		return at, err
	}
	for side := range v {
		if at[side] = slices.Index(values, v[side]); at[side] < 0 {
			texts := make([]string, len(values))
			for k, value := range values {
				texts[k] = result.Number.Write(value)
			}
			return at, fmt.Errorf("--element %s: no transformation has V = %s; choose two of %s",
				o.Element, result.Number.Write(v[side]), strings.Join(texts, ", "))
		}
	}
	return at, nil
}

// Between is what Element is for two values of V.
func Between(vi, vj float64) string { return result.Number.Write(vi) + "," + result.Number.Write(vj) }

// Choice are the options that choose images, as commands take them.
type Choice struct {
	Images  string  `help:"all, correct or wrong." enum:"all,correct,wrong" default:"all"`
	Class   int     `help:"Only images of this class (its number in the suite); -1 for all." default:"-1" min:"-1"`
	Share   float64 `help:"Share of the suite, drawn once from --seed." default:"1" above:"0" max:"1"`
	Seed    uint64  `help:"Seed of the share, and of resamples." default:"1"`
	Exclude []int   `help:"Images to leave out, by number." placeholder:"N" min:"0"`
}

// Chosen is the choice of images that is asked for.
func (c Choice) Chosen() Images {
	which := max(slices.Index(whichNames, c.Images), 0)
	return Images{Which: Which(which), Class: c.Class, Share: c.Share, Seed: c.Seed, Excluded: c.Exclude}
}

// ChoiceOf are the options that choose images.
func ChoiceOf(i Images) Choice {
	return Choice{Images: i.Which.String(), Class: i.Class, Share: i.Share, Seed: i.Seed, Exclude: i.Excluded}
}

// All tells whether no option chooses images.
func (c Choice) All() bool {
	return c.Images == All.String() && c.Class == AnyClass && c.Share == 1 && c.Seed == 1 && len(c.Exclude) == 0
}

// Of is a matrix of a model, or the reason why the model lacks it: a row of Matrices.
type Of struct {
	Model, Modality string // ID and modality
	Matrix          Matrix
	Band            Band // empty where none was asked for, and where there is none
	Absent          result.Reason
	// Images are those that the matrix rests on; Skipped more were left out of the suite as
	// corrupt. Both are unknown, and 0, for a matrix FromFile.
	Images, Skipped int
	FromFile        bool
	Device          string // the kind that has computed its signals, empty for the processor
}

// names are the columns that say which matrix a record is about.
var names = append(
	result.Lift(subject.Columns[:1], func(o Of) subject.Subject { return subject.Subject{Model: o.Model} }),
	result.Texts("matrix", "matrix", "reducer and position whose variance matrix it is, such as max@CONF",
		func(o Of) string { return o.Modality }))

// Matrices is the table of matrices, with two numbers of each.
var Matrices = result.Table[Of]{
	Name: "matrices", Title: "Variance matrices", Noun: "matrix",
	ID: func(o Of) string { return o.Model + "/" + o.Modality },
	Columns: append(slices.Clone(names),
		images("images", "images", "images that it rests on", func(o Of) int { return o.Images }),
		images("skipped_images", "skipped", "images that were left out of the suite as corrupt",
			func(o Of) int { return o.Skipped }).In(result.FileOnly),
		number("max", "largest", "largest element", Matrix.Max),
		number("mean_all", "mean of all elements",
			"mean of all N x N elements; the feature mean leaves out the diagonal and one half", Matrix.Mean)),
	More: func(rows []Of) []result.Column[Of] {
		return subject.Device(rows, func(o Of) string { return o.Device })
	},
}

// images is a column of a number of images, which files of matrices do not tell.
func images(key, title, help string, of func(Of) int) result.Column[Of] {
	return result.Numbers(key, title, help, result.Count, func(o Of) float64 {
		if o.FromFile {
			return math.NaN()
		}
		return float64(of(o))
	}).Because(func(o Of) result.Reason {
		if o.FromFile {
			return result.Because("from_file", "the file does not say how many images its matrices rest on")
		}
		return result.Reason{}
	})
}

// number is a column of a number of the matrix.
func number(key, title, help string, of func(Matrix) float64) result.Column[Of] {
	c := result.Numbers(key, title, help, result.Number, func(o Of) float64 {
		if v := of(o.Matrix); o.Matrix.N > 0 && !math.IsInf(v, 0) {
			return v
		}
		return math.NaN()
	})
	c.Decimals = 4
	return c.Because(func(o Of) result.Reason { return o.Absent })
}

// Row is a row of a matrix: the elements between one transformation and all; a row of Elements.
type Row struct {
	Of
	I int // number of the transformation
}

// RowsOf are the rows of the matrices that are there.
func RowsOf(list []Of) (rows []Row) {
	for _, o := range list {
		for i := range o.Matrix.N {
			rows = append(rows, Row{o, i})
		}
	}
	return rows
}

// Elements is the table of the elements of matrices over these sampling values: a row per matrix
// and value of V, and a column per value, with intervals where there are bands. A matrix of fewer
// transformations lies in the middle of them.
func Elements(v []float64) result.Table[Row] {
	first := func(r Row) int { return (len(v) - r.Matrix.N) / 2 } // place of its first value
	return result.Table[Row]{
		Name: "elements", Title: "Elements of the variance matrices", Noun: "row",
		ID: func(r Row) string { return r.Model + "/" + r.Modality + "/" + strconv.Itoa(r.I) },
		Columns: append(result.Lift(names, func(r Row) Of { return r.Of }),
			result.Numbers("V", "V", "sampling value of the row", result.Number,
				func(r Row) float64 { return v[first(r)+r.I] })),
		More: func(rows []Row) (columns []result.Column[Row]) {
			banded := slices.ContainsFunc(rows, func(r Row) bool { return r.Band.Low.N > 0 })
			for k, value := range v {
				element := func(r Row, of Matrix) float64 {
					if j := k - first(r); j >= 0 && j < of.N {
						return of.At(r.I, j)
					}
					return math.NaN()
				}
				text := result.Number.Write(value)
				c := result.Numbers(text, text, "element between V and this sampling value", result.Number,
					func(r Row) float64 { return element(r, r.Matrix) })
				if banded {
					c = c.Between(func(r Row) float64 { return element(r, r.Band.Low) },
						func(r Row) float64 { return element(r, r.Band.High) })
				}
				columns = append(columns, c)
			}
			return columns
		},
	}
}
