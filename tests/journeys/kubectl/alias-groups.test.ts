import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import { type Standalone, startStandalone } from '@binnacle/standalone/testing';
import { createTemporaryDirectory } from '../setup/temporary-directory.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';

const manifest = (group: string, name: string): string => `apiVersion: networking.${group}/v1
kind: Ingress
metadata:
  name: ${name}
  namespace: default
spec:
  defaultBackend: {service: {name: web, port: {number: 80}}}
---
apiVersion: rbac.authorization.${group}/v1
kind: Role
metadata:
  name: ${name}
  namespace: default
rules: []
`;

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
          parts:
            type: array
            maxItems: 3
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [name]
            x-kubernetes-validations: [{rule: size(self) < 3}]
            items: {type: object, required: [name], properties: {name: {type: string}}}
          template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`;

suite('kubectl and the two names of a group', ofCluster, () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let server: Standalone;
  let kubectl: Kubectl;

  before(async () => {
    directory = await createTemporaryDirectory();
    server = await startStandalone({ dataDir: join(directory.path, 'data'), port: 0 });
    kubectl = createKubectl(server.adminConfiguration, join(directory.path, 'cache'));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await directory?.[Symbol.asyncDispose]();
  });

  // A command takes a fifth of a second of a processor, however many objects it is about.
  test('manifests with either group are applied, compared and deleted', async () => {
    const names = [
      ['k8s.io', 'theirs'],
      ['cluster.io', 'ours'],
    ] as const;
    const input = names.map(([group, name]) => manifest(group, name)).join('---\n');
    const assertEach = (stdout: string, end: string) => {
      for (const [group, name] of names)
        for (const object of [
          `ingress.networking.${group}/${name}`,
          `role.rbac.authorization.${group}/${name}`,
        ])
          assert.match(stdout, new RegExp(`^${object}${end}$`, 'm'));
    };
    assertEach((await kubectl.run(['apply', '-f', '-'], { input })).stdout, ' created');
    assertEach((await kubectl.run(['apply', '-f', '-'], { input })).stdout, ' unchanged');
    assert.equal((await kubectl.run(['diff', '-f', '-'], { input })).stdout, '');
    assertEach((await kubectl.run(['get', '-f', '-', '-o', 'name'], { input })).stdout, '');
    const changed = await kubectl.attempt(['diff', '-f', '-'], { input: input.replaceAll('80', '81') });
    assert.equal(changed.stdout.match(/^\+ +number: 81$/gm)?.length, names.length, changed.stdout);
  });

  test('a bare name is the own group, and each object is listed once', async () => {
    const { stdout } = await kubectl.run(['get', 'ingresses,roles', '-o', 'name']);
    assert.deepEqual(stdout.trim().split('\n').sort(), [
      'ingress.networking.cluster.io/ours',
      'ingress.networking.cluster.io/theirs',
      'role.rbac.authorization.cluster.io/ours',
      'role.rbac.authorization.cluster.io/theirs',
    ]);
    const { stdout: rule } = await kubectl.run([
      ...['create', 'role', 'reader', '--verb=get', '--resource=ingresses'],
      ...['--dry-run=client', '-o', 'jsonpath={.rules[0].apiGroups}'],
    ]);
    assert.equal(rule, '["networking.cluster.io"]');
  });

  test('a full name reaches the same objects in that group', async () => {
    const { stdout } = await kubectl.run(['get', 'ingresses.networking.k8s.io', '-o', 'name']);
    assert.deepEqual(stdout.trim().split('\n').sort(), [
      'ingress.networking.k8s.io/ours',
      'ingress.networking.k8s.io/theirs',
    ]);
  });

  test('an object deleted in one group is gone in the other', async () => {
    await kubectl.run(['delete', '-f', '-'], { input: manifest('k8s.io', 'ours') });
    const gone = await kubectl.attempt(['get', 'ingress', 'ours']);
    assert.match(gone.stderr, /not found/i);
  });

  test('a definition with markers of the other domain is applied once, client-side or server-side', async () => {
    const apply = (...options: string[]) =>
      kubectl.run(['apply', '-f', '-', ...options], { input: definition }).then(({ stdout }) => stdout);
    const name = 'customresourcedefinition.apiextensions.k8s.io/gadgets.shop.example.com';
    assert.equal(await apply(), `${name} created\n`);
    assert.equal(await apply(), `${name} unchanged\n`);
    assert.equal((await kubectl.run(['diff', '-f', '-'], { input: definition })).stdout, '');
    // The fields that client-side apply left are taken over without a conflict; the way back writes its record anew, once.
    assert.equal(await apply('--server-side'), `${name} serverside-applied\n`);
    await apply();
    assert.equal(await apply(), `${name} unchanged\n`);
    const changed = definition.replace('maxItems: 3', 'maxItems: 2');
    const { stdout } = await kubectl.attempt(['diff', '-f', '-', '--server-side'], { input: changed });
    assert.match(stdout, /^-\s+maxItems: 3$/m);
    assert.doesNotMatch(stdout, /x-cluster-/);
    const shown = await kubectl.run(['get', '-f', '-', '-o', 'yaml'], {
      input: definition,
    });
    assert.doesNotMatch(shown.stdout, /x-cluster-/);
    await kubectl.run(['delete', '-f', '-'], { input: definition });
  });

  test('webhook configurations are unchanged, whichever names they have and contain', async () => {
    const configurations = ['k8s.io', 'cluster.io'].flatMap(group =>
      ['Validating', 'Mutating'].map(kind => ({
        group,
        kind,
        name: `${kind.toLowerCase()}-${group.replaceAll('.', '-')}`,
      })),
    );
    // Defaults are written out: of kinds in groups that kubectl does not know it compares whole lists.
    const input = configurations
      .map(
        ({ group, kind, name }) => `apiVersion: admissionregistration.${group}/v1
kind: ${kind}WebhookConfiguration
metadata: {name: ${name}}
webhooks:
- name: a.example.com
  clientConfig: {url: "https://localhost:1/"}
  rules:
  - {operations: [CREATE], apiGroups: [networking.k8s.io], apiVersions: [v1], resources: [ingresses], scope: Namespaced}
  - {operations: [CREATE], apiGroups: [networking.cluster.io, rbac.authorization.k8s.io], apiVersions: [v1], resources: ["*"], scope: "*"}
  objectSelector: {matchLabels: {never: matches}}
  namespaceSelector: {}
  admissionReviewVersions: [v1]
  failurePolicy: Fail
  matchPolicy: Equivalent
  sideEffects: None
  timeoutSeconds: 10
${kind === 'Mutating' ? '  reinvocationPolicy: Never\n' : ''}`,
      )
      .join('---\n');
    const said = (end: string) =>
      configurations
        .map(
          ({ group, kind, name }) =>
            `${kind.toLowerCase()}webhookconfiguration.admissionregistration.${group}/${name} ${end}\n`,
        )
        .join('');
    const apply = async (...options: string[]) =>
      (await kubectl.run(['apply', '-f', '-', ...options], { input })).stdout;
    const path = 'jsonpath={range .items[*]}{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
    const versions = async () => (await kubectl.run(['get', '-f', '-', '-o', path], { input })).stdout;
    assert.equal(await apply(), said('created'));
    assert.equal(await apply(), said('unchanged'));
    assert.equal((await kubectl.run(['diff', '-f', '-'], { input })).stdout, '');
    await apply('--server-side', '--force-conflicts');
    const before = await versions();
    assert.equal(before.trim().split('\n').length, configurations.length);
    await apply('--server-side');
    assert.equal(await versions(), before);
  });

  test('explain works in both groups', async () => {
    for (const group of ['k8s.io', 'cluster.io']) {
      const { stdout } = await kubectl.run([
        'explain',
        'ingress.spec',
        `--api-version=networking.${group}/v1`,
      ]);
      assert.match(stdout, /defaultBackend/);
    }
  });
});

test('without listed aliases kubectl sees each group once', ofCluster, async () => {
  await using directory = await createTemporaryDirectory();
  await using server = await startStandalone({
    dataDir: join(directory.path, 'data'),
    port: 0,
    listAliasGroups: false,
  });
  const kubectl = createKubectl(server.adminConfiguration, join(directory.path, 'cache'));
  const { stdout } = await kubectl.run(['api-versions']);
  assert.doesNotMatch(stdout, /k8s\.io/);
  const refused = await kubectl.attempt(['apply', '-f', '-'], { input: manifest('k8s.io', 'theirs') });
  assert.match(refused.stderr, /no matches for kind "Ingress"/);
});
