package label

import (
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestWords(t *testing.T) {
	r := round(1, 3)
	r.Words = map[Value]string{Invariant: "robust", Variant: "très fragile"}
	testdata.OK(t, r.Validate())
	for text, want := range map[string]Value{
		"robust": Invariant, "Robust": Invariant, " invariant ": Invariant, "i": Invariant, "borderline": Borderline,
		"B": Borderline, "TRÈS FRAGILE": Variant, "variant": Variant, "V": Variant,
	} {
		testdata.Is(t, text, testdata.Must(r.ParseWord(text))(t), want)
	}
	for _, v := range Values(3) {
		testdata.Is(t, "read again", testdata.Must(r.ParseWord(r.Word(v)))(t), v)
	}
	testdata.Equal(t, "spoken", r.Spoken(), []string{"robust (invariant)", "borderline", "très fragile (variant)"})
	_, err := r.ParseWord("fragile")
	testdata.Refused(t, "another word", err, "use robust, borderline or très fragile")
	r.Classes = 2
	_, err = r.ParseWord("borderline")
	testdata.Refused(t, "two classes", err, "use robust or très fragile")
}
