// Package v09 is the basic catalog of A2UI v0.9 and v0.9.1. Their wire form is
// package jsonwire's.
package v09
