import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiGateName } from '@binnacle/api-objects';
import { createTypeRegistry, validateObject } from '../index.ts';
import { podHolders } from '../test-drivers/pod-holders.ts';
import { create, findDefinition, gatesWith, update } from '../test-drivers/process.ts';

/** Gated rules of pods, tested in pods and in the templates of every workload kind. */

interface PodContent {
  readonly annotations?: Record<string, string>;
  readonly spec?: object;
}

const searches = (count: number, length = 1) =>
  Array.from({ length: count }, (_, index) => `${String.fromCharCode(97 + index)}`.padEnd(length, 'x'));
const dns = (list: string[]): PodContent => ({ spec: { dnsConfig: { searches: list } } });
const huge = { containerName: 'c', resource: 'limits.hugepages-2Mi' };
const limits = { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '4Mi' };
const variable: PodContent = {
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        resources: { limits },
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', valueFrom: { resourceFieldRef: huge } },
        ],
      },
    ],
  },
};
const file = { items: [{ path: 'p', resourceFieldRef: huge }] };
const cost = (value: string, domain = 'kubernetes.io'): PodContent => ({
  annotations: { [`controller.${domain}/pod-deletion-cost`]: value },
});

/** Parts of a pod, the gate of each, and the errors below the spec or metadata of the pod. */
const rows: readonly {
  readonly gate: ApiGateName;
  readonly what: string;
  readonly pod: PodContent;
  readonly on: readonly string[];
  readonly off: readonly string[];
}[] = [
  ...(
    [
      [6, 1, []],
      [7, 1, ['Invalid S.dnsConfig.searches']],
      [4, 60, []],
      [5, 60, ['Invalid S.dnsConfig.searches']],
    ] as const
  ).map(([count, length, off]) => ({
    gate: 'ExpandedDNSConfig' as const,
    what: `${count} search paths of ${length}`,
    pod: dns(searches(count, length)),
    on: [],
    off,
  })),
  {
    gate: 'ExpandedDNSConfig',
    what: '33 search paths, which are too many in any case',
    pod: dns(Array.from({ length: 33 }, (_, index) => `s${index}`)),
    on: ['Invalid S.dnsConfig.searches'],
    off: ['Invalid S.dnsConfig.searches'],
  },
  {
    gate: 'DownwardAPIHugePages',
    what: 'a variable with huge pages',
    pod: variable,
    on: [],
    off: ['NotSupported S.containers[0].env[1].valueFrom.resourceFieldRef.resource'],
  },
  {
    gate: 'DownwardAPIHugePages',
    what: 'a file with huge pages',
    pod: { spec: { volumes: [{ name: 'v', downwardAPI: file }] } },
    on: [],
    off: ['NotSupported S.volumes[0].downwardAPI.resourceFieldRef.resource'],
  },
  {
    gate: 'DownwardAPIHugePages',
    what: 'a projected file with huge pages',
    pod: { spec: { volumes: [{ name: 'v', projected: { sources: [{ downwardAPI: file }] } }] } },
    on: [],
    off: ['NotSupported S.volumes[0].projected.sources[0].downwardAPI.resourceFieldRef.resource'],
  },
  ...['kubernetes.io', 'cluster.io'].flatMap(domain => [
    {
      gate: 'PodDeletionCost' as const,
      what: `a cost of ${domain} that is none`,
      pod: cost('x', domain),
      on: [`Invalid M.annotations[controller.${domain}/pod-deletion-cost]`],
      off: [],
    },
    {
      gate: 'PodDeletionCost' as const,
      what: `a cost of ${domain}`,
      pod: cost('-1', domain),
      on: [],
      off: [],
    },
  ]),
];

for (const [plural, at, holder] of podHolders)
  suite(plural, () => {
    const [spec, metadata] = [`${at}spec`, at === '' ? 'metadata' : at.slice(0, -1)];
    const content = ({ annotations, spec: ofPod = {} }: PodContent) =>
      holder(ofPod, annotations && { annotations });
    // Errors in the spec of a template are not reported for stateful sets.
    const isChecked = (finding: string) => plural !== 'statefulsets' || !finding.includes(' S.');
    const findingsAt = (findings: readonly string[]) =>
      findings
        .filter(isChecked)
        .map(finding => finding.replace(' S.', ` ${spec}.`).replace(' M.', ` ${metadata}.`));
    for (const { gate, what, pod, on, off } of rows) {
      const gates = { on: gatesWith({ [gate]: true }), off: gatesWith({ [gate]: false }) };
      test(`${what}, with and without ${gate}`, () => {
        assert.deepEqual(create(plural, content(pod)).findings, findingsAt(on), 'as by default');
        assert.deepEqual(create(plural, content(pod), gates.on).findings, findingsAt(on));
        assert.deepEqual(create(plural, content(pod), gates.off).findings, findingsAt(off));
      });

      // No stored object has a part that is refused in both states.
      if (on.length > 0 && off.length > 0) continue;
      test(`${what}: an object that already uses it keeps it`, () => {
        const old = create(plural, content(pod), gates.off).object;
        for (const one of [gates.on, gates.off]) {
          const changed = { ...structuredClone(old), metadata: { ...old.metadata, labels: { b: 'c' } } };
          const { findings } = update(plural, changed, { old, gates: one });
          assert.deepEqual(findings, []);
        }
      });
    }
  });

test('containers are privileged where that is permitted', () => {
  const privileged = { name: 'c', image: 'i', securityContext: { privileged: true } };
  const spec = { containers: [privileged], initContainers: [{ ...privileged, name: 'd' }] };
  const [permitted, refused] = [true, false].map(allowPrivileged =>
    createTypeRegistry({ allowPrivileged, everyVersion: true }),
  );
  for (const [plural, at, holder] of podHolders) {
    const { object, findings } = create(plural, holder(spec));
    assert.deepEqual(findings, [], 'by default');
    const { group, version, resource } = findDefinition(plural);
    const findingsIn = (registry: typeof permitted) => {
      const definition = registry?.resource(group, version, resource);
      assert.ok(definition);
      return validateObject(definition, object).map(({ type, field }) => `${type} ${field}`);
    };
    assert.deepEqual(findingsIn(permitted), []);
    const expected = ['containers[0]', 'initContainers[0]'].map(
      container => `Forbidden ${at}spec.${container}.securityContext.privileged`,
    );
    assert.deepEqual(findingsIn(refused), plural === 'statefulsets' ? [] : expected);
  }
});
