import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kubectl } from './kubectl.ts';

const namespace = 'applying';

const configMap = (name: string, data: Readonly<Record<string, string>>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });

const ingress = (name: string, className: string): string =>
  JSON.stringify({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace },
    spec: {
      ingressClassName: className,
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
    },
  });

interface Entry {
  readonly manager: string;
  readonly operation: string;
}

/** The steps of a user of server-side apply, for the journey with kubectl. */
export function registerApplySteps(kubectl: () => Kubectl): void {
  const apply = (input: string, ...flags: string[]) =>
    kubectl().run(['apply', '--server-side', '-f', '-', ...flags], { input });
  const attempt = (input: string, ...flags: string[]) =>
    kubectl().attempt(['apply', '--server-side', '-f', '-', ...flags], { input });
  const read = async (kind: string, name: string) => {
    const { stdout } = await kubectl().run(['-n', namespace, 'get', kind, name, '-o', 'json']);
    return JSON.parse(stdout);
  };
  const readManagers = async (kind: string, name: string) => {
    const { metadata } = await read(kind, name);
    return metadata.managedFields.map(({ manager, operation }: Entry) => `${manager} ${operation}`);
  };

  test('apply --server-side creates, changes, and changes nothing the second time', async () => {
    await kubectl().run(['create', 'ns', namespace]);
    const first = await apply(configMap('served', { colour: 'red', size: 'large' }));
    assert.match(first.stdout, /configmap\/served serverside-applied/);
    const { metadata } = await read('cm', 'served');
    await apply(configMap('served', { colour: 'red', size: 'large' }));
    assert.equal((await read('cm', 'served')).metadata.resourceVersion, metadata.resourceVersion);
    await apply(configMap('served', { colour: 'green' }));
    assert.deepEqual((await read('cm', 'served')).data, { colour: 'green' });
    assert.deepEqual(await readManagers('cm', 'served'), ['kubectl Apply']);
  });

  test('another manager has a conflict, and overrides it with --force-conflicts', async () => {
    const refused = await attempt(configMap('served', { colour: 'blue' }), '--field-manager=other');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /conflict with "kubectl": \.data\.colour/);
    assert.deepEqual((await read('cm', 'served')).data, { colour: 'green' });
    await apply(configMap('served', { colour: 'blue' }), '--field-manager=other', '--force-conflicts');
    assert.deepEqual((await read('cm', 'served')).data, { colour: 'blue' });
    assert.deepEqual(await readManagers('cm', 'served'), ['other Apply']);
  });

  test('fields that others patched or edited conflict with an apply', async () => {
    await apply(configMap('shared', { colour: 'red' }));
    await kubectl().run(['-n', namespace, 'patch', 'cm', 'shared', '-p', '{"data":{"colour":"blue"}}']);
    const refused = await attempt(configMap('shared', { colour: 'red' }));
    assert.match(refused.stderr, /conflict with "kubectl-patch" using v1: \.data\.colour/);
  });

  test('diff shows what an apply would change, and changes nothing', async () => {
    const input = configMap('diffed', { colour: 'red' });
    const sides = [[], ['--server-side']];
    for (const side of sides) {
      const missing = await kubectl().attempt(['diff', ...side, '-f', '-'], { input });
      assert.equal(missing.code, 1, missing.stderr);
      assert.match(missing.stdout, /\+ {2}colour: red/);
    }
    await apply(input);
    for (const side of sides) {
      const same = await kubectl().attempt(['diff', ...side, '-f', '-'], { input });
      assert.deepEqual([same.code, same.stdout], [0, ''], same.stderr);
      const other = { input: configMap('diffed', { colour: 'blue' }) };
      const changed = await kubectl().attempt(['diff', ...side, '-f', '-'], other);
      assert.equal(changed.code, 1, changed.stderr);
      assert.match(changed.stdout, /-\s+colour: red\n\+\s+colour: blue/);
    }
    assert.deepEqual((await read('cm', 'diffed')).data, { colour: 'red' });
  });

  test('apply --server-side becomes the manager of fields of client-side apply', async () => {
    const kinds: readonly [kind: string, before: string, after: string][] = [
      [
        'cm',
        configMap('upgraded', { colour: 'red', size: 'large' }),
        configMap('upgraded', { colour: 'green' }),
      ],
      ['ingress', ingress('upgraded', 'a'), ingress('upgraded', 'b')],
    ];
    for (const [kind, before, after] of kinds) {
      await kubectl().run(['apply', '-f', '-'], { input: before });
      assert.deepEqual(await readManagers(kind, 'upgraded'), ['kubectl-client-side-apply Update']);
      await apply(after);
      assert.ok((await readManagers(kind, 'upgraded')).includes('kubectl Apply'));
    }
    assert.equal((await read('cm', 'upgraded')).data.colour, 'green');
    assert.equal((await read('ingress', 'upgraded')).spec.ingressClassName, 'b');
    const back = await kubectl().run(['apply', '-f', '-'], {
      input: configMap('upgraded', { colour: 'blue' }),
    });
    assert.match(back.stdout, /configmap\/upgraded configured/);
  });

  test('scale becomes the manager of replicas that an apply set', async () => {
    const labels = { app: 'web' };
    const spec = { containers: [{ name: 'web', image: 'web:1' }] };
    const deployment = (replicas: number) =>
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace },
        spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      });
    await apply(deployment(1));
    await kubectl().run(['-n', namespace, 'scale', 'deployment', 'web', '--replicas=3']);
    const refused = await attempt(deployment(2));
    assert.match(refused.stderr, /with subresource "scale" using apps\/v1: \.spec\.replicas/);
    assert.equal((await read('deployment', 'web')).spec.replicas, 3);
  });
}
