package background

import (
	"slices"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/scatter"
)

// MatrixOptions ask for interpolated matrices of models in the scenes of selections.
type MatrixOptions struct {
	Selection   []string `required:"" help:"Selections, by name or hash. With several, the matrices have common axes, and those whose settings differ by the seed alone are compared." source:"selections" sep:"none" placeholder:"NAME"`
	Measure     []string `help:"max@CONF, max@HEAD, true@CONF, mean@HEAD, or all." enum:"max@CONF,max@HEAD,true@CONF,mean@HEAD,all" default:"max@CONF,max@HEAD"`
	Interpolant []string `help:"I1, I2, I3, or SIZE,SIGMA,K in pixels of the raster, such as 16,5,32; repeat it (default: the three of ${background})." sep:"none" placeholder:"I"`
	Raster      int      `help:"Elements along a side of a matrix." default:"64" min:"4" max:"512"`
	Share       float64  `help:"Share of the targets, drawn from --seed." default:"1" above:"0" max:"1"`
	Draws       int      `help:"With --share: draws whose matrices are compared with that of all targets; the first is shown." default:"10" min:"1" max:"1000"`
	Seed        uint64   `help:"Seed of the share." default:"1"`
	Coverage    bool     `help:"Also the share of each model's neurons that the scenes reach (recall in Table 4 of ${background}); the composites go through the models once more, and the result is kept."`
	High        float64  `help:"Upper end of the colour range." default:"0.5" above:"0"`
}

// Check says which interpolant cannot be.
func (o *MatrixOptions) Check() error {
	for _, text := range o.Interpolant {
		if _, err := scatter.ParseInterpolant(text); err != nil {
			return option.Errorf("{interpolant}: %s", err)
		}
	}
	return nil
}

// Interpolants are those that are asked for, by default the three of the paper. Options that Check
// refuses panic.
func (o *MatrixOptions) Interpolants() (list []scatter.Interpolant) {
	for _, text := range o.Interpolant {
		p, err := scatter.ParseInterpolant(text)
		if err != nil {
			panic("background: " + err.Error())
		}
		list = append(list, p)
	}
	if list == nil {
		list = scatter.Interpolants()
	}
	return list
}

// Measures are those that are asked for, each once, out of all that there are.
func (o *MatrixOptions) Measures(all []string) []string {
	if slices.Contains(o.Measure, "all") {
		return all
	}
	var list []string
	for _, m := range o.Measure {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}
