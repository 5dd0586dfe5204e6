package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/kube-openapi/pkg/util/proto"
)

// openapi reads the document of all types as kubectl before 1.29 does for validation and explanation, while a
// definition with an array of anything is there: one schema that it cannot read loses it every kind.
func openapi(ctx context.Context, where place) error {
	if err := defineGadgets(ctx, where.config, where.namespace); err != nil {
		return err
	}
	client, err := discovery.NewDiscoveryClientForConfig(where.config)
	if err != nil {
		return err
	}
	wanted := schema.GroupVersionKind{Group: gadgets(where.namespace).Group, Version: "v1", Kind: "Gadget"}
	var found *proto.Kind
	if err := until(ctx, "the document has gadgets", func() (bool, error) {
		document, err := client.OpenAPISchema()
		if err != nil {
			return false, err
		}
		models, err := proto.NewOpenAPIData(document)
		if err != nil {
			return false, fmt.Errorf("the document of types: %w", err)
		}
		found = kindOf(models, wanted)
		return found != nil, nil
	}); err != nil {
		return err
	}
	spec, isKind := found.Fields["spec"].(*proto.Kind)
	if !isKind {
		return fmt.Errorf("gadgets have no spec that is known: %v", found.Fields)
	}
	if _, isArbitrary := spec.Fields["anything"].(*proto.Arbitrary); !isArbitrary {
		return fmt.Errorf("an array of anything is a %T", spec.Fields["anything"])
	}
	return nil
}

func kindOf(models proto.Models, wanted schema.GroupVersionKind) *proto.Kind {
	for _, name := range models.ListModels() {
		kind, isKind := models.LookupModel(name).(*proto.Kind)
		if !isKind {
			continue
		}
		entries, _ := kind.GetExtensions()["x-kubernetes-group-version-kind"].([]any)
		for _, entry := range entries {
			fields, _ := entry.(map[any]any)
			if fields["group"] == wanted.Group && fields["version"] == wanted.Version && fields["kind"] == wanted.Kind {
				return kind
			}
		}
	}
	return nil
}

// openapiIsReadable tells whether clients can read the document of all types that there are.
func openapiIsReadable(where place) error {
	client, err := discovery.NewDiscoveryClientForConfig(where.config)
	if err != nil {
		return err
	}
	document, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	_, err = proto.NewOpenAPIData(document)
	return err
}
