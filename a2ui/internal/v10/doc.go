// Package v10 is v1.0 of A2UI: its catalog.
package v10
