import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { create, everyGate, update } from '../test-drivers/process.ts';

type Case = readonly [what: string, content: Record<string, unknown>, findings: readonly string[]];

const service = { service: { name: 's', port: { number: 80 } } };
const path = { path: '/', pathType: 'Prefix', backend: service };
const rules = (...paths: unknown[]) => ({ spec: { rules: [{ http: { paths } }] } });
const backend = (content: unknown) => ({ spec: { defaultBackend: content } });
const at = 'spec.rules[0].http.paths[0]';

const ingresses: readonly Case[] = [
  ['only a default backend', backend(service), []],
  ['only rules', rules(path), []],
  ['neither backend nor rules', {}, ['Invalid spec']],
  ['a rule for all traffic', { spec: { rules: [{}] } }, []],
  ['a rule without paths', { spec: { rules: [{ http: {} }] } }, ['Required spec.rules[0].http.paths']],
  ['a host, and all names below one', { spec: { rules: [{ host: 'a.b' }, { host: '*.a.b' }] } }, []],
  [
    'hosts that are no names',
    {
      spec: {
        rules: [
          { host: '10.0.0.1' },
          { host: 'a.b.' },
          { host: 'a:80' },
          { host: 'x.*.b' },
          { host: '*' },
          { host: 'A.b' },
        ],
      },
    },
    [0, 1, 2, 3, 4, 5].map(index => `Invalid spec.rules[${index}].host`),
  ],
  ['no path type', rules({ ...path, pathType: undefined, backend: {} }), [`Required ${at}.pathType`]],
  ['an unknown path type', rules({ ...path, pathType: 'Suffix' }), [`NotSupported ${at}.pathType`]],
  ['no path where one is matched', rules({ ...path, path: undefined }), [`Invalid ${at}.path`]],
  ['no exact path', rules({ ...path, pathType: 'Exact', path: 'a' }), [`Invalid ${at}.path`]],
  [
    'a path of the controller’s own',
    rules(
      { backend: service, pathType: 'ImplementationSpecific' },
      { ...path, pathType: 'ImplementationSpecific', path: '/a//b' },
    ),
    [],
  ],
  [
    'a relative path of the controller’s own',
    rules({ ...path, pathType: 'ImplementationSpecific', path: 'a' }),
    [`Invalid ${at}.path`],
  ],
  ...['/a//b', '/a/./b', '/a/../b', '/a%2fb', '/a%2Fb', '/a%5cb', '/a%5Cb', '/a/..', '/a/.'].map(
    (text): Case => [`the path ${text}`, rules({ ...path, path: text }), [`Invalid ${at}.path`]],
  ),
  ['an empty backend', backend({}), ['Invalid spec.defaultBackend']],
  [
    'a service and a resource',
    backend({ ...service, resource: { kind: 'K', name: 'n' } }),
    ['Invalid spec.defaultBackend'],
  ],
  ['a resource', backend({ resource: { apiGroup: 'a.b', kind: 'K', name: 'n' } }), []],
  [
    'an unnamed resource of a bad group',
    backend({ resource: { apiGroup: 'A', kind: 'a/b' } }),
    [
      'Invalid spec.defaultBackend.resource.apiGroup',
      'Invalid spec.defaultBackend.resource.kind',
      'Required spec.defaultBackend.resource.name',
    ],
  ],
  [
    'a service without a name',
    backend({ service: { port: { number: 80 } } }),
    ['Required spec.defaultBackend.service.name'],
  ],
  [
    'a service with a bad name and port name',
    backend({ service: { name: '1a', port: { name: '-' } } }),
    [
      'Invalid spec.defaultBackend.service.name',
      ...Array(2).fill('Invalid spec.defaultBackend.service.port.name'),
    ],
  ],
  ['a service without a port', backend({ service: { name: 's' } }), ['Required spec.defaultBackend']],
  [
    'a service with both kinds of port',
    backend({ service: { name: 's', port: { name: 'a', number: 1 } } }),
    ['Invalid spec.defaultBackend'],
  ],
  [
    'a port beyond the last',
    backend({ service: { name: 's', port: { number: 65536 } } }),
    ['Invalid spec.defaultBackend.service.port.number'],
  ],
  [
    'hosts and secrets of TLS',
    { spec: { ...backend(service).spec, tls: [{ hosts: ['a.b', '*.a.b'], secretName: 's' }, {}] } },
    [],
  ],
  [
    'bad hosts and secrets of TLS',
    { spec: { ...backend(service).spec, tls: [{ hosts: ['a_b', '*.'], secretName: 'S' }] } },
    ['Invalid spec.tls[0].hosts[0]', 'Invalid spec.tls[0].hosts[1]', 'Invalid spec.tls[0].secretName'],
  ],
  [
    'a bad class',
    { spec: { ...backend(service).spec, ingressClassName: 'A' } },
    ['Invalid spec.ingressClassName'],
  ],
  [
    'a class in two places',
    {
      metadata: { annotations: { 'cluster.io/ingress.class': 'a' } },
      spec: { ...backend(service).spec, ingressClassName: 'a' },
    },
    ['Invalid annotations.cluster.io/ingress.class'],
  ],
  [
    'a class, and an annotation that names none',
    {
      metadata: { annotations: { 'kubernetes.io/ingress.class': '' } },
      spec: { ...backend(service).spec, ingressClassName: 'a' },
    },
    ['Invalid annotations.kubernetes.io/ingress.class'],
  ],
];

const controller = { controller: 'example.com/c' };
const parameters = (content: Record<string, unknown>) => ({
  spec: { ...controller, parameters: { kind: 'K', name: 'n', ...content } },
});

const classes: readonly Case[] = [
  ['a controller', { spec: controller }, []],
  ['no controller', {}, ['Required spec.controller']],
  ['a controller without a domain', { spec: { controller: 'c' } }, ['Invalid spec.controller']],
  [
    'a controller of more than 250 characters',
    { spec: { controller: `example.com/${'c'.repeat(239)}` } },
    ['TooLong spec.controller'],
  ],
  ['a controller of 250 characters', { spec: { controller: `example.com/${'c'.repeat(238)}` } }, []],
  ['parameters in the cluster', parameters({}), []],
  ['parameters in a namespace', parameters({ scope: 'Namespace', namespace: 'n' }), []],
  [
    'parameters in the cluster with a namespace',
    parameters({ namespace: 'n' }),
    ['Forbidden spec.parameters.namespace'],
  ],
  ['parameters in no namespace', parameters({ scope: 'Namespace' }), ['Required spec.parameters.namespace']],
  [
    'parameters in a bad namespace',
    parameters({ scope: 'Namespace', namespace: 'N.' }),
    ['Invalid spec.parameters.namespace'],
  ],
  ['parameters elsewhere', parameters({ scope: 'Galaxy' }), ['NotSupported spec.parameters.scope']],
  ['parameters of no group', parameters({ apiGroup: 'A' }), ['Invalid spec.parameters.apiGroup']],
  [
    'parameters of no kind and name',
    parameters({ kind: '', name: '' }),
    ['Required spec.parameters.kind', 'Required spec.parameters.name'],
  ],
];

const port = (content: unknown) => ({ spec: { ingress: [{ ports: [content] }] } });
const peer = (content: unknown) => ({ spec: { egress: [{ to: [content] }] } });
const block = (cidr: string, ...except: string[]) => peer({ ipBlock: { cidr, except } });

const policies: readonly Case[] = [
  ['nothing at all', {}, []],
  [
    'a bad selector',
    { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
    ['Required spec.podSelector.matchExpressions[0].values'],
  ],
  ['every port', port({}), []],
  ['a range of ports', port({ port: 80, endPort: 90 }), []],
  ['a bad protocol', port({ protocol: 'ICMP' }), ['NotSupported spec.ingress[0].ports[0].protocol']],
  ['a port that is none', port({ port: 0 }), ['Invalid spec.ingress[0].ports[0].port']],
  ['a bad name of a port', port({ port: 'A' }), Array(2).fill('Invalid spec.ingress[0].ports[0].port')],
  ['a range without a beginning', port({ endPort: 90 }), ['Invalid spec.ingress[0].ports[0].endPort']],
  ['a range of names', port({ port: 'a', endPort: 90 }), ['Invalid spec.ingress[0].ports[0].endPort']],
  ['a range backwards', port({ port: 90, endPort: 80 }), ['Invalid spec.ingress[0].ports[0].endPort']],
  ['a range too far', port({ port: 90, endPort: 65536 }), ['Invalid spec.ingress[0].ports[0].endPort']],
  ['pods of namespaces', peer({ podSelector: {}, namespaceSelector: {} }), []],
  ['no peer', peer({}), ['Required spec.egress[0].to[0]']],
  [
    'pods and addresses',
    peer({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
    ['Forbidden spec.egress[0].to[0]'],
  ],
  [
    'a bad selector of namespaces',
    peer({ namespaceSelector: { matchLabels: { 'a b': 'c' } } }),
    ['Invalid spec.egress[0].to[0].namespaceSelector.matchLabels'],
  ],
  ['addresses with holes', block('10.0.0.0/8', '10.1.0.0/16'), []],
  ['addresses of the sixth version with holes', block('2001:db8::/32', '2001:db8:1::/48'), []],
  ['no addresses', block(''), ['Required spec.egress[0].to[0].ipBlock.cidr']],
  ['bad addresses', block('10.0.0.0/33'), ['Invalid spec.egress[0].to[0].ipBlock.cidr']],
  [
    'holes that are elsewhere, everything, another version or nothing',
    block('10.0.0.0/8', '11.0.0.0/16', '10.0.0.0/8', '2001:db8::/32', 'x'),
    [0, 1, 2, 3].map(index => `Invalid spec.egress[0].to[0].ipBlock.except[${index}]`),
  ],
  ['a bad type', { spec: { policyTypes: ['Both'] } }, ['NotSupported spec.policyTypes[0]']],
  [
    'more than two types',
    { spec: { policyTypes: ['Ingress', 'Egress', 'Ingress'] } },
    ['Invalid spec.policyTypes'],
  ],
];

const tables = [
  ['an ingress', 'ingresses', ingresses],
  ['an ingress class', 'ingressclasses', classes],
  ['a network policy', 'networkpolicies', policies],
] as const;

for (const [kind, plural, cases] of tables)
  describe(kind, () => {
    for (const [what, content, findings] of cases)
      it(`with ${what}: ${findings.join() || 'valid'}`, () =>
        assert.deepEqual(create(plural, content).findings, findings));
  });

function stored(plural: string, content: Record<string, unknown>): ApiObject {
  const { object, findings } = create(plural, content);
  assert.deepEqual(findings, []);
  return object;
}

describe('an ingress over its life', () => {
  it('is created without addresses, and its generation counts changes of its specification', () => {
    const old = stored('ingresses', {
      ...backend(service),
      status: { loadBalancer: { ingress: [{ ip: 'x' }] } },
    });
    assert.deepEqual(old['status'], { loadBalancer: {} });
    assert.equal(old.metadata.generation, 1);
    const next = update('ingresses', rules(path), { old });
    assert.deepEqual(next.findings, []);
    assert.equal(next.object.metadata.generation, 2);
  });

  it('may have a class in the annotation and in the field after its creation', () => {
    const old = stored('ingresses', backend(service));
    const content = {
      metadata: { annotations: { 'cluster.io/ingress.class': 'a' } },
      spec: { ...backend(service).spec, ingressClassName: 'a' },
    };
    assert.deepEqual(update('ingresses', content, { old }).findings, []);
  });

  it('has the addresses of its load balancer validated', () => {
    const old = stored('ingresses', backend(service));
    const status = (ingress: unknown) =>
      update(
        'ingresses',
        { status: { loadBalancer: { ingress: [ingress] } } },
        { old, subresource: 'status' },
      ).findings;
    const first = 'status.loadBalancer.ingress[0]';
    assert.deepEqual(status({ ip: '1.2.3.4', hostname: 'a.b', ports: [{ port: 1, protocol: 'TCP' }] }), []);
    assert.deepEqual(status({ ip: 'a' }), [`Invalid ${first}.ip`]);
    assert.deepEqual(status({ hostname: '1.2.3.4' }), [`Invalid ${first}.hostname`]);
    assert.deepEqual(status({ hostname: 'a_b' }), [`Invalid ${first}.hostname`]);
    assert.deepEqual(status({ ports: [{ port: 0 }, { port: 1, protocol: 'X', error: 'a b' }] }), [
      `Invalid ${first}.ports[0].port`,
      `Required ${first}.ports[0].protocol`,
      `NotSupported ${first}.ports[1].protocol`,
      `Invalid ${first}.ports[1].error`,
    ]);
  });
});

describe('an ingress class', () => {
  it('cannot change its controller, but its parameters', () => {
    const old = stored('ingressclasses', parameters({}));
    assert.deepEqual(update('ingressclasses', { spec: controller }, { old }).findings, []);
    assert.deepEqual(update('ingressclasses', { spec: { controller: 'b.c/d' } }, { old }).findings, [
      'Invalid spec.controller',
    ]);
  });

  it('has parameters of scope Cluster by default', () => {
    const { object } = create('ingressclasses', parameters({}));
    assert.deepEqual(object['spec'], {
      ...controller,
      parameters: { kind: 'K', name: 'n', scope: 'Cluster' },
    });
  });
});

describe('a network policy', () => {
  for (const [spec, types] of [
    [{}, ['Ingress']],
    [{ egress: [{}] }, ['Ingress', 'Egress']],
    [{ policyTypes: ['Egress'] }, ['Egress']],
  ] as const)
    it(`with ${JSON.stringify(spec)} has the policy types ${types.join(' and ')}`, () => {
      const { object } = create('networkpolicies', { spec });
      assert.deepEqual((object['spec'] as Record<string, unknown>)['policyTypes'], types);
    });

  it('has the conditions in its status validated, and cannot change its specification in a write to status', () => {
    const old = stored('networkpolicies', { spec: { policyTypes: ['Egress'] } });
    const status = {
      conditions: [
        {
          type: 'Accepted',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: '',
          message: '',
        },
      ],
    };
    const next = update('networkpolicies', { status }, { old, subresource: 'status', gates: everyGate });
    assert.deepEqual(next.findings, ['Required status.conditions[0].reason']);
    assert.deepEqual(next.object['spec'], old['spec']);
    assert.equal(next.object.metadata.generation, 1);
  });

  it('has ports with the protocol TCP by default', () => {
    const { object } = create('networkpolicies', port({ port: 1 }));
    assert.deepEqual((object['spec'] as Record<string, unknown>)['ingress'], [
      { ports: [{ protocol: 'TCP', port: 1 }] },
    ]);
  });
});
