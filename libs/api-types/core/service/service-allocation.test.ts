import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { serviceAllocation } from './service-allocation.ts';
import type { IpFamily } from './service-families.ts';

const http = { port: 80, protocol: 'TCP' };
const v4 = ['IPv4'] as const;
const both = ['IPv4', 'IPv6'] as const;

interface Case {
  readonly what: string;
  readonly spec: Record<string, unknown>;
  readonly old?: Record<string, unknown>;
  readonly cluster?: readonly IpFamily[];
  /** Expected allocations: `source` for any value, `source=value` for a requested one. */
  readonly needs?: readonly string[];
  readonly findings?: readonly string[];
  /** Expected fields of the spec afterwards. */
  readonly after?: Record<string, unknown>;
}

const held = { clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'], ipFamilies: ['IPv4'] };
const single = { ...held, ipFamilyPolicy: 'SingleStack' };
const dual = {
  clusterIP: '10.96.0.9',
  clusterIPs: ['10.96.0.9', 'fd00::9'],
  ipFamilies: ['IPv4', 'IPv6'],
  ipFamilyPolicy: 'PreferDualStack',
};

const families: readonly Case[] = [
  {
    what: 'the family of the cluster is the default',
    spec: {},
    needs: ['IPv4'],
    after: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  },
  { what: 'the first one of two', spec: {}, cluster: ['IPv6', 'IPv4'], needs: ['IPv6'] },
  {
    what: 'preferring two takes what there is',
    spec: { ipFamilyPolicy: 'PreferDualStack' },
    needs: ['IPv4'],
    after: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' },
  },
  {
    what: 'preferring two takes both, in the order of the families',
    spec: { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] },
    cluster: both,
    needs: ['IPv6', 'IPv4'],
    after: { ipFamilies: ['IPv6', 'IPv4'] },
  },
  {
    what: 'two cannot be required of a cluster with one',
    spec: { ipFamilyPolicy: 'RequireDualStack' },
    findings: ['spec.ipFamilyPolicy'],
  },
  {
    what: 'a family that the cluster has not',
    spec: { ipFamilies: ['IPv6'] },
    findings: ['spec.ipFamilies[0]'],
  },
  {
    what: 'two families without a policy',
    spec: { ipFamilies: ['IPv4', 'IPv6'] },
    cluster: both,
    findings: ['spec.ipFamilyPolicy'],
  },
  {
    what: 'families follow from the addresses that are asked for',
    spec: { clusterIP: 'FD00::0:7', clusterIPs: ['FD00::0:7'] },
    cluster: both,
    needs: ['IPv6=fd00::7'],
    after: { ipFamilies: ['IPv6'] },
  },
  {
    what: 'an address of a family that the cluster has not',
    spec: { clusterIP: 'fd00::7', clusterIPs: ['fd00::7'] },
    findings: ['spec.clusterIPs[0]'],
  },
  {
    what: 'an address of another family than named',
    spec: { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'], ipFamilies: ['IPv6'] },
    cluster: both,
    findings: ['spec.clusterIPs[0]'],
  },
  {
    what: 'headless with a selector is like others, without addresses',
    spec: { clusterIP: 'None', clusterIPs: ['None'], selector: { a: 'b' } },
    cluster: both,
    after: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  },
  {
    what: 'headless without a selector has both families, whatever the cluster has',
    spec: { clusterIP: 'None', clusterIPs: ['None'] },
    after: { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
  },
  {
    what: 'headless without a selector, one family wanted',
    spec: { clusterIP: 'None', clusterIPs: ['None'], ipFamilyPolicy: 'SingleStack' },
    after: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  },
  {
    what: 'an external name needs nothing',
    spec: { type: 'ExternalName' },
    after: { ipFamilies: undefined },
  },
  { what: 'nor do unknown words', spec: { ipFamilies: ['IPv5'] }, after: { ipFamilyPolicy: undefined } },
];

const updates: readonly Case[] = [
  { what: 'what is held is not needed again', spec: single, old: single },
  {
    what: 'a service that lost its type gets an address',
    spec: {},
    old: { type: 'ExternalName' },
    needs: ['IPv4'],
  },
  { what: 'so does one from before there were any', spec: {}, old: {}, needs: ['IPv4'] },
  {
    what: 'a second family is added',
    spec: { ...held, ipFamilyPolicy: 'PreferDualStack' },
    old: single,
    cluster: both,
    needs: ['IPv6'],
    after: { ipFamilies: ['IPv4', 'IPv6'] },
  },
  {
    what: 'a second address can be asked for',
    spec: { ...dual, ipFamilyPolicy: 'RequireDualStack' },
    old: single,
    cluster: both,
    needs: ['IPv6=fd00::9'],
  },
  {
    what: 'asking for one family gives the second up',
    spec: { ...dual, ipFamilyPolicy: 'SingleStack' },
    old: dual,
    cluster: both,
    after: { clusterIPs: ['10.96.0.9'], ipFamilies: ['IPv4'] },
  },
  {
    what: 'a second address that is left out by mistake stays',
    spec: { ...dual, clusterIPs: ['10.96.0.9'] },
    old: dual,
    cluster: both,
    after: { clusterIPs: ['10.96.0.9', 'fd00::9'] },
  },
  {
    what: 'who prefers two keeps one when the cluster has two now',
    spec: { ...held, ipFamilyPolicy: 'PreferDualStack' },
    old: { ...held, ipFamilyPolicy: 'PreferDualStack' },
    cluster: both,
    after: { ipFamilies: ['IPv4'] },
  },
  {
    what: 'two families stay when the cluster has one now',
    spec: { ...dual, ipFamilyPolicy: 'RequireDualStack' },
    old: { ...dual, ipFamilyPolicy: 'RequireDualStack' },
    after: { ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.96.0.9', 'fd00::9'] },
  },
  {
    what: 'a changed address is left to validation',
    spec: { ...single, clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] },
    old: single,
  },
];

const nodePort = { type: 'NodePort', ...single };
const local = { ...single, type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
const ports: readonly Case[] = [
  {
    what: 'each port',
    spec: { ...nodePort, ports: [http, { ...http, port: 81 }] },
    old: single,
    needs: ['node-ports', 'node-ports'],
  },
  {
    what: 'the one that is asked for',
    spec: { ...nodePort, ports: [{ ...http, nodePort: 30_001 }] },
    old: single,
    needs: ['node-ports=30001'],
  },
  {
    what: 'none that is held',
    spec: { ...nodePort, ports: [{ ...http, nodePort: 30_001 }] },
    old: { ...nodePort, ports: [{ ...http, port: 9, nodePort: 30_001 }] },
  },
  {
    what: 'one for two protocols of a port',
    spec: { ...nodePort, ports: [http, { ...http, protocol: 'UDP' }] },
    old: single,
    needs: ['node-ports'],
  },
  {
    what: 'the one that another protocol asks for',
    spec: { ...nodePort, ports: [http, { port: 80, protocol: 'UDP', nodePort: 30_002 }] },
    old: single,
    needs: ['node-ports=30002', 'node-ports=30002'],
  },
  {
    what: 'none without wanting any',
    spec: { ...nodePort, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [http] },
    old: single,
  },
  {
    what: 'but those that are asked for',
    spec: {
      ...nodePort,
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      ports: [http, { port: 81, nodePort: 30_003 }],
    },
    old: single,
    needs: ['node-ports=30003'],
  },
  { what: 'none inside the cluster', spec: { ...single, ports: [http] }, old: single },
  { what: 'one for health checks', spec: { ...local, ports: [] }, old: single, needs: ['node-ports'] },
  {
    what: 'which can be asked for',
    spec: { ...local, healthCheckNodePort: 30_004 },
    old: single,
    needs: ['node-ports=30004'],
  },
  {
    what: 'which is no other port of the service',
    spec: { ...local, healthCheckNodePort: 30_004, ports: [{ ...http, nodePort: 30_004 }] },
    old: single,
    findings: ['spec.healthCheckNodePort'],
  },
  {
    what: 'which stays',
    spec: { ...local, healthCheckNodePort: 30_004 },
    old: { ...local, healthCheckNodePort: 30_004 },
  },
];

const service = (spec: Record<string, unknown>) =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {},
    spec: { type: 'ClusterIP', ...structuredClone(spec) },
  }) as ApiObject;

for (const [title, cases] of Object.entries({ families, updates, ports }))
  describe(`allocations of services: ${title}`, () => {
    for (const { what, spec, old, cluster = v4, needs = [], findings = [], after = {} } of cases)
      it(what, () => {
        const object = service(spec);
        const allocation = serviceAllocation(object, old && service(old), cluster);
        assert.deepEqual(
          allocation.needs.map(({ from, asked }) => (asked === undefined ? from : `${from}=${asked}`)),
          needs,
        );
        assert.deepEqual(
          allocation.findings.map(({ field }) => field),
          findings,
        );
        for (const [field, value] of Object.entries(after))
          assert.deepEqual((object['spec'] as Record<string, unknown>)[field], value, field);
      });
  });

it('allocated values are set in the service, for each protocol of a port', () => {
  const object = service({ type: 'NodePort', ports: [http, { port: 80, protocol: 'UDP' }] });
  const given = ['10.96.0.7', '30007'];
  for (const [index, need] of serviceAllocation(object, undefined, v4).needs.entries())
    need.assign(given[index]!);
  assert.deepEqual(object['spec'], {
    type: 'NodePort',
    clusterIP: '10.96.0.7',
    clusterIPs: ['10.96.0.7'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [
      { ...http, nodePort: 30_007 },
      { port: 80, protocol: 'UDP', nodePort: 30_007 },
    ],
  });
});
