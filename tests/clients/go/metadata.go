package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// problems collects what informers report; one that works has none.
type problems struct {
	mutex sync.Mutex
	all   []string
}

func (p *problems) add(resource schema.GroupVersionResource, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.all = append(p.all, fmt.Sprintf("%s: %v", resource, err))
}

func (p *problems) err() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.all) == 0 {
		return nil
	}
	return fmt.Errorf("the informers report %d problems, the first: %s", len(p.all), p.all[0])
}

// metadataOfAll follows the metadata of every resource that can be deleted, listed and watched, as the garbage collector
// and the quota controller of kube-controller-manager do, and sees each change of built-in and custom objects.
func metadataOfAll(ctx context.Context, where place) error {
	if err := defineGadgets(ctx, where.config, where.namespace); err != nil {
		return err
	}
	client, err := metadata.NewForConfig(where.config)
	if err != nil {
		return err
	}
	resources, err := collectable(where)
	if err != nil {
		return err
	}
	factory := metadatainformer.NewSharedInformerFactory(client, 0)
	found, synced := &problems{}, []cache.InformerSynced{}
	maps := corev1.SchemeGroupVersion.WithResource("configmaps")
	followed := map[schema.GroupVersionResource]*follower{maps: {}, gadgets(where.namespace): {}}
	for _, resource := range resources {
		resource := resource
		informer := factory.ForResource(resource).Informer()
		if err := informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { found.add(resource, err) }); err != nil {
			return err
		}
		if seen := followed[resource]; seen != nil {
			if _, err := informer.AddEventHandler(inNamespace(where.namespace, seen)); err != nil {
				return err
			}
		}
		synced = append(synced, informer.HasSynced)
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), synced...) {
		return fmt.Errorf("not every informer of metadata comes up: %v", found.err())
	}
	fmt.Printf("%d informers of metadata\n", len(resources))
	if err := changeBoth(ctx, where); err != nil {
		return err
	}
	for resource, seen := range followed {
		seen := seen
		// The service account's configmap may come besides.
		if err := until(ctx, "metadata of "+resource.Resource+" is followed", func() (bool, error) {
			return seen.added.Load() >= 1 && seen.updated.Load() >= 1 && seen.deleted.Load() >= 1, nil
		}); err != nil {
			return fmt.Errorf("%w; problems: %v", err, found.err())
		}
	}
	// A watch that fails does so when it begins, which is after the list that the synchronization waits for.
	time.Sleep(time.Second)
	return found.err()
}

func inNamespace(namespace string, seen *follower) cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: func(object any) bool {
			meta, isMeta := object.(*metav1.PartialObjectMetadata)
			return isMeta && meta.Namespace == namespace && meta.Name == "followed"
		},
		Handler: seen.handler(),
	}
}

func collectable(where place) ([]schema.GroupVersionResource, error) {
	client, err := discovery.NewDiscoveryClientForConfig(where.config)
	if err != nil {
		return nil, err
	}
	lists, err := discovery.ServerPreferredResources(client)
	if err != nil {
		return nil, err
	}
	verbs := discovery.SupportsAllVerbs{Verbs: []string{"delete", "list", "watch"}}
	byResource, err := discovery.GroupVersionResources(discovery.FilteredBy(verbs, lists))
	if err != nil {
		return nil, err
	}
	var resources []schema.GroupVersionResource
	for resource := range byResource {
		resources = append(resources, resource)
	}
	if len(resources) < 30 {
		return nil, fmt.Errorf("discovery has only %d resources to follow", len(resources))
	}
	return resources, nil
}

func changeBoth(ctx context.Context, where place) error {
	client, err := kubernetes.NewForConfig(where.config)
	if err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(where.namespace)
	object, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "followed"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	object.Labels = map[string]string{"a": "b"}
	if _, err := maps.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "followed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	custom, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return err
	}
	resource := gadgets(where.namespace)
	objects := custom.Resource(resource).Namespace(where.namespace)
	made, err := objects.Create(ctx, gadget(resource.Group, "followed", "red"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.SetLabels(map[string]string{"a": "b"})
	if _, err := objects.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return objects.Delete(ctx, "followed", metav1.DeleteOptions{})
}
