import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { apply, noManagers, schemaFromMessage } from '@binnacle/server-side-apply';
import { type Growth, measureGrowth } from '../patching/growth.ts';

const schema = schemaFromMessage(messageNamed('core.v1.Pod'));
const sizes = { small: 100, large: 500 };

/**
 * The cost of an apply of a list of 500 elements with names as keys, relative to one of 100: every element is changed;
 * under another order every fifth is new and the others come last ones first.
 */
export function measureLists(anotherOrder: boolean): Growth {
  return measureGrowth({
    ...sizes,
    prepare(size) {
      const { object, managed } = applied({}, createPod(names(size), 1), noManagers);
      const next = anotherOrder ? names(size, size / 5).reverse() : names(size);
      const configuration = createPod(next, 2);
      return () => applied(object, configuration, managed);
    },
  });
}

function names(size: number, from = 0): string[] {
  return Array.from({ length: size }, (_, i) => `container-${i + from}`);
}

function createPod(containers: readonly string[], turn: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: {
      containers: containers.map(name => ({
        name,
        image: `registry.example/${name}:${turn}`,
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: [{ name: 'MODE', value: 'a' }],
      })),
    },
  };
}

function applied(live: JsonObject, configuration: JsonObject, managed: typeof noManagers) {
  const result = apply({
    live,
    applied: configuration,
    managed,
    manager: 'bench',
    apiVersion: 'v1',
    now: '2024-01-01T00:00:00Z',
    schema,
  });
  if (result.kind === 'conflicts') throw new Error('the only manager is in conflict');
  return result;
}
