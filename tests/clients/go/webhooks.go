package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// webhooks registers two servers that are strict about names, one on the decoder of k8s.io/api/admission/v1 and one on
// controller-runtime, through admissionregistration.k8s.io, and takes objects of five kinds through both.
func webhooks(ctx context.Context, where place) error {
	directory, err := os.MkdirTemp("", "binnacle-webhooks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	authority, certificate, err := certificateIn(directory)
	if err != nil {
		return err
	}
	asked := &account{}
	strict, err := serveStrict(ctx, asked, certificate)
	if err != nil {
		return err
	}
	managed, err := serveManaged(ctx, where, asked, directory)
	if err != nil {
		return err
	}
	unregister, err := register(ctx, where, authority, strict, managed)
	if err != nil {
		return err
	}
	defer unregister()
	if err := takeAllThrough(ctx, where); err != nil {
		return fmt.Errorf("%w; %v", err, asked.complete())
	}
	return asked.complete(strictServer, runtimeServer)
}

func takeAllThrough(ctx context.Context, where place) error {
	if err := registered(ctx, where); err != nil {
		return err
	}
	for _, each := range reviewedKinds() {
		if err := takeThrough(ctx, where, each); err != nil {
			return fmt.Errorf("%s: %w", each.kind, err)
		}
	}
	if err := keepsWhatSchemasPreserve(ctx, where); err != nil {
		return err
	}
	return throughOtherGroups(ctx, where)
}

// certificateIn writes a certificate for 127.0.0.1 as controller-runtime wants it, and gives it with its authority.
func certificateIn(directory string) ([]byte, tls.Certificate, error) {
	chain, key, err := cert.GenerateSelfSignedCertKey("localhost", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return nil, tls.Certificate{}, err
	}
	for file, content := range map[string][]byte{"tls.crt": chain, "tls.key": key} {
		if err := os.WriteFile(filepath.Join(directory, file), content, 0o600); err != nil {
			return nil, tls.Certificate{}, err
		}
	}
	certificate, err := tls.X509KeyPair(chain, key)
	return chain, certificate, err
}

// register creates the configurations of both servers, and gives what deletes them.
func register(ctx context.Context, where place, authority []byte, strict, managed string) (func(), error) {
	client, err := kubernetes.NewForConfig(where.config)
	if err != nil {
		return nil, err
	}
	registration := client.AdmissionregistrationV1()
	mutating := &admissionregistrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: where.namespace}}
	validating := &admissionregistrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: where.namespace}}
	none, selector := admissionregistrationv1.SideEffectClassNone, &metav1.LabelSelector{
		MatchLabels: map[string]string{selectedBy: where.namespace},
	}
	add := func(name string, each reviewed, server string, path func(phase string) string) {
		address := func(phase string) admissionregistrationv1.WebhookClientConfig {
			url := server + path(phase)
			return admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: authority}
		}
		rule := admissionregistrationv1.Rule{
			APIGroups: []string{each.kind.Group}, APIVersions: []string{each.kind.Version}, Resources: []string{each.resource},
		}
		writes := []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update}
		mutating.Webhooks = append(mutating.Webhooks, admissionregistrationv1.MutatingWebhook{
			Name: name, ClientConfig: address("mutate"), SideEffects: &none, ObjectSelector: selector,
			AdmissionReviewVersions: []string{"v1"},
			Rules:                   []admissionregistrationv1.RuleWithOperations{{Operations: writes, Rule: rule}},
		})
		all := append(writes, admissionregistrationv1.Delete)
		validating.Webhooks = append(validating.Webhooks, admissionregistrationv1.ValidatingWebhook{
			Name: name, ClientConfig: address("validate"), SideEffects: &none, ObjectSelector: selector,
			AdmissionReviewVersions: []string{"v1"},
			Rules:                   []admissionregistrationv1.RuleWithOperations{{Operations: all, Rule: rule}},
		})
	}
	for _, each := range reviewedKinds() {
		each := each
		add(each.resource+"."+strictServer+".example.com", each, strict, func(phase string) string { return "/" + phase })
		add(each.resource+"."+runtimeServer+".example.com", each, managed, func(phase string) string { return runtimePath(phase, each) })
	}
	if _, err := registration.MutatingWebhookConfigurations().Create(ctx, mutating, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	if _, err := registration.ValidatingWebhookConfigurations().Create(ctx, validating, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	return func() {
		ctx := context.Background()
		_ = registration.MutatingWebhookConfigurations().Delete(ctx, where.namespace, metav1.DeleteOptions{})
		_ = registration.ValidatingWebhookConfigurations().Delete(ctx, where.namespace, metav1.DeleteOptions{})
	}, nil
}

// registered waits until the server asks the webhooks: it learns of new ones within a moment.
func registered(ctx context.Context, where place) error {
	client, err := kubernetes.NewForConfig(where.config)
	if err != nil {
		return err
	}
	return until(ctx, "the server asks the webhooks", func() (bool, error) {
		lease := someLease(where.namespace, "asked").(*coordinationv1.Lease)
		created, err := client.CoordinationV1().Leases(where.namespace).Create(
			ctx, lease, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			return false, err
		}
		return missingMarks(created) == "", nil
	})
}

// missingMarks names the servers that have not added their label.
func missingMarks(object metav1.Object) string {
	var missing []string
	for _, server := range []string{strictServer, runtimeServer} {
		if object.GetLabels()[seenBy+server] != "yes" {
			missing = append(missing, server)
		}
	}
	return strings.Join(missing, ", ")
}

// takeThrough creates, updates, patches and deletes an object of a kind, which both servers see and change, and has each refuse it once.
func takeThrough(ctx context.Context, where place, each reviewed) error {
	scheme, err := reviewedScheme()
	if err != nil {
		return err
	}
	objects, err := client.New(where.config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	object := each.make(where.namespace, "reviewed")
	wanted := object.DeepCopyObject()
	if err := objects.Create(ctx, object); err != nil {
		return err
	}
	if missing := missingMarks(object); missing != "" {
		return fmt.Errorf("not changed by %s", missing)
	}
	if err := sameContent(wanted, object); err != nil {
		return err
	}
	for _, server := range []string{strictServer, runtimeServer} {
		err := changed(ctx, objects, object, func() {
			object.SetAnnotations(map[string]string{refusedBy: server})
		})
		if err == nil || !strings.Contains(err.Error(), "refused by "+server) {
			return fmt.Errorf("an update that %s refuses: %v", server, err)
		}
	}
	if err := changed(ctx, objects, object, func() {
		delete(object.GetLabels(), seenBy+strictServer)
		delete(object.GetLabels(), seenBy+runtimeServer)
	}); err != nil {
		return err
	}
	if missing := missingMarks(object); missing != "" {
		return fmt.Errorf("an update is not changed by %s", missing)
	}
	before := object.DeepCopyObject().(client.Object)
	delete(object.GetLabels(), seenBy+strictServer)
	delete(object.GetLabels(), seenBy+runtimeServer)
	if err := objects.Patch(ctx, object, client.MergeFrom(before)); err != nil {
		return err
	}
	if missing := missingMarks(object); missing != "" {
		return fmt.Errorf("a patch is not changed by %s", missing)
	}
	if err := sameContent(wanted, object); err != nil {
		return err
	}
	return objects.Delete(ctx, object)
}

// changed reads an object, changes it and writes it back, until no other writer comes between.
func changed(ctx context.Context, objects client.Client, object client.Object, change func()) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if err := objects.Get(ctx, client.ObjectKeyFromObject(object), object); err != nil {
			return err
		}
		change()
		return objects.Update(ctx, object)
	})
}

// sameContent compares what a client wrote with what it was answered after both servers had it in their hands.
func sameContent(wanted runtime.Object, object client.Object) error {
	same := true
	switch wanted := wanted.(type) {
	case *corev1.Pod:
		found := object.(*corev1.Pod).Spec.Containers
		same = len(found) == 1 && found[0].Name == wanted.Spec.Containers[0].Name && found[0].Image == wanted.Spec.Containers[0].Image
	case *networkingv1.Ingress:
		same = equality.Semantic.DeepEqual(wanted.Spec, object.(*networkingv1.Ingress).Spec)
	case *rbacv1.Role:
		same = equality.Semantic.DeepEqual(wanted.Rules, object.(*rbacv1.Role).Rules)
	case *coordinationv1.Lease:
		same = equality.Semantic.DeepEqual(wanted.Spec, object.(*coordinationv1.Lease).Spec)
	case *apiextensionsv1.CustomResourceDefinition:
		same = equality.Semantic.DeepEqual(wanted.Spec.Versions, object.(*apiextensionsv1.CustomResourceDefinition).Spec.Versions)
	}
	if !same {
		return fmt.Errorf("the object came back as %v", object)
	}
	return nil
}

// keepsWhatSchemasPreserve stores an object of a definition that both servers sent back: unknown fields stay.
func keepsWhatSchemasPreserve(ctx context.Context, where place) error {
	definitions, err := apiextensions.NewForConfig(where.config)
	if err != nil {
		return err
	}
	definition := someDefinition(where.namespace, "kept").(*apiextensionsv1.CustomResourceDefinition)
	if _, err := definitions.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, definition, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := established(ctx, definitions, definition.Name); err != nil {
		return err
	}
	objects, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return err
	}
	resource := gadgets(where.namespace)
	resource.Group = definition.Spec.Group
	made, err := objects.Resource(resource).Namespace(where.namespace).Create(
		ctx, gadget(resource.Group, "kept", "blue"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if deep, _, _ := unstructured.NestedInt64(made.Object, "spec", "free", "deep", "a"); deep != 1 {
		return fmt.Errorf("an object lost what its schema preserves: %v", made.Object["spec"])
	}
	return nil
}

// throughOtherGroups writes objects under the other names of their groups, where the server has such: the webhooks,
// which were registered for the names of Kubernetes, are asked in these all the same.
func throughOtherGroups(ctx context.Context, where place) error {
	found, err := discovery.NewDiscoveryClientForConfig(where.config)
	if err != nil {
		return err
	}
	groups, err := found.ServerGroups()
	if err != nil {
		return err
	}
	served := map[string]bool{}
	for _, group := range groups.Groups {
		served[group.Name] = true
	}
	objects, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return err
	}
	for _, each := range reviewedKinds() {
		other := strings.TrimSuffix(each.kind.Group, ".k8s.io") + ".cluster.io"
		if !served[other] {
			continue
		}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(each.make(where.namespace, "other"))
		if err != nil {
			return err
		}
		object := &unstructured.Unstructured{Object: content}
		unstructured.RemoveNestedField(object.Object, "status")
		object.SetGroupVersionKind(schema.GroupVersionKind{Group: other, Version: each.kind.Version, Kind: each.kind.Kind})
		all := objects.Resource(schema.GroupVersionResource{Group: other, Version: each.kind.Version, Resource: each.resource})
		var one dynamic.ResourceInterface = all.Namespace(where.namespace)
		if object.GetNamespace() == "" {
			one = all
		}
		created, err := one.Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("%s in %s: %w", each.resource, other, err)
		}
		if missing := missingMarks(created); missing != "" || created.GroupVersionKind() != object.GroupVersionKind() {
			return fmt.Errorf("%s of %s is a %s, not changed by %q", each.resource, other, created.GroupVersionKind(), missing)
		}
		if err := one.Delete(ctx, created.GetName(), metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("%s in %s: %w", each.resource, other, err)
		}
	}
	return nil
}
