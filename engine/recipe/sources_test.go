package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

const normal = `"do_rescale":true,"rescale_factor":0.00392156862745098,"do_normalize":true,"image_mean":[0.5,0.5,0.5],"image_std":[0.5,0.5,0.5]`

func TestFiles(t *testing.T) {
	halves := ";mean=0.5,0.5,0.5;std=0.5,0.5,0.5"
	for name, c := range map[string]struct{ file, want string }{
		"convnext, large": {`{"image_processor_type":"ConvNextImageProcessorFast","size":{"shortest_edge":384},"resample":3,` + normal + `}`, "resize=stretch:384x384;filter=bicubic" + halves},
		"resnet, bare": {
			`{"feature_extractor_type":"ConvNextFeatureExtractor","size":224,"resample":3}`,
			"resize=shorter:256;filter=bicubic;crop=center:224x224;offset=floor" + halves,
		},
		"levit": {
			`{"image_processor_type":"LevitImageProcessor","size":{"shortest_edge":224},"do_center_crop":true,"crop_size":{"height":224,"width":224}}`,
			"resize=shorter:256;filter=bicubic;crop=center:224x224;offset=floor;mean=0.485,0.456,0.406;" +
				"std=0.229,0.224,0.225",
		},
		"efficientnet": {
			`{"image_processor_type":"EfficientNetImageProcessor","size":{"height":224,"width":224},"rescale_offset":true,"rescale_factor":0.00784313725490196,"do_normalize":false,"image_std":[0.5,0.5,0.25],"include_top":true}`,
			"resize=stretch:224x224;filter=nearest;scale=2;shift=-1;std=0.5,0.5,0.25",
		},
		"efficientnet, twice": {
			`{"image_processor_type":"EfficientNetImageProcessor","size":{"height":224,"width":224},` + normal + `}`,
			"resize=stretch:224x224;filter=nearest;mean=0.5,0.5,0.5;std=0.25,0.25,0.25",
		},
		"no rescale": {
			`{"image_processor_type":"ViTImageProcessor","size":64,"do_rescale":false,"do_normalize":false}`,
			"resize=stretch:64x64;scale=255",
		},
		"no resize": {`{"image_processor_type":"CLIPImageProcessor","do_resize":false,"do_center_crop":false,` +
			normal + `}`, "resize=none" + halves},
		"unknown class with all keys": {
			`{"image_processor_type":"NewImageProcessor","do_resize":true,"size":{"shortest_edge":64},"resample":1,"do_center_crop":true,"crop_size":56,` + normal + `}`,
			"resize=shorter:64;filter=lanczos;crop=center:56x56;offset=floor" + halves,
		},
		"mobilevit": {
			`{"image_processor_type":"MobileViTImageProcessor","do_resize":true,"size":{"shortest_edge":288},"resample":2,"do_center_crop":true,"crop_size":{"height":256,"width":256},"do_rescale":true,"do_normalize":false,"do_flip_channel_order":true}`,
			"resize=shorter:288;crop=center:256x256;offset=floor;channels=bgr",
		},
		"timm, squash": {`{"input_size":[3,48,40],"crop_pct":0.9,"crop_mode":"squash","interpolation":"bilinear","mean":[0.5,0.5,0.5],"std":[0.5,0.5,0.5]}`, "resize=stretch:53x44;crop=center:48x40" + halves},
		"timm, border": {`{"pretrained_cfg":{"input_size":[3,48,48],"crop_pct":1,"crop_mode":"border","interpolation":"bicubic","mean":[0.485,0.456,0.406],"std":[1,1,1]}}`, "resize=longer-round:48;filter=bicubic;crop=center:48x48;pad=124,116,104;mean=0.485,0.456,0.406"},
		"timm, defaults": {
			`{"pretrained_cfg":{"input_size":[3,224,224]}}`,
			"resize=shorter:256;filter=bicubic;crop=center:224x224;mean=0.485,0.456,0.406;std=0.229,0.224,0.225",
		},
		"timm, one value": {
			`{"input_size":[1,28,28],"interpolation":"nearest","mean":0.5,"std":[0.25]}`,
			"resize=shorter:32;filter=nearest;crop=center:28x28;mean=0.5;std=0.25",
		},
	} {
		s := FromFile([]byte(c.file))
		if err := errors.Join(s.Err, s.ClassErr); err != nil || s.Sets&(OfGeometry|OfRange) == 0 || s.Text() != c.want {
			t.Errorf("%s: %s, %v, want %s", name, s.Text(), err, c.want)
		}
	}
}

func TestFilesThatAreNotUnderstood(t *testing.T) {
	for file, want := range map[string]string{
		`{"image_processor_type":"NewImageProcessor","size":224}`: "New is not known, and its file lacks do_resize",
		`{"image_processor_type":"NewImageProcessor","do_resize":true,"size":224,"resample":2,` + normal +
			`}`: "lacks whether size",
		`{"do_resize":true,"size":{"height":8,"width":8},` + normal +
			`}`: "names no image_processor_type and lacks resample",
		`{"image_processor_type":"ViTImageProcessor","resample":5}`:                              "hamming",
		`{"image_processor_type":"ViTImageProcessor","size":{"longest_edge":5}}`:                 "is not understood",
		`{"image_processor_type":"ViTImageProcessor","size":[3,4]}`:                              "leaves open which side",
		`{"image_processor_type":"DPTImageProcessor","do_resize":true,"keep_aspect_ratio":true}`: "keep_aspect_ratio, which is not understood",
		`{"image_processor_type":"ViTImageProcessor","image_std":[0,1,1]}`:                       "std must not be 0",
		`{"input_size":[3,224,200]}`:                                                             "is not square",
		`{"input_size":[3,224,224],"interpolation":"random"}`:                                    `"random" is not understood`,
		`{"input_size":[224]}`:           "is no size",
		`{"id2label":{"1":"a","2":"b"}}`: "class 2 is named",
		`{"id2label":[]}`:                "no JSON of the form",
		`{`:                              "no JSON",
	} {
		s := FromFile([]byte(file))
		testdata.Refused(t, fmt.Sprintf("%s: %s", file, s.Text()), errors.Join(s.Err, s.ClassErr), want)
	}
	if s := FromFile([]byte(`{"model_type":"vit","size":3}`)); s.Err != nil || s.Sets != 0 || s.Classes != nil {
		t.Errorf("a file of another kind says %+v", s)
	}
}

func TestMetadata(t *testing.T) {
	for name, c := range map[string]struct {
		meta map[string]string
		want string
		sets Keys
	}{
		"comma list": {
			map[string]string{"mean": "0.485,0.456,0.406", "std": "0.229,0.224,0.225"},
			"mean=0.485,0.456,0.406;std=0.229,0.224,0.225", OfRange,
		},
		"pixels": {
			map[string]string{"mean": "[123.675, 116.28, 103.53]", "std": "58.395 57.12 57.375"},
			"scale=255;mean=123.675,116.28,103.53;std=58.395,57.12,57.375", OfRange,
		},
		"custom vision": {map[string]string{
			"Image.BitmapPixelFormat": "BGR8",
			"Image.NominalPixelRange": "nominalrange_0_255",
		}, "channels=bgr;scale=255", OfChannels | OfRange},
		"-1..1": {map[string]string{"Image.NominalPixelRange": "Normalized_1_1"}, "scale=2;shift=-1", OfRange},
		"range and mean": {
			map[string]string{"Image.NominalPixelRange": "Normalized_0_1", "mean": "0.5", "std": "0.5"},
			"mean=0.5;std=0.5", OfRange,
		},
		"ours": {map[string]string{"recipe": "raw-255"}, "scale=255", All},
		"ultralytics": {
			map[string]string{"task": "classify", "names": "{0: 'a'}", "imgsz": "[64, 64]"},
			"",
			OfGeometry | OfRange | OfChannels,
		},
		"detector": {map[string]string{"task": "detect", "names": "{0: 'a'}", "imgsz": "[64, 64]"}, "", 0},
	} {
		s := FromMetadata(c.meta)
		text := strings.TrimPrefix(Recipe{
			Geometry: Geometry{Resize: None, Filter: "bilinear"}, Channels: s.Channels, Range: s.Range,
		}.Text(), "resize=none")
		if err := errors.Join(s.Err, s.ClassErr); err != nil || strings.TrimPrefix(text, ";") != c.want ||
			s.Sets != c.sets || (name == "pixels") != (len(s.Notes) > 0) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for key, value := range map[string]string{
		"Image.BitmapPixelFormat": "Cmyk8", "Image.NominalPixelRange": "0..1",
		"recipe": "x", "names": "[1",
	} {
		s := FromMetadata(map[string]string{key: value})
		if err := errors.Join(s.Err, s.ClassErr); err == nil || key != "recipe" && !strings.Contains(err.Error(), key) {
			t.Errorf("%s=%s: %v", key, value, err)
		}
	}
}

func TestClassNames(t *testing.T) {
	for text, want := range map[string][]string{
		`{0: 'bricks', 1: "it's"}`: {"bricks", "it's"}, `["a","b"]`: {"a", "b"}, `{"1":"b","0":"a"}`: {"a", "b"},
		"a, b,c": {"a", "b", "c"},
		"a, b;c": {"a, b", "c"}, "['a', 'b',]": {"a", "b"},
		`['it\'s', "\u00e9\ud83d\ude00", 'x\ty']`: {"it's", "é😀", "x\ty"}, "[1, 2]": {"1", "2"},
		"('a', 'b')": {"a", "b"}, "one": {"one"},
		`"a, b", c`: {"a, b", "c"}, `"a;b",c`: {"a;b", "c"}, `4" pipe, x`: {`4" pipe`, "x"},
		"a\nb, c\r\nd\n":   {"a", "b, c", "d"},
		`{0: 'a', 2: 'b'}`: nil, `{0: 'a', 0: 'b'}`: nil, `["a" "b"]`: nil, `["a"`: nil, `[a]`: nil, "a,,b": nil,
		`["a"]x`: nil, `{0 'a'}`: nil, `['\q']`: nil, `["\u12"]`: nil,
	} {
		got, err := ClassNames(text)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	if s := FromMetadata(map[string]string{"id2label": `{"0":"LABEL_0","1":"LABEL_1"}`}); s.ClassErr != nil ||
		s.Classes != nil {
		t.Errorf("made-up names are %q, %v", s.Classes, s.ClassErr)
	}
}

func FuzzClassNames(f *testing.F) {
	f.Add(`{0: 'bricks', 1: "it's"}`)
	f.Fuzz(func(t *testing.T, text string) {
		if names, err := ClassNames(text); err == nil && slices.Contains(names, "") {
			t.Errorf("%q has an empty name", names)
		}
	})
}
