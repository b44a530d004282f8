package traininglog

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	_ "google.golang.org/protobuf/types/known/structpb" // which settings of the plugin hparams are

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// messages are those of TensorFlow's event.proto, summary.proto and tensor.proto and of the plugin
// hparams, as far as training logs have them: a field is its name, number and type.
var messages = map[string]string{
	"Event":   "wall_time 1 double, step 2 int64, file_version 3 string, graph_def 4 bytes, summary 5 Summary",
	"Summary": "value 1 Value*",
	"Value": "tag 1 string, simple_value 2 float, image 4 Image, histo 5 Histogram, node_name 7 string, " +
		"tensor 8 Tensor, metadata 9 Metadata",
	"Image":      "height 1 int32, width 2 int32, encoded_image_string 4 bytes",
	"Histogram":  "min 1 double, max 2 double, num 3 double, sum 4 double, bucket_limit 6 double*, bucket 7 double*",
	"Metadata":   "plugin_data 1 PluginData, display_name 2 string, summary_description 3 string, data_class 4 int32",
	"PluginData": "plugin_name 1 string, content 2 bytes",
	"Tensor": "dtype 1 int32, tensor_shape 2 Shape, version_number 3 int32, tensor_content 4 bytes, float_val " +
		"5 float*, double_val 6 double*, int_val 7 int32*, string_val 8 bytes*, int64_val 10 int64*",
	"Shape":        "dim 2 Dim*, unknown_rank 3 bool",
	"Dim":          "size 1 int64, name 2 string",
	"HParams":      "version 1 int32, session_start_info 3 SessionStart",
	"SessionStart": "hparams 1 Entry*, model_uri 2 string, group_name 4 string, start_time_secs 5 double",
	"Entry":        "key 1 string, value 2 google.protobuf.Value", // of a map, which is written so
}

// encoded is a message, given as text, as Google's own library for protobuf writes it.
func encoded(t *testing.T, name, text string) string {
	t.Helper()
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("log.proto"), Package: proto.String("log"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/struct.proto"},
	}
	for message, fields := range messages {
		m := &descriptorpb.DescriptorProto{Name: proto.String(message)}
		for field := range strings.SplitSeq(fields, ", ") {
			words := strings.Fields(field)
			kind, many := strings.CutSuffix(words[2], "*")
			number := int32(testdata.Must(strconv.Atoi(words[1]))(t))
			f := &descriptorpb.FieldDescriptorProto{
				Name: &words[0], Number: &number, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			}
			if many {
				f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			}
			if plain, ok := descriptorpb.FieldDescriptorProto_Type_value["TYPE_"+strings.ToUpper(kind)]; ok {
				f.Type = descriptorpb.FieldDescriptorProto_Type(plain).Enum()
			} else if f.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(); strings.Contains(kind, ".") {
				f.TypeName = proto.String("." + kind)
			} else {
				f.TypeName = proto.String(".log." + kind)
			}
			m.Field = append(m.Field, f)
		}
		file.MessageType = append(file.MessageType, m)
	}
	described := testdata.Must(protodesc.NewFile(file, protoregistry.GlobalFiles))(t)
	m := dynamicpb.NewMessage(described.Messages().ByName(protoreflect.Name(name)))
	must(t, prototext.Unmarshal([]byte(text), m))
	return string(testdata.Must(proto.Marshal(m))(t))
}

// TestEventsByAnotherEncoder reads an event file whose messages Google's library for protobuf has
// written: numbers in all forms of a tensor (lists are packed), settings of the plugin hparams, and
// messages and fields that say nothing of a training.
func TestEventsByAnotherEncoder(t *testing.T) {
	settings := encoded(t, "HParams", `version: 0 session_start_info { group_name: "g" start_time_secs: 1.7e9
		hparams { key: "batch_size" value { number_value: 32 } }
		hparams { key: "flip" value { bool_value: true } }
		hparams { key: "optimizer" value { string_value: "adam" } }
		hparams { key: "warmup" value { null_value: NULL_VALUE } } }`)
	quoted := ""
	for _, b := range []byte(settings) {
		quoted += fmt.Sprintf(`\x%02x`, b)
	}
	var file strings.Builder
	for _, text := range []string{
		`wall_time: 1.7e9 file_version: "brain.Event:2"`,
		`wall_time: 1.7e9 graph_def: "a graph"`,
		`summary { value { tag: "_hparams_/session_start_info" metadata { plugin_data { plugin_name: "hparams" content: "` + quoted + `" } } } }`,
		`summary { value { tag: "train/loss" simple_value: 2 metadata { plugin_data { plugin_name: "scalars" } display_name: "loss" data_class: 1 } }
			value { tag: "val/loss" tensor { dtype: 1 tensor_shape {} float_val: 3 } node_name: "n" } }`,
		`summary { value { tag: "weights" histo { min: -1 max: 1 num: 2 sum: 0 bucket_limit: [0, 1] bucket: [1, 1] } }
			value { tag: "input" image { height: 1 width: 1 encoded_image_string: "png" } } }`,
		`step: 1 summary { value { tag: "train/loss" simple_value: -0.5 }
			value { tag: "val/loss" tensor { dtype: 2 tensor_shape { dim { size: 1 name: "x" } } double_val: 1.5 } }
			value { tag: "train/accuracy" tensor { dtype: 9 version_number: 1 int64_val: 1 } }
			value { tag: "val/accuracy" tensor { dtype: 3 int_val: -1 } }
			value { tag: "pair" tensor { dtype: 1 tensor_shape { dim { size: 2 } } float_val: [1, 2] } } }`,
		`step: 2 summary { value { tag: "train/loss" simple_value: inf }
			value { tag: "val/loss" tensor { dtype: 1 tensor_content: "\000\000\200>" } } }`,
	} {
		data := encoded(t, "Event", text)
		length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
		for _, part := range []string{string(length), data} {
			sum := crc32.Checksum([]byte(part), crc32.MakeTable(crc32.Castagnoli))
			file.WriteString(part)
			_ = binary.Write(&file, binary.LittleEndian, (sum>>15|sum<<17)+0xa282ead8)
		}
	}
	got := testdata.Must(Read(t.Context(), write(t, map[string]string{"events.out.tfevents.1": file.String()})))(t)
	testdata.NoDiff(t, "the log", cmp.Diff(Log{
		Form: TensorBoard,
		Curves: []model.Epoch{
			at(0, values{"train_loss": 2, "val_loss": 3}),
			at(1, values{"train_loss": -0.5, "val_loss": 1.5, "train_accuracy": 1, "val_accuracy": -1}),
			at(2, values{"val_loss": 0.25}),
		},
		Fields: []model.Field{
			{Name: "batch_size", Value: "32"},
			{Name: "flip", Value: "true"},
			{Name: "optimizer", Value: "adam"},
			{Name: "epochs", Value: "3"},
		},
		Remarks: []string{"it names no epochs; its steps (3, from 0 on) are taken for them"},
		LeftOut: []string{
			"weights (it is no single number)", "input (it is no single number)", "pair (it is no single number)",
			"1 value (no finite number)",
		},
	}, got))
}
