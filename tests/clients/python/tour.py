"""A tour of the API with Python's client of Kubernetes 1.26, unmodified: tour.py KUBECONFIG NAMESPACE [bare-kinds]"""

import sys

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.rest import ApiException


def main(kubeconfig, namespace, *parts):
    config.load_kube_config(kubeconfig)
    core = client.CoreV1Api()
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=namespace)))
    if "bare-kinds" in parts:
        bare_kinds(namespace)
        return
    typed(core, namespace)
    of_named_groups(namespace)
    watched(core, namespace)
    from_manifests(namespace)
    custom(namespace)
    through_dynamic_client(namespace)


def typed(core, namespace):
    body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="typed", labels={"a": "b"}), data={"k": "1"})
    created = core.create_namespaced_config_map(namespace, body)
    assert created.metadata.creation_timestamp is not None
    expect(409, lambda: core.create_namespaced_config_map(namespace, body))
    patched = core.patch_namespaced_config_map("typed", namespace, {"data": {"k": "2"}})
    assert patched.data == {"k": "2"}, patched.data
    created.data = {"k": "3"}
    expect(409, lambda: core.replace_namespaced_config_map("typed", namespace, created))
    listed = core.list_namespaced_config_map(namespace, label_selector="a=b", limit=1)
    assert [item.metadata.name for item in listed.items] == ["typed"]
    expect(404, lambda: core.read_namespaced_config_map("none", namespace))


def of_named_groups(namespace):
    """Typed objects of the groups whose names have a domain come back as they were written."""
    rules = [client.V1PolicyRule(api_groups=["networking.k8s.io", ""], resources=["ingresses", "pods"], verbs=["get"])]
    rights = client.RbacAuthorizationV1Api()
    rights.create_namespaced_role(namespace, client.V1Role(metadata=client.V1ObjectMeta(name="typed"), rules=rules))
    assert rights.read_namespaced_role("typed", namespace).rules[0].api_groups == ["networking.k8s.io", ""]
    backend = client.V1IngressServiceBackend(name="web", port=client.V1ServiceBackendPort(number=80))
    spec = client.V1IngressSpec(default_backend=client.V1IngressBackend(service=backend))
    networking = client.NetworkingV1Api()
    networking.create_namespaced_ingress(namespace, client.V1Ingress(metadata=client.V1ObjectMeta(name="typed"), spec=spec))
    assert networking.read_namespaced_ingress("typed", namespace).spec == spec
    lease = client.V1Lease(metadata=client.V1ObjectMeta(name="typed"), spec=client.V1LeaseSpec(holder_identity="me"))
    client.CoordinationV1Api().create_namespaced_lease(namespace, lease)
    asked = client.V1ResourceAttributes(group="networking.k8s.io", resource="ingresses", verb="get", namespace=namespace)
    review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=asked))
    assert client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed
    groups = {group.name for group in client.ApisApi().get_api_versions().groups}
    assert {"networking.k8s.io", "rbac.authorization.k8s.io", "coordination.k8s.io"} <= groups, groups


def bare_kinds(namespace):
    """Each kind is found once when its group is not said."""
    everything = dynamic.DynamicClient(client.ApiClient())
    for kind, group in [
        ("Ingress", "networking.k8s.io"),
        ("Role", "rbac.authorization.k8s.io"),
        ("Lease", "coordination.k8s.io"),
        ("CustomResourceDefinition", "apiextensions.k8s.io"),
        ("StorageClass", "storage.k8s.io"),
        ("MutatingWebhookConfiguration", "admissionregistration.k8s.io"),
    ]:
        found = everything.resources.get(kind=kind)
        assert found.group == group, found
    ingresses = everything.resources.get(kind="Ingress")
    backend = {"service": {"name": "web", "port": {"number": 80}}}
    body = {"kind": "Ingress", "apiVersion": "networking.k8s.io/v1", "metadata": {"name": "bare"}}
    made = ingresses.create(body={**body, "spec": {"defaultBackend": backend}}, namespace=namespace)
    assert made.apiVersion == "networking.k8s.io/v1", made
    assert [item.metadata.name for item in ingresses.get(namespace=namespace).items] == ["bare"]


def watched(core, namespace):
    version = core.list_namespaced_secret(namespace).metadata.resource_version
    secret = client.V1Secret(metadata=client.V1ObjectMeta(name="watched"), string_data={"k": "v"})
    core.create_namespaced_secret(namespace, secret)
    core.patch_namespaced_secret("watched", namespace, {"metadata": {"labels": {"a": "b"}}})
    core.delete_namespaced_secret("watched", namespace)
    stream = watch.Watch()
    seen = []
    for event in stream.stream(core.list_namespaced_secret, namespace, resource_version=version, timeout_seconds=30):
        seen.append((event["type"], event["object"].metadata.name))
        if event["type"] == "DELETED":
            stream.stop()
    assert seen == [("ADDED", "watched"), ("MODIFIED", "watched"), ("DELETED", "watched")], seen


def from_manifests(namespace):
    labels = {"app": "web"}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web"}]}}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {"selector": {"matchLabels": labels}, "template": pod},
    }
    utils.create_from_dict(client.ApiClient(), deployment)
    apps = client.AppsV1Api()
    assert apps.read_namespaced_deployment("web", namespace).spec.replicas == 1
    apps.patch_namespaced_deployment_scale("web", namespace, {"spec": {"replicas": 4}})
    assert apps.read_namespaced_deployment_scale("web", namespace).spec.replicas == 4


def custom(namespace):
    group = f"{namespace}.example.com"
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": "snakes", "kind": "Snake"}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"snakes.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]},
    }
    extensions = client.ApiextensionsV1Api()
    extensions.create_custom_resource_definition(definition)
    stream = watch.Watch()
    name = f"metadata.name=snakes.{group}"
    for event in stream.stream(
        extensions.list_custom_resource_definition, field_selector=name, timeout_seconds=30
    ):
        conditions = event["object"].status.conditions or []
        if any(condition.type == "Established" and condition.status == "True" for condition in conditions):
            stream.stop()
    objects = client.CustomObjectsApi()
    snake = {"apiVersion": f"{group}/v1", "kind": "Snake", "metadata": {"name": "a"}, "spec": {"size": 1}}
    objects.create_namespaced_custom_object(group, "v1", namespace, "snakes", snake)
    snake["spec"]["size"] = "long"
    expect(422, lambda: objects.patch_namespaced_custom_object(group, "v1", namespace, "snakes", "a", snake))
    assert len(objects.list_namespaced_custom_object(group, "v1", namespace, "snakes")["items"]) == 1
    objects.delete_namespaced_custom_object(group, "v1", namespace, "snakes", "a")


def through_dynamic_client(namespace):
    everything = dynamic.DynamicClient(client.ApiClient())
    maps = everything.resources.get(api_version="v1", kind="ConfigMap")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"k": "1"}}
    applied = maps.server_side_apply(body=body, namespace=namespace, field_manager="tour", force_conflicts=True)
    assert applied.metadata.managedFields[0].manager == "tour"
    roles = everything.resources.get(api_version="rbac.authorization.k8s.io/v1", kind="ClusterRole")
    assert roles.get(name="view").apiVersion == "rbac.authorization.k8s.io/v1"


def expect(code, call):
    try:
        call()
    except ApiException as error:
        assert error.status == code, error
        return
    raise AssertionError(f"the call succeeded instead of {code}")


main(*sys.argv[1:])
