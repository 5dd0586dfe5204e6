package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// definitions installs the real definitions of the folders through their typed client, and posts the samples beside
// them as strict dry runs: a folder is one project's "definitions=PATH", "samples=PATH" its own sample objects.
func definitions(ctx context.Context, where place) error {
	client, err := apiextensions.NewForConfig(where.config)
	if err != nil {
		return err
	}
	served := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for _, folder := range foldersOf(where, "definitions") {
		found, err := definitionsIn(folder)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%s has no definitions", folder)
		}
		for _, definition := range found {
			_, err := client.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, definition, metav1.CreateOptions{})
			if err != nil && !errors.IsAlreadyExists(err) {
				return err
			}
			for _, version := range definition.Spec.Versions {
				served[definition.Spec.Group+"/"+version.Name+" "+definition.Spec.Names.Kind] = definition
			}
		}
	}
	for _, definition := range served {
		if err := established(ctx, client, definition.Name); err != nil {
			return err
		}
	}
	accepted, err := postSamples(ctx, where, served)
	if err != nil {
		return err
	}
	fmt.Printf("%d kinds in their versions, %d samples accepted\n", len(served), accepted)
	return openapiIsReadable(where)
}

func foldersOf(where place, kind string) []string {
	var folders []string
	for _, folder := range where.folders {
		if path := strings.TrimPrefix(folder, kind+"="); path != folder {
			folders = append(folders, path)
		}
	}
	return folders
}

func documentsIn(folder string, each func(file string, document []byte) error) error {
	return filepath.WalkDir(folder, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".yaml") {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, document := range bytes.Split(content, []byte("\n---")) {
			if err := each(file, document); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		return nil
	})
}

func definitionsIn(folder string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	var found []*apiextensionsv1.CustomResourceDefinition
	err := documentsIn(folder, func(_ string, document []byte) error {
		if !bytes.Contains(document, []byte("kind: CustomResourceDefinition")) {
			return nil
		}
		definition := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(document, definition); err != nil {
			return err
		}
		definition.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
		found = append(found, definition)
		return nil
	})
	return found, err
}

func postSamples(ctx context.Context, where place, served map[string]*apiextensionsv1.CustomResourceDefinition) (int, error) {
	client, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return 0, err
	}
	accepted := 0
	for _, folder := range foldersOf(where, "samples") {
		before := accepted
		if err := documentsIn(folder, func(_ string, document []byte) error {
			sample := &unstructured.Unstructured{}
			if err := yaml.Unmarshal(document, &sample.Object); err != nil {
				return err
			}
			definition := served[sample.GetAPIVersion()+" "+sample.GetKind()]
			if definition == nil {
				return nil
			}
			gv, err := schema.ParseGroupVersion(sample.GetAPIVersion())
			if err != nil {
				return err
			}
			accepted++
			sample.SetNamespace("")
			return postSample(ctx, client, gv.WithResource(definition.Spec.Names.Plural), where.namespace, definition, sample)
		}); err != nil {
			return 0, err
		}
		if accepted == before {
			return 0, fmt.Errorf("%s has no samples", folder)
		}
	}
	return accepted, nil
}

func postSample(
	ctx context.Context,
	client dynamic.Interface,
	resource schema.GroupVersionResource,
	namespace string,
	definition *apiextensionsv1.CustomResourceDefinition,
	sample *unstructured.Unstructured,
) error {
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	objects := dynamic.ResourceInterface(client.Resource(resource))
	if definition.Spec.Scope == apiextensionsv1.NamespaceScoped {
		objects = client.Resource(resource).Namespace(namespace)
	}
	_, err := objects.Create(ctx, sample, options)
	return err
}

// definitionUpdate reads a definition with the typed client and writes it back: it must stay as it was, and objects
// must keep what its schema allows.
func definitionUpdate(ctx context.Context, where place) error {
	if err := defineGadgets(ctx, where.config, where.namespace); err != nil {
		return err
	}
	client, err := apiextensions.NewForConfig(where.config)
	if err != nil {
		return err
	}
	all := client.ApiextensionsV1().CustomResourceDefinitions()
	wanted := gadgetDefinition(gadgets(where.namespace).Group)
	read, err := all.Get(ctx, wanted.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(read.Spec.Versions[0].Schema, wanted.Spec.Versions[0].Schema) {
		return fmt.Errorf("the schema that was read is not the one that was written: %v", read.Spec.Versions[0].Schema)
	}
	read.Labels = map[string]string{"touched": "yes"}
	updated, err := all.Update(ctx, read, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if updated.Generation != read.Generation {
		return fmt.Errorf("an update of a label changed the definition: generation %d after %d", updated.Generation, read.Generation)
	}
	objects, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return err
	}
	resource := gadgets(where.namespace)
	made, err := objects.Resource(resource).Namespace(where.namespace).Create(
		ctx, gadget(resource.Group, "kept", "blue"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if deep, _, _ := unstructured.NestedInt64(made.Object, "spec", "free", "deep", "a"); deep != 1 {
		return fmt.Errorf("an object lost what the schema preserves: %v", made.Object["spec"])
	}
	return nil
}

// definitionApply applies the real definitions twice: the second apply changes nothing.
func definitionApply(ctx context.Context, where place) error {
	client, err := dynamic.NewForConfig(where.config)
	if err != nil {
		return err
	}
	all := client.Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions"))
	options := metav1.ApplyOptions{FieldManager: "tour", Force: true}
	applied := 0
	for _, folder := range foldersOf(where, "definitions") {
		if err := documentsIn(folder, func(_ string, document []byte) error {
			if !bytes.Contains(document, []byte("kind: CustomResourceDefinition")) {
				return nil
			}
			definition := &unstructured.Unstructured{}
			if err := yaml.Unmarshal(document, &definition.Object); err != nil {
				return err
			}
			unstructured.RemoveNestedField(definition.Object, "status")
			first, err := all.Apply(ctx, definition.GetName(), definition, options)
			if err != nil {
				return err
			}
			second, err := all.Apply(ctx, definition.GetName(), definition, options)
			if err != nil {
				return err
			}
			if first.GetGeneration() != second.GetGeneration() {
				return fmt.Errorf("%s changed with the second apply", definition.GetName())
			}
			applied++
			return nil
		}); err != nil {
			return err
		}
	}
	if applied == 0 {
		return fmt.Errorf("no definition was applied")
	}
	return nil
}
