package transform

// Two transformation sets have parameters. shift:n:t is padded translation: the identity, then the image shifted to region 1..n*n
// (spec/dscore.md section 2). mask:n leaves the image as it is and deletes region 1..n*n of the model's feature maps: a list of
// model edits whose first is none, which runs, is kept and is resumed as any set (spec/dscore.md section 1).
const (
	ShiftSet = "shift"
	MaskSet  = "mask"
)

// Masks says what mask:n:... deletes regions of.
type Masks struct {
	N int
	// Layers are numbers of Conv nodes of the main graph in graph order, from 1, ascending; empty for all.
	Layers []int
	// AfterBatchNorm moves the deletion behind a batch-norm that follows a convolution directly.
	AfterBatchNorm bool
}

// Shift is the set shift:n:t; n from 1 to region.MaxGrid, t from 1.
func Shift(n, t int) (Family, error) { panic("not built yet") }

// Mask is the set of masks; its canonical text is mask:3, mask:3;layers=1,3 or mask:3;layers=2;after=batchnorm.
func Mask(m Masks) (Family, error) { panic("not built yet") }

// Shifted gives n and t of a set shift:n:t; ok is false for everything else.
func (f Family) Shifted() (n, t int, ok bool) { panic("not built yet") }

// Masked gives what a set mask:n deletes; ok is false for everything else.
func (f Family) Masked() (m Masks, ok bool) { panic("not built yet") }
