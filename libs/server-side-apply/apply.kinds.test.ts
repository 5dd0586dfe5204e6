import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatApiVersion, type JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import { apply } from './apply.ts';
import { encodeManagedFields, type ManagedFields, noManagers } from './managers/managed-fields.ts';
import { createEmptyObject } from './schemas/empty-object.ts';
import { schemaFromMessage } from './schemas/message-schema.ts';
import { randomApiObject } from './test-drivers/random-api-objects.ts';
import { createRandom, frozen, splitLeaves } from './test-drivers/random-objects.ts';
import { extractItems } from './values/extract-items.ts';
import { fieldSetFromValue } from './values/field-set-from-value.ts';
import { merge } from './values/merge.ts';

interface State {
  readonly object: JsonObject;
  readonly managed: ManagedFields;
}

const nothing: State = { object: {}, managed: noManagers };
const seeds = [1, 2, 3];
const definitions = createTypeRegistry().resources.filter(({ stored }) => stored);

function createType(definition: ResourceDefinition) {
  const { message } = definition;
  const apiVersion = formatApiVersion(definition);
  const schema = schemaFromMessage(message);
  const common = { apiVersion, schema, empty: createEmptyObject(message) };
  return {
    schema,
    object: (seed: number) => randomApiObject(message, apiVersion, createRandom(seed)),
    identity: { apiVersion, kind: message.name, metadata: { name: 'x' } },
    apply(state: State, config: JsonObject, options: { manager: string; second: number; force?: boolean }) {
      const { manager, second, force = false } = options;
      const now = `2024-01-01T00:00:0${second}Z`;
      const given = { live: frozen(state.object), applied: frozen(config), managed: state.managed };
      const result = apply({ ...common, ...given, manager, now, force });
      assert.ok(result.kind === 'applied', JSON.stringify(result));
      return result;
    },
  };
}

for (const definition of definitions) {
  const name = `${definition.resource} of ${formatApiVersion(definition)}`;

  test(`an apply sets its values, and repeated it changes nothing: ${name}`, () => {
    const type = createType(definition);
    for (const seed of seeds) {
      const config = type.object(seed);
      const other = type.object(seed + 100);
      let state: State = type.apply(nothing, other, { manager: 'other', second: 1 });
      state = type.apply(state, config, { manager: 'm', second: 2, force: true });
      assert.deepEqual(merge(state.object, config, type.schema), state.object);
      const repeated = type.apply(state, config, { manager: 'm', second: 3 });
      assert.deepEqual(repeated.object, state.object);
      assert.deepEqual(encodeManagedFields(repeated.managed), encodeManagedFields(state.managed));
    }
  });

  test(`managers with disjoint fields never conflict: ${name}`, () => {
    const type = createType(definition);
    for (const seed of seeds) {
      const whole = type.object(seed);
      const parts = splitLeaves(fieldSetFromValue(whole, type.schema), createRandom(seed)).map(part => {
        const extracted = extractItems(whole, part, { schema: type.schema, withKeys: true });
        return merge(type.identity, extracted, type.schema) as JsonObject; // Both are objects.
      });
      let state: State = nothing;
      for (const [index, part] of [...parts, ...parts].entries())
        state = type.apply(state, part, { manager: `m${index % 2}`, second: index });
      for (const part of parts) assert.deepEqual(merge(state.object, part, type.schema), state.object);
    }
  });

  test(`a manager that gives up all fields removes those without another manager: ${name}`, () => {
    const type = createType(definition);
    for (const seed of seeds) {
      const kept = type.apply(nothing, type.object(seed), { manager: 'm1', second: 1 });
      const both = type.apply(kept, type.object(seed + 100), { manager: 'm2', second: 2, force: true });
      const left = type.apply(both, type.identity, { manager: 'm2', second: 3 });
      const managers = encodeManagedFields(left.managed).map(({ manager }) => manager);
      assert.ok(!managers.includes('m2'), managers.join());
    }
  });
}
