import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { create, update } from '../../../test-drivers/process.ts';

const subresource = 'ephemeralcontainers';
const spec = {
  containers: [{ name: 'c', image: 'i' }],
  initContainers: [{ name: 'init', image: 'i' }],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const plain = create('pods', { spec }).object;
const debug = { name: 'debug', image: 'busybox' };
const readSpec = (object: ApiObject) => object['spec'] as Record<string, unknown>;
const old = update('pods', { spec: { ephemeralContainers: [debug] } }, { old: plain, subresource }).object;

const cases: readonly { what: string; containers: unknown; findings: string[] }[] = [
  { what: 'the same again', containers: [debug], findings: [] },
  {
    what: 'another one',
    containers: [debug, { name: 'more', image: 'i', targetContainerName: 'c' }],
    findings: [],
  },
  {
    what: 'a volume of the pod',
    containers: [debug, { name: 'more', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    findings: [],
  },
  { what: 'one less', containers: undefined, findings: ['Forbidden spec.ephemeralContainers'] },
  {
    what: 'one changed',
    containers: [{ ...debug, image: 'other' }],
    findings: ['Forbidden spec.ephemeralContainers'],
  },
  {
    what: 'no name and no image',
    containers: [debug, {}],
    findings: ['Required spec.ephemeralContainers[1].name', 'Required spec.ephemeralContainers[1].image'],
  },
  {
    what: 'names that are taken',
    containers: [debug, { name: 'c', image: 'i' }, { name: 'init', image: 'i' }],
    findings: ['Duplicate spec.ephemeralContainers[1].name', 'Duplicate spec.ephemeralContainers[2].name'],
  },
  {
    what: 'what a pod must plan for',
    containers: [
      debug,
      {
        name: 'more',
        image: 'i',
        ports: [{ containerPort: 80 }],
        livenessProbe: { exec: { command: ['x'] } },
        readinessProbe: { exec: { command: ['x'] } },
        startupProbe: { exec: { command: ['x'] } },
        lifecycle: { preStop: { exec: { command: ['x'] } } },
        resources: { limits: { cpu: '1' } },
      },
    ],
    findings: ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources'].map(
      field => `Forbidden spec.ephemeralContainers[1].${field}`,
    ),
  },
  {
    what: 'a part of a volume',
    containers: [
      debug,
      { name: 'more', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a' }] },
    ],
    findings: ['Forbidden spec.ephemeralContainers[1].volumeMounts[0].subPath'],
  },
  {
    what: 'a target that is not there',
    containers: [debug, { name: 'more', image: 'i', targetContainerName: 'x' }],
    findings: ['NotFound spec.ephemeralContainers[1].targetContainerName'],
  },
];

describe('ephemeral containers', () => {
  for (const { what, containers, findings } of cases)
    it(`of a running pod: ${what}`, () => {
      const content = containers === undefined ? { spec: {} } : { spec: { ephemeralContainers: containers } };
      assert.deepEqual(update('pods', content, { old, subresource }).findings, findings);
    });

  it('are the only change that a write to their subresource makes', () => {
    const content = {
      metadata: { labels: { other: 'yes' } },
      spec: { ephemeralContainers: [debug], nodeName: 'n', containers: [] },
      status: { phase: 'Failed' },
    };
    const { object } = update('pods', content, { old: plain, subresource });
    const { ephemeralContainers, ...rest } = readSpec(object);
    assert.equal((ephemeralContainers as unknown[]).length, 1);
    assert.deepEqual(rest, readSpec(plain));
    assert.deepEqual([object.metadata.labels, object['status']], [undefined, plain['status']]);
  });
});
