import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalJson, type JsonObject } from '@binnacle/api-objects';
import { apply } from './apply.ts';
import { difference, intersection, union } from './field-sets/algebra.ts';
import { isEmptyFieldSet, listPaths } from './field-sets/field-set.ts';
import { pathText } from './field-sets/path-element.ts';
import { encodeManagedFields, type ManagedFields, noManagers } from './managers/managed-fields.ts';
import { managerIdFromIdentity } from './managers/manager-id.ts';
import {
  createRandom,
  frozen,
  type Random,
  randomObject,
  splitLeaves,
} from './test-drivers/random-objects.ts';
import { everything } from './test-drivers/schema-of-everything.ts';
import { update } from './update.ts';
import { compare } from './values/compare.ts';
import { extractItems } from './values/extract-items.ts';
import { fieldSetFromValue } from './values/field-set-from-value.ts';
import { merge } from './values/merge.ts';

const schema = everything;
const apiVersion = 'v1';
const seeds = Array.from({ length: 60 }, (_, i) => i + 1);

interface State {
  readonly object: JsonObject;
  readonly managed: ManagedFields;
}

const nothing: State = { object: {}, managed: noManagers };

function formatTime(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000', '');
}

/** Applies with force by default; returns undefined for a conflict. */
function applied(
  state: State,
  config: JsonObject,
  options: { manager: string; now: number; force?: boolean },
) {
  const { manager, now, force = true } = options;
  const result = apply({
    live: frozen(state.object),
    applied: frozen(config),
    managed: state.managed,
    ...{ manager, apiVersion, schema, force, now: formatTime(now) },
  });
  return result.kind === 'applied' ? result : undefined;
}

function updated(state: State, next: JsonObject, options: { manager: string; now: number }): State {
  const { manager, now } = options;
  const managed = update({
    live: frozen(state.object),
    next: frozen(next),
    managed: state.managed,
    ...{ manager, apiVersion, schema, now: formatTime(now) },
  });
  return { object: next, managed };
}

/** Yields the states of a random history of updates and applies by three managers. */
function* history(
  random: Random,
): Generator<{ state: State; config?: JsonObject; manager: string; now: number }> {
  let state = nothing;
  for (let now = 1; now <= 12; now++) {
    const manager = `m${random(3)}`;
    const config = randomObject(random);
    if (random(3) === 0) {
      state = updated(state, config, { manager, now });
      yield { state, manager, now };
    } else {
      state = applied(state, config, { manager, now })!; // Forced.
      yield { state, config, manager, now };
    }
  }
}

for (const seed of seeds) {
  test(`an apply sets its values, and repeated it changes nothing (seed ${seed})`, () => {
    for (const { state, config, manager, now } of history(createRandom(seed))) {
      // The next apply adds a manager to an object without managers.
      if (config === undefined || state.managed.managers.size === 0) continue;
      assert.deepEqual(merge(state.object, config, schema), state.object);
      const repeated = applied(state, config, { manager, now: now + 100, force: false });
      assert.ok(repeated !== undefined, 'no conflict');
      assert.deepEqual(repeated.object, state.object);
      assert.deepEqual(encodeManagedFields(repeated.managed), encodeManagedFields(state.managed));
    }
  });

  test(`only existing fields are managed, and after an apply only those that it names (seed ${seed})`, () => {
    for (const { state, config, manager } of history(createRandom(seed))) {
      const present = compare({}, state.object, schema).added;
      for (const [id, manager] of state.managed.managers) {
        const missing = difference(manager.fields, present);
        assert.deepEqual([...listPaths(missing)].map(pathText), [], id);
      }
      if (config === undefined) continue;
      const id = managerIdFromIdentity({ manager, operation: 'Apply', apiVersion, subresource: '' });
      const fields = state.managed.managers.get(id)?.fields;
      const named = fieldSetFromValue(config, schema);
      assert.ok(fields === undefined || isEmptyFieldSet(difference(fields, named)));
    }
  });

  test(`an update becomes the manager of changed fields, and the other fields keep their managers (seed ${seed})`, () => {
    const random = createRandom(seed);
    let state = nothing;
    for (const step of history(random)) state = step.state;
    const next = randomObject(random);
    const { added, modified, removed } = compare(state.object, next, schema);
    const touched = union(union(added, modified), removed);
    const after = updated(state, next, { manager: 'other', now: 50 });
    for (const [id, manager] of state.managed.managers) {
      const kept = after.managed.managers.get(id)?.fields;
      assert.ok(kept === undefined || isEmptyFieldSet(intersection(kept, touched)));
      const lost = kept === undefined ? manager.fields : difference(manager.fields, kept);
      assert.ok(isEmptyFieldSet(difference(lost, touched)));
    }
  });

  test(`managers with disjoint fields never conflict, in any order (seed ${seed})`, () => {
    const random = createRandom(seed);
    const whole = randomObject(random);
    const identity = { apiVersion: 'v1', kind: 'Everything', metadata: { name: 'x' } };
    const [first, second] = splitLeaves(fieldSetFromValue(whole, schema), random).map(part => {
      const extracted = extractItems(whole, part, { schema, withKeys: true });
      return merge(identity, extracted, schema) as JsonObject; // Both are objects.
    }) as [JsonObject, JsonObject];
    const one = applied(nothing, first, { manager: 'm1', now: 1, force: false })!;
    const both = applied(one, second, { manager: 'm2', now: 2, force: false });
    assert.ok(both !== undefined, 'the second does not conflict');
    const repeated = applied(both, first, { manager: 'm1', now: 3, force: false });
    assert.ok(repeated !== undefined, 'the first does not conflict');
    assert.deepEqual(repeated.object, both.object);
  });

  test(`a merge has the fields of both objects, and a merge with itself changes nothing (seed ${seed})`, () => {
    const random = createRandom(seed);
    const [a, b] = [frozen(randomObject(random)), frozen(randomObject(random))];
    const merged = merge(a, b, schema);
    assert.equal(merge(a, a, schema), a);
    assert.ok(equalJson(merge(merged, b, schema), merged));
    const { removed } = compare(a, merged, schema);
    assert.deepEqual([...listPaths(removed)].map(pathText), []);
  });
}
