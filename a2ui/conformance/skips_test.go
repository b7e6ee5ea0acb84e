package conformance

// skips are the cases that contradict the specification, by suite and name, with
// what it says instead. A case that stands here and passes fails the test.
var skips = map[string]string{}
