package variance

import (
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func TestChoiceIsThatOfItsOptions(t *testing.T) {
	var c Choice
	testdata.OK(t, option.Verify(&c))
	option.SetDefaults(&c)
	if got, want := c.Chosen().String(), AllImages().String(); got != want || !c.All() {
		t.Errorf("without options %s are chosen, want %s", got, want)
	}
	c.Images, c.Exclude = "wrong", []int{3}
	if got := c.Chosen(); got.Which != Wrong || len(got.Excluded) != 1 || c.All() {
		t.Errorf("chosen are %+v", got)
	}
}

func TestTablesOfMatrices(t *testing.T) {
	list := []Of{
		{
			Model: "a", Modality: "max@CONF", Images: 5,
			Matrix: Matrix{N: 3, Data: []float64{0, 1, 2, 3, 0, math.NaN(), 5, 6, 0}},
		},
		{Model: "b", Modality: "max@CONV-2", Absent: result.Because("absent", "no second convolution")},
	}
	elements := Elements([]float64{-10, -5, 0, 5, 10})
	for _, err := range []error{Matrices.Check(), elements.Check()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	sheet := Matrices.Sheet(list)
	if f := sheet.Fields[sheet.Field("max")]; !f.Missing(1) || f.Why(1).Text != "no second convolution" {
		t.Errorf("the largest element of no matrix is %s", f.Tell(1))
	}
	sheet = elements.Sheet(RowsOf(list))
	for _, c := range []struct {
		row  int
		key  string
		want float64
	}{{0, "V", -5}, {0, "0", 1}, {2, "V", 5}, {2, "-5", 5}, {1, "5", math.NaN()}, {1, "10", math.NaN()}} {
		if got := sheet.Fields[sheet.Field(c.key)].Number(c.row); got != c.want &&
			!(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s of row %d is %v, want %v", c.key, c.row, got, c.want)
		}
	}
	testdata.Is(t, "rows", sheet.Len(), 3)
	if low, _ := sheet.Fields[sheet.Field("5")].Interval(0); !math.IsNaN(low) {
		t.Error("an element without a band has an interval")
	}
	list[0].Band = Band{list[0].Matrix, Matrix{N: 3, Data: slices.Repeat([]float64{7}, 9)}}
	sheet = elements.Sheet(RowsOf(list))
	if low, high := sheet.Fields[sheet.Field("5")].Interval(0); low != 2 || high != 7 {
		t.Errorf("the interval of an element is %v..%v", low, high)
	}
	if sheet = Matrices.Sheet(list); sheet.Field("device") >= 0 {
		t.Error("there are devices where all is computed on the processor")
	}
	list[1].Device = "webgpu"
	sheet = Matrices.Sheet(list)
	if f := sheet.Fields[sheet.Field("device")]; f.Say(0) != "cpu" || f.Say(1) != "webgpu" {
		t.Errorf("computed on %s and %s", f.Say(0), f.Say(1))
	}
}
