// Command check reads Kubernetes manifests from standard input, separated by
// lines of ---, and decodes each strictly into the operator's own type or the
// one of Kubernetes. It prints kind and name of each, or what is wrong with one.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/grafana/k6-operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	for _, document := range bytes.Split(input, []byte("\n---\n")) {
		name, err := check(document)
		if err != nil {
			fail(err)
		}
		fmt.Println(name)
	}
}

func check(document []byte) (string, error) {
	var is struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
	}
	if err := yaml.Unmarshal(document, &is); err != nil {
		return "", err
	}
	var into any
	switch kind := is.APIVersion + " " + is.Kind; kind {
	case v1alpha1.GroupVersion.String() + " TestRun":
		into = &v1alpha1.TestRun{}
	case "v1 ConfigMap":
		into = &corev1.ConfigMap{}
	default:
		return "", fmt.Errorf("%q is no kind that belongs here", kind)
	}
	if err := yaml.UnmarshalStrict(document, into); err != nil {
		return "", fmt.Errorf("%s %s: %w", is.Kind, is.Name, err)
	}
	return is.Kind + " " + is.Name, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
