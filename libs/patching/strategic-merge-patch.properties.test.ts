import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson, type JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';
import { forEachSeed, type Random } from './test-drivers/random.ts';
import { frozen, holdsFrozen } from './test-drivers/random-json.ts';
import {
  podPatchBetween,
  randomPod,
  randomPodPatch,
  type TestContainer,
  type TestPod,
} from './test-drivers/random-pods.ts';

const message = messageNamed('core.v1.Pod');
const rounds = 400;

/** Returns the pod that results from a patch. */
function patched(document: JsonObject, patch: JsonObject): JsonObject & TestPod {
  return applyStrategicMergePatch(document, patch, message) as JsonObject & TestPod; // The result of patching a pod.
}

/** Returns a pod and a patch, with or without directives. */
function randomPair(random: Random) {
  const document = randomPod(random);
  const patch = random(2) === 0 ? randomPodPatch(random) : podPatchBetween(document, randomPod(random));
  return { document, patch };
}

test('a patch does not change its arguments, and its result shares nothing with them', () => {
  forEachSeed(rounds, random => {
    const { document, patch } = randomPair(random);
    const ofCopies = patched(copyJson(document), copyJson(patch));
    const result = patched(frozen(document), frozen(patch));
    assert.deepEqual(result, ofCopies);
    assert.ok(!holdsFrozen(result), 'the result holds a part of an argument');
  });
});

test('the patch between two pods turns the first into the second, with its order', () => {
  forEachSeed(rounds, random => {
    const [from, to] = [randomPod(random), randomPod(random)];
    assert.deepEqual(patched(from, podPatchBetween(from, to)), to);
  });
});

test('a patch without directives is idempotent', () => {
  forEachSeed(rounds, random => {
    const patch = randomPodPatch(random);
    const once = patched(randomPod(random), patch);
    assert.deepEqual(patched(once, patch), once);
  });
});

test('merging by key keeps the other elements and their order', () => {
  forEachSeed(rounds, random => {
    const [document, patch] = [randomPod(random), randomPodPatch(random)];
    const named = new Set(patch.spec.containers.map(({ name }) => name));
    const others = (containers: readonly TestContainer[]) =>
      containers.filter(({ name }) => !named.has(name));
    const result = patched(document, patch);
    assert.deepEqual(others(result.spec.containers), others(document.spec.containers));
  });
});

test('a merged list has each key of the document and the patch once', () => {
  forEachSeed(rounds, random => {
    const [document, patch] = [randomPod(random), randomPodPatch(random)];
    const result = patched(document, patch);
    const keys = ({ spec }: TestPod) => spec.containers.map(({ name }) => name);
    assert.deepEqual(keys(result).sort(), [...new Set([...keys(document), ...keys(patch)])].sort());
    const { finalizers } = result.metadata;
    const both = [...document.metadata.finalizers, ...patch.metadata.finalizers];
    assert.deepEqual([...finalizers].sort(), [...new Set(both)].sort());
  });
});

test('an element has the values of the patch afterwards', () => {
  forEachSeed(rounds, random => {
    const [document, patch] = [randomPod(random), randomPodPatch(random)];
    const { containers } = patched(document, patch).spec;
    for (const wanted of patch.spec.containers) {
      const found = containers.find(({ name }) => name === wanted.name);
      assert.ok(found);
      for (const key of Object.keys(wanted)) {
        if (key === 'ports') continue; // Merges by key itself.
        assert.deepEqual(found[key], wanted[key] ?? undefined, `${wanted.name}.${key}`);
      }
    }
  });
});

test('patches of different elements commute, except for the order of added ones', () => {
  forEachSeed(rounds, random => {
    const document = randomPod(random);
    const whole = randomPodPatch(random);
    const part = (wanted: boolean): JsonObject => ({
      spec: { containers: whole.spec.containers.filter(({ name }) => name < 'd' === wanted) },
    });
    const sorted = (pod: TestPod) => [...pod.spec.containers].sort((a, b) => (a.name < b.name ? -1 : 1));
    const [first, second] = [part(true), part(false)];
    const oneWay = patched(patched(document, first), second);
    assert.deepEqual(sorted(oneWay), sorted(patched(patched(document, second), first)));
  });
});
