package export

import (
	"io"
	"net/url"
	"strings"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
)

// View is what the items of an export are seen by: one suite, family and image filter.
type View struct {
	Folder     string // where its files go below the export, "" for the top
	Suite      string // content hash
	SuiteName  string
	Derived    *suite.Derived // what a suite is made from that lies nowhere; nil for any other
	BaseName   string         // of the suite that it is made from
	Family     string         // canonical text
	Axis       Axis           // of the sampling variable
	Filter     string         // of the images, canonical text
	Modalities []string       // in the order of display
	Ranges     ColourMap      // per modality
	Items      []Item
	Rounds     []string // ids of the rounds that look at it
	Features   ViewFeatures
}

// Axis is the sampling variable V of a family.
type Axis struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Family string    `json:"family"`
	Values []float64 `json:"values"`
}

// ColourMap holds the colour range of each modality.
type ColourMap map[string]label.Range

// Array is a matrix by its name in a .npz file.
type Array struct {
	Name string
	variance.Matrix
}

// WriteNPZ writes matrices as numpy.savez does, N x N float64 in plain order (row i, column j is
// delta_ij), and `V`, the sampling values, unless it is nil.
func WriteNPZ(w io.Writer, list []Array, v []float64) error {
	out := npz.NewWriter(w)
	for _, a := range list {
		if err := out.Write(a.Name+".npy", mat.NewDense(a.N, a.N, a.Data)); err != nil {
			return err
		}
	}
	if v != nil {
		if err := out.Write("V.npy", v); err != nil {
			return err
		}
	}
	return out.Close()
}

// arrays are the matrices of matrices.npz, called ID/MODALITY.
func (v View) arrays(items ...Item) (list []Array) {
	for _, it := range items {
		for _, modality := range v.Modalities {
			if m, ok := it.Matrices[modality]; ok {
				list = append(list, Array{it.name() + "/" + modality, m})
			}
		}
	}
	return list
}

// AxesJSON writes axes.json: what the arrays of matrices.npz mean.
func AxesJSON(w io.Writer, v View) error {
	type named struct {
		ID     string            `json:"id"`
		Hash   string            `json:"hash"`
		Arrays []string          `json:"arrays"`
		Absent map[string]string `json:"absent,omitempty"` // modality to reason
	}
	models := []named{}
	for _, it := range v.Items {
		n := named{ID: it.name(), Hash: it.Hash, Arrays: []string{}, Absent: it.Absent}
		for _, a := range v.arrays(it) {
			n.Arrays = append(n.Arrays, a.Name)
		}
		models = append(models, n)
	}
	return writeJSON(w, struct {
		V          Axis           `json:"V"`
		Order      string         `json:"order"`
		Suite      string         `json:"suite"`
		SuiteHash  string         `json:"suite_hash"`
		Derived    *suite.Derived `json:"derived,omitempty"`
		Filter     string         `json:"images"`
		Modalities []string       `json:"modalities"`
		Ranges     ColourMap      `json:"colour_ranges"`
		Models     []named        `json:"models"`
	}{
		v.Axis, "plain: row i, column j is delta between V[i] and V[j]", v.SuiteName, v.Suite, v.Derived, v.Filter,
		v.Modalities, v.Ranges, models,
	})
}

// scale is the colour scale of a modality in the view.
func (v View) scale(modality string) render.Scale {
	r := v.Ranges[modality]
	return render.Scale{Low: r.Low, High: r.High}
}

// longestName is how many bytes of an id stand in a folder's name: file systems take 255, and a
// letter may be escaped as nine.
const longestName = 120

// fileNames gives every item a folder name of its own: its id with characters that paths do not
// take escaped, and part of its hash behind it where it is cut, or another id differs in capitals
// only.
func fileNames(items []Item) map[string]string {
	names, used := map[string]string{}, map[string]bool{}
	for _, it := range items {
		name := escape(it.name())
		if strings.Trim(name, ".") == "" {
			name = strings.ReplaceAll(name, ".", "%2E")
		}
		long := len(name) > longestName
		if long {
			name = name[:longestName]
			if at := strings.LastIndexByte(name, '%'); at > longestName-len("%E4") { // half of an escape
				name = name[:at]
			}
		}
		if long || used[strings.ToLower(name)] {
			name += "-" + it.Hash[:min(8, len(it.Hash))]
		}
		used[strings.ToLower(name)] = true
		names[it.Hash] = name
	}
	return names
}

// escape writes a name so that every file system takes it as one level of a path.
func escape(name string) string { return strings.ReplaceAll(url.PathEscape(name), ":", "%3A") }
