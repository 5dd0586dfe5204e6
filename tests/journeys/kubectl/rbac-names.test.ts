import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { groups, understood } from '@binnacle/api-names';
import { type Standalone, startStandalone } from '@binnacle/standalone/testing';
import { createTemporaryDirectory } from '../setup/temporary-directory.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';

const names = understood.groups.rbac;
const { networking } = understood.groups;
/** The group that kubectl's own commands on roles know. */
const kubectlsGroup = names.at(-1) ?? '';
const serverSide = ['--server-side', '--force-conflicts'];
const kinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** Roles and bindings whose own group is `group`, and that speak of other groups, and of their own, by the names in `named`. */
function manifest(group: string, named: readonly string[], name: string): string {
  const rules = [
    { apiGroups: [...named, ''], resources: ['roles', 'configmaps'], verbs: ['get', 'list'] },
    {
      apiGroups: named.map(name => networking[names.indexOf(name)]),
      resources: ['ingresses'],
      verbs: ['*'],
    },
    { apiGroups: ['gateway.networking.k8s.io', 'sea.cluster.io'], resources: ['*'], verbs: ['get'] },
  ];
  const [apiGroup] = named;
  const items = kinds.map(kind => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, ...(!kind.startsWith('Cluster') && { namespace: 'default' }) },
    ...(kind.endsWith('Role')
      ? { rules }
      : {
          roleRef: { apiGroup, kind: kind.slice(0, -'Binding'.length), name },
          subjects: [
            { apiGroup, kind: 'User', name: 'bob' },
            { apiGroup: named.at(-1), kind: 'Group', name: 'crew' },
            { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
          ],
        }),
  }));
  return items.map(item => JSON.stringify(item)).join('\n');
}

suite('kubectl and roles that are written again', () => {
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

  /** The uid and version of each object. */
  async function readState(input: string): Promise<string> {
    const path = 'jsonpath={range .items[*]}{.kind} {.metadata.uid} {.metadata.resourceVersion}{"\\n"}{end}';
    return (await kubectl.run(['get', '-f', '-', '-o', path], { input })).stdout;
  }

  const mixed = [...names].reverse();
  const cases = [
    ...names.flatMap(group => names.map(named => ({ group, named: [named] }))),
    { group: kubectlsGroup, named: mixed },
  ];
  // A command takes a fifth of a second of a processor, however many objects it is about.
  const createManifests = (name: string) =>
    cases.map(({ group, named }, index) => manifest(group, named, `${name}-${index}`)).join('\n');
  const through = cases.map(({ group, named }) => `${group} with ${named.join(' and ')}`).join(', ');

  test(`a second apply changes nothing: through ${through}`, async () => {
    const input = createManifests('applied');
    await kubectl.run(['apply', '-f', '-'], { input });
    const before = await readState(input);
    assert.equal(before.split('\n').length, cases.length * kinds.length + 1);
    const { stdout } = await kubectl.run(['apply', '-f', '-'], { input });
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, cases.length * kinds.length);
    assert.deepEqual(
      lines.filter(line => !line.endsWith(' unchanged')),
      [],
    );
    assert.equal((await kubectl.run(['diff', '-f', '-'], { input })).stdout, '');
    const repeated = async () => await kubectl.run(['apply', '-f', '-', ...serverSide], { input });
    await repeated();
    const applied = await readState(input);
    await repeated();
    assert.equal(await readState(input), applied);
  });

  test(`roles are read as they were created: through ${through}`, async () => {
    const input = createManifests('read');
    await kubectl.run(['create', '-f', '-'], { input });
    const { stdout } = await kubectl.run(['get', '-f', '-', '-o', 'json'], { input });
    const { items } = JSON.parse(stdout) as { items: Record<string, unknown>[] };
    const sent = input.split('\n').map(text => JSON.parse(text) as Record<string, unknown>);
    const said = ({ rules, roleRef, subjects }: Record<string, unknown>) => ({ rules, roleRef, subjects });
    assert.deepEqual(items.map(said), sent.map(said));
  });

  test(`a second auth reconcile changes nothing with groups ${names.join(' or ')}`, async () => {
    const input = names.map(named => manifest(kubectlsGroup, [named], `reconciled-${named}`)).join('\n');
    const reconcile = async () => {
      const { stdout, stderr } = await kubectl.run(['auth', 'reconcile', '-f', '-'], { input });
      return stdout + stderr;
    };
    const first = await reconcile();
    for (const named of names)
      assert.match(first, new RegExp(`/reconciled-${named.replaceAll('.', '\\.')} reconciled`));
    assert.match(first, /missing rules added/);
    const before = await readState(input);
    assert.doesNotMatch(await reconcile(), /missing|extra|recreated/i);
    assert.equal(await readState(input), before);
  });

  test('a missing group in a reference is that of the request', async () => {
    const createName = (group: string) => `left-out-${group}`;
    const input = names
      .map(group => manifest(group, [group], createName(group)).replaceAll(`"apiGroup":"${group}",`, ''))
      .join('\n');
    await kubectl.run(['create', '-f', '-', '--validate=false'], { input });
    const path = 'jsonpath={range .items[*]}{.roleRef.apiGroup} {.subjects[*].apiGroup}{"\\n"}{end}';
    for (const reader of names) {
      const resources = `rolebindings.${reader},clusterrolebindings.${reader}`;
      const { stdout } = await kubectl.run(['get', resources, ...names.map(createName), '-o', path]);
      const expected = [...names, ...names].map(group => `${group} ${group} ${group}`);
      assert.deepEqual(stdout.trim().split('\n'), expected);
    }
    const before = await readState(input);
    await kubectl.run(['apply', '-f', '-', '--validate=false', ...serverSide], { input });
    const applied = await readState(input);
    await kubectl.run(['apply', '-f', '-', '--validate=false', ...serverSide], { input });
    assert.equal(await readState(input), applied);
    assert.deepEqual(
      applied.split('\n').map(line => line.split(' ')[1]),
      before.split('\n').map(line => line.split(' ')[1]),
    );
  });

  test('rules of roles apply in each group alias', async () => {
    const granted = async (resource: string) =>
      (
        await kubectl.attempt(['auth', 'can-i', 'get', resource, '-n', 'default', '--as', 'bob'])
      ).stdout.trim();
    for (const group of [
      ...names.map(name => `roles.${name}`),
      ...networking.map(name => `ingresses.${name}`),
    ])
      assert.equal(await granted(group), 'yes', group);
    assert.equal(await granted(`clusterrolebindings.${groups.rbac}`), 'no');
  });
});
