// Package modelcmd has the commands of limn about models: List prints their
// capabilities and the entry each comes from; Probe asks an endpoint and writes its
// findings. Both read the application's capabilities file (package internal/models)
// before the built-in table; so does limn serve, by Table.
package modelcmd
