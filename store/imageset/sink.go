package imageset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/durable"
)

// sink takes the images of one set. encode is called from many goroutines, add in the images'
// order.
type sink interface {
	encode(img suite.Image) ([]byte, error)
	add(i int, data []byte) error
	close() error
}

func (s Set) sink(draft *durable.Draft) (sink, error) {
	if s.Format == IDX {
		return newIDX(draft, s.Suite.Manifest())
	}
	return newFolder(draft, s.Suite)
}

// bytesOf is an image in 8 bits, channel by channel, each value rounded to the nearest level.
func bytesOf(img suite.Image) []byte {
	data := make([]byte, len(img.Pix))
	for i, v := range img.Pix {
		data[i] = byte(min(max(float64(v), 0), 1)*255 + 0.5)
	}
	return data
}

// folder writes PNG files into class folders, or into the folder itself for a suite without
// classes.
type folder struct {
	draft   *durable.Draft
	suite   *suite.Suite
	classes []string
	digits  int
	encoder png.Encoder
}

// buffers lets encoders share their room, which is large beside a small image.
type buffers struct{ pool sync.Pool }

// Get implements png.EncoderBufferPool.
func (b *buffers) Get() *png.EncoderBuffer {
	free, _ := b.pool.Get().(*png.EncoderBuffer)
	return free
}

// Put implements png.EncoderBufferPool.
func (b *buffers) Put(used *png.EncoderBuffer) { b.pool.Put(used) }

func newFolder(draft *durable.Draft, s *suite.Suite) (*folder, error) {
	f := &folder{
		draft: draft, suite: s, classes: folderNames(s.Manifest().Classes), digits: len(fmt.Sprint(s.Len() - 1)),
	}
	f.encoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers{}}
	if len(f.classes) == 0 {
		return f, nil
	}
	for _, class := range f.classes {
		if err := draft.Mkdir(class); err != nil {
			return nil, err
		}
	}
	list := strings.Join(f.classes, "\n") + "\n"
	return f, draft.WriteBytes("classes.txt", []byte(list))
}

func (f *folder) encode(img suite.Image) ([]byte, error) {
	data, size := bytesOf(img), image.Rect(0, 0, img.Width, img.Height)
	var out bytes.Buffer
	if img.Channels == 1 {
		err := f.encoder.Encode(&out, &image.Gray{Pix: data, Stride: img.Width, Rect: size})
		return out.Bytes(), err
	}
	m, area := image.NewNRGBA(size), img.Height*img.Width
	for i := range area {
		m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3] = data[i], data[area+i], data[2*area+i], 255
	}
	err := f.encoder.Encode(&out, m)
	return out.Bytes(), err
}

func (f *folder) add(i int, data []byte) error {
	class := ""
	if len(f.classes) > 0 {
		class = f.classes[f.suite.Label(i)]
	}
	return f.draft.WriteBytes(path.Join(class, fmt.Sprintf("%0*d.png", f.digits, i)), data)
}

func (*folder) close() error { return nil }

// idx writes a pair of IDX files; without classes there is no file of labels.
type idx struct {
	draft  *durable.Draft
	images *durable.File
	out    *bufio.Writer
}

// The files of a set in the format idx.
const (
	imagesName = "images-idx3-ubyte"
	labelsName = "labels-idx1-ubyte"
)

// The first four bytes of IDX files of unsigned bytes: images have 3 dimensions, labels 1.
const (
	idxImages = 0x00000803
	idxLabels = 0x00000801
)

func newIDX(draft *durable.Draft, m suite.Manifest) (*idx, error) {
	if len(m.Classes) > 0 {
		labels := binary.BigEndian.AppendUint32(nil, idxLabels)
		labels = binary.BigEndian.AppendUint32(labels, uint32(m.Images))
		for _, class := range m.Labels {
			labels = append(labels, byte(class))
		}
		if err := draft.WriteBytes(labelsName, labels); err != nil {
			return nil, err
		}
	}
	file, err := durable.New(filepath.Join(draft.Path, imagesName))
	if err != nil {
		return nil, draft.Failed(imagesName, err)
	}
	x := &idx{draft: draft, images: file, out: bufio.NewWriter(file)}
	header := binary.BigEndian.AppendUint32(nil, idxImages)
	for _, n := range []int{m.Images, m.Shape[1], m.Shape[2]} {
		header = binary.BigEndian.AppendUint32(header, uint32(n))
	}
	_, err = x.out.Write(header)
	return x, draft.Failed(imagesName, err)
}

func (*idx) encode(img suite.Image) ([]byte, error) { return bytesOf(img), nil }

func (x *idx) add(_ int, data []byte) error {
	_, err := x.out.Write(data)
	return x.draft.Failed(imagesName, err)
}

func (x *idx) close() error {
	return x.draft.Failed(imagesName, errors.Join(x.out.Flush(), x.images.Close()))
}
