package export

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
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

// MatricesNPZ writes matrices.npz as numpy.savez does: `ID/max@CONF`, N x N float64 in plain order (row i, column j is
// delta_ij), for every model and modality that is there, and `V`, the N sampling values.
func MatricesNPZ(w io.Writer, v View) error {
	out := npz.NewWriter(w)
	for _, it := range v.Items {
		for _, modality := range v.Modalities {
			m, ok := it.Matrices[modality]
			if !ok {
				continue
			}
			if err := out.Write(it.name()+"/"+modality+".npy", mat.NewDense(m.N, m.N, m.Data)); err != nil {
				return err
			}
		}
	}
	if err := out.Write("V.npy", v.Axis.Values); err != nil {
		return err
	}
	return out.Close()
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
		for _, modality := range v.Modalities {
			if _, ok := it.Matrices[modality]; ok {
				n.Arrays = append(n.Arrays, it.name()+"/"+modality)
			}
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
	}{v.Axis, "plain: row i, column j is delta between V[i] and V[j]", v.SuiteName, v.Suite, v.Derived, v.Filter, v.Modalities, v.Ranges, models})
}

// scale is the colour scale of a modality in the view.
func (v View) scale(modality string) render.Scale {
	r := v.Ranges[modality]
	return render.Scale{Low: r.Low, High: r.High}
}

// figure is the picture of one matrix.
func (v View) figure(it Item, modality string) result.Figure {
	axis := result.Axis{Name: v.Axis.Name, Unit: v.Axis.Unit, Values: v.Axis.Values}
	f := it.Matrices[modality].Figure(axis, v.scale(modality), modality)
	f.Title = it.name()
	return f
}

// MatrixPNG writes the picture of one matrix of an item; the item must have it.
func MatrixPNG(w io.Writer, v View, it Item, modality string) error {
	if _, ok := it.Matrices[modality]; !ok {
		return fmt.Errorf("model %s has no matrix %s", it.name(), modality)
	}
	return render.Draw(w, v.figure(it, modality), render.Part{}, "png")
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
			name = cutEscaped(name, longestName)
		}
		if long || used[strings.ToLower(name)] {
			name += "-" + it.Hash[:min(8, len(it.Hash))]
		}
		used[strings.ToLower(name)] = true
		names[it.Hash] = name
	}
	return names
}

// cutEscaped cuts a name without leaving half of an escape.
func cutEscaped(name string, most int) string {
	name = name[:most]
	if at := strings.LastIndexByte(name, '%'); at > most-len("%E4") {
		name = name[:at]
	}
	return name
}

// picturePath is where a matrix's picture lies below the view's folder, with slashes.
func picturePath(folder, modality string) string {
	return path.Join("matrices", folder, escape(modality)+".png")
}

// escape writes a name so that every file system takes it as one level of a path.
func escape(name string) string { return strings.ReplaceAll(url.PathEscape(name), ":", "%3A") }
