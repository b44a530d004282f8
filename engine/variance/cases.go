package variance

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Case is a worked example of a variance matrix: the confidence of a model for four images that
// are turned. Its numbers are made up to show one thing each.
type Case struct {
	Title, Says string
	Values      []float64 // of the sampling variable, degrees
	Matrix      Matrix
}

// Cases explain variance matrices by a model that turning hardly touches, and by one that loses
// confidence with the angle.
func Cases() (list []Case, err error) {
	const step, most = 3, 15
	images := []int{0, 1, 2, 3}
	for _, c := range []struct {
		title, says string
		confidence  func(angle float64, image int) float64
	}{
		{
			"Hardly touched by turning",
			"dark all over: from any angle to any other, confidences hardly differ",
			func(angle float64, image int) float64 { return 0.95 - 0.01*float64(image) - 0.02*math.Abs(angle)/most },
		},
		{
			"Loses confidence with the angle",
			"bright where one angle is large and the other is not, dark along both diagonals, where both are alike",
			func(angle float64, image int) float64 {
				return 0.95 - 0.05*float64(image) - 0.35*(angle/most)*(angle/most)
			},
		},
	} {
		one := Case{Title: c.title}
		var signals [][]float64
		for angle := -float64(most); angle <= most; angle += step {
			row := make([]float64, len(images))
			for k := range row {
				row[k] = c.confidence(angle, k)
			}
			one.Values, signals = append(one.Values, angle), append(signals, row)
		}
		if one.Matrix, err = scalar(signals, images); err != nil {
			return nil, err
		}
		one.Says = fmt.Sprintf("mean %s, largest %s: %s", result.Coefficient.Say(one.Matrix.Mean(), 0),
			result.Coefficient.Say(one.Matrix.Max(), 0), c.says)
		list = append(list, one)
	}
	return list, nil
}

// Figure is the matrix of the case, as all matrices are drawn, with what it says.
func (c Case) Figure(colours result.Colours) result.Figure {
	f := c.Matrix.Figure(result.Axis{Name: "rotation", Unit: "°", Values: c.Values}, colours, "max@CONF")
	f.Title, f.Note = c.Title, c.Says
	return f
}

// ElementCases explain an element of a matrix by two of the same size: most images make one, a few
// the other.
func ElementCases() (list []result.Figure, err error) {
	const count = 40
	images := make([]int, count)
	for k := range images {
		images[k] = k
	}
	for _, c := range []struct {
		title string
		loss  func(image int) float64
	}{
		{"Most images lose a little", func(image int) float64 { return 0.08 + 0.01*float64(image%5) }},
		{"A few images lose much", func(image int) float64 {
			if image%10 == 0 {
				return 0.32
			}
			return 0.01 * float64(image%3)
		}},
	} {
		signals := [][]float32{make([]float32, count), make([]float32, count)}
		for k := range images {
			before := 0.98 - 0.01*float64(k)
			signals[0][k], signals[1][k] = float32(before), float32(before-c.loss(k))
		}
		e, err := ScalarDifferences(signals).Explain(images, 0, 1, Known{})
		if err != nil {
			return nil, err
		}
		e.Modality, e.V, e.Unit = "max@CONF", [2]float64{0, 15}, "°"
		f := e.Scatter()
		f.Title, f.Note = c.title, fmt.Sprintf("δ %s. %s", result.Coefficient.Say(e.Delta, 0), e.Sentence())
		list = append(list, f)
	}
	return list, nil
}
