import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, update } from '../test-drivers/process.ts';

type Change = Record<string, unknown>;
type Findings = readonly string[];

const plural = 'customresourcedefinitions';
const metadata = { name: 'widgets.example.com' };
const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const names = { plural: 'widgets', kind: 'Widget' };
const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
const withVersion = (change: Change) => ({ versions: [{ ...version, ...change }] });
const other = { ...version, name: 'v2', storage: false };
const webhook = { clientConfig: { url: 'https://h/p' }, conversionReviewVersions: ['v1'] };
const conversion = 'spec.conversion';
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };

const cases: readonly (readonly [what: string, change: Change, findings: Findings])[] = [
  ['nothing wrong', {}, []],
  ['another group than the name', { group: 'example.org' }, ['Invalid metadata.name']],
  ['a group of one part', { group: 'example' }, ['Invalid metadata.name', 'Invalid spec.group']],
  ...['networking.k8s.io', 'networking.cluster.io', 'storage.k8s.io', 'rbac.authorization.k8s.io'].map(
    group =>
      [`the built-in group ${group}`, { group }, ['Invalid metadata.name', 'Invalid spec.group']] as const,
  ),
  ...['apps', 'batch', 'policy'].map(
    group =>
      [
        `the built-in group ${group}`,
        { group },
        ['Invalid metadata.name', 'Invalid spec.group', 'Invalid spec.group'],
      ] as const,
  ),
  ['no group', { group: undefined }, ['Invalid metadata.name', 'Required spec.group']],
  ['no scope', { scope: undefined }, ['Required spec.scope']],
  ['an unknown scope', { scope: 'X' }, ['NotSupported spec.scope']],
  ['unknown fields kept', { preserveUnknownFields: true }, ['Invalid spec.preserveUnknownFields']],
  ['no versions', { versions: [] }, ['Invalid spec.versions', 'Invalid status.storedVersions']],
  [
    'two storage versions',
    { versions: [version, { ...version, name: 'v2' }] },
    ['Invalid spec.versions', 'Invalid status.storedVersions'],
  ],
  ['a version twice', { versions: [version, { ...version, storage: false }] }, ['Invalid spec.versions']],
  ['a bad version', withVersion({ name: '1' }), ['Invalid spec.versions[0].name', 'Invalid spec.version']],
  ['no schema', withVersion({ schema: undefined }), ['Required spec.versions[0].schema.openAPIV3Schema']],
  [
    'a warning about what is not deprecated',
    withVersion({ deprecationWarning: 'a' }),
    ['Invalid spec.versions[0].deprecationWarning'],
  ],
  ['a warning', withVersion({ deprecated: true, deprecationWarning: 'a' }), []],
  [
    'an empty warning',
    withVersion({ deprecated: true, deprecationWarning: '' }),
    ['Invalid spec.versions[0].deprecationWarning'],
  ],
  [
    'a long warning of two lines',
    withVersion({ deprecated: true, deprecationWarning: `a\n${'b'.repeat(256)}` }),
    ['TooLong spec.versions[0].deprecationWarning', 'Invalid spec.versions[0].deprecationWarning'],
  ],
  [
    'no names',
    { names: {} },
    [
      'Invalid metadata.name',
      ...['plural', 'singular', 'kind', 'listKind'].map(name => `Required spec.names.${name}`),
    ],
  ],
  [
    'bad names',
    {
      names: { ...names, singular: 'A', kind: 'a_b', listKind: 'a_b', shortNames: ['W'], categories: ['C'] },
    },
    [
      'Invalid spec.names.singular',
      'Invalid spec.names.kind',
      'Invalid spec.names.listKind',
      'Invalid spec.names.shortNames[0]',
      'Invalid spec.names.categories[0]',
      'Invalid spec.names.listKind',
    ],
  ],
  ['a conversion of no strategy', { conversion: {} }, [`Required ${conversion}.strategy`]],
  ['an unknown conversion', { conversion: { strategy: 'X' } }, [`NotSupported ${conversion}.strategy`]],
  ['a webhook', { conversion: { strategy: 'Webhook', webhook } }, []],
  [
    'a webhook that is nowhere',
    { conversion: { strategy: 'Webhook' } },
    [`Required ${conversion}.webhookClientConfig`, `Required ${conversion}.conversionReviewVersions`],
  ],
  [
    'a webhook that is not asked',
    { conversion: { strategy: 'None', webhook } },
    [`Forbidden ${conversion}.webhookClientConfig`, `Forbidden ${conversion}.conversionReviewVersions`],
  ],
  [
    'a webhook over http',
    { conversion: { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { url: 'http://h' } } } },
    [`Invalid ${conversion}.webhookClientConfig.url`],
  ],
  ['a scale', withVersion({ subresources: { status: {}, scale } }), []],
  [
    'a scale without paths',
    withVersion({ subresources: { scale: {} } }),
    [
      'Required spec.subresources.scale.specReplicasPath',
      'Required spec.subresources.scale.statusReplicasPath',
    ],
  ],
  [
    'a scale with paths elsewhere',
    withVersion({
      subresources: { scale: { ...scale, specReplicasPath: '.status.x', labelSelectorPath: '.spec.a[0]' } },
    }),
    ['Invalid spec.subresources.scale.specReplicasPath', 'Invalid spec.subresources.scale.labelSelectorPath'],
  ],
  ['a column', withVersion({ additionalPrinterColumns: [column] }), []],
  [
    'an empty column',
    withVersion({ additionalPrinterColumns: [{}] }),
    ['name', 'type', 'JSONPath'].map(field => `Required spec.additionalPrinterColumns[0].${field}`),
  ],
  [
    'a bad column of one version',
    {
      versions: [
        { ...version, additionalPrinterColumns: [{ ...column, type: 'x', format: 'y', jsonPath: 'spec' }] },
        other,
      ],
    },
    [
      'Invalid spec.versions[0].additionalPrinterColumns[0].type',
      'Invalid spec.versions[0].additionalPrinterColumns[0].format',
      'Invalid spec.versions[0].additionalPrinterColumns[0].JSONPath',
    ],
  ],
  [
    'an open bracket in a column',
    withVersion({ additionalPrinterColumns: [{ ...column, jsonPath: '.a[?(@.b=="]")' }] }),
    ['Invalid spec.additionalPrinterColumns[0].JSONPath'],
  ],
  [
    'a bad schema in all versions',
    { versions: [version, other].map(one => ({ ...one, schema: { openAPIV3Schema: {} } })) },
    ['Required spec.validation.openAPIV3Schema.type'],
  ],
  [
    'a bad schema in one version',
    { versions: [version, { ...other, schema: { openAPIV3Schema: {} } }] },
    ['Required spec.versions[1].schema.openAPIV3Schema.type'],
  ],
];

describe('a custom resource definition', () => {
  for (const [what, change, findings] of cases)
    it(`with ${what}`, () =>
      assert.deepEqual(create(plural, { metadata, spec: { ...spec, ...change } }).findings, findings));

  it('gets names, a conversion and a status', () => {
    const sent = { metadata, spec, status: { storedVersions: ['v9'] } };
    const { object } = create(plural, sent);
    assert.deepEqual(object['spec'], {
      ...spec,
      names: { ...names, singular: 'widget', listKind: 'WidgetList' },
      conversion: { strategy: 'None' },
    });
    assert.deepEqual(object['status'], {
      conditions: [],
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
    assert.equal(object.metadata.generation, 1);
  });

  const created = create(plural, { metadata, spec }).object;
  const current = { ...metadata, resourceVersion: '1' };
  const established = {
    ...created,
    status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
  };
  const changed = (change: Change, old = created) =>
    update(plural, { metadata: current, spec: { ...spec, ...change } }, { old });

  it('keeps its group, scope and plural', () => {
    assert.deepEqual(
      changed({ group: 'e.org', scope: 'Cluster', names: { ...names, plural: 'x' } }).findings,
      ['Invalid spec.group', 'Invalid spec.scope', 'Invalid spec.names.plural'],
    );
  });

  it('keeps its kind once it is established', () => {
    const renamed = { names: { ...names, kind: 'Gadget' } };
    assert.deepEqual(changed(renamed).findings, []);
    assert.deepEqual(changed(renamed, established).findings, [
      'Invalid spec.names.kind',
      'Invalid spec.names.listKind',
    ]);
  });

  it('keeps the versions that objects are stored in', () => {
    const next = [
      { ...version, storage: false },
      { ...other, storage: true },
    ];
    const moved = changed({ versions: next });
    assert.deepEqual(moved.findings, []);
    assert.deepEqual((moved.object['status'] as Change)['storedVersions'], ['v1', 'v2']);
    assert.deepEqual(changed({ versions: next.slice(1) }).findings, ['Invalid status.storedVersions[0]']);
    const status = { metadata: current, spec, status: { storedVersions: ['v2'] } };
    const old = moved.object;
    assert.deepEqual(update(plural, status, { old, subresource: 'status' }).findings, []);
    const none = { metadata: current, spec, status: { storedVersions: [] } };
    assert.deepEqual(update(plural, none, { old, subresource: 'status' }).findings, [
      'Invalid status.storedVersions',
    ]);
  });
});
