import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { applyDefaults, createTypeRegistry, validateObject } from '../index.ts';
import { prepareForUpdate } from '../processing/prepare.ts';
import { validateObjectUpdate } from '../processing/validate-object.ts';
import { exampleTypes } from './example-types.ts';

const registry = createTypeRegistry({ added: exampleTypes });
const beacons = registry.resource('example.cluster.io', 'v1', 'beacons');
assert.ok(beacons);

function beacon(spec: object): ApiObject {
  const object = structuredClone({
    apiVersion: 'example.cluster.io/v1',
    kind: 'Beacon',
    metadata: { name: 'a', namespace: 't' },
    spec,
  }) as ApiObject;
  applyDefaults(beacons!, object); // Asserted above.
  return object;
}

describe('the example of CONTRIBUTING.md', () => {
  const contributing = readFileSync(new URL('../../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const section = /^## Adding a kind\n(.*?)^## /ms.exec(contributing)?.[1] ?? '';
  const blocks = [...section.matchAll(/in `([\w.]+)`:\n\n```\w+\n(.*?)```/gs)];

  it('has three files', () => {
    assert.deepEqual(
      blocks.map(([, file]) => file),
      ['v1.proto', 'resources.ts', 'beacon.ts'],
    );
  });

  for (const [, file = '', text] of blocks) {
    it(`shows ${file} unchanged`, () => {
      assert.equal(text, readFileSync(new URL(file, import.meta.url), 'utf8'));
    });
  }
});

describe('types added to the built-in ones', () => {
  const builtIn = createTypeRegistry();

  it('are served', () => {
    assert.equal(registry.resources.length, builtIn.resources.length + 1);
    assert.deepEqual(registry.groups().at(-1), {
      group: 'example.cluster.io',
      versions: ['v1'],
      preferredVersion: 'v1',
    });
    assert.equal(registry.kind('example.cluster.io', 'v1', 'Beacon'), beacons);
    assert.ok(registry.message('example.v1.BeaconSpec'));
  });

  it('are not in other registries', () => {
    assert.equal(builtIn.resource('example.cluster.io', 'v1', 'beacons'), undefined);
    assert.equal(createTypeRegistry(), builtIn);
    assert.equal(builtIn.message('example.v1.BeaconSpec'), undefined);
  });

  it('can be switched off and on', () => {
    const without = createTypeRegistry({ added: exampleTypes, runtimeConfig: 'example.cluster.io/v1=false' });
    assert.equal(without.resources.length, builtIn.resources.length);
  });
});

describe('a beacon', () => {
  for (const [spec, findings] of [
    [{ range: 1 }, []],
    [{ range: 30, colour: 'Red', lamps: [{ name: 'a' }, { name: 'b' }] }, []],
    [{}, ['Required spec.range']],
    [{ range: -1 }, ['Invalid spec.range']],
    [{ range: 31 }, ['Invalid spec.range']],
    [{ range: 1, colour: 'Blue' }, ['NotSupported spec.colour']],
    [{ range: 1, lamps: [{ watts: 1 }] }, ['Required spec.lamps[0].name']],
    [{ range: 1, lamps: [{ name: 'a' }, { name: 'a' }] }, ['Duplicate spec.lamps[1].name']],
  ] as const)
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () => {
      const errors = validateObject(beacons, beacon(spec));
      assert.deepEqual(
        errors.map(error => `${error.type} ${error.field}`),
        findings,
      );
    });

  it('has a white light and lamps of 100 watts by default', () => {
    assert.deepEqual(beacon({ range: 1, lamps: [{ name: 'a' }, { name: 'b', watts: 5 }] })['spec'], {
      range: 1,
      colour: 'White',
      lamps: [
        { name: 'a', watts: 100 },
        { name: 'b', watts: 5 },
      ],
    });
  });

  it('cannot change its colour, and its other changes increase the generation', () => {
    const old = beacon({ range: 1 });
    old.metadata.generation = 1;
    for (const [spec, generation, findings] of [
      [{ range: 1 }, 1, []],
      [{ range: 2 }, 2, []],
      [{ range: 1, colour: 'Red' }, 2, ['Invalid spec.colour']],
    ] as const) {
      const object = beacon(spec);
      prepareForUpdate(beacons, object, old);
      assert.equal(object.metadata.generation, generation);
      assert.deepEqual(
        validateObjectUpdate(beacons, object, old).map(error => `${error.type} ${error.field}`),
        findings,
      );
    }
  });
});
