import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A tour of the API with fabric8's client, unmodified: Tour.java KUBECONFIG NAMESPACE */
public class Tour {
  public static void main(String[] args) throws Exception {
    Config config = Config.fromKubeconfig(null, Files.readString(Path.of(args[0])), args[0]);
    config.setNamespace(args[1]);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      client.namespaces().resource(
          new NamespaceBuilder().withNewMetadata().withName(args[1]).endMetadata().build()).create();
      followed(client);
      deployed(client);
      custom(client, args[1] + ".example.com");
    }
    System.exit(0);
  }

  static void followed(KubernetesClient client) throws Exception {
    CountDownLatch added = new CountDownLatch(1);
    CountDownLatch updated = new CountDownLatch(1);
    CountDownLatch deleted = new CountDownLatch(1);
    ConfigMap map = new ConfigMapBuilder().withNewMetadata().withName("followed").endMetadata()
        .addToData("k", "1").build();
    try (SharedIndexInformer<ConfigMap> informer = client.configMaps().withName("followed").inform(
        new ResourceEventHandler<ConfigMap>() {
          @Override public void onAdd(ConfigMap object) { added.countDown(); }
          @Override public void onUpdate(ConfigMap before, ConfigMap after) { updated.countDown(); }
          @Override public void onDelete(ConfigMap object, boolean unknown) { deleted.countDown(); }
        })) {
      client.resource(map).create();
      await(added, "the informer sees the creation");
      client.configMaps().withName("followed").edit(
          found -> new ConfigMapBuilder(found).addToData("k", "2").build());
      await(updated, "the informer sees the update");
      expect(409, () -> client.resource(map).create());
      client.resource(map).fieldManager("tour").forceConflicts().serverSideApply();
      check("1".equals(client.configMaps().withName("followed").get().getData().get("k")), "the apply");
      client.configMaps().withName("followed").delete();
      await(deleted, "the informer sees the deletion");
    }
  }

  static void deployed(KubernetesClient client) {
    Deployment deployment = new DeploymentBuilder().withNewMetadata().withName("web").endMetadata()
        .withNewSpec().withNewSelector().addToMatchLabels("app", "web").endSelector()
        .withNewTemplate().withNewMetadata().addToLabels("app", "web").endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("web:1").endContainer().endSpec()
        .endTemplate().endSpec().build();
    client.resource(deployment).create();
    client.apps().deployments().withName("web").scale(3);
    Deployment found = client.apps().deployments().withName("web").get();
    check(found.getSpec().getReplicas() == 3, "the scale of the deployment");
    check(!client.rbac().clusterRoles().withName("view").get().getRules().isEmpty(), "the role view");
  }

  static void custom(KubernetesClient client, String group) throws Exception {
    String text = String.join("\n",
        "apiVersion: apiextensions.k8s.io/v1",
        "kind: CustomResourceDefinition",
        "metadata: {name: beans." + group + "}",
        "spec:",
        "  group: " + group,
        "  scope: Namespaced",
        "  names: {plural: beans, kind: Bean}",
        "  versions:",
        "  - name: v1",
        "    served: true",
        "    storage: true",
        "    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}");
    CustomResourceDefinition definition = client.apiextensions().v1().customResourceDefinitions()
        .load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).item();
    client.resource(definition).create();
    client.apiextensions().v1().customResourceDefinitions().withName("beans." + group).waitUntilCondition(
        found -> found != null && found.getStatus() != null && found.getStatus().getConditions().stream()
            .anyMatch(one -> one.getType().equals("Established") && one.getStatus().equals("True")),
        30, TimeUnit.SECONDS);
    ResourceDefinitionContext context = new ResourceDefinitionContext.Builder()
        .withGroup(group).withVersion("v1").withKind("Bean").withPlural("beans").withNamespaced(true).build();
    GenericKubernetesResource bean = client.genericKubernetesResources(context)
        .load(new ByteArrayInputStream(("{\"apiVersion\":\"" + group
            + "/v1\",\"kind\":\"Bean\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":1}}")
            .getBytes(StandardCharsets.UTF_8))).item();
    client.genericKubernetesResources(context).resource(bean).create();
    bean.setAdditionalProperty("spec", Map.of("size", "long"));
    bean.getMetadata().setName("b");
    expect(422, () -> client.genericKubernetesResources(context).resource(bean).create());
    check(client.genericKubernetesResources(context).list().getItems().size() == 1, "the list of beans");
  }

  static void await(CountDownLatch latch, String what) throws InterruptedException {
    check(latch.await(30, TimeUnit.SECONDS), what);
  }

  static void expect(int code, Runnable call) {
    try {
      call.run();
    } catch (KubernetesClientException error) {
      check(error.getCode() == code, "code " + code + ": " + error.getMessage());
      return;
    }
    throw new AssertionError("the call succeeded instead of " + code);
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }
}
