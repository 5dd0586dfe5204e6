package main

import (
	"context"
	"fmt"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/cli"
	"helm.sh/helm/v3/pkg/release"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const chartTemplate = `
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data: {colour: {{ .Values.colour }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: web, image: web}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: {{ .Release.Name }}}
spec:
  rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
`

// helm installs, upgrades, rolls back and uninstalls a chart with Helm 3, which keeps its releases in secrets.
func helm(ctx context.Context, where place) error {
	settings := cli.New()
	settings.KubeConfig = where.kubeconfig
	settings.SetNamespace(where.namespace)
	configuration := &action.Configuration{}
	if err := configuration.Init(settings.RESTClientGetter(), where.namespace, "secret", func(string, ...any) {}); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(where.config)
	if err != nil {
		return err
	}
	colour := func(want string) error {
		settings, err := client.CoreV1().ConfigMaps(where.namespace).Get(ctx, "tour-settings", metav1.GetOptions{})
		if err == nil && settings.Data["colour"] != want {
			return fmt.Errorf("the settings are %s instead of %s", settings.Data["colour"], want)
		}
		return err
	}
	if err := releases(ctx, configuration, where.namespace, colour); err != nil {
		return err
	}
	if _, err := action.NewUninstall(configuration).Run("tour"); err != nil {
		return fmt.Errorf("uninstall: %w", err)
	}
	if err := colour(""); !errors.IsNotFound(err) {
		return fmt.Errorf("the settings after uninstall: %v", err)
	}
	return nil
}

func releases(ctx context.Context, configuration *action.Configuration, namespace string, colour func(string) error) error {
	packaged := &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: "v2", Name: "tour", Version: "1.0.0"},
		Templates: []*chart.File{{Name: "templates/all.yaml", Data: []byte(chartTemplate)}},
	}
	install := action.NewInstall(configuration)
	install.ReleaseName, install.Namespace = "tour", namespace
	installed, err := install.RunWithContext(ctx, packaged, map[string]any{"colour": "blue"})
	if err != nil {
		return fmt.Errorf("install: %w", err)
	}
	if installed.Info.Status != release.StatusDeployed {
		return fmt.Errorf("the release is %s", installed.Info.Status)
	}
	if err := colour("blue"); err != nil {
		return err
	}
	upgrade := action.NewUpgrade(configuration)
	upgrade.Namespace = namespace
	if _, err := upgrade.RunWithContext(ctx, "tour", packaged, map[string]any{"colour": "green"}); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := colour("green"); err != nil {
		return err
	}
	rollback := action.NewRollback(configuration)
	rollback.Version = 1
	if err := rollback.Run("tour"); err != nil {
		return fmt.Errorf("rollback: %w", err)
	}
	history, err := action.NewHistory(configuration).Run("tour")
	if err != nil || len(history) != 3 {
		return fmt.Errorf("a history of %d: %v", len(history), err)
	}
	return colour("blue")
}
