import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { create, findDefinition, update } from '../../test-drivers/process.ts';

const http = { port: 80 };
const readSpec = (object: ApiObject) => object['spec'] as Record<string, unknown>;

describe('service defaults', () => {
  it('set type, affinity, protocol, target port and traffic policy', () => {
    const { object, findings } = create('services', { spec: { ports: [http] } });
    assert.deepEqual(findings, []);
    assert.deepEqual(readSpec(object), {
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
    });
  });

  it('depend on type and affinity', () => {
    const { object, findings } = create('services', {
      spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP', ports: [{ port: 80, targetPort: 'http' }] },
    });
    assert.deepEqual(findings, []);
    const spec = readSpec(object);
    assert.equal(spec['externalTrafficPolicy'], 'Cluster');
    assert.equal(spec['allocateLoadBalancerNodePorts'], true);
    assert.deepEqual(spec['sessionAffinityConfig'], { clientIP: { timeoutSeconds: 10800 } });
    assert.deepEqual(spec['ports'], [{ port: 80, targetPort: 'http', protocol: 'TCP' }]);
  });

  it('set clusterIPs from clusterIP, and remove affinity settings without affinity', () => {
    const { object } = create('services', {
      spec: {
        clusterIP: '10.0.0.1',
        ports: [http],
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
      },
    });
    assert.deepEqual(readSpec(object)['clusterIPs'], ['10.0.0.1']);
    assert.equal(readSpec(object)['sessionAffinityConfig'], undefined);
  });
});

interface Case {
  readonly what: string;
  readonly spec: Record<string, unknown>;
  readonly findings: readonly string[];
}

const cases: readonly Case[] = [
  { what: 'no ports', spec: {}, findings: ['Required spec.ports'] },
  { what: 'headless without ports', spec: { clusterIP: 'None' }, findings: [] },
  { what: 'unknown type', spec: { type: 'X', ports: [http] }, findings: ['NotSupported spec.type'] },
  { what: 'port 0', spec: { ports: [{ port: 0, targetPort: 1 }] }, findings: ['Invalid spec.ports[0].port'] },
  {
    what: "the agents' port through a load balancer",
    spec: { type: 'LoadBalancer', ports: [{ port: 10250 }] },
    findings: ['Invalid spec.ports[0]'],
  },
  { what: "the agents' port in the cluster", spec: { ports: [{ port: 10250 }] }, findings: [] },
  {
    what: 'port 65536',
    spec: { ports: [{ port: 65536, targetPort: 1 }] },
    findings: ['Invalid spec.ports[0].port'],
  },
  {
    what: 'two ports without names',
    spec: { ports: [http, { port: 81 }] },
    findings: ['Required spec.ports[0].name', 'Required spec.ports[1].name'],
  },
  {
    what: 'a name twice',
    spec: {
      ports: [
        { name: 'a', port: 1 },
        { name: 'a', port: 2 },
      ],
    },
    findings: ['Duplicate spec.ports[1].name'],
  },
  {
    what: 'a port twice',
    spec: {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 1 },
      ],
    },
    findings: ['Duplicate spec.ports[1]'],
  },
  {
    what: 'a port number for two protocols',
    spec: {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 1, protocol: 'UDP' },
      ],
    },
    findings: [],
  },
  {
    what: 'an unknown protocol',
    spec: { ports: [{ port: 1, protocol: 'ICMP' }] },
    findings: ['NotSupported spec.ports[0].protocol'],
  },
  {
    what: 'a target name over 15 characters',
    spec: { ports: [{ port: 1, targetPort: 'a-name-too-long-' }] },
    findings: ['Invalid spec.ports[0].targetPort', 'Invalid spec.ports[0].targetPort'],
  },
  {
    what: 'an application protocol of bad form',
    spec: { ports: [{ port: 1, appProtocol: 'a b' }] },
    findings: ['Invalid spec.ports[0].appProtocol'],
  },
  {
    what: 'a node port without node ports',
    spec: { ports: [{ port: 1, nodePort: 30000 }] },
    findings: ['Forbidden spec.ports[0].nodePort'],
  },
  {
    what: 'a node port for two protocols',
    spec: {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1, nodePort: 30000 },
        { name: 'b', port: 1, nodePort: 30000, protocol: 'UDP' },
      ],
    },
    findings: [],
  },
  {
    what: 'a node port twice',
    spec: {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1, nodePort: 30000 },
        { name: 'b', port: 2, nodePort: 30000 },
      ],
    },
    findings: ['Invalid spec.ports[1].nodePort'],
  },
  {
    what: 'a bad selector',
    spec: { ports: [http], selector: { 'a b': 'c' } },
    findings: ['Invalid spec.selector'],
  },
  {
    what: 'no address',
    spec: { clusterIP: 'x', ports: [http] },
    findings: ['Invalid spec.clusterIPs[0]'],
  },
  {
    what: 'a list that disagrees with the single address',
    spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'], ports: [http] },
    findings: ['Invalid spec.clusterIPs'],
  },
  {
    what: 'a list without the single address',
    spec: { clusterIPs: ['10.0.0.2'], ports: [http] },
    findings: ['Invalid spec.clusterIPs'],
  },
  {
    what: 'two addresses of one family',
    spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'], ports: [http] },
    findings: ['Invalid spec.clusterIPs'],
  },
  {
    what: 'an address of another family than named',
    spec: { clusterIP: '10.0.0.1', ipFamilies: ['IPv6'], ports: [http] },
    findings: ['Invalid spec.clusterIPs[0]'],
  },
  {
    what: 'unknown and repeated families',
    spec: { ipFamilies: ['IPv4', 'IPv4', 'IPv5'], ports: [http] },
    findings: ['NotSupported spec.ipFamilies[2]', 'Duplicate spec.ipFamilies[1]'],
  },
  {
    what: 'a single stack of two families',
    spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'], ports: [http] },
    findings: ['Invalid spec.ipFamilyPolicy'],
  },
  {
    what: 'a headless node port service',
    spec: { type: 'NodePort', clusterIP: 'None', ports: [http] },
    findings: ['Invalid spec.clusterIPs[0]'],
  },
  { what: 'an external name', spec: { type: 'ExternalName', externalName: 'example.com.' }, findings: [] },
  {
    what: 'an external name of nothing but a dot',
    spec: { type: 'ExternalName', externalName: '.' },
    findings: ['Required spec.externalName'],
  },
  {
    what: 'no external name',
    spec: { type: 'ExternalName', clusterIP: '10.0.0.1' },
    findings: ['Required spec.externalName', 'Forbidden spec.clusterIPs'],
  },
  {
    what: 'an affinity of more than a day',
    spec: {
      ports: [http],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } },
    },
    findings: ['Invalid spec.sessionAffinityConfig.clientIP.timeoutSeconds'],
  },
  {
    what: 'an external traffic policy inside the cluster',
    spec: { ports: [http], externalTrafficPolicy: 'Local' },
    findings: ['Invalid spec.externalTrafficPolicy'],
  },
  {
    what: 'an external traffic policy with external addresses',
    spec: { ports: [http], externalTrafficPolicy: 'Local', externalIPs: ['1.2.3.4'] },
    findings: ['Invalid spec.externalTrafficPolicy'],
  },
  {
    what: 'an external traffic policy with an external name',
    spec: { type: 'ExternalName', externalName: 'a.b', externalTrafficPolicy: 'Cluster' },
    findings: ['Invalid spec.externalTrafficPolicy'],
  },
  {
    what: 'an external address of the local host',
    spec: { ports: [http], externalIPs: ['127.0.0.1', '::1', 'x'] },
    findings: ['Invalid spec.externalIPs[0]', 'Invalid spec.externalIPs[1]', 'Invalid spec.externalIPs[2]'],
  },
  {
    what: 'load balancer settings elsewhere',
    spec: {
      ports: [http],
      loadBalancerClass: 'a/b',
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      allocateLoadBalancerNodePorts: true,
    },
    findings: [
      'Forbidden spec.LoadBalancerSourceRanges',
      'Forbidden spec.allocateLoadBalancerNodePorts',
      'Forbidden spec.loadBalancerClass',
    ],
  },
  {
    what: 'a bad source range',
    spec: { type: 'LoadBalancer', ports: [http], loadBalancerSourceRanges: ['10.0.0.0/33'] },
    findings: ['Invalid spec.LoadBalancerSourceRanges'],
  },
  {
    what: 'a health-check port without local traffic',
    spec: { type: 'LoadBalancer', ports: [http], healthCheckNodePort: 30001 },
    findings: ['Invalid spec.healthCheckNodePort'],
  },
];

describe('service validation', () => {
  for (const { what, spec, findings } of cases)
    it(what, () => assert.deepEqual(create('services', { spec }).findings, findings));

  it('requires a name that begins with a letter', () => {
    const { findings } = create('services', { metadata: { name: '1a' }, spec: { ports: [http] } });
    assert.deepEqual(findings, ['Invalid metadata.name']);
  });
});

const nodePorts = create('services', {
  spec: {
    type: 'NodePort',
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [
      { name: 'a', port: 1, nodePort: 30001 },
      { name: 'b', port: 2, nodePort: 30002 },
    ],
  },
}).object;

describe('service updates', () => {
  it('keep allocated values that are left out', () => {
    const { object, findings } = update(
      'services',
      {
        spec: {
          type: 'NodePort',
          ports: [
            { name: 'a', port: 8 },
            { name: 'b', port: 2, nodePort: 30001 },
          ],
        },
      },
      { old: nodePorts },
    );
    assert.deepEqual(findings, []);
    const spec = readSpec(object);
    assert.deepEqual(
      [spec['clusterIP'], spec['clusterIPs'], spec['ipFamilies'], spec['ipFamilyPolicy']],
      ['10.0.0.1', ['10.0.0.1'], ['IPv4'], 'SingleStack'],
    );
    // 30001 moved to b, so it is not restored to a.
    assert.deepEqual(
      (spec['ports'] as Record<string, unknown>[]).map(port => port['nodePort']),
      [undefined, 30001],
    );
  });

  it('keep node ports unless new ones are requested', () => {
    const spec = { type: 'LoadBalancer', ports: [{ ...http, nodePort: 30005 }] };
    const old = create('services', { spec: { ...spec, allocateLoadBalancerNodePorts: false } }).object;
    const { object } = update('services', { spec: { ...spec, ports: [http] } }, { old });
    assert.equal((readSpec(object)['ports'] as Record<string, unknown>[])[0]?.['nodePort'], 30005);
  });

  it('cannot change the cluster IP', () => {
    const { findings } = update(
      'services',
      { spec: { ...readSpec(nodePorts), clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] } },
      { old: nodePorts },
    );
    assert.deepEqual(findings, ['Invalid spec.clusterIPs[0]']);
  });

  it('set clusterIPs for clients that know clusterIP only', () => {
    const { object } = update(
      'services',
      { spec: { ...readSpec(nodePorts), clusterIP: 'None' } },
      { old: nodePorts },
    );
    assert.deepEqual(readSpec(object)['clusterIPs'], ['None']);
  });

  it('to type ClusterIP release node ports', () => {
    const { object, findings } = update(
      'services',
      { spec: { ...readSpec(nodePorts), type: 'ClusterIP' } },
      { old: nodePorts },
    );
    assert.deepEqual(findings, []);
    assert.equal(readSpec(object)['externalTrafficPolicy'], undefined);
    assert.deepEqual(findDefinition('services').rules.reservationsFor?.(object), [
      '/_claims/services/cluster-ip/10.0.0.1',
    ]);
  });

  it('to type ExternalName release cluster IPs', () => {
    const { object, findings } = update(
      'services',
      { spec: { ...readSpec(nodePorts), type: 'ExternalName', externalName: 'e.com' } },
      { old: nodePorts },
    );
    assert.deepEqual(findings, []);
    const spec = readSpec(object);
    assert.deepEqual(
      ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'].filter(
        field => field in spec,
      ),
      [],
    );
    assert.deepEqual(findDefinition('services').rules.reservationsFor?.(object), []);
  });

  it('from type LoadBalancer remove the fields of load balancers', () => {
    const old = create('services', {
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30009,
        loadBalancerClass: 'a/b',
        ports: [http],
      },
    }).object;
    old['status'] = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } };
    const { object, findings } = update(
      'services',
      { spec: { ...readSpec(old), type: 'ClusterIP' } },
      { old },
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(Object.keys(readSpec(object)).sort(), [
      'internalTrafficPolicy',
      'ports',
      'sessionAffinity',
      'type',
    ]);
    assert.deepEqual(object['status'], { loadBalancer: {} });
    const changed = { ...readSpec(old), healthCheckNodePort: 30010, loadBalancerClass: 'c/d' };
    assert.deepEqual(update('services', { spec: changed }, { old }).findings, [
      'Forbidden spec.healthCheckNodePort',
      'Invalid spec.loadBalancerClass',
    ]);
  });

  it('to dual stack and back keep the first address', () => {
    const dual = { ...readSpec(nodePorts), ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] };
    assert.deepEqual(update('services', { spec: dual }, { old: nodePorts }).findings, []);
    const swapped = { ...dual, ipFamilies: ['IPv6', 'IPv4'] };
    assert.deepEqual(update('services', { spec: swapped }, { old: nodePorts }).findings, [
      'Invalid spec.clusterIPs[0]',
    ]);
    const headless = create('services', { spec: { clusterIP: 'None', ipFamilies: ['IPv4'] } }).object;
    const moved = { ...readSpec(headless), ipFamilies: ['IPv6'] };
    assert.deepEqual(update('services', { spec: moved }, { old: headless }).findings, [
      'Invalid spec.ipFamilies[0]',
    ]);
  });

  it('of status validate the addresses of the load balancer', () => {
    const status = { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }, { hostname: 'a.b' }] } };
    const { findings } = update('services', { status }, { old: nodePorts, subresource: 'status' });
    assert.deepEqual(findings, [
      'Invalid status.loadBalancer.ingress[0].ip',
      'Invalid status.loadBalancer.ingress[1].hostname',
    ]);
  });
});

describe('service reservations', () => {
  const reservationsFor = (spec: Record<string, unknown>) =>
    findDefinition('services').rules.reservationsFor?.({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {},
      spec,
    } as ApiObject);

  it('cover addresses, node ports of all protocols and the health-check node port', () => {
    assert.deepEqual(
      reservationsFor({
        clusterIP: '10.0.0.1',
        clusterIPs: ['10.0.0.1', 'FD00:0::1'],
        healthCheckNodePort: 30003,
        ports: [{ nodePort: 30001 }, { nodePort: 30001, protocol: 'UDP' }, { port: 1 }],
      }),
      [
        '/_claims/services/cluster-ip/10.0.0.1',
        '/_claims/services/cluster-ip/fd00::1',
        '/_claims/services/node-port/30001',
        '/_claims/services/node-port/30003',
      ],
    );
  });

  it('are empty for headless services and services without addresses', () => {
    assert.deepEqual(reservationsFor({ clusterIP: 'None', clusterIPs: ['None'] }), []);
    assert.deepEqual(reservationsFor({}), []);
  });

  it('are deterministic and do not change the service', () => {
    const before = structuredClone(nodePorts);
    const first = findDefinition('services').rules.reservationsFor?.(nodePorts);
    assert.deepEqual(findDefinition('services').rules.reservationsFor?.(nodePorts), first);
    assert.deepEqual(nodePorts, before);
  });
});

describe('the annotation of load balancer source ranges', () => {
  for (const domain of ['cluster.io', 'kubernetes.io']) {
    const key = `service.beta.${domain}/load-balancer-source-ranges`;
    const at = `metadata.annotations[${key}]`;
    for (const [type, value, findings] of [
      ['LoadBalancer', '10.0.0.0/8, fd00::/8', []],
      ['LoadBalancer', ' ', []],
      ['LoadBalancer', '10.0.0.0', [`Invalid ${at}`]],
      ['ClusterIP', '10.0.0.0/8', [`Forbidden ${at}`]],
      ['NodePort', 'x', [`Forbidden ${at}`, `Invalid ${at}`]],
    ] as const)
      it(`${key}: ${value} of a service of type ${type}: ${findings.join() || 'valid'}`, () => {
        const content = {
          metadata: { annotations: { [key]: value } },
          spec: { type, ports: [{ port: 80 }] },
        };
        assert.deepEqual(create('services', content).findings, findings);
      });
  }

  it('is ignored beside the field', () => {
    const annotations = { 'service.beta.kubernetes.io/load-balancer-source-ranges': 'x' };
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: ['10.0.0.0/8'] };
    assert.deepEqual(create('services', { metadata: { annotations }, spec }).findings, []);
  });
});
