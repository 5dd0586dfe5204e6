import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { applyStrategicMergePatch } from '@binnacle/patching';
import { type Growth, measureGrowth } from './growth.ts';

const message = messageNamed('core.v1.Pod');
const sizes = { small: 100, large: 500 };

/**
 * The cost of a strategic merge patch of a list of 500 elements that merge by name, relative to one of 100: every
 * element is patched and every fifth is new, with the order that the list shall have and without.
 */
export function measureStrategicMerge(ordered: boolean): Growth {
  return measureGrowth({
    ...sizes,
    prepare(size) {
      const [document, patch] = [createPod(size), createPatch(size, ordered)];
      return () => applyStrategicMergePatch(document, patch, message);
    },
  });
}

function createPod(size: number): JsonObject {
  return {
    metadata: { name: 'web' },
    spec: { containers: Array.from({ length: size }, (_, i) => container(i)) },
  };
}

function container(i: number): JsonObject {
  const name = `container-${i}`;
  return {
    name,
    image: `registry.example/web:${i}`,
    args: ['--verbose'],
    env: [{ name: 'MODE', value: 'a' }],
  };
}

/** Names four fifths of the list, last ones first, and as many new ones as make up for the rest. */
function createPatch(size: number, ordered: boolean): JsonObject {
  const names = Array.from({ length: size }, (_, i) => `container-${i + size / 5}`).reverse();
  const containers = names.map((name): JsonObject => ({ name, image: 'registry.example/web:next' }));
  const order = names.map((name): JsonObject => ({ name }));
  return { spec: { containers, ...(ordered ? { '$setElementOrder/containers': order } : {}) } };
}
