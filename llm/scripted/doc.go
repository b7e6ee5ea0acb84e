// Package scripted is a model without a model: a small script says what to
// answer. It drives the demo and tests, offline, and always the same way.
//
// A script is text, read line by line:
//
//	# a comment
//	on: hello | good morning       one or more phrases
//	say: Hello.                    the assistant's words; several lines are joined
//	do: ui.toast {"text":"Hi"}     a directive: its type and its payload as JSON
//
//	otherwise:                     at most once: the answer to everything else
//	say: Try "hello".
//
// A phrase matches where its words occur in the user's last message, one after
// the other; case and punctuation do not count. The first rule that matches
// answers. A request for structured output is answered with an envelope
// (package directive), any other with the text alone.
//
// In: the script. Out: a [Model], immutable and safe for concurrent use. The
// directives are not checked here but by the reader of the answer.
// Callers: cmd/limn, examples, tests.
package scripted
