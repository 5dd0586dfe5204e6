package main

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// gadgets are custom objects of a group that belongs to a namespace.
func gadgets(namespace string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: namespace + ".example.com", Version: "v1", Resource: "gadgets"}
}

// defineGadgets creates the definition through its typed client and waits until its objects are served.
func defineGadgets(ctx context.Context, config *rest.Config, namespace string) error {
	client, err := apiextensions.NewForConfig(config)
	if err != nil {
		return err
	}
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	definition := gadgetDefinition(gadgets(namespace).Group)
	if _, err := definitions.Create(ctx, definition, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("the definition of gadgets: %w", err)
	}
	return established(ctx, client, definition.Name)
}

func established(ctx context.Context, client apiextensions.Interface, name string) error {
	return until(ctx, name+" is established", func() (bool, error) {
		definition, err := client.ApiextensionsV1().CustomResourceDefinitions().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range definition.Status.Conditions {
			if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
}

func gadgetDefinition(group string) *apiextensionsv1.CustomResourceDefinition {
	yes := true
	keyed, text := "map", apiextensionsv1.JSONSchemaProps{Type: "string"}
	// An array of anything: kubectl before 1.29 reads no document that has it with a type and without items.
	anything := apiextensionsv1.JSONSchemaProps{
		Type:                   "array",
		Items:                  &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}},
		XPreserveUnknownFields: &yes,
	}
	parts := apiextensionsv1.JSONSchemaProps{
		Type:         "array",
		XListType:    &keyed,
		XListMapKeys: []string{"name"},
		Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{
			Type: "object", Required: []string{"name"},
			Properties: map[string]apiextensionsv1.JSONSchemaProps{"name": text, "size": {XIntOrString: true}},
		}},
	}
	spec := apiextensionsv1.JSONSchemaProps{
		Type: "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"colour": text, "parts": parts, "anything": anything,
			"free": {Type: "object", XPreserveUnknownFields: &yes},
		},
		XValidations: apiextensionsv1.ValidationRules{{Rule: "!has(self.colour) || self.colour.matches('^[a-z]*$')"}},
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "gadgets." + group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "gadgets", Kind: "Gadget"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type:       "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec},
				}},
			}},
		},
	}
}

func gadget(group, name, colour string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": group + "/v1",
		"kind":       "Gadget",
		"metadata":   map[string]any{"name": name},
		"spec":       map[string]any{"colour": colour, "free": map[string]any{"deep": map[string]any{"a": int64(1)}}},
	}}
}

// dynamicObjects writes and follows custom objects, which no Go type describes.
func dynamicObjects(ctx context.Context, where place) error {
	if err := defineGadgets(ctx, where.config, where.namespace); err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return err
	}
	resource := gadgets(where.namespace)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, where.namespace, nil)
	informer := factory.ForResource(resource).Informer()
	followed := &follower{}
	if _, err := informer.AddEventHandler(followed.handler()); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the informer of gadgets does not come up")
	}
	objects := client.Resource(resource).Namespace(where.namespace)
	if _, err := objects.Create(ctx, gadget(resource.Group, "a", "blue"), metav1.CreateOptions{}); err != nil {
		return err
	}
	if _, err := objects.Create(ctx, gadget(resource.Group, "b", "BLUE"), metav1.CreateOptions{}); !errors.IsInvalid(err) {
		return fmt.Errorf("a gadget that breaks its rule: %v", err)
	}
	options := metav1.ApplyOptions{FieldManager: "tour", Force: true}
	applied, err := objects.Apply(ctx, "a", gadget(resource.Group, "a", "green"), options)
	if err != nil {
		return err
	}
	deep, _, _ := unstructured.NestedInt64(applied.Object, "spec", "free", "deep", "a")
	if colour, _, _ := unstructured.NestedString(applied.Object, "spec", "colour"); colour != "green" || deep != 1 {
		return fmt.Errorf("the apply gave %v", applied.Object["spec"])
	}
	applied.Object["status"] = map[string]any{"ready": true}
	if _, err := objects.UpdateStatus(ctx, applied, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := objects.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return until(ctx, "the informer has seen all of it", func() (bool, error) {
		return followed.added.Load() == 1 && followed.updated.Load() >= 1 && followed.deleted.Load() == 1, nil
	})
}
