package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// A strictWebhook reads reviews as the webhooks of Kubernetes' own tests do, with the decoder of a scheme that knows
// k8s.io/api/admission/v1 alone; it also refuses every field that the types of this release do not have.
type strictWebhook struct {
	reviews runtime.Decoder
	objects runtime.Decoder
	asked   *account
}

const strictServer = "strict"

// serveStrict answers /mutate and /validate until the context ends, and gives the address.
func serveStrict(ctx context.Context, asked *account, certificate tls.Certificate) (string, error) {
	reviews := runtime.NewScheme()
	if err := admissionv1.AddToScheme(reviews); err != nil {
		return "", err
	}
	objects, err := reviewedScheme()
	if err != nil {
		return "", err
	}
	hook := &strictWebhook{
		reviews: serializer.NewCodecFactory(reviews, serializer.EnableStrict).UniversalDeserializer(),
		objects: serializer.NewCodecFactory(objects, serializer.EnableStrict).UniversalDeserializer(),
		asked:   asked,
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	configuration := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server := &http.Server{Handler: hook, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(tls.NewListener(listener, configuration)) }()
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return "https://" + listener.Addr().String(), nil
}

func (hook *strictWebhook) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err == nil {
		body, err = hook.answer(strings.TrimPrefix(request.URL.Path, "/"), body)
	}
	if err != nil {
		hook.asked.complain(fmt.Errorf("%s webhook: %w", strictServer, err))
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	_, _ = writer.Write(body)
}

func (hook *strictWebhook) answer(phase string, body []byte) ([]byte, error) {
	decoded, kind, err := hook.reviews.Decode(body, nil, nil)
	if err != nil {
		return nil, err
	}
	review, isReview := decoded.(*admissionv1.AdmissionReview)
	if !isReview {
		return nil, fmt.Errorf("a review that is a %T", decoded)
	}
	if err := hook.check(review.Request); err != nil {
		return nil, err
	}
	hook.asked.add(strictServer, phase, review.Request.Kind.Kind, string(review.Request.Operation))
	response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	if phase == "mutate" {
		patchType := admissionv1.PatchTypeJSONPatch
		patch := []map[string]any{{"op": "add", "path": "/metadata/labels/" + seenBy + strictServer, "value": "yes"}}
		if response.Patch, err = json.Marshal(patch); err != nil {
			return nil, err
		}
		response.PatchType = &patchType
	} else if refuses(review.Request.Object.Raw, hook.objects) {
		response.Allowed = false
		response.Result = &metav1.Status{Message: "refused by " + strictServer}
	}
	answer := &admissionv1.AdmissionReview{Response: response}
	answer.SetGroupVersionKind(*kind)
	return json.Marshal(answer)
}

// check decodes all that a request carries, and compares its names with those of the objects in it.
func (hook *strictWebhook) check(request *admissionv1.AdmissionRequest) error {
	if request == nil {
		return fmt.Errorf("a review without a request")
	}
	var known *reviewed
	for _, each := range reviewedKinds() {
		if each := each; metav1.GroupVersionKind(each.kind) == request.Kind {
			known = &each
		}
	}
	if known == nil {
		return fmt.Errorf("the kind %s", request.Kind)
	}
	if request.Resource != metav1.GroupVersionResource(known.gvr()) {
		return fmt.Errorf("the resource %s of a %s", request.Resource, request.Kind)
	}
	if request.RequestKind == nil || *request.RequestKind != request.Kind {
		return fmt.Errorf("the request's kind %s of a %s", request.RequestKind, request.Kind)
	}
	if request.RequestResource == nil || *request.RequestResource != request.Resource {
		return fmt.Errorf("the request's resource %s of a %s", request.RequestResource, request.Kind)
	}
	wanted := map[admissionv1.Operation][2]bool{
		admissionv1.Create: {true, false}, admissionv1.Update: {true, true}, admissionv1.Delete: {false, true},
	}[request.Operation]
	for index, raw := range [][]byte{request.Object.Raw, request.OldObject.Raw} {
		if present := len(raw) > 0; present != wanted[index] {
			return fmt.Errorf("%s of a %s: object %d is there: %t", request.Operation, request.Kind, index, present)
		}
		if err := hook.decodeAs(raw, known.kind); err != nil {
			return fmt.Errorf("%s of a %s: %w", request.Operation, request.Kind, err)
		}
	}
	options := map[admissionv1.Operation]string{
		admissionv1.Create: "CreateOptions", admissionv1.Update: "UpdateOptions", admissionv1.Delete: "DeleteOptions",
	}[request.Operation]
	if bytes := request.Options.Raw; request.Operation == admissionv1.Update && strings.Contains(string(bytes), "PatchOptions") {
		options = "PatchOptions"
	}
	return hook.decodeAs(request.Options.Raw, metav1.SchemeGroupVersion.WithKind(options))
}

func (hook *strictWebhook) decodeAs(raw []byte, wanted schema.GroupVersionKind) error {
	if len(raw) == 0 {
		return nil
	}
	_, kind, err := hook.objects.Decode(raw, nil, nil)
	if err == nil && *kind != wanted {
		return fmt.Errorf("a %s instead of a %s", kind, wanted)
	}
	return err
}

func refuses(raw []byte, decoder runtime.Decoder) bool {
	if len(raw) == 0 {
		return false
	}
	object, _, err := decoder.Decode(raw, nil, nil)
	if err != nil {
		return false
	}
	accessor, err := meta.Accessor(object)
	return err == nil && accessor.GetAnnotations()[refusedBy] == strictServer
}
