import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry, validateObject, validateObjectUpdate } from '../index.ts';

const group = 'networking.cluster.io';

function clusterCidr(spec: Record<string, unknown>, name = 'a'): ApiObject {
  return { apiVersion: `${group}/v1alpha1`, kind: 'ClusterCIDR', metadata: { name }, spec } as ApiObject;
}

describe('a cluster CIDR', () => {
  const registry = createTypeRegistry({ runtimeConfig: `${group}/v1alpha1` });
  const definition = registry.resource(group, 'v1alpha1', 'clustercidrs');
  assert.ok(definition);
  const findings = (object: ApiObject) =>
    validateObject(definition, object).map(error => `${error.type} ${error.field}`);

  it('is served only when it is switched on', () =>
    assert.equal(createTypeRegistry().resource(group, 'v1alpha1', 'clustercidrs'), undefined));

  for (const [spec, expected] of [
    [{ perNodeHostBits: 8, ipv4: '10.0.0.0/8', ipv6: 'fd00::/64' }, []],
    [{ perNodeHostBits: 8 }, ['Required spec']],
    [{ perNodeHostBits: 8, ipv4: 'x' }, ['Invalid spec.ipv4']],
    [{ perNodeHostBits: 8, ipv4: 'fd00::/64' }, ['Invalid spec.ipv4']],
    [{ perNodeHostBits: 8, ipv6: '10.0.0.0/8' }, ['Invalid spec.ipv6']],
    [{ perNodeHostBits: 3, ipv4: '10.0.0.0/8' }, ['Invalid spec.perNodeHostBits']],
    [{ perNodeHostBits: 25, ipv4: '10.0.0.0/8' }, ['Invalid spec.perNodeHostBits']],
    [
      { perNodeHostBits: 8, ipv4: '10.0.0.0/8', nodeSelector: {} },
      ['Required spec.nodeSelector.nodeSelectorTerms'],
    ],
  ] as const)
    it(`with ${JSON.stringify(spec)}: ${expected.join() || 'valid'}`, () =>
      assert.deepEqual(findings(clusterCidr(spec)), expected));

  it('has a name that is a DNS label', () =>
    assert.deepEqual(findings(clusterCidr({ perNodeHostBits: 8, ipv4: '10.0.0.0/8' }, 'a.b')), [
      'Invalid metadata.name',
    ]));

  it('cannot be changed', () => {
    const old = clusterCidr({ perNodeHostBits: 8, ipv4: '10.0.0.0/8' });
    const changed = clusterCidr({ perNodeHostBits: 9, ipv4: '11.0.0.0/8' });
    assert.deepEqual(
      validateObjectUpdate(definition, changed, old).map(error => error.field),
      ['spec.perNodeHostBits', 'spec.ipv4'],
    );
  });

  it('is printed with its node selector in wide output', () => {
    const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] };
    const object = clusterCidr({
      perNodeHostBits: 8,
      ipv4: '10.0.0.0/8',
      nodeSelector: { nodeSelectorTerms: [term] },
    });
    assert.deepEqual(definition.rules.cells?.(object, 0), [
      'a',
      '8',
      '10.0.0.0/8',
      '<none>',
      '<unknown>',
      '[zone In a b]',
    ]);
  });
});
