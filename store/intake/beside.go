package intake

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/recipe"
)

// CorrectionOptions correct what the files of models say.
type CorrectionOptions struct {
	Recipe   string   `help:"How an image becomes the model's input: imagenet, imagenet-V2, inception, clip, keras-caffe, keras-tf, keras-torch, raw-255, or a text such as \"resize=shorter:256;crop=center:224x224\"." placeholder:"NAME|TEXT"`
	Mean     string   `help:"Mean that is taken from the pixels' values: one number, or one for each channel; over 3 in units of 0..255." placeholder:"LIST"`
	Std      string   `help:"Standard deviation that divides what is left, likewise." placeholder:"LIST"`
	Output   string   `help:"The output that holds the predictions, by its name." placeholder:"NAME"`
	Batch    int      `help:"Images of a batch, for a file that leaves that open." placeholder:"N"`
	Position []string `help:"Tensor that stands for a position; repeated for several." placeholder:"CONV-2=NAME" sep:"none"`
}

// None tells whether nothing is said.
func (o CorrectionOptions) None() bool { return reflect.ValueOf(o).IsZero() }

// Possible is what is wrong with what is said, whatever the model; nil for nothing.
func (o CorrectionOptions) Possible() error {
	o.Position = nil // they are a model's
	return o.Correct(&model.Model{})
}

// Correct changes a model's correction to what is said; what is not said stays as it is.
func (o CorrectionOptions) Correct(m *model.Model) error {
	c := m.Correction
	if o.Recipe != "" {
		if _, err := recipe.Read(o.Recipe); err != nil {
			return err
		}
		c.Recipe, c.Mean, c.Std, c.Resize = o.Recipe, nil, nil, ""
	}
	if (o.Mean == "") != (o.Std == "") {
		return fmt.Errorf("mean and std go together; give both")
	}
	if o.Mean != "" {
		r, _, err := recipe.Normalise(o.Mean, o.Std)
		if err != nil {
			return err
		}
		c.Mean, c.Std = r.Mean, r.Std
	}
	if o.Output != "" {
		c.Output = o.Output
	}
	if fixed := m.Graph.Input.Batch; o.Batch < 0 || o.Batch > 0 && fixed > 0 && fixed != o.Batch {
		return fmt.Errorf("a batch of %d is not possible; the file takes %d", o.Batch, fixed)
	} else if o.Batch > 0 && fixed == 0 {
		c.Batch = o.Batch
	}
	c.Positions = maps.Clone(c.Positions)
	for _, text := range o.Position {
		position, tensor, err := model.ParsePosition(text, m.Graph)
		if err != nil {
			return err
		}
		if c.Positions == nil {
			c.Positions = map[string]string{}
		}
		c.Positions[position] = tensor
	}
	m.Correction = c
	return nil
}

// The files beside a model that are read, in the order of their authority.
var besides = []string{"preprocessor_config.json", "config.json"}

// beside reads what lies beside a model's file and speaks of it (spec/recipe.md section 2): files
// that bear its name, and those of its own folder, which holds no other model.
func beside(path string) []model.Beside {
	folder, base := filepath.Dir(path), filepath.Base(path)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	var names []string
	for _, name := range besides {
		names = append(names, stem+"."+name)
	}
	names = append(names, stem+".json")
	if entries, err := os.ReadDir(folder); err == nil {
		others := slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return e.Name() != base && isModelFile(e.Name())
		})
		if !others {
			names = append(names, besides...)
		}
	}
	var list []model.Beside
	for _, name := range names {
		data, err := outside.Read(filepath.Join(folder, name), outside.Settings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		b, ok := model.Beside{Name: name}, true
		if err != nil {
			b.Problem = outside.Sentence(err)
		} else {
			b, ok = model.ReadBeside(name, data)
		}
		if ok {
			list = append(list, b)
		}
	}
	return list
}
