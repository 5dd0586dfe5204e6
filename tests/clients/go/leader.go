package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// leader has two candidates for one Lease: one leads, and when it steps down the other does.
func leader(ctx context.Context, where place) error {
	client, err := kubernetes.NewForConfig(where.config)
	if err != nil {
		return err
	}
	leading := make(chan string)
	first, stepDown := context.WithCancel(ctx)
	defer stepDown()
	go campaign(first, client, where.namespace, "first", leading)
	if name := <-leading; name != "first" {
		return fmt.Errorf("%s leads", name)
	}
	go campaign(ctx, client, where.namespace, "second", leading)
	select {
	case name := <-leading:
		return fmt.Errorf("%s leads beside the first", name)
	case <-time.After(3 * time.Second):
	}
	stepDown()
	select {
	case name := <-leading:
		if name != "second" {
			return fmt.Errorf("%s leads after the first", name)
		}
	case <-ctx.Done():
		return fmt.Errorf("the second does not lead: %w", ctx.Err())
	}
	lease, err := client.CoordinationV1().Leases(where.namespace).Get(ctx, "tour", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if holder := *lease.Spec.HolderIdentity; holder != "second" {
		return fmt.Errorf("the lease names %s", holder)
	}
	return nil
}

func campaign(ctx context.Context, client kubernetes.Interface, namespace, name string, leading chan<- string) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "tour", Namespace: namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		},
		ReleaseOnCancel: true,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     500 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leading <- name },
			OnStoppedLeading: func() {},
		},
	})
}
