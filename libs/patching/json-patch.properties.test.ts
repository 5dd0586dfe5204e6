import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson, equalJson, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { applyJsonPatch } from './json-patch.ts';
import { forEachSeed, pickOne, type Random } from './test-drivers/random.ts';
import {
  frozen,
  holdsFrozen,
  listPaths,
  pointerFromPath,
  randomContainer,
  randomJson,
  randomJsonObject,
  valueAt,
} from './test-drivers/random-json.ts';

const rounds = 400;
const depth = 4;

/** An operation that can be applied to a document, and its inverse. */
interface Change {
  readonly operation: JsonObject;
  readonly inverse: JsonObject;
}

function randomChange(random: Random, document: JsonValue): Change {
  const paths = listPaths(document);
  switch (paths.length === 0 ? 0 : random(4)) {
    case 1: {
      const path = pickOne(random, paths);
      const [pointer, old] = [pointerFromPath(path), valueAt(document, path)];
      return {
        operation: { op: 'remove', path: pointer },
        inverse: { op: 'add', path: pointer, value: old },
      };
    }
    case 2: {
      const path = pickOne(random, paths);
      const [pointer, old] = [pointerFromPath(path), valueAt(document, path)];
      const value = randomJson(random, 2);
      return {
        operation: { op: 'replace', path: pointer, value },
        inverse: { op: 'replace', path: pointer, value: old },
      };
    }
    case 3: {
      const { operation, inverse } = addition(random, document);
      const from = pointerFromPath(pickOne(random, paths));
      return { operation: { op: 'copy', from, path: operation['path'] ?? '' }, inverse };
    }
    default:
      return addition(random, document);
  }
}

/** Returns an addition to a random container: at any index of a list, or under an existing or new name of an object. */
function addition(random: Random, document: JsonValue): Change {
  const { path, container } = randomContainer(random, document);
  const value = randomJson(random, 2);
  if (Array.isArray(container)) {
    const at = random(container.length + 1);
    const last = at === container.length && random(2) === 0 ? '-' : String(at);
    return {
      operation: { op: 'add', path: pointerFromPath([...path, last]), value },
      inverse: { op: 'remove', path: pointerFromPath([...path, String(at)]) },
    };
  }
  const name = pickOne(random, ['a', 'new', 'x/y', 'x~y', '__proto__', '']);
  const pointer = pointerFromPath([...path, name]);
  const inverse: JsonObject = Object.hasOwn(container, name)
    ? { op: 'replace', path: pointer, value: container[name] ?? null }
    : { op: 'remove', path: pointer };
  return { operation: { op: 'add', path: pointer, value }, inverse };
}

/** Returns a document, consecutive operations on it, and the inverse of each. */
function randomChanges(random: Random) {
  const document = randomJsonObject(random, depth);
  const changes: Change[] = [];
  let state: JsonValue = document;
  for (let i = random(6); i >= 0; i--) {
    const change = randomChange(random, state);
    changes.push(change);
    state = applyJsonPatch(state, [change.operation]);
  }
  return { document, patch: changes.map(({ operation }) => operation), changes, last: state };
}

test('a patch does not change its arguments, and its result shares nothing with them', () => {
  forEachSeed(rounds, random => {
    const { document, patch, last } = randomChanges(random);
    const ofCopies = applyJsonPatch(copyJson(document), copyJson(patch));
    const result = applyJsonPatch(frozen(document), frozen(patch));
    assert.deepEqual(result, ofCopies);
    assert.deepEqual(result, last, 'operations give the same together as one by one');
    assert.ok(!holdsFrozen(result), 'the result holds a part of an argument');
  });
});

test('the inverse operations in reverse order undo a patch', () => {
  forEachSeed(rounds, random => {
    const { document, changes, last } = randomChanges(random);
    const back = changes.map(({ inverse }) => inverse).reverse();
    assert.deepEqual(applyJsonPatch(last, back), document);
  });
});

test('a test of the current value succeeds and changes nothing, a test of any other value fails', () => {
  forEachSeed(rounds, random => {
    const document = randomJsonObject(random, depth);
    for (const path of [[], ...listPaths(document)]) {
      const value = valueAt(document, path);
      const operation = { op: 'test', path: pointerFromPath(path) };
      assert.deepEqual(applyJsonPatch(document, [{ ...operation, value }]), document);
      const other = randomJson(random, 2);
      if (!equalJson(other, value))
        assert.throws(() => applyJsonPatch(document, [{ ...operation, value: other }]), { code: 422 });
    }
  });
});

test('a move is a removal followed by an addition of the removed value', () => {
  forEachSeed(rounds, random => {
    const document = randomJsonObject(random, depth);
    const paths = listPaths(document);
    if (paths.length === 0) return;
    const from = pickOne(random, paths);
    const value = valueAt(document, from);
    const without = applyJsonPatch(document, [{ op: 'remove', path: pointerFromPath(from) }]);
    const { path } = addition(random, without).operation;
    if (typeof path !== 'string' || path.startsWith(`${pointerFromPath(from)}/`)) return;
    const moved = applyJsonPatch(document, [{ op: 'move', from: pointerFromPath(from), path }]);
    assert.deepEqual(moved, applyJsonPatch(without, [{ op: 'add', path, value }]));
  });
});

test('a patch that fails midway does not change the document', () => {
  forEachSeed(rounds, random => {
    const { document, patch } = randomChanges(random);
    const before = copyJson(document);
    assert.throws(() => applyJsonPatch(document, [...patch, { op: 'remove', path: '/no/such/place' }]), {
      code: 422,
    });
    assert.deepEqual(document, before);
  });
});
