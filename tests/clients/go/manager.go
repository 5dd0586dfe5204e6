package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

// managed runs a controller of controller-runtime with leader election: for each configmap it keeps a secret that the
// configmap owns, and follows the metadata of secrets alone.
func managed(ctx context.Context, where place) error {
	return managedElectedIn(ctx, where, where.namespace)
}

// managedInCluster does the same as a pod of kube-system would: the address, the token and the namespace of the election are those that
// are mounted there.
func managedInCluster(ctx context.Context, where place) error {
	if err := managedElectedIn(ctx, where, ""); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(where.config)
	if err != nil {
		return err
	}
	_, err = client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, "tour.example.com", metav1.GetOptions{})
	return err
}

func managedElectedIn(ctx context.Context, where place, namespace string) error {
	log.SetLogger(zap.New())
	manager, err := ctrl.NewManager(where.config, ctrl.Options{
		Scheme:                        scheme.Scheme,
		Namespace:                     where.namespace,
		MetricsBindAddress:            "0",
		LeaderElection:                true,
		LeaderElectionID:              "tour.example.com",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	reconciler := &keeper{client: manager.GetClient()}
	if err := ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}, builder.OnlyMetadata).
		Complete(reconciler); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	defer stop()
	direct, err := client.New(where.config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		return err
	}
	if err := keepSecret(ctx, direct, where.namespace); err != nil {
		return err
	}
	stop()
	select {
	case err := <-ended:
		return err
	case <-time.After(30 * time.Second):
		return fmt.Errorf("the manager does not stop")
	}
}

// keepSecret deletes the secret that the controller makes, which has to make it anew: its watch of metadata tells it so.
func keepSecret(ctx context.Context, direct client.Client, namespace string) error {
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "kept"}}
	if err := direct.Create(ctx, owner); err != nil {
		return err
	}
	var seen types.UID
	for range [2]int{} {
		secret := &corev1.Secret{}
		if err := until(ctx, "the controller keeps the secret", func() (bool, error) {
			err := direct.Get(ctx, client.ObjectKeyFromObject(owner), secret)
			if errors.IsNotFound(err) {
				return false, nil
			}
			return err == nil && secret.UID != seen, err
		}); err != nil {
			return err
		}
		seen = secret.UID
		if err := direct.Delete(ctx, secret); err != nil {
			return err
		}
	}
	return nil
}

type keeper struct{ client client.Client }

func (k *keeper) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	owner := &corev1.ConfigMap{}
	if err := k.client.Get(ctx, request.NamespacedName, owner); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if owner.Name != "kept" {
		return ctrl.Result{}, nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: owner.Namespace, Name: owner.Name}}
	if err := controllerutil.SetControllerReference(owner, secret, scheme.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := k.client.Create(ctx, secret); err != nil && !errors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}
