package main

import (
	"context"
	"fmt"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

// typed writes and follows built-in objects in protobuf, as controllers do.
func typed(ctx context.Context, where place) error {
	config := rest.CopyConfig(where.config)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	followed, err := followDeployments(ctx, client, where.namespace)
	if err != nil {
		return err
	}
	deployments := client.AppsV1().Deployments(where.namespace)
	created, err := deployments.Create(ctx, deployment("web"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if created.Spec.RevisionHistoryLimit == nil || created.UID == "" {
		return fmt.Errorf("a deployment without defaults or identity: %v", created)
	}
	if _, err := deployments.Create(ctx, deployment("web"), metav1.CreateOptions{}); !errors.IsAlreadyExists(err) {
		return fmt.Errorf("a second creation: %v", err)
	}
	stale := created.DeepCopy()
	if err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current, err := deployments.Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		replicas := int32(3)
		current.Spec.Replicas = &replicas
		_, err = deployments.Update(ctx, current, metav1.UpdateOptions{})
		return err
	}); err != nil {
		return err
	}
	if _, err := deployments.Update(ctx, stale, metav1.UpdateOptions{}); !errors.IsConflict(err) {
		return fmt.Errorf("an update of what has changed: %v", err)
	}
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`)
	patched, err := deployments.Patch(ctx, "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if image := patched.Spec.Template.Spec.Containers[0].Image; image != "web:2" {
		return fmt.Errorf("the patch gave %s", image)
	}
	if err := applyTyped(ctx, client, where.namespace); err != nil {
		return err
	}
	if err := namesOfControllers(ctx, client, where.namespace); err != nil {
		return err
	}
	if err := deployments.Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return until(ctx, "the informer has seen all of it", func() (bool, error) {
		return followed.added.Load() == 1 && followed.updated.Load() >= 2 && followed.deleted.Load() == 1, nil
	})
}

func applyTyped(ctx context.Context, client kubernetes.Interface, namespace string) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	wanted := corev1apply.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"})
	for manager, force := range map[string]bool{"one": false, "two": true} {
		options := metav1.ApplyOptions{FieldManager: manager, Force: force}
		if _, err := maps.Apply(ctx, wanted, options); err != nil {
			return fmt.Errorf("apply by %s: %w", manager, err)
		}
	}
	other := corev1apply.ConfigMap("applied", namespace).WithData(map[string]string{"a": "2"})
	if _, err := maps.Apply(ctx, other, metav1.ApplyOptions{FieldManager: "three"}); !errors.IsConflict(err) {
		return fmt.Errorf("an apply of what others have: %v", err)
	}
	return nil
}

// namesOfControllers creates what the server adds names to that kube-controller-manager looks for.
func namesOfControllers(ctx context.Context, client kubernetes.Interface, namespace string) error {
	template := deployment("once").Spec.Template
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "once"}, Spec: batchv1.JobSpec{Template: template}}
	made, err := client.BatchV1().Jobs(namespace).Create(ctx, job, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if _, tracked := made.Annotations[batchv1.JobTrackingFinalizer]; !tracked {
		return fmt.Errorf("a job whose pods are not tracked: %v", made.Annotations)
	}
	labels := map[string]string{corev1.LabelHostname: namespace}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: labels}}
	node, err = client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if taints := node.Spec.Taints; len(taints) != 1 || taints[0].Key != corev1.TaintNodeNotReady {
		return fmt.Errorf("a new node has the taints %v", taints)
	}
	return client.CoreV1().Nodes().Delete(ctx, namespace, metav1.DeleteOptions{})
}

type follower struct{ added, updated, deleted atomic.Int64 }

func followDeployments(ctx context.Context, client kubernetes.Interface, namespace string) (*follower, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Apps().V1().Deployments().Informer()
	found := &follower{}
	if _, err := informer.AddEventHandler(found.handler()); err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return nil, fmt.Errorf("the informer of deployments does not come up")
	}
	return found, nil
}

func (f *follower) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { f.added.Add(1) },
		UpdateFunc: func(any, any) { f.updated.Add(1) },
		DeleteFunc: func(any) { f.deleted.Add(1) },
	}
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: name, Image: name + ":1"}}},
			},
		},
	}
}
