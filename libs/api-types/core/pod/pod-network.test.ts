import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { create, update } from '../../test-drivers/process.ts';

const container = { name: 'c', image: 'i:1' };
const port = { containerPort: 80, hostPort: 8080 };
const withPorts = (...lists: readonly (readonly object[])[]) => ({
  containers: lists.map((ports, index) => ({ ...container, name: `c${index}`, ports })),
});
const dns = (dnsConfig: object) => ({ containers: [container], dnsConfig });

const cases: readonly [spec: object, findings: readonly string[]][] = [
  [withPorts([port, { ...port, containerPort: 81 }]), ['Duplicate spec.containers[0].ports[1].hostPort']],
  [withPorts([port], [port]), ['Duplicate spec.containers[1].ports[0].hostPort']],
  [withPorts([port], [{ ...port, protocol: 'UDP' }]), []],
  [withPorts([port], [{ ...port, hostIP: '10.0.0.1' }]), []],
  [{ ...withPorts([port]), initContainers: [{ ...container, name: 'i', ports: [port] }] }, []],
  [
    dns({ nameservers: ['1.1.1.1', '8.8.8.8', '9.9.9.9', '4.4.4.4'] }),
    ['Invalid spec.dnsConfig.nameservers'],
  ],
  [dns({ nameservers: ['x'] }), ['Invalid spec.dnsConfig.nameservers[0]']],
  [dns({ searches: ['a.b.', 'A b'] }), ['Invalid spec.dnsConfig.searches[1]']],
  [
    dns({ searches: Array.from({ length: 33 }, (_, index) => `s${index}`) }),
    ['Invalid spec.dnsConfig.searches'],
  ],
  [
    dns({ searches: Array.from({ length: 30 }, () => 'abcdefghij.'.repeat(7).slice(0, -1)) }),
    ['Invalid spec.dnsConfig.searches'],
  ],
  [dns({ options: [{ value: '1' }] }), ['Required spec.dnsConfig.options[0]']],
];

describe('the network of pods', () => {
  for (const [spec, findings] of cases)
    it(`with ${JSON.stringify(spec).slice(0, 120)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('pods', { spec }).findings, findings));
});

describe('the network status of a pod', () => {
  const createPod = (spec: object, status: JsonObject = {}): ApiObject => ({
    ...create('pods', { spec: { containers: [container], ...spec } }).object,
    status,
  });
  const reported = (status: object, old: ApiObject) =>
    update('pods', { status }, { old, subresource: 'status' });

  it('has one address in both podIP and podIPs', () => {
    const findStatus = (status: object) => reported(status, createPod({})).object['status'];
    const both = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    assert.deepEqual(findStatus({ podIP: '10.0.0.1' }), both);
    assert.deepEqual(findStatus({ podIPs: [{ ip: '10.0.0.1' }] }), both);
    assert.deepEqual(findStatus({ podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }] }), both);
  });

  for (const [status, findings] of [
    [{ podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
    [{ podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }, ['Invalid status.podIPs']],
    [{ podIP: 'x' }, ['Invalid status.podIPs[0]']],
    [{ nominatedNodeName: 'A' }, ['Invalid status.nominatedNodeName']],
  ] as const)
    it(`with ${JSON.stringify(status)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(reported(status, createPod({})).findings, findings));

  const state = (value: JsonObject) => ({ containerStatuses: [{ name: 'c', state: value }] });
  const ended = (exitCode: number) => state({ terminated: { exitCode } });
  for (const [restartPolicy, exitCode, findings] of [
    ['Never', 1, ['Forbidden status.containerStatuses[0].state']],
    ['OnFailure', 0, ['Forbidden status.containerStatuses[0].state']],
    ['OnFailure', 1, []],
    ['Always', 0, []],
  ] as const)
    it(`may ${findings.length > 0 ? 'not ' : ''}restart after exit code ${exitCode} with policy ${restartPolicy}`, () =>
      assert.deepEqual(
        reported(state({ running: {} }), createPod({ restartPolicy }, ended(exitCode))).findings,
        findings,
      ));
});
