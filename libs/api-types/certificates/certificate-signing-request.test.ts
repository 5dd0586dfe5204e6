import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import certificates from '../fixtures/certificates.json' with { type: 'json' };
import { create, findDefinition, update } from '../test-drivers/process.ts';

const plural = 'certificatesigningrequests';
const { request, certificate } = certificates;
const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const block = (label: string, content: string) =>
  base64(`-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`);
const der = Buffer.from(request, 'base64').toString().split('\n').slice(1, -2).join('');

const specs: readonly [what: string, change: Record<string, unknown>, findings: readonly string[]][] = [
  ['a request', {}, []],
  ['no request', { request: undefined }, ['Required spec.request']],
  ['a request that is no PEM', { request: base64('x') }, ['Invalid spec.request']],
  ['a certificate as request', { request: certificate }, ['Invalid spec.request']],
  [
    'a truncated request',
    { request: block('CERTIFICATE REQUEST', der.slice(0, 100)) },
    ['Invalid spec.request'],
  ],
  [
    'a request that is another structure',
    { request: block('CERTIFICATE REQUEST', 'MAA=') },
    ['Invalid spec.request'],
  ],
  [
    'a request with more behind it',
    { request: block('CERTIFICATE REQUEST', `${der.replaceAll('=', '')}AAAA`) },
    ['Invalid spec.request'],
  ],
  ['no usages', { usages: [] }, ['Required spec.usages']],
  ['an unknown usage', { usages: ['x'] }, ['NotSupported spec.usages[0]']],
  ['a usage twice', { usages: ['any', 'any'] }, ['Duplicate spec.usages[1]']],
  ['no signer', { signerName: undefined }, ['Required spec.signerName']],
  ['a signer without path', { signerName: 'example.com' }, ['Invalid spec.signerName']],
  ['a signer of one part', { signerName: 'example/x' }, ['Invalid spec.signerName']],
  ['a signer with a long path', { signerName: 'example.com/x/y' }, ['Invalid spec.signerName']],
  [
    'a signer in upper case',
    { signerName: 'Example.com/X' },
    ['Invalid spec.signerName', 'Invalid spec.signerName'],
  ],
  ['the legacy signer', { signerName: 'cluster.io/legacy-unknown' }, ['Invalid spec.signerName']],
  ['nine minutes', { expirationSeconds: 540 }, ['Invalid spec.expirationSeconds']],
  ['ten minutes', { expirationSeconds: 600 }, []],
];

/** Every response contains null for times that no client has set. */
const noTimes = { lastUpdateTime: null, lastTransitionTime: null };
const approved = { type: 'Approved', status: 'True' };
const denied = { type: 'Denied', status: 'True' };
const failed = { type: 'Failed', status: 'True' };
const withStatus = (status: Record<string, unknown>) => ({ spec, status });
const forbidden = ['Forbidden status.conditions'];

interface Change {
  readonly what: string;
  readonly subresource: string;
  readonly from: Record<string, unknown>;
  readonly to: Record<string, unknown>;
  readonly findings: readonly string[];
}
const changes: readonly Change[] = [
  {
    what: 'approval approves',
    subresource: 'approval',
    from: {},
    to: { conditions: [approved] },
    findings: [],
  },
  {
    what: 'status does not approve',
    subresource: 'status',
    from: {},
    to: { conditions: [approved] },
    findings: forbidden,
  },
  {
    what: 'status says that signing failed',
    subresource: 'status',
    from: {},
    to: { conditions: [failed] },
    findings: [],
  },
  {
    what: 'approval takes nothing back',
    subresource: 'approval',
    from: { conditions: [approved] },
    to: { conditions: [] },
    findings: forbidden,
  },
  {
    what: 'a request cannot be both approved and denied',
    subresource: 'approval',
    from: { conditions: [approved] },
    to: { conditions: [approved, denied] },
    findings: ['Invalid status.conditions'],
  },
  {
    what: 'a decision is true or absent',
    subresource: 'approval',
    from: {},
    to: { conditions: [{ ...denied, status: 'False' }] },
    findings: ['NotSupported status.conditions[0].status'],
  },
  {
    what: 'a condition has a type and a status, once',
    subresource: 'status',
    from: {},
    to: { conditions: [{}, { type: 'X', status: 'Maybe' }, { type: 'X', status: 'True' }] },
    findings: [
      'Required status.conditions[0].type',
      'Required status.conditions[0].status',
      'NotSupported status.conditions[1].status',
      'Duplicate status.conditions[2].type',
    ],
  },
  {
    what: 'status hands out a certificate',
    subresource: 'status',
    from: {},
    to: { certificate },
    findings: [],
  },
  {
    what: 'what is handed out is a certificate',
    subresource: 'status',
    from: {},
    to: { certificate: request },
    findings: ['Invalid status.certificate'],
  },
  {
    what: 'a broken certificate is none',
    subresource: 'status',
    from: {},
    to: { certificate: block('CERTIFICATE', 'AAAA') },
    findings: ['Invalid status.certificate'],
  },
  {
    what: 'a text without blocks is none',
    subresource: 'status',
    from: {},
    to: { certificate: base64('x') },
    findings: ['Invalid status.certificate'],
  },
  {
    what: 'a certificate stays',
    subresource: 'status',
    from: { certificate },
    to: {},
    findings: ['Forbidden status.certificate'],
  },
];

describe('a certificate signing request', () => {
  for (const [what, change, findings] of specs)
    it(`with ${what}`, () =>
      assert.deepEqual(create(plural, { spec: { ...spec, ...change } }).findings, findings));

  for (const { what, subresource, from, to, findings } of changes)
    it(what, () => {
      const old = { ...create(plural, { spec }).object, status: from } as ReturnType<typeof create>['object'];
      assert.deepEqual(update(plural, withStatus(to), { old, subresource }).findings, findings);
    });

  it('never changes its spec, and a write of the approval keeps the certificate', () => {
    const old: ApiObject = { ...create(plural, { spec }).object, status: { certificate } };
    const other = { spec: { ...spec, signerName: 'example.com/other' }, status: { conditions: [approved] } };
    for (const subresource of ['', 'status', 'approval'])
      assert.deepEqual(update(plural, other, { old, subresource }).object['spec'], old['spec']);
    assert.deepEqual(update(plural, other, { old, subresource: 'approval' }).object['status'], {
      certificate,
      conditions: [{ ...approved, ...noTimes }],
    });
  });

  it('keeps its approval when the status is written', () => {
    const old = {
      ...create(plural, { spec }).object,
      status: { conditions: [{ ...approved, reason: 'a' }] },
    };
    const sent = withStatus({ conditions: [{ ...approved, reason: 'b' }, failed] });
    const { object } = update(plural, sent, { old, subresource: 'status' });
    assert.deepEqual(object['status'], {
      conditions: [
        { ...approved, reason: 'a' },
        { ...failed, ...noTimes },
      ],
    });
  });

  it('is printed with its condition', () => {
    const { cells } = findDefinition(plural).rules;
    const shown = (status: Record<string, unknown>, more = {}) =>
      cells?.(
        { ...create(plural, { spec: { ...spec, username: 'u', ...more } }).object, status } as never,
        0,
      );
    assert.deepEqual(shown({}), ['a', '<unknown>', 'example.com/signer', 'u', '<none>', 'Pending']);
    assert.equal(shown({}, { expirationSeconds: 86_400 })?.[4], '24h');
    assert.equal(shown({ conditions: [approved], certificate })?.[5], 'Approved,Issued');
    assert.equal(shown({ conditions: [denied, failed] })?.[5], 'Denied,Failed');
  });
});
