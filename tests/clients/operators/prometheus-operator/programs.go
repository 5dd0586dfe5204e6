//go:build programs

package main

// Programs that are built as their project publishes them.
import (
	_ "github.com/prometheus-operator/prometheus-operator/cmd/admission-webhook"
	_ "github.com/prometheus-operator/prometheus-operator/cmd/operator"
)
