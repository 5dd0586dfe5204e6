import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition } from '../test-drivers/process.ts';

const service = { namespace: 'n', name: 's' };
const spec = { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service };
const metadata = { name: 'v1.example.com' };

const cases: readonly [what: string, change: Record<string, unknown>, findings: readonly string[]][] = [
  ['a service', {}, []],
  ['this server', { service: undefined }, []],
  ['another name', { version: 'v2' }, ['Invalid metadata.name']],
  ['no group', { group: undefined, version: 'v2' }, ['Invalid metadata.name', 'Required spec.group']],
  ['a bad version', { version: 'V' }, ['Invalid metadata.name', 'Invalid spec.version']],
  [
    'no priorities',
    { groupPriorityMinimum: 0, versionPriority: 0 },
    ['Invalid spec.groupPriorityMinimum', 'Invalid spec.versionPriority'],
  ],
  [
    'priorities beyond the bounds',
    { groupPriorityMinimum: 20_001, versionPriority: 1001 },
    ['Invalid spec.groupPriorityMinimum', 'Invalid spec.versionPriority'],
  ],
  ['a nameless service', { service: {} }, ['Required spec.service.namespace', 'Required spec.service.name']],
  ['a port of 0', { service: { ...service, port: 0 } }, ['Invalid spec.service.port']],
  [
    'checks both on and off',
    { caBundle: 'YQ==', insecureSkipTLSVerify: true },
    ['Invalid spec.insecureSkipTLSVerify'],
  ],
  [
    'checks of this server',
    { service: undefined, caBundle: 'YQ==', insecureSkipTLSVerify: true },
    ['Invalid spec.caBundle', 'Invalid spec.insecureSkipTLSVerify'],
  ],
];

describe('an APIService', () => {
  for (const [what, change, findings] of cases)
    it(`for ${what}`, () =>
      assert.deepEqual(create('apiservices', { metadata, spec: { ...spec, ...change } }).findings, findings));

  it('is printed with its service, and is available at once if it is local', () => {
    const { cells } = findDefinition('apiservices').rules;
    const local = create('apiservices', { metadata, spec: { ...spec, service: undefined } }).object;
    assert.deepEqual(cells?.(local, 0), ['v1.example.com', 'Local', 'True', '<unknown>']);
    const remote = create('apiservices', { metadata, spec }).object;
    assert.deepEqual(cells?.(remote, 0), ['v1.example.com', 'n/s', 'Unknown', '<unknown>']);
    const status = { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] };
    assert.equal(cells?.({ ...remote, status }, 0)[2], 'False (MissingEndpoints)');
  });

  it('has the service port 443 by default', () => {
    const { object } = create('apiservices', { metadata, spec });
    assert.deepEqual((object['spec'] as typeof spec).service, { ...service, port: 443 });
  });
});
