package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Labels and annotations of the webhooks: who is selected, what each of the two servers adds, and which one refuses.
const (
	selectedBy = "reviewed-in"
	seenBy     = "seen-by-"
	refusedBy  = "refused-by"
)

// A reviewed kind is one that both webhook servers are asked about, through its type of this release.
type reviewed struct {
	kind     schema.GroupVersionKind
	resource string
	// A valid object of the kind.
	make func(namespace, name string) client.Object
}

func reviewedKinds() []reviewed {
	return []reviewed{
		{corev1.SchemeGroupVersion.WithKind("Pod"), "pods", somePod},
		{networkingv1.SchemeGroupVersion.WithKind("Ingress"), "ingresses", someIngress},
		{rbacv1.SchemeGroupVersion.WithKind("Role"), "roles", someRole},
		{coordinationv1.SchemeGroupVersion.WithKind("Lease"), "leases", someLease},
		{apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"), "customresourcedefinitions", someDefinition},
	}
}

func (r reviewed) gvr() schema.GroupVersionResource {
	return r.kind.GroupVersion().WithResource(r.resource)
}

// reviewedScheme has the types of the reviewed kinds, and the options of requests.
func reviewedScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	if err := clientgo.AddToScheme(scheme); err != nil {
		return nil, err
	}
	return scheme, apiextensionsv1.AddToScheme(scheme)
}

func selected(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{selectedBy: namespace}}
}

func somePod(namespace, name string) client.Object {
	return &corev1.Pod{
		ObjectMeta: selected(namespace, name),
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
	}
}

func someIngress(namespace, name string) client.Object {
	backend := networkingv1.IngressServiceBackend{Name: "web", Port: networkingv1.ServiceBackendPort{Number: 80}}
	return &networkingv1.Ingress{
		ObjectMeta: selected(namespace, name),
		Spec:       networkingv1.IngressSpec{DefaultBackend: &networkingv1.IngressBackend{Service: &backend}},
	}
}

func someRole(namespace, name string) client.Object {
	groups := []string{networkingv1.GroupName, coordinationv1.GroupName, "", "apps"}
	return &rbacv1.Role{
		ObjectMeta: selected(namespace, name),
		Rules:      []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: groups, Resources: []string{"*"}}},
	}
}

func someLease(namespace, name string) client.Object {
	holder := "somebody"
	return &coordinationv1.Lease{
		ObjectMeta: selected(namespace, name),
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder},
	}
}

func someDefinition(namespace, name string) client.Object {
	definition := gadgetDefinition(name + "." + gadgets(namespace).Group)
	definition.Labels = map[string]string{selectedBy: namespace}
	return definition
}

// An account of reviews: how often a server was asked about a kind and an operation, and what it could not read.
type account struct {
	mutex   sync.Mutex
	asked   map[string]int
	strange []string
}

func (a *account) add(server, phase, kind, operation string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.asked == nil {
		a.asked = map[string]int{}
	}
	a.asked[strings.Join([]string{server, phase, kind, operation}, " ")]++
}

func (a *account) complain(problem error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.strange = append(a.strange, problem.Error())
}

// complete says what is missing of the reviews that each server must have been asked for.
func (a *account) complete(servers ...string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if len(a.strange) > 0 {
		return fmt.Errorf("%d reviews were not as expected, the first: %s", len(a.strange), a.strange[0])
	}
	var missing []string
	for _, server := range servers {
		for _, each := range reviewedKinds() {
			for _, what := range []string{"mutate CREATE", "mutate UPDATE", "validate CREATE", "validate UPDATE", "validate DELETE"} {
				phase, operation, _ := strings.Cut(what, " ")
				if key := strings.Join([]string{server, phase, each.kind.Kind, operation}, " "); a.asked[key] == 0 {
					missing = append(missing, key)
				}
			}
		}
	}
	sort.Strings(missing)
	if len(missing) > 0 {
		return fmt.Errorf("never asked: %s", strings.Join(missing, ", "))
	}
	return nil
}
