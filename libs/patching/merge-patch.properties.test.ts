import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { copyJson, type JsonValue } from '@binnacle/api-objects';
import { runCounted } from '@binnacle/event-loop/testing';
import { applyMergePatch, mergePatchSteps } from './merge-patch.ts';
import { forEachSeed } from './test-drivers/random.ts';
import {
  frozen,
  holdsFrozen,
  mergePatchBetween,
  randomJson,
  randomJsonObject,
  randomMergePatch,
} from './test-drivers/random-json.ts';

const rounds = 400;
const depth = 4;

test('a patch does not change its arguments, and its result shares nothing with them', () => {
  forEachSeed(rounds, random => {
    const [document, patch] = [randomJson(random, depth), randomMergePatch(random, depth)];
    const ofCopies = applyMergePatch(copyJson(document), copyJson(patch));
    const result = applyMergePatch(frozen(document), frozen(patch));
    assert.deepEqual(result, ofCopies);
    assert.ok(!holdsFrozen(result), 'the result holds a part of an argument');
  });
});

test('the patch between two objects turns the first into the second', () => {
  forEachSeed(rounds, random => {
    const [from, to] = [randomJsonObject(random, depth), randomJsonObject(random, depth)];
    assert.deepEqual(applyMergePatch(from, mergePatchBetween(from, to)), to);
  });
});

test('a patch is idempotent', () => {
  forEachSeed(rounds, random => {
    const patch = randomMergePatch(random, depth);
    const once = applyMergePatch(randomJson(random, depth), patch);
    assert.deepEqual(applyMergePatch(once, patch), once);
  });
});

test('members that a patch does not name are kept, and those that it removes are gone', () => {
  forEachSeed(rounds, random => {
    const [document, patch] = [randomJsonObject(random, depth), randomMergePatch(random, depth)];
    const result = applyMergePatch(document, patch) as { [key: string]: JsonValue }; // The result for objects is an object.
    for (const name of Object.keys(document))
      if (!Object.hasOwn(patch, name))
        assert.deepEqual(Object.getOwnPropertyDescriptor(result, name)?.value, document[name]);
    for (const name of Object.keys(patch)) assert.equal(Object.hasOwn(result, name), patch[name] !== null);
  });
});

test('a patch in steps has the same result as at once', () => {
  forEachSeed(rounds, random => {
    const [document, patch] = [randomJson(random, depth), randomMergePatch(random, depth)];
    const { result } = runCounted(mergePatchSteps(frozen(document), frozen(patch)));
    assert.deepEqual(result, applyMergePatch(document, patch));
    assert.ok(!holdsFrozen(result), 'the result holds a part of an argument');
  });
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x']));
  const long = {
    data: members(20_000),
    rest: { list: Array.from({ length: 20_000 }, () => ({})) },
    ['__proto__']: 1,
  };
  for (const patch of [
    { data: { k1: null, k2: { a: 1 } } },
    { data: members(30_000) },
    { rest: null, other: long },
  ]) {
    const { result, steps } = runCounted(mergePatchSteps(long, patch));
    // A text of the difference would take minutes.
    assert.ok(isDeepStrictEqual(result, applyMergePatch(long, patch)));
    // Neither long steps nor a pause after each member.
    assert.ok(steps > 10 && steps < 100, `${steps} steps`);
  }
});
