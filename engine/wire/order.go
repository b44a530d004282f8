package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

// orderVersion is the form of orders that is read and written. Form 1 said the output and the
// masks twice.
const orderVersion = 2

// Order describes one unit of work: what engine.Task says of a model, without what belongs to the
// machine that has it, and the names of model and images.
type Order struct {
	Wire    int         `json:"wire"` // orderVersion
	Unit    string      `json:"unit"` // Spec.UnitKey(Chunk): the name of the result
	ID      string      `json:"id"`   // the model's id, for messages
	Spec    signal.Spec `json:"spec"`
	Chunk   int         `json:"chunk"`
	Input   model.Input `json:"input"`   // engine.Feed.Input
	Tensors []string    `json:"tensors"` // engine.Feed.Tensors
	Classes []int       `json:"classes"` // engine.Task.Classes
	Model   Blob        `json:"model"`   // its SHA256 is Spec.Model
	Images  Blob        `json:"images"`  // the Pack; a worker process asks for images
}

// NewOrder describes the unit of a task and chunk, whose model and images travel as these objects.
// Slices are the task's. Encode says whether it can travel.
func NewOrder(task engine.Task, chunk int, model, images Blob) Order {
	return Order{
		Wire: orderVersion, Unit: task.Spec.UnitKey(chunk), ID: task.ID, Spec: task.Spec, Chunk: chunk,
		Input: task.Feed.Input, Tensors: task.Feed.Tensors, Classes: task.Classes, Model: model, Images: images,
	}
}

// Task is what an engine computes the unit from, with the model's file at a path of this machine;
// other content than the order's model is not opened. It is not Probed: this machine has to try
// the model by itself. Of what only reports tell (Absent, MappedBy, Skipped) it knows nothing.
func (o Order) Task(modelPath string) engine.Task {
	task := engine.Task{ID: o.ID, Spec: o.Spec, Classes: o.Classes, Feed: engine.Feed{
		Path: modelPath, SHA256: o.Model.SHA256, Input: o.Input, Output: o.Spec.Output, Tensors: o.Tensors,
		Device: device.Device(o.Spec.Device),
	}}
	if family, err := transform.ParseAny(o.Spec.Family); err == nil { // else the engine says so
		if masks, ok := family.Masked(); ok {
			task.Feed.Mask = &masks
		}
	}
	return task
}

// Encode writes the order as ParseOrder reads it. The error is what ParseOrder would say.
func (o Order) Encode() ([]byte, error) {
	var data []byte
	err := o.check()
	if err == nil {
		data, err = json.Marshal(o)
	}
	if err == nil && len(data) > MaxOrder {
		err = fmt.Errorf("its description has %d bytes; at most %d can travel", len(data), MaxOrder)
	}
	if err != nil {
		return nil, fmt.Errorf("unit of model %.80q cannot be computed elsewhere: %w", o.ID, err)
	}
	return data, nil
}

// ParseOrder reads an order and believes nothing of it: it has one form only (see the package), a
// size of MaxOrder at most, the name that its spec and chunk give, and values within bounds that a
// unit can have. A model that does not do what the order says is found by the engine.
func ParseOrder(data []byte) (Order, error) {
	var o Order
	if err := o.parse(data); err != nil {
		return Order{}, fmt.Errorf("the description of a unit of work cannot be used: %w", err)
	}
	return o, nil
}

func (o *Order) parse(data []byte) error {
	if len(data) > MaxOrder {
		return fmt.Errorf("it has %d bytes; at most %d are read", len(data), MaxOrder)
	}
	bad := json.Unmarshal(data, o) // which reads on behind a field of another type
	if bad != nil && (o.Wire == 0 || o.Wire == orderVersion) {
		return errors.New("it is no JSON object of the expected form")
	}
	if err := o.check(); err != nil {
		return err
	}
	again, err := json.Marshal(o)
	if err == nil && !bytes.Equal(again, data) {
		err = errors.New("it is not written in the one form that orders have: a field is unknown, comes twice, in " +
			"another order or spelling")
	}
	return err
}
