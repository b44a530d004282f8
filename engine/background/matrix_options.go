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
	Shares      bool     `help:"Also how far matrices of 75, 50, 25, 10 and 5 % of the targets are from that of all, with all of them in one figure per model."`
	Draws       int      `help:"With --share or --shares: draws whose matrices are compared with that of all targets; the first is shown." default:"10" min:"1" max:"1000"`
	Seed        uint64   `help:"Seed of the shares." default:"1"`
	Coverage    bool     `help:"Also the share of each model's neurons that the scenes reach (recall in Table 4 of ${background}); the composites go through the models once more, and the result is kept."`
	High        float64  `help:"Upper end of the colour range; the published figures have 0.5." default:"0.3" above:"0"`
}

// Check says which interpolant cannot be, and what does not go together.
func (o *MatrixOptions) Check() error {
	if o.Shares && o.Share < 1 {
		return option.Errorf("{shares} takes several shares of the targets; leave {share} out")
	}
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

// Measures are those that are asked for, each once; all of the choices for "all".
func (o *MatrixOptions) Measures() (list []string) {
	if slices.Contains(o.Measure, "all") {
		return []string{"max@CONF", "max@HEAD", "true@CONF", "mean@HEAD"}
	}
	for _, m := range o.Measure {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// MatrixChoice says which matrices the window shows side by side.
type MatrixChoice struct {
	Mode    string `json:"mode" help:"One model by one measure, one model by all measures, two models with their difference, or one model in several selections of scenes." enum:"one,all,two,several" default:"one" label:"Show"`
	Measure string `json:"measure" help:"Measure of a signal, and its position." enum:"max@CONF,max@HEAD,true@CONF,mean@HEAD" default:"max@CONF" when:"mode=one|two|several"`
	Points  string `json:"points" help:"What a pixel of the cloud says: how many points lie there, their mean value, or the value of the last." enum:"density,mean,dots" default:"density" when:"mode=one|several"`
	Second  string `json:"second,omitempty" help:"The model that the selected one is compared with." source:"models" label:"With" when:"mode=two"`
}

// Kernel is a scatter.Interpolant that somebody sets by sliders.
type Kernel struct {
	Size  float64 `help:"Full width of the circle whose points make an element, in elements of the raster." default:"24" above:"0" max:"512" slide:"1 64 1" label:"kernel size"`
	Sigma float64 `help:"How fast a point's weight falls with its distance, in elements of the raster." default:"4" above:"0" max:"512" slide:"0.5 20 0.5" label:"sigma"`
	K     int     `help:"The nearest points whose mean is the value of the point made up at the element itself; 0 for no such point." default:"32" min:"0" max:"10000" slide:"0 128 1" label:"K"`
}

// FreeMatrix asks for a matrix beside the three of the paper.
type FreeMatrix struct {
	Kernel `json:"free"`
	Raster int `json:"raster" help:"Elements along a side of the matrix." default:"64" min:"4" max:"512" slide:"8 128 4" label:"raster"`
}

// MatrixLook says what all matrices of the window are made of, and their colours.
type MatrixLook struct {
	Map   string `json:"map" help:"Colour map of all matrices but differences." enum:"green,viridis,cividis,gray" default:"green" label:"Colours"`
	Share int    `json:"share" help:"Share of the targets that take part, drawn from a seed: matrices of fewer targets are compared with those of all." default:"100" min:"10" max:"100" slide:"10 100 5" unit:"%" label:"Share, %"`
	Seed  uint64 `json:"seed" help:"Seed of the share." default:"1" min:"1" hidden:""`
}
