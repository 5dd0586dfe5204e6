import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { leaves } from '../field-sets/algebra.ts';
import { type FieldSet, fieldSetOfPaths, listPaths } from '../field-sets/field-set.ts';

/** Returns random integers from 0 up to `below`, exclusive. */
export type Random = (below: number) => number;

/** Creates a seeded source of random integers. */
export function createRandom(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns an object that matches `everything`, with random parts missing. */
export function randomObject(random: Random): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Everything',
    metadata: {
      name: 'x',
      ...maybe(random, 'labels', () => randomMap(random)),
      ...maybe(random, 'finalizers', () => randomSet(random)),
    },
    ...maybe(random, 'spec', () => randomSpec(random)),
  };
}

/** Splits the leaves of a set into two disjoint sets. */
export function splitLeaves(set: FieldSet, random: Random): [FieldSet, FieldSet] {
  const paths = [...listPaths(leaves(set))].map(path => ({ path, first: random(2) === 0 }));
  const side = (first: boolean) =>
    fieldSetOfPaths(paths.filter(item => item.first === first).map(({ path }) => path));
  return [side(true), side(false)];
}

/** Freezes a value deeply, so that any modification throws. */
export function frozen<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

function randomSpec(random: Random): JsonObject {
  return {
    ...maybe(random, 'replicas', () => random(3)),
    ...maybe(random, 'selector', () => randomMap(random)),
    ...maybe(random, 'strategy', () => ({ type: randomText(random), limit: random(3) })),
    ...maybe(random, 'nested', () => randomNested(random)),
    ...maybe(random, 'data', () => randomMap(random)),
    ...maybe(random, 'ports', () => randomPorts(random)),
    ...maybe(random, 'args', () => randomSet(random)),
    ...maybe(random, 'free', () => ({ deep: randomNested(random), list: randomSet(random) })),
  };
}

function randomNested(random: Random): JsonObject {
  return {
    ...maybe(random, 'a', () => randomText(random)),
    ...maybe(random, 'b', () => ({ c: randomText(random), ...maybe(random, 'd', () => randomText(random)) })),
  };
}

function randomPorts(random: Random): JsonObject[] {
  return randomNames(random).map(name => ({
    port: 80 + name.charCodeAt(0),
    ...maybe(random, 'protocol', () => 'TCP'),
    ...maybe(random, 'name', () => randomText(random)),
    ...maybe(random, 'tags', () => randomSet(random)),
  }));
}

function randomMap(random: Random): JsonObject {
  return Object.fromEntries(randomNames(random).map(name => [name, randomText(random)]));
}

function randomSet(random: Random): string[] {
  return randomNames(random);
}

/** Returns a random subset of four names. */
function randomNames(random: Random): string[] {
  const names = ['a', 'b', 'c', '__proto__'].filter(() => random(2) === 0);
  return names
    .map(name => ({ name, at: random(100) }))
    .sort((x, y) => x.at - y.at)
    .map(({ name }) => name);
}

function randomText(random: Random): string {
  return `t${random(3)}`;
}

function maybe(random: Random, name: string, value: () => JsonValue): JsonObject {
  return random(3) > 0 ? { [name]: value() } : {};
}
