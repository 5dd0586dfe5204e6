//go:build programs

package main

// Programs that are built as their projects publish them.
import _ "k8s.io/kube-state-metrics/v2"
