package main

import (
	"context"
	"fmt"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/cli"
	"helm.sh/helm/v3/pkg/release"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// A chart with a hook that is waited for, and with what charts ask the server: objects, and whether a kind is served.
const chartTemplate = `
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-before
  annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: before-hook-creation}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: before, image: before}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data:
  colour: {{ .Values.colour }}
  namespace: {{ (lookup "v1" "Namespace" "" .Release.Namespace).metadata.name }}
  reader: {{ (lookup "rbac.authorization.k8s.io/v1" "ClusterRole" "" "view").metadata.name }}
  ingresses: {{ len (lookup "networking.k8s.io/v1" "Ingress" .Release.Namespace "").items | quote }}
  served: {{ .Capabilities.APIVersions.Has "networking.k8s.io/v1/Ingress" | quote }}
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

// How long Helm waits for a hook.
const hookTimeout = time.Minute

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
		if err != nil {
			return err
		}
		if settings.Data["colour"] != want {
			return fmt.Errorf("the settings are %s instead of %s", settings.Data["colour"], want)
		}
		if found := settings.Data; found["namespace"] != where.namespace || found["reader"] != "view" || found["served"] != "true" {
			return fmt.Errorf("what the chart looked up: %v", found)
		}
		return nil
	}
	go completeJobs(ctx, client, where.namespace)
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
	install.ReleaseName, install.Namespace, install.Timeout = "tour", namespace, hookTimeout
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
	if len(installed.Hooks) != 1 || installed.Hooks[0].LastRun.Phase != release.HookPhaseSucceeded {
		return fmt.Errorf("the hooks of the release: %v", installed.Hooks)
	}
	upgrade := action.NewUpgrade(configuration)
	upgrade.Namespace, upgrade.Timeout = namespace, hookTimeout
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

// completeJobs does for the jobs of a namespace what their controller does when their pods have ended well.
func completeJobs(ctx context.Context, client kubernetes.Interface, namespace string) {
	jobs := client.BatchV1().Jobs(namespace)
	for ctx.Err() == nil {
		list, err := jobs.List(ctx, metav1.ListOptions{})
		for index := range list.Items {
			job := &list.Items[index]
			if err != nil || len(job.Status.Conditions) > 0 {
				continue
			}
			job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
			// One that is deleted meanwhile, or changed, is seen again or gone.
			_, _ = jobs.UpdateStatus(ctx, job, metav1.UpdateOptions{})
		}
		time.Sleep(100 * time.Millisecond)
	}
}
