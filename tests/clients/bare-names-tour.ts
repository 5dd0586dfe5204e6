import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import type { Kubectl } from '../journeys/kubectl/kubectl.ts';
import { signingRequest } from './signing-request.ts';

/** Rights in which other groups are named, as manifests have them; names of cluster-wide objects begin with `name`. */
const rights = (name: string) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name}-reader}
rules:
- {apiGroups: [networking.k8s.io, apiextensions.k8s.io], resources: [ingresses, customresourcedefinitions], verbs: [get, list]}
- {nonResourceURLs: [/healthz], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name}-sum}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {rbac.authorization.k8s.io/aggregate-to-nothing: "true"}}]}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ${name}-readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}-reader}
subjects:
- {kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}
- {kind: Group, name: readers, apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: default, namespace: ${name}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: writer, namespace: ${name}}
rules:
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: ['*']}
- {apiGroups: [""], resources: [configmaps], resourceNames: [a], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: writers, namespace: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: writer}
subjects:
- {kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}
`;

const webhooks = (name: string) => {
  const webhook = (rest: string) => `- name: a.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  clientConfig: {service: {namespace: ${name}, name: hook}}
  objectSelector: {matchLabels: {asked-of: ${name}}}
  rules: [{apiGroups: [networking.k8s.io, "", apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [ingresses, pods], scope: "*"}]
${rest}`;
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: ${name}}
webhooks:
${webhook('  reinvocationPolicy: IfNeeded')}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: ${name}}
webhooks:
${webhook('  matchPolicy: Exact')}
`;
};

const workload = (name: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${name}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: ${name}, annotations: {kubernetes.io/ingress.class: small}}
spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ${name}, annotations: {storageclass.kubernetes.io/is-default-class: "false"}}
provisioner: kubernetes.io/no-provisioner
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: ${name}}
value: 7
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: ${name}}
handler: small
`;

const definition = (name: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kites.${name}.example.com}
spec:
  group: ${name}.example.com
  scope: Namespaced
  names: {plural: kites, singular: kite, kind: Kite, listKind: KiteList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              tails:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                x-kubernetes-validations: [{rule: self.size() < 9}]
                maxItems: 9
                items: {type: object, required: [name], properties: {name: {type: string}}}
`;

/** Words that only the other vocabulary has; put together here, so that they are these in whichever one the test is read. */
const word = 'cluster';
const otherNames = new RegExp(
  String.raw`[\w./-]*(?:\b${word}\.io|x-${word}-|vnd\.${word}\b|${word}-(?:system|public)\b)[\w./-]*`,
  'g',
);

/** Commands of one kubectl, and the names that it uses. */
interface Tour {
  /** The namespace of the tour, and the beginning of the names of its other objects. */
  readonly name: string;
  readonly release: '1.20' | '1.26';
  kubectl(): Kubectl;
  /** Runs a command and gives what it prints. */
  output(...args: string[]): Promise<string>;
  /** The same in the tour's namespace. */
  within(...args: string[]): Promise<string>;
  /** Applies manifests and gives the lines that it prints. */
  apply(input: string, ...options: string[]): Promise<string[]>;
}

/** Registers a tour of a server that speaks the names of Kubernetes, with a kubectl of a release that is told bare names. */
export function registerBareNamesTour(
  what: string,
  { name, release, kubectl }: Pick<Tour, 'name' | 'release' | 'kubectl'>,
): void {
  suite(`${what} by bare names`, () => {
    const output = async (...args: string[]) => (await kubectl().run(args)).stdout;
    const tour: Tour = {
      ...{ name, release, kubectl, output },
      within: (...args) => output('-n', name, ...args),
      apply: async (input, ...options) =>
        (await kubectl().run(['apply', '-f', '-', ...options], { input })).stdout.trim().split('\n'),
    };
    before(() => output('create', 'namespace', name));
    registerDiscoverySteps(tour);
    registerRightsSteps(tour);
    registerObjectSteps(tour);
    registerWorkloadSteps(tour);
    registerDocumentSteps(tour);
  });
}

/** Registers the steps about what is there from the start, and that each resource is there once. */
function registerDiscoverySteps({ output, name }: Tour): void {
  test('each resource is listed once', async () => {
    const names = (await output('api-resources', '-o', 'name')).trim().split('\n');
    const plurals = names.filter(full => !/\.(com|dev)$/.test(full)).map(full => full.split('.')[0] ?? '');
    const repeated = plurals.filter((plural, index) => plurals.indexOf(plural) !== index);
    // Of Kubernetes' own resources this one is in two groups.
    assert.deepEqual(repeated, ['events']);
    assert.deepEqual((await output('api-versions')).match(otherNames), null);
    const services = (await output('get', 'apiservices', '-o', 'name')).trim().split('\n');
    assert.ok(
      services.includes('apiservice.apiregistration.k8s.io/v1.networking.k8s.io'),
      services.join(' '),
    );
    const named = (await output('get', 'apiservice', 'v1.rbac.authorization.k8s.io')).split('\n')[1] ?? '';
    assert.match(named, /^v1.rbac.authorization.k8s.io +Local +True /);
  });

  test('the namespaces and objects of every cluster exist', async () => {
    const namespaces = await output('get', 'ns', '-o', 'name');
    for (const wanted of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      assert.match(namespaces, new RegExp(`^namespace/${wanted}$`, 'm'));
    assert.equal(
      await output('get', 'ns', '-l', `kubernetes.io/metadata.name=${name}`, '-o', 'name'),
      `namespace/${name}\n`,
    );
    await output('-n', 'kube-system', 'get', 'cm', 'extension-apiserver-authentication');
    await output('-n', 'kube-system', 'describe', 'role', 'extension-apiserver-authentication-reader');
    await pollUntil('the endpoints of the service kubernetes', async () =>
      /^Addresses?: +\S+|Endpoints: +\S+:\d+$/m.test(
        await output('-n', 'default', 'describe', 'service', 'kubernetes'),
      ),
    );
    await output('-n', 'default', 'get', 'endpoints', 'kubernetes');
    assert.match(await output('cluster-info'), /control plane.* is running at/i);
  });
}

/** Registers the steps about what is written as manifests have it, and stays so. */
function registerRightsSteps({ kubectl, output, within, apply, name }: Tour): void {
  test('certificates can be approved and denied', async () => {
    const signer = 'kubernetes.io/kube-apiserver-client';
    await apply(`${signingRequest(`${name}-good`, signer)}---${signingRequest(`${name}-bad`, signer)}`);
    await output('certificate', 'approve', `${name}-good`);
    await output('certificate', 'deny', `${name}-bad`);
    assert.match(
      await output('get', 'csr', `${name}-good`, '--no-headers'),
      /kubernetes.io\/kube-apiserver-client .*Approved/,
    );
    assert.match(await output('get', 'csr', `${name}-bad`, '--no-headers'), /Denied/);
    assert.match(await output('describe', 'csr', `${name}-good`), /Common Name: +user/);
  });

  test('a second auth reconcile changes nothing', async () => {
    const file = ['auth', 'reconcile', '-f', '-', '--remove-extra-permissions', '--remove-extra-subjects'];
    await kubectl().run(file, { input: rights(name) });
    const versions = () =>
      output(
        'get',
        'clusterroles,clusterrolebindings,roles,rolebindings',
        '-A',
        '-o',
        'jsonpath={.items[*].metadata.resourceVersion}',
      );
    const before = await versions();
    const { stdout } = await kubectl().run(file, { input: rights(name) });
    assert.doesNotMatch(stdout, /add|missing|recreat|remove|extra/i);
    assert.equal(await versions(), before);
  });

  test('a second apply changes nothing', async () => {
    const manifests = [rights(name), webhooks(name), workload(name), definition(name)].join('---');
    await apply(manifests);
    for (const line of await apply(manifests)) assert.match(line, / unchanged$/);
    assert.equal((await kubectl().run(['diff', '-f', '-'], { input: manifests })).stdout, '');
    const versions = async () =>
      (
        await kubectl().run(['get', '-f', '-', '-o', 'jsonpath={.items[*].metadata.resourceVersion}'], {
          input: manifests,
        })
      ).stdout;
    await apply(manifests, '--server-side', '--force-conflicts');
    const before = await versions();
    await apply(manifests, '--server-side', '--force-conflicts');
    assert.equal(await versions(), before);
    assert.equal(
      (await kubectl().run(['diff', '-f', '-', '--server-side', '--force-conflicts'], { input: manifests }))
        .stdout,
      '',
    );
  });

  test('subjects of bindings can be set', async () => {
    await within(
      'set',
      'subject',
      'rolebinding',
      'writers',
      '--user=bob',
      '--group=others',
      `--serviceaccount=${name}:default`,
    );
    await output('set', 'subject', 'clusterrolebinding', `${name}-readers`, '--user=bob');
    assert.equal(
      await within('get', 'rolebinding', 'writers', '-o', 'jsonpath={.subjects[*].name}'),
      'ann bob others default',
    );
    assert.equal(await output('auth', 'can-i', 'update', 'leases', '-n', name, '--as=bob'), 'yes\n');
    assert.equal(
      await output('auth', 'can-i', 'list', 'ingresses', '-n', name, '--as=x', '--as-group=readers'),
      'yes\n',
    );
    const refused = await kubectl().attempt(['auth', 'can-i', 'list', 'ingresses', '-n', name, '--as=carl']);
    assert.equal(refused.stdout, 'no\n');
  });
}

/** Registers the steps about what kubectl makes of bare names. */
function registerObjectSteps({ output, within, name, release }: Tour): void {
  test('objects can be described', async () => {
    assert.match(await within('describe', 'ingress', 'web'), /a\.example\.com\s+\n\s+\/\s+web:80/);
    assert.match(await within('describe', 'role', 'writer'), /leases\.coordination\.k8s\.io/);
    assert.match(await output('describe', 'clusterrole', `${name}-reader`), /ingresses\.networking\.k8s\.io/);
    assert.match(await within('describe', 'rolebinding', 'writers'), /User +bob/);
    assert.match(
      await output('describe', 'clusterrolebinding', `${name}-readers`),
      new RegExp(`ServiceAccount +default +${name}`),
    );
    assert.match(await within('describe', 'deployment', 'web'), /Name: +web/);
    for (const kind of [
      'storageclass',
      'priorityclass',
      'runtimeclass',
      'mutatingwebhookconfiguration',
      'validatingwebhookconfiguration',
    ])
      assert.match(await output('describe', kind, name), new RegExp(`Name: +${name}`));
    assert.match(await output('describe', 'crd', `kites.${name}.example.com`), /X - Kubernetes - /i);
  });

  test('objects that create makes by bare names have the groups and types of Kubernetes', async () => {
    await within('create', 'role', 'made', '--verb=get', '--resource=ingresses,leases,pods/log');
    assert.equal(
      await within('get', 'role', 'made', '-o', 'jsonpath={.rules[*].apiGroups[0]}'),
      ' coordination.k8s.io networking.k8s.io',
    );
    await within('create', 'rolebinding', 'made', '--role=made', '--user=ann');
    assert.equal(
      await within(
        'get',
        'rolebinding',
        'made',
        '-o',
        'jsonpath={.roleRef.apiGroup} {.subjects[0].apiGroup}',
      ),
      'rbac.authorization.k8s.io rbac.authorization.k8s.io',
    );
    await within('create', 'ingress', 'made', '--rule=b.example.com/*=web:80');
    await within('create', 'secret', 'docker-registry', 'made', '--docker-username=u', '--docker-password=p');
    assert.equal(
      await within('get', 'secret', 'made', '-o', 'jsonpath={.type}'),
      'kubernetes.io/dockerconfigjson',
    );
    await within('create', 'quota', 'made', '--hard=pods=9');
    await within('expose', 'deployment', 'web', '--port=80');
    await within('autoscale', 'deployment', 'web', '--max=3');
    await within('run', 'made', '--image=web');
    assert.match(
      await within('get', 'pod', 'made', '-o', 'jsonpath={.spec.tolerations[*].key}'),
      /^node.kubernetes.io\/not-ready node.kubernetes.io\/unreachable$/,
    );
    await within('get', 'all');
  });

  if (release === '1.26')
    test('groups with earlier alpha or beta versions are reached by bare names', async () => {
      await within('create', 'cronjob', 'made', '--image=web', '--schedule=@daily');
      await within('create', 'job', 'made', '--from=cronjob/made');
      assert.match(await within('get', 'job', 'made', '-o', 'jsonpath={.spec.selector}'), /controller-uid/);
      await within('create', 'pdb', 'made', '--selector=app=made', '--min-available=1');
      assert.match(await within('describe', 'pdb', 'made'), /Name: +made/);
      await within('create', 'priorityclass', `${name}-made`, '--value=3', '--dry-run=server');
      await within('get', 'events', '-A');
      await within('events');
      await within('patch', 'deployment', 'web', '--subresource=status', '-p', '{"status":{"replicas":0}}');
    });
}

/** Registers the steps about what becomes of workloads and nodes. */
function registerWorkloadSteps({ kubectl, output, within, apply, name }: Tour): void {
  test('rollouts of workloads can be watched and waited for', async () => {
    await within('set', 'image', 'deployment/web', 'web=web:2');
    await within('rollout', 'restart', 'deployment/web');
    await within('rollout', 'pause', 'deployment/web');
    await within('rollout', 'resume', 'deployment/web');
    await within('rollout', 'history', 'deployment/web');
    const pending = await kubectl().attempt([
      '-n',
      name,
      'rollout',
      'status',
      'deployment/web',
      '--watch=false',
    ]);
    assert.match(pending.stdout, /Waiting for/);
    const path = `/apis/apps/v1/namespaces/${name}/deployments/web/status`;
    const deployment = JSON.parse(await within('get', 'deployment', 'web', '-o', 'json'));
    deployment.status = {
      observedGeneration: deployment.metadata.generation,
      ...{ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
      conditions: [{ type: 'Available', status: 'True' }],
    };
    await kubectl().run(['replace', '--raw', path, '-f', '-'], { input: JSON.stringify(deployment) });
    assert.match(await within('rollout', 'status', 'deployment/web'), /successfully rolled out/);
    await within('wait', '--for=condition=Available', 'deployment/web');
    await output('wait', '--for=condition=Established', `crd/kites.${name}.example.com`);
    // The finalizer holds what is deleted until kubectl waits for its end.
    const held = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/hold]}\n`;
    await apply(held, '-n', name);
    const ended = within('delete', 'configmap', 'held');
    const isDeleted = ['get', 'configmap', 'held', '-o', 'jsonpath={.metadata.deletionTimestamp}'];
    await pollUntil('the deletion', async () => (await within(...isDeleted)) !== '');
    await within('patch', 'configmap', 'held', '-p', '{"metadata":{"finalizers":null}}');
    assert.match(await ended, /deleted/);
  });

  test('nodes can be cordoned and tainted', async () => {
    await kubectl().run(['create', '-f', '-'], {
      input: `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n`,
    });
    await output('cordon', name);
    await output('taint', 'node', name, 'node.kubernetes.io/out-of-service=yes:NoExecute');
    assert.match(await output('describe', 'node', name), /node\.kubernetes\.io\/not-ready:NoSchedule/);
    await output('uncordon', name);
    await output('drain', name, '--force', '--ignore-daemonsets');
  });
}

/** Registers the steps about what documents say. */
function registerDocumentSteps({ kubectl, output, name }: Tour): void {
  test('fields can be explained', async () => {
    assert.match(await output('explain', 'ingress.spec.rules'), /http/);
    assert.match(await output('explain', 'role.rules'), /apiGroups/);
    assert.match(await output('explain', 'crd.spec.versions.schema'), /openAPIV3Schema/);
    await pollUntil('the new kind is explained', async () =>
      /tails/.test((await kubectl().attempt(['explain', 'kite.spec'])).stdout),
    );
  });

  test('a published schema is the declared one', async () => {
    const [group, plural] = [`com.example.${name}.v1.Kite`, `kites.${name}.example.com`];
    const declared = JSON.parse(
      await output('get', 'crd', plural, '-o', 'jsonpath={.spec.versions[0].schema.openAPIV3Schema}'),
    );
    const { components } = JSON.parse(
      await output('get', '--raw', `/openapi/v3/apis/${name}.example.com/v1`),
    );
    assert.deepEqual(components.schemas[group].properties.spec, declared.properties.spec);
  });

  test('no readable object or document has a name of the other vocabulary', async () => {
    const documents = [
      '/api',
      '/apis',
      '/openapi/v2',
      '/openapi/v3',
      '/metrics',
      '/version',
      '/.well-known/openid-configuration',
    ];
    for (const path of documents) assert.deepEqual(listNames(await output('get', '--raw', path)), [], path);
    const { paths } = JSON.parse(await output('get', '--raw', '/openapi/v3'));
    for (const [key, { serverRelativeURL }] of Object.entries<{ serverRelativeURL: string }>(paths))
      assert.deepEqual(listNames(await output('get', '--raw', serverRelativeURL)), [], key);
    const listed = (await output('api-resources', '--verbs=list', '-o', 'name')).trim().split('\n');
    assert.deepEqual(listNames(await output('get', listed.join(','), '-A', '-o', 'json')), []);
    const refused = await kubectl().attempt(['get', 'leases', '-A', '--as=nobody']);
    assert.match(
      refused.stderr,
      /cannot list resource "leases" in API group "coordination.k8s.io" at the cluster scope/,
    );
  });
}

/** The names of the other vocabulary in a text, each once. */
function listNames(text: string): string[] {
  return [...new Set(text.match(otherNames) ?? [])];
}
