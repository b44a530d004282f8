package numpy

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestHeaderIsReadBack(t *testing.T) {
	for want, shape := range map[string][]int{"()": nil, "(3,)": {3}, "(2, 3,)": {2, 3}} {
		header := Header("<f4", shape)
		if len(header)%64 != 0 || !strings.Contains(string(header), "'shape': "+want+", }") ||
			header[len(header)-1] != '\n' {
			t.Errorf("%v: %q", shape, header)
		}
		a, err := Open(bytes.NewReader(header), 6)
		if err != nil || !slices.Equal(a.Shape, shape) || a.Start != int64(len(header)) || a.ByColumns {
			t.Errorf("%v: %+v, %v", shape, a, err)
		}
	}
}
