package corrupt

// glassBlur is the one corruption with a compatible form.
const glassBlur = "glass_blur"

// kind is one corruption: its parameters by severity for the two types of images, and how it is
// prepared for images of one size. The numbers and their order are those of the table of
// spec/corruptions.md.
type kind struct {
	name string
	// gray holds for MNIST-type images, 28 x 28 gray; rgb for CIFAR-type ones, 32 x 32 RGB.
	gray, rgb [Severities][]float64
	prepare   func(setup) (filter, error)
}

// table is the one place that holds the parameters.
var table = []kind{
	{ // std of the noise that is added
		name:    "gaussian_noise",
		gray:    [Severities][]float64{{.08}, {.12}, {.18}, {.26}, {.38}},
		rgb:     [Severities][]float64{{.04}, {.06}, {.08}, {.09}, {.10}},
		prepare: gaussianNoise,
	},
	{ // photons at white
		name:    "shot_noise",
		gray:    [Severities][]float64{{60}, {25}, {12}, {5}, {3}},
		rgb:     [Severities][]float64{{500}, {250}, {100}, {75}, {50}},
		prepare: shotNoise,
	},
	{ // share of values that are hit
		name:    "impulse_noise",
		gray:    [Severities][]float64{{.03}, {.06}, {.09}, {.17}, {.27}},
		rgb:     [Severities][]float64{{.01}, {.02}, {.03}, {.05}, {.07}},
		prepare: impulseNoise,
	},
	{ // disk radius, alias blur
		name:    "defocus_blur",
		gray:    [Severities][]float64{{3, .1}, {4, .5}, {6, .5}, {8, .5}, {10, .5}},
		rgb:     [Severities][]float64{{.3, .4}, {.4, .5}, {.5, .6}, {1, .2}, {1.5, .1}},
		prepare: defocusBlur,
	},
	{ // sigma, reach, rounds
		name:    glassBlur,
		gray:    [Severities][]float64{{.7, 1, 2}, {.9, 2, 1}, {1, 2, 3}, {1.1, 3, 2}, {1.5, 4, 2}},
		rgb:     [Severities][]float64{{.05, 1, 1}, {.25, 1, 1}, {.4, 1, 1}, {.25, 1, 2}, {.4, 1, 2}},
		prepare: prepareGlass,
	},
	{ // radius, sigma
		name:    "motion_blur",
		gray:    [Severities][]float64{{10, 3}, {15, 5}, {15, 8}, {15, 12}, {20, 15}},
		rgb:     [Severities][]float64{{6, 1}, {6, 1.5}, {6, 2}, {8, 2}, {9, 2.5}},
		prepare: motionBlur,
	},
	{ // number of factors, step
		name:    "zoom_blur",
		gray:    [Severities][]float64{{12, .01}, {16, .01}, {11, .02}, {13, .02}, {11, .03}},
		rgb:     [Severities][]float64{{7, .01}, {12, .01}, {16, .01}, {21, .01}, {26, .01}},
		prepare: zoomBlur,
	},
	{ // mean, std, zoom, threshold, radius, sigma, mix
		name: "snow",
		gray: [Severities][]float64{
			{.1, .3, 3, .5, 10, 4, .8},
			{.2, .3, 2, .5, 12, 4, .7},
			{.55, .3, 4, .9, 12, 8, .7},
			{.55, .3, 4.5, .85, 12, 8, .65},
			{.55, .3, 2.5, .85, 12, 12, .55},
		},
		rgb: [Severities][]float64{
			{.1, .2, 1, .6, 8, 3, .95},
			{.1, .2, 1, .5, 10, 4, .9},
			{.15, .3, 1.75, .55, 10, 4, .9},
			{.25, .3, 2.25, .6, 12, 6, .85},
			{.3, .3, 1.25, .65, 14, 12, .8},
		},
		prepare: prepareSnow,
	},
	{ // image weight, frost weight
		name:    "frost",
		gray:    [Severities][]float64{{1, .4}, {.8, .6}, {.7, .7}, {.65, .7}, {.6, .75}},
		rgb:     [Severities][]float64{{1, .2}, {1, .3}, {.9, .4}, {.85, .4}, {.75, .45}},
		prepare: prepareFrost,
	},
	{ // strength, decay
		name:    "fog",
		gray:    [Severities][]float64{{1.5, 2}, {2, 2}, {2.5, 1.7}, {2.5, 1.5}, {3, 1.4}},
		rgb:     [Severities][]float64{{.2, 3}, {.5, 3}, {.75, 2.5}, {1, 2}, {1.5, 1.75}},
		prepare: prepareFog,
	},
	{ // added to the value
		name:    "brightness",
		gray:    [Severities][]float64{{.1}, {.2}, {.3}, {.4}, {.5}},
		rgb:     [Severities][]float64{{.05}, {.1}, {.15}, {.2}, {.3}},
		prepare: brightness,
	},
	{ // factor of what differs from the mean
		name:    "contrast",
		gray:    [Severities][]float64{{.4}, {.3}, {.2}, {.1}, {.05}},
		rgb:     [Severities][]float64{{.75}, {.5}, {.4}, {.3}, {.15}},
		prepare: contrast,
	},
	{ // amplitude, sigma, affine
		name: "elastic",
		gray: [Severities][]float64{
			{56, 19.6, 2.8}, {56, 2.24, 5.6}, {1.4, .28, .56}, {1.96, .28, .56}, {3.36, .28, .56},
		},
		rgb: [Severities][]float64{
			{0, 0, 2.56}, {1.6, 6.4, 2.24}, {2.56, 1.92, 1.92}, {3.2, 1.28, 1.6}, {3.2, .96, .96},
		},
		prepare: prepareElastic,
	},
	{ // relative size
		name:    "pixelate",
		gray:    [Severities][]float64{{.6}, {.5}, {.4}, {.3}, {.25}},
		rgb:     [Severities][]float64{{.95}, {.9}, {.85}, {.75}, {.65}},
		prepare: preparePixelate,
	},
	{ // quality
		name:    "jpeg",
		gray:    [Severities][]float64{{25}, {18}, {15}, {10}, {7}},
		rgb:     [Severities][]float64{{80}, {65}, {58}, {50}, {40}},
		prepare: prepareJPEG,
	},
}

// The sides that the two sets of parameters are made for.
const (
	graySide = 28
	rgbSide  = 32
)

// measured says which set holds for images of a size and by how much its lengths, which are in
// pixels, are scaled: 28 x 28 and 32 x 32 images take the set of their size as it is, others the
// set of their channels times the shorter side over the set's.
func measured(channels, height, width int) (gray bool, scale float64) {
	side := min(height, width)
	switch {
	case height == width && side == graySide:
		return true, 1
	case height == width && side == rgbSide:
		return false, 1
	case channels == 1:
		return true, float64(side) / graySide
	}
	return false, float64(side) / rgbSide
}
