//go:build programs

package main

// Programs that are built as their project publishes them, and Helm, which installs their chart.
import (
	_ "github.com/cert-manager/cert-manager/cmd/cainjector"
	_ "github.com/cert-manager/cert-manager/cmd/controller"
	_ "github.com/cert-manager/cert-manager/cmd/webhook"
	_ "helm.sh/helm/v3/cmd/helm"
)
