package present

// ModelNeeds says what a model that is imported must bring beside its file, for the import dialog
// and for import's help.
func ModelNeeds() string {
	return "What a model must bring: the mean and std that its training used, one number each or one per channel, for pixels from 0 to 1 " +
		"(0.485;0.456;0.406), and its class_names in the order of its outputs (cat;dog). They are columns of models.csv, or stand under these names " +
		"in the .onnx file's metadata. Without mean and std the model gets pixels from 0 to 1; without class names output 0 is the suite's first " +
		"class, output 1 its second, and so on."
}
