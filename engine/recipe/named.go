package recipe

import "github.com/variscope/variscope/engine/resample"

// The means and standard deviations that published models share.
var (
	imagenetMean, imagenetStd = []float64{0.485, 0.456, 0.406}, []float64{0.229, 0.224, 0.225}
	clipMean, clipStd         = []float64{0.48145466, 0.4578275, 0.40821073},
		[]float64{0.26862954, 0.26130258, 0.27577711}
	halfMean, halfStd = []float64{0.5, 0.5, 0.5}, []float64{0.5, 0.5, 0.5}
)

// cropped resizes the shorter side and takes the centre square.
func cropped(side, crop int, filter resample.Kernel, floor bool) Geometry {
	return Geometry{Resize: Shorter, Height: side, Filter: filter, CropHeight: crop, CropWidth: crop, Floor: floor}
}

// stretched is a stretch to a size, the input's where it is 0 x 0.
func stretched(height, width int, filter resample.Kernel) Geometry {
	return Geometry{Resize: Stretch, Height: height, Width: width, Filter: filter}
}

// keras is image_dataset_from_directory's way: bilinear, not widened.
var keras = Geometry{Resize: Stretch, Filter: resample.Bilinear, Aliased: true}

// named are the recipes that have a name (spec section 2), in the order in which they are shown.
var named = []struct {
	name, about string
	recipe      Recipe
}{
	{
		"imagenet", "torchvision's evaluation: shorter side 256, centre 224, ImageNet's mean and std",
		Recipe{
			Geometry: cropped(256, 224, resample.Bilinear, false), Range: Range{Mean: imagenetMean, Std: imagenetStd},
		},
	},
	{
		"imagenet-V2", "torchvision's newer weights: shorter side 232, centre 224",
		Recipe{
			Geometry: cropped(232, 224, resample.Bilinear, false), Range: Range{Mean: imagenetMean, Std: imagenetStd},
		},
	},
	{
		"inception", "shorter side 342, centre 299, mean and std 0.5",
		Recipe{Geometry: cropped(342, 299, resample.Bilinear, false), Range: Range{Mean: halfMean, Std: halfStd}},
	},
	{
		"clip", "shorter side 224 bicubic, centre 224, CLIP's mean and std",
		Recipe{Geometry: cropped(224, 224, resample.Bicubic, false), Range: Range{Mean: clipMean, Std: clipStd}},
	},
	{
		"keras-caffe", "blue, green, red in 0..255 less the mean",
		Recipe{Geometry: keras, Channels: BGR, Range: Range{Scale: 255, Mean: []float64{103.939, 116.779, 123.68}}},
	},
	{"keras-tf", "-1..1", Recipe{Geometry: keras, Range: Range{Scale: 2, Shift: -1}}},
	{
		"keras-torch", "0..1 with ImageNet's mean and std",
		Recipe{Geometry: keras, Range: Range{Mean: imagenetMean, Std: imagenetStd}},
	},
	{"raw-255", "0..255", Recipe{Geometry: stretched(0, 0, resample.Bilinear), Range: Range{Scale: 255}}},
}

// Named is the recipe of a name.
func Named(name string) (Recipe, bool) {
	for _, n := range named {
		if n.name == name {
			return n.recipe, true
		}
	}
	return Recipe{}, false
}

// Names are the named recipes.
func Names() []string {
	names := make([]string, len(named))
	for i, n := range named {
		names[i] = n.name
	}
	return names
}

// About says in words what a named recipe is.
func About(name string) string {
	for _, n := range named {
		if n.name == name {
			return n.about
		}
	}
	return ""
}
