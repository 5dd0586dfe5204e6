import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate } from '../test-drivers/pod-template.ts';
import { create, findDefinition, update } from '../test-drivers/process.ts';

const template = podTemplate({ restartPolicy: 'Never' });
const template$ = 'spec.template';
const policy$ = 'spec.podFailurePolicy.rules';
const createJob = (fields: object = {}) => create('jobs', { spec: { template, ...fields } });

describe('a job', () => {
  it('has one completion, one parallel pod and six retries by default', () => {
    const { object, findings } = createJob();
    assert.deepEqual(findings, []);
    const { template: _, selector, ...spec } = object['spec'] as Record<string, unknown>;
    assert.deepEqual(spec, {
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
    });
    assert.deepEqual(selector, { matchLabels: { 'controller-uid': 'u-1' } });
    assert.deepEqual(object.metadata.labels, { app: 'x', 'job-name': 'a', 'controller-uid': 'u-1' });
    assert.deepEqual(object.metadata.annotations, {
      'batch.cluster.io/job-tracking': '',
      'batch.kubernetes.io/job-tracking': '',
    });
  });

  it('has no default for completions if parallelism is set', () =>
    assert.equal('completions' in (createJob({ parallelism: 3 }).object['spec'] as object), false));

  it('has a generated selector for its own pods', () => {
    const { object } = createJob();
    const { metadata } = (object['spec'] as { template: { metadata: object } }).template;
    assert.deepEqual(metadata, {
      creationTimestamp: null,
      labels: { app: 'x', 'job-name': 'a', 'controller-uid': 'u-1' },
    });
  });

  const generated = { 'job-name': 'a', 'controller-uid': 'u-1' };
  const plainTemplate = { spec: podTemplate({ restartPolicy: 'Never' }).spec };
  for (const [what, content, labels] of [
    ['those of its template', { spec: { template } }, { app: 'x', ...generated }],
    ['those that are generated', { spec: { template: plainTemplate } }, generated],
    ['its own alone', { metadata: { labels: { a: 'b' } }, spec: { template } }, { a: 'b' }],
    [
      'its own, equal to those of its template',
      { metadata: { labels: { app: 'x' } }, spec: { template } },
      { app: 'x' },
    ],
    [
      'those of its template, which counts pods itself',
      { spec: { template, manualSelector: true, selector: { matchLabels: { app: 'x' } } } },
      { app: 'x' },
    ],
  ] as const)
    it(`has the labels ${what}`, () => {
      const { object, findings } = create('jobs', content);
      assert.deepEqual(findings, []);
      assert.deepEqual(object.metadata.labels, labels);
    });

  it('gets the labels of its template when an update removes its own', () => {
    const old = create('jobs', { spec: { template } }).object;
    const bare = { ...structuredClone(old), metadata: {} };
    const { object, findings } = update('jobs', bare, { old });
    assert.deepEqual(findings, []);
    assert.deepEqual(object.metadata.labels, { app: 'x', ...generated });
  });

  const labelled = (labels: Record<string, string>) => ({
    ...template,
    metadata: { labels: { app: 'x', ...labels } },
  });
  const rule = (fields: object) => ({ podFailurePolicy: { rules: [{ action: 'FailJob', ...fields }] } });
  const exits = (fields: object) => rule({ onExitCodes: { operator: 'In', values: [1], ...fields } });
  const cases: readonly [what: string, fields: object, findings: readonly string[]][] = [
    [
      'negative counts',
      { backoffLimit: -1, parallelism: -1 },
      ['Invalid spec.parallelism', 'Invalid spec.backoffLimit'],
    ],
    ['a negative time to live', { ttlSecondsAfterFinished: -1 }, ['Invalid spec.ttlSecondsAfterFinished']],
    ['an unknown mode', { completionMode: 'Sorted' }, ['NotSupported spec.completionMode']],
    [
      'an index without completions',
      { completionMode: 'Indexed', parallelism: 1 },
      ['Required spec.completions'],
    ],
    [
      'too many indexed pods at once',
      { completionMode: 'Indexed', completions: 1, parallelism: 100_001 },
      ['Invalid spec.parallelism'],
    ],
    ['a pod that always restarts', { template: podTemplate() }, [`Required ${template$}.spec.restartPolicy`]],
    [
      'labels of another job',
      { template: labelled({ 'controller-uid': 'other' }) },
      [`Invalid ${template$}.metadata.labels`, `Invalid ${template$}.metadata.labels[controller-uid]`],
    ],
    [
      'the name of another job',
      { template: labelled({ 'job-name': 'other' }) },
      [`Invalid ${template$}.metadata.labels[job-name]`],
    ],
    [
      'the selector of another job',
      { selector: { matchLabels: { 'controller-uid': 'other' } } },
      [`Invalid ${template$}.metadata.labels`, 'Invalid spec.selector'],
    ],
    ['a selector of its own', { manualSelector: true, selector: { matchLabels: { app: 'x' } } }, []],
    [
      'no selector of its own',
      { manualSelector: true },
      ['Required spec.selector', `Invalid ${template$}.metadata.labels`],
    ],
    [
      'a selector of its own that finds nothing',
      { manualSelector: true, selector: { matchLabels: { app: 'y' } } },
      [`Invalid ${template$}.metadata.labels`],
    ],
    ['a failure policy', exits({}), []],
    [
      'a failure policy for pods that restart',
      { ...exits({}), template: podTemplate({ restartPolicy: 'OnFailure' }) },
      [`Invalid ${template$}.spec.restartPolicy`],
    ],
    ['a rule of nothing', rule({}), [`Invalid ${policy$}[0]`]],
    [
      'a rule of both',
      rule({ onExitCodes: { operator: 'In', values: [1] }, onPodConditions: [{ type: 'A' }] }),
      [`Invalid ${policy$}[0]`],
    ],
    [
      'an unknown action',
      rule({ action: 'Cry', onPodConditions: [{ type: 'A' }] }),
      [`NotSupported ${policy$}[0].action`],
    ],
    [
      'an action left out',
      rule({ action: '', onPodConditions: [{ type: 'A' }] }),
      [`Required ${policy$}[0].action`],
    ],
    [
      'an unknown container',
      exits({ containerName: 'z' }),
      [`Invalid ${policy$}[0].onExitCodes.containerName`],
    ],
    ['a known container', exits({ containerName: 'c' }), []],
    ['no operator', exits({ operator: '' }), [`Required ${policy$}[0].onExitCodes.operator`]],
    ['no exit codes', exits({ values: [] }), [`Invalid ${policy$}[0].onExitCodes.values`]],
    ['success as a failure', exits({ values: [0, 1] }), [`Invalid ${policy$}[0].onExitCodes.values[0]`]],
    ['exit codes twice', exits({ values: [1, 1] }), [`Duplicate ${policy$}[0].onExitCodes.values[1]`]],
    ['exit codes out of order', exits({ values: [2, 1] }), [`Invalid ${policy$}[0].onExitCodes.values`]],
    [
      'too many exit codes',
      exits({ values: Array.from({ length: 256 }, (_, index) => index + 1) }),
      [`TooMany ${policy$}[0].onExitCodes.values`],
    ],
    [
      'conditions that cannot be',
      rule({ onPodConditions: [{ type: 'a b', status: 'Maybe' }] }),
      [
        `Invalid ${policy$}[0].onPodConditions[0].type`,
        `NotSupported ${policy$}[0].onPodConditions[0].status`,
      ],
    ],
    [
      'too many rules',
      { podFailurePolicy: { rules: Array.from({ length: 21 }, () => exits({}).podFailurePolicy.rules[0]) } },
      [`TooMany ${policy$}`],
    ],
  ];
  for (const [what, fields, findings] of cases)
    it(`with ${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(createJob(fields).findings, findings));

  it('has a name that leaves room for the index of its pods if it is indexed', () => {
    const spec = { template, completionMode: 'Indexed', completions: 10 };
    const listFindings = (name: string) => create('jobs', { metadata: { name }, spec }).findings;
    assert.deepEqual(listFindings('n'.repeat(61)), []);
    assert.deepEqual(listFindings('n'.repeat(62)), ['Invalid metadata.name']);
    assert.deepEqual(listFindings('a.b'), ['Invalid metadata.name']);
  });
});

describe('an update of a job', () => {
  const old = createJob({ suspend: true }).object;
  const changed = (fields: object, from = old) =>
    update('jobs', { spec: { ...(structuredClone(from['spec']) as object), ...fields } }, { old: from })
      .findings;
  const withPod = (spec: object) => ({
    ...template,
    metadata: (old['spec'] as { template: { metadata: object } }).template.metadata,
    spec: { ...template.spec, ...spec },
  });

  it('may suspend it, resume it and change its parallelism', () =>
    assert.deepEqual(
      changed({ suspend: false, parallelism: 4, backoffLimit: 1, activeDeadlineSeconds: 9 }),
      [],
    ));

  for (const [field, value] of [
    ['completions', 2],
    ['completionMode', 'Indexed'],
    ['selector', { matchLabels: { 'controller-uid': 'u-1', a: 'b' } }],
    ['podFailurePolicy', { rules: [] }],
  ] as const)
    it(`cannot change ${field}`, () =>
      assert.ok(changed({ [field]: value }).includes(`Invalid spec.${field}`)));

  it('cannot change the template', () =>
    assert.deepEqual(changed({ template: withPod({ hostname: 'h' }) }), [`Invalid ${template$}`]));

  it('may change the scheduling of pods before the first one starts', () => {
    const moved = { template: withPod({ nodeSelector: { a: 'b' } }) };
    assert.deepEqual(changed(moved), []);
    assert.deepEqual(changed(moved, { ...old, status: { startTime: '2024-01-01T00:00:00Z' } }), [
      `Invalid ${template$}`,
    ]);
    assert.deepEqual(changed(moved, createJob().object), [`Invalid ${template$}`]);
  });

  it('to its status has no negative counts', () =>
    assert.deepEqual(update('jobs', { status: { failed: -1 } }, { old, subresource: 'status' }).findings, [
      'Invalid status.failed',
    ]));

  it('to its status names each uncounted pod once', () => {
    const uncountedTerminatedPods = { succeeded: ['a', 'b', 'a', ''], failed: ['b', 'c', ''] };
    const change = update('jobs', { status: { uncountedTerminatedPods } }, { old, subresource: 'status' });
    assert.deepEqual(change.findings, [
      'Duplicate status.uncountedTerminatedPods.succeeded[2]',
      'Invalid status.uncountedTerminatedPods.succeeded[3]',
      'Duplicate status.uncountedTerminatedPods.failed[0]',
      'Invalid status.uncountedTerminatedPods.failed[2]',
    ]);
  });
});

describe('jobs', () => {
  it('can be selected by status.successful', () => {
    const { object } = createJob();
    const { selectableFields } = findDefinition('jobs').rules;
    assert.deepEqual(selectableFields?.(object), { 'status.successful': '0' });
  });

  for (const [spec, status, cells] of [
    [{}, {}, ['0/1', '']],
    [{ parallelism: 3 }, { succeeded: 2, startTime: '2024-01-01T00:00:00Z' }, ['2/1 of 3', '90s']],
    [
      { completions: 4 },
      { succeeded: 4, startTime: '2024-01-01T00:00:00Z', completionTime: '2024-01-01T00:00:30Z' },
      ['4/4', '30s'],
    ],
  ] as const)
    it(`are printed as ${cells.join(' ')}`, () => {
      const object = { ...createJob(spec).object, status };
      const shown = findDefinition('jobs').rules.cells?.(object, Date.parse('2024-01-01T00:01:30Z'));
      assert.deepEqual(shown?.slice(1, 3), cells);
      assert.deepEqual(shown?.slice(4), ['c', 'i:1', 'controller-uid=u-1']);
    });
});
