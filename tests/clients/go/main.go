// Tours of the API with Go's clients of Kubernetes 1.26, unmodified. Each ends with status 0 when everything is as its
// client expects.
//
//	clients KUBECONFIG NAMESPACE TOUR [FOLDER...]
//
// Without a name of a client configuration it is that of a pod.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// A place is where a tour works: the server, and a namespace of its own.
type place struct {
	config     *rest.Config
	kubeconfig string
	namespace  string
	// Folders of real definitions.
	folders []string
}

var tours = map[string]func(context.Context, place) error{
	"typed":             typed,
	"dynamic":           dynamicObjects,
	"metadata":          metadataOfAll,
	"leader":            leader,
	"manager":           managed,
	"in-cluster":        managedInCluster,
	"helm":              helm,
	"webhooks":          webhooks,
	"openapi":           openapi,
	"definitions":       definitions,
	"definition-update": definitionUpdate,
	"definition-apply":  definitionApply,
}

func main() {
	if len(os.Args) < 4 || tours[os.Args[3]] == nil {
		names := make([]string, 0, len(tours))
		for name := range tours {
			names = append(names, name)
		}
		sort.Strings(names)
		fmt.Fprintf(os.Stderr, "usage: clients KUBECONFIG NAMESPACE %s [FOLDER...]\n", strings.Join(names, "|"))
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	protocols := &protocolCheck{}
	config.Wrap(protocols.around)
	where := place{config: config, kubeconfig: os.Args[1], namespace: os.Args[2], folders: os.Args[4:]}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: where.namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("the namespace: %w", err)
	}
	if err := tours[os.Args[3]](ctx, where); err != nil {
		return err
	}
	return protocols.err()
}

// A protocolCheck notes answers that did not come over HTTP/2, which these clients choose by themselves.
type protocolCheck struct {
	answers, others atomic.Int64
}

func (check *protocolCheck) around(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil {
			check.answers.Add(1)
			if response.ProtoMajor != 2 {
				check.others.Add(1)
			}
		}
		return response, err
	})
}

func (check *protocolCheck) err() error {
	if answers, others := check.answers.Load(), check.others.Load(); answers == 0 || others > 0 {
		return fmt.Errorf("%d of %d answers did not come over HTTP/2", others, answers)
	}
	return nil
}

type roundTrip func(*http.Request) (*http.Response, error)

func (trip roundTrip) RoundTrip(request *http.Request) (*http.Response, error) {
	return trip(request)
}

// until waits for a condition; what names it in the error when the time is over.
func until(ctx context.Context, what string, condition func() (bool, error)) error {
	err := wait.PollImmediateUntilWithContext(ctx, 50*time.Millisecond, func(context.Context) (bool, error) {
		return condition()
	})
	if err != nil {
		return fmt.Errorf("waiting until %s: %w", what, err)
	}
	return nil
}
