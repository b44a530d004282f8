package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine/device"
)

// use has a session compute on a device; operators that it does not have stay on the processor.
func use(d device.Device, options *ort.SessionOptions) error {
	switch d.Kind() {
	case "":
		return nil
	case device.CUDA:
		cuda, err := ort.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		defer func() { _ = cuda.Destroy() }() // fails only when it was not made
		err = cuda.Update(map[string]string{
			"device_id": strconv.Itoa(d.Index()),
			"use_tf32":  "0", // ten bits of mantissa would not agree with the processor
			// The exhaustive search takes what is the fastest at the moment: another algorithm, and
			// other bits, next time.
			"cudnn_conv_algo_search": "HEURISTIC",
			"arena_extend_strategy":  "kSameAsRequested", // several workers share the GPU
		})
		if err != nil {
			return err
		}
		return options.AppendExecutionProviderCUDA(cuda)
	case device.DirectML:
		// The library's documentation asks for both with DirectML.
		if err := errors.Join(options.SetMemPattern(false),
			options.SetExecutionMode(ort.ExecutionModeSequential)); err != nil {
			return err
		}
		return options.AppendExecutionProviderDirectML(d.Index())
	case string(device.CoreML):
		return options.AppendExecutionProviderCoreMLV2(map[string]string{"ModelFormat": "MLProgram"})
	}
	// With channels last, its usual layout, convolutions of 6 channels have other numbers (1.27.0).
	return options.AppendExecutionProvider("WebGPU", map[string]string{"preferredLayout": "NCHW"})
}

// tryDevice computes a convolution on a device and nowhere else.
func tryDevice(d device.Device) (err error) {
	defer recovered(&err)
	defer func() {
		if err != nil {
			err = reason(err)
		}
	}()
	session, err := create(smallConvolution(), []string{"x"}, []string{"y"}, func(o *ort.SessionOptions) error {
		return o.AddSessionConfigEntry("session.disable_cpu_ep_fallback", "1")
	})
	if err != nil {
		return err
	}
	defer func() { _ = session.Destroy() }() // what it computed stands
	x := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	input, err := ort.NewTensor(ort.NewShape(1, 1, 3, 3), x)
	if err != nil {
		return err
	}
	defer func() { _ = input.Destroy() }()
	outputs := []ort.Value{nil}
	if err := session.Run([]ort.Value{input}, outputs); err != nil {
		return err
	}
	defer destroy(outputs[0])
	want := float32(0)
	for _, v := range x {
		want += v * v
	}
	y, ok := outputs[0].(*ort.Tensor[float32])
	if !ok || len(y.GetData()) != 1 || math.Abs(float64(y.GetData()[0]-want)) > 1e-3*float64(want) {
		return fmt.Errorf("it computes wrong numbers: a convolution of 3 x 3 numbers is not %v", want)
	}
	return nil
}

// smallConvolution is the file of a model that convolves 3 x 3 numbers x with themselves.
func smallConvolution() []byte {
	value := func(name string, shape ...uint64) []byte {
		var dims []byte
		for _, n := range shape {
			dims = appendMessage(dims, 1, binary.AppendUvarint([]byte{1 << 3}, n))
		}
		tensor := appendMessage([]byte{1 << 3, typeFloat}, 2, dims)
		return appendMessage(appendString(nil, 1, name), 2, appendMessage(nil, 1, tensor))
	}
	graph := appendMessage(nil, 1, plainNode("Conv", "y", "x", "x"))
	graph = appendString(graph, 2, "g")
	graph = appendMessage(graph, 11, value("x", 1, 1, 3, 3))
	graph = appendMessage(graph, 12, value("y", 1, 1, 1, 1))
	model := appendMessage([]byte{1 << 3, 8}, 7, graph) // version 8 of the format
	return appendMessage(model, 8, []byte{2 << 3, 13})  // operators of version 13
}
