// Package models reads, writes and probes the capabilities of models.
//
//	Load   one YAML file → entries of an llm.Table; a fault names file, line and key
//	Put    the file's bytes, an entry → the bytes with that entry, the rest as it was
//	Probe  a model of a server → its capabilities, by asking it
//
// The file is the application's; its entries come before those that are built
// in (llm.Known), and the first entry that matches decides, whole:
//
//	models:
//	  - provider: 127.0.0.1:11434
//	    model: "qwen3*"
//	    keys: [temperature, max_tokens]
//	    json_schema: true
//	    context: 32768
//
// What an entry does not say is not supported and not sent.
//
// Callers: cmd/limn, and programs that embed Limn and keep such a file.
package models
