import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition, update } from '../test-drivers/process.ts';
import { componentStatusFrom } from './component-status.ts';

describe('a binding', () => {
  for (const [target, findings] of [
    [{ kind: 'Node', name: 'n' }, []],
    [{ name: 'n' }, []],
    [{ kind: 'Pod', name: 'n' }, ['NotSupported target.kind']],
    [{ kind: 'Node' }, ['Required target.name']],
    [undefined, ['Required target.name']],
  ] as const)
    it(`to ${JSON.stringify(target)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('bindings', { target }).findings, findings));

  it('is not stored', () => {
    const { stored, verbs } = findDefinition('bindings');
    assert.equal(stored, false);
    assert.deepEqual(verbs, ['create']);
  });
});

describe('a component status', () => {
  const cells = findDefinition('componentstatuses').rules.cells;

  for (const [healthy, message, error, row] of [
    [true, 'ok', '', ['storage', 'Healthy', 'ok', '']],
    [false, 'slow', '', ['storage', 'Unhealthy', 'slow', '']],
    [false, '', 'no route', ['storage', 'Unhealthy', '', 'no route']],
  ] as const)
    it(`is printed as ${row.join(' ')}`, () =>
      assert.deepEqual(cells?.(componentStatusFrom({ name: 'storage', healthy, message, error }), 0), row));

  it('is Unknown without a condition', () =>
    assert.deepEqual(cells?.({ apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name: 'a' } }, 0), [
      'a',
      'Unknown',
      '',
      '',
    ]));

  it('is deprecated and not stored', () => {
    const { deprecation, stored, verbs } = findDefinition('componentstatuses');
    assert.match(deprecation ?? '', /deprecated/);
    assert.equal(stored, false);
    assert.deepEqual(verbs, ['get', 'list']);
  });
});

describe('subresources of the core group', () => {
  for (const [plural, subresources] of [
    [
      'pods',
      {
        attach: 'PodAttachOptions create,get',
        binding: 'Binding create',
        ephemeralcontainers: 'Pod get,patch,update',
        eviction: 'policy/v1 Eviction create',
        exec: 'PodExecOptions create,get',
        log: 'Pod get',
        portforward: 'PodPortForwardOptions create,get',
        proxy: 'PodProxyOptions create,delete,get,patch,update',
        status: 'Pod get,patch,update',
      },
    ],
    [
      'services',
      { proxy: 'ServiceProxyOptions create,delete,get,patch,update', status: 'Service get,patch,update' },
    ],
    ['nodes', { proxy: 'NodeProxyOptions create,delete,get,patch,update', status: 'Node get,patch,update' }],
    ['namespaces', { finalize: 'Namespace update', status: 'Namespace get,patch,update' }],
    ['serviceaccounts', { token: 'authentication.cluster.io/v1 TokenRequest create' }],
    ['persistentvolumes', { status: 'PersistentVolume get,patch,update' }],
    ['persistentvolumeclaims', { status: 'PersistentVolumeClaim get,patch,update' }],
    ['resourcequotas', { status: 'ResourceQuota get,patch,update' }],
  ] as const)
    it(`of ${plural}`, () => {
      const found = [...findDefinition(plural).subresources.values()].map(
        ({ name, group, version, kind, verbs }) => [
          name,
          `${group === undefined ? '' : `${group}/${version} `}${kind} ${verbs.join()}`,
        ],
      );
      assert.deepEqual(Object.fromEntries(found), subresources);
    });
});

describe('the status of a service', () => {
  const condition = {
    type: 'example.com/Ready',
    status: 'True',
    reason: 'E2E',
    message: '',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  };
  const at = 'status.conditions[0]';

  for (const [what, change, findings] of [
    ['a condition', {}, []],
    [
      'a condition without a time',
      { lastTransitionTime: undefined },
      ['Required status.conditions[0].lastTransitionTime'],
    ],
    ['a condition without a type', { type: '' }, [`Invalid ${at}.type`, `Invalid ${at}.type`]],
    ['a condition of a bad type', { type: 'a b' }, [`Invalid ${at}.type`]],
    ['a condition without a status', { status: '' }, [`NotSupported ${at}.status`]],
    ['a condition of an unknown status', { status: 'Maybe' }, [`NotSupported ${at}.status`]],
    ['a condition without a reason', { reason: '' }, [`Required ${at}.reason`]],
    ['a condition with a sentence for a reason', { reason: 'It was so' }, [`Invalid ${at}.reason`]],
    ['a condition with a long reason', { reason: 'R'.repeat(1025) }, [`TooLong ${at}.reason`]],
    ['a condition with a long message', { message: 'm'.repeat(32_769) }, [`TooLong ${at}.message`]],
    ['a condition of no generation', { observedGeneration: -1 }, [`Invalid ${at}.observedGeneration`]],
  ] as const)
    it(`with ${what}: ${findings.join() || 'valid'}`, () => {
      const old = create('services', { spec: { ports: [{ port: 80 }] } }).object;
      const status = { conditions: [{ ...condition, ...change }] };
      assert.deepEqual(update('services', { status }, { old, subresource: 'status' }).findings, findings);
    });

  it('has at most one condition of each type', () => {
    const old = create('services', { spec: { ports: [{ port: 80 }] } }).object;
    const status = { conditions: [condition, condition] };
    assert.deepEqual(update('services', { status }, { old, subresource: 'status' }).findings, [
      'Duplicate status.conditions[1].type',
    ]);
  });
});
