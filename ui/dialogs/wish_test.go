package dialogs

import (
	"slices"
	"strings"
	"testing"
)

func TestWishNamesWhatARunNeeds(t *testing.T) {
	w := Wish{Modalities: []string{"max@CONF", "mean@HEAD", "max@HEAD", "relu1/mean", "L2@CONV-1", "L2.CONV-1", "nonsense", "max@relu1"}}
	named, tensors, vectors := w.needs()
	if strings.Join(named, " ") != "CONF HEAD" || strings.Join(tensors, " ") != "relu1" {
		t.Errorf("positions %v, tensors %v", named, tensors)
	}
	if !slices.Equal(vectors, []string{"L2@CONV-1"}) {
		t.Errorf("vector modalities %v", vectors)
	}
	if named, tensors, vectors := (Wish{}).needs(); len(named)+len(tensors)+len(vectors) != 0 {
		t.Error("no wish needs something")
	}
}

func TestWholeTensorsAreRead(t *testing.T) {
	for text, want := range map[string]string{"": "", " L2@CONV-1, Linf@CONF ": "L2@CONV-1 Linf@CONF", "L1@CONF L1@CONF": "L1@CONF"} {
		if got, err := parseVectors(text); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"max@HEAD": "L2@HEAD", "whole": "no modality"} {
		if _, err := parseVectors(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
