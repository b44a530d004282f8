package onnx

import (
	"context"
	"errors"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// The tensors of an exported assessor (engine/assess/exchange).
const (
	judgeInput  = "features"
	judgeLabel  = "label"
	judgeScores = "scores"
)

// Judge runs an exported assessor on rows of equal length and returns its label per row and its
// scores, rows x scores. The model is a program of our own making; it runs on one thread, which
// adds in a fixed order. name is for errors. It implements engine/assess/exchange.Runner.
func (r *Runtime) Judge(
	ctx context.Context, name string, model []byte, x [][]float64,
) (labels []int64, scores [][]float32, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	flat, width, err := flatten(x)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := retain(); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s cannot be run: the ONNX Runtime binding failed: %v", name, p)
		}
	}()
	outputs, err := judge(ctx, model, flat, len(x), width)
	defer func() {
		for _, v := range outputs {
			destroy(v)
		}
	}()
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("%s cannot be run: %w", name, reason(err))
	}
	labels, scores, err = judged(outputs, len(x))
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", name, err)
	}
	return labels, scores, nil
}

// flatten puts the rows behind each other.
func flatten(x [][]float64) (flat []float64, width int, err error) {
	if len(x) == 0 || len(x[0]) == 0 {
		return nil, 0, errors.New("there is nothing to judge")
	}
	width = len(x[0])
	flat = make([]float64, 0, len(x)*width)
	for i, row := range x {
		if len(row) != width {
			return nil, 0, fmt.Errorf("row %d has %d features and the first one %d", i+1, len(row), width)
		}
		flat = append(flat, row...)
	}
	return flat, width, nil
}

// judge runs the model once; the caller destroys the outputs, also after an error.
func judge(ctx context.Context, model []byte, flat []float64, rows, width int) ([]ort.Value, error) {
	session, err := create(model, []string{judgeInput}, []string{judgeLabel, judgeScores})
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Destroy() }() // what was computed stands
	input, err := ort.NewTensor(ort.NewShape(int64(rows), int64(width)), flat)
	if err != nil {
		return nil, err
	}
	defer func() { _ = input.Destroy() }()
	options, err := ort.NewRunOptions()
	if err != nil {
		return nil, err
	}
	defer func() { _ = options.Destroy() }()
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		_ = options.Terminate() // the run then ends by itself
	})
	defer func() {
		if !stop() {
			<-stopped
		}
	}()
	outputs := make([]ort.Value, 2)
	return outputs, session.RunWithOptions([]ort.Value{input}, outputs, options)
}

// judged takes the two outputs apart.
func judged(outputs []ort.Value, rows int) ([]int64, [][]float32, error) {
	label, ok := outputs[0].(*ort.Tensor[int64])
	if !ok || len(label.GetData()) != rows {
		return nil, nil, fmt.Errorf("gives no int64 number per row at %q", judgeLabel)
	}
	score, ok := outputs[1].(*ort.Tensor[float32])
	if !ok || len(score.GetShape()) != 2 || score.GetShape()[0] != int64(rows) {
		return nil, nil, fmt.Errorf("gives no row of float32 numbers per row at %q", judgeScores)
	}
	labels := append([]int64(nil), label.GetData()...)
	flat := append([]float32(nil), score.GetData()...)
	width := len(flat) / rows
	scores := make([][]float32, rows)
	for i := range scores {
		scores[i] = flat[i*width : (i+1)*width : (i+1)*width]
	}
	return labels, scores, nil
}
