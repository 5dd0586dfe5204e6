package main

import (
	"context"
	"fmt"
	"net"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// A runtimeWebhook defaults and validates typed objects, as operators do that are written with controller-runtime.
type runtimeWebhook struct {
	kind  reviewed
	asked *account
}

const runtimeServer = "runtime"

// serveManaged has a manager serve the webhooks of every reviewed kind until the context ends, and gives the address.
func serveManaged(ctx context.Context, where place, asked *account, certificates string) (string, error) {
	log.SetLogger(zap.New())
	scheme, err := reviewedScheme()
	if err != nil {
		return "", err
	}
	port, err := freePort()
	if err != nil {
		return "", err
	}
	manager, err := ctrl.NewManager(where.config, ctrl.Options{
		Scheme:             scheme,
		MetricsBindAddress: "0",
		WebhookServer:      &webhook.Server{Host: "127.0.0.1", Port: port, CertDir: certificates},
	})
	if err != nil {
		return "", err
	}
	for _, each := range reviewedKinds() {
		hook := &runtimeWebhook{kind: each, asked: asked}
		object := each.make(where.namespace, "a")
		if err := ctrl.NewWebhookManagedBy(manager).For(object).WithDefaulter(hook).WithValidator(hook).Complete(); err != nil {
			return "", err
		}
	}
	go func() {
		if err := manager.Start(ctx); err != nil {
			asked.complain(fmt.Errorf("the manager: %w", err))
		}
	}()
	if err := until(ctx, "the manager serves its webhooks", func() (bool, error) {
		return manager.GetWebhookServer().StartedChecker()(nil) == nil, nil
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("https://127.0.0.1:%d", port), nil
}

// runtimePath is where controller-runtime serves the webhook of a kind: /mutate-networking-k8s-io-v1-ingress.
func runtimePath(phase string, each reviewed) string {
	group := strings.ReplaceAll(each.kind.Group, ".", "-")
	return "/" + strings.Join([]string{phase, group, each.kind.Version, strings.ToLower(each.kind.Kind)}, "-")
}

func (hook *runtimeWebhook) Default(ctx context.Context, object runtime.Object) error {
	accessor, err := hook.note(ctx, "mutate", object)
	if err != nil {
		return err
	}
	labels := accessor.GetLabels()
	labels[seenBy+runtimeServer] = "yes"
	accessor.SetLabels(labels)
	return nil
}

func (hook *runtimeWebhook) ValidateCreate(ctx context.Context, object runtime.Object) error {
	return hook.validate(ctx, object)
}

func (hook *runtimeWebhook) ValidateUpdate(ctx context.Context, _, object runtime.Object) error {
	return hook.validate(ctx, object)
}

func (hook *runtimeWebhook) ValidateDelete(ctx context.Context, object runtime.Object) error {
	_, err := hook.note(ctx, "validate", object)
	return err
}

func (hook *runtimeWebhook) validate(ctx context.Context, object runtime.Object) error {
	accessor, err := hook.note(ctx, "validate", object)
	if err == nil && accessor.GetAnnotations()[refusedBy] == runtimeServer {
		return fmt.Errorf("refused by %s", runtimeServer)
	}
	return err
}

func (hook *runtimeWebhook) note(ctx context.Context, phase string, object runtime.Object) (metav1.Object, error) {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return nil, err
	}
	if kind := object.GetObjectKind().GroupVersionKind(); kind != hook.kind.kind {
		err := fmt.Errorf("%s webhook: a %s instead of a %s", runtimeServer, kind, hook.kind.kind)
		hook.asked.complain(err)
		return nil, err
	}
	hook.asked.add(runtimeServer, phase, hook.kind.kind.Kind, string(admissionv1.Operation(request.Operation)))
	return meta.Accessor(object)
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
