import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type Random } from '../test-drivers/random-objects.ts';
import { difference, equalFieldSets, intersection, leaves, recursiveDifference, union } from './algebra.ts';
import {
  emptyFieldSet,
  type FieldSet,
  fieldSetOfPaths,
  hasPath,
  isEmptyFieldSet,
  listPaths,
  type Path,
} from './field-set.ts';
import { fieldSetFromJson, fieldSetToJson } from './fields-v1.ts';
import { type PathElement, pathText } from './path-element.ts';

const elements: readonly PathElement[] = ['f:a', 'f:b', 'k:{"name":"x"}', 'v:1', 'i:0'];

function randomSet(random: Random): FieldSet {
  const paths = Array.from({ length: random(12) }, (): Path => {
    return Array.from({ length: 1 + random(4) }, () => elements[random(elements.length)]!);
  });
  return fieldSetOfPaths(paths);
}

function texts(set: FieldSet): string[] {
  return [...listPaths(set)].map(pathText);
}

for (let seed = 1; seed <= 100; seed++) {
  test(`field sets obey the laws of sets (seed ${seed})`, () => {
    const random = createRandom(seed);
    const [a, b, c] = [randomSet(random), randomSet(random), randomSet(random)];
    const same = (x: FieldSet, y: FieldSet) => assert.deepEqual(fieldSetToJson(x), fieldSetToJson(y));
    same(union(a, b), union(b, a));
    same(intersection(a, b), intersection(b, a));
    same(union(a, union(b, c)), union(union(a, b), c));
    same(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c)));
    same(difference(a, union(b, c)), difference(difference(a, b), c));
    same(union(difference(a, b), intersection(a, b)), a);
    same(difference(a, a), emptyFieldSet);
    same(recursiveDifference(a, a), emptyFieldSet);
    assert.ok(isEmptyFieldSet(difference(recursiveDifference(a, b), difference(a, b))));
    assert.ok(isEmptyFieldSet(difference(leaves(a), a)));
    assert.equal(equalFieldSets(a, b), texts(a).join() === texts(b).join());
  });

  test(`a field set contains exactly its members, and is unchanged after encoding (seed ${seed})`, () => {
    const random = createRandom(seed);
    const [a, b] = [randomSet(random), randomSet(random)];
    assert.ok(equalFieldSets(fieldSetFromJson(JSON.parse(JSON.stringify(fieldSetToJson(a)))), a));
    assert.ok(equalFieldSets(fieldSetOfPaths(listPaths(a)), a));
    for (const path of listPaths(union(a, b))) {
      assert.equal(hasPath(intersection(a, b), path), hasPath(a, path) && hasPath(b, path));
      assert.equal(hasPath(difference(a, b), path), hasPath(a, path) && !hasPath(b, path));
    }
  });
}

const rows: { what: string; a: string[]; b: string[]; difference: string[]; recursive: string[] }[] = [
  { what: 'a path', a: ['f:a'], b: ['f:a'], difference: [], recursive: [] },
  { what: 'a parent alone', a: ['f:a', 'f:a f:b'], b: ['f:a'], difference: ['.a.b'], recursive: [] },
  { what: 'a child alone', a: ['f:a', 'f:a f:b'], b: ['f:a f:b'], difference: ['.a'], recursive: ['.a'] },
  { what: 'nothing of a sibling', a: ['f:a f:b'], b: ['f:a f:c'], difference: ['.a.b'], recursive: ['.a.b'] },
];

for (const row of rows) {
  test(`a difference removes ${row.what}`, () => {
    const createSet = (paths: string[]) =>
      fieldSetOfPaths(paths.map(path => path.split(' ') as PathElement[])); // The rows contain path elements.
    assert.deepEqual(texts(difference(createSet(row.a), createSet(row.b))), row.difference);
    assert.deepEqual(texts(recursiveDifference(createSet(row.a), createSet(row.b))), row.recursive);
  });
}

test('leaves are the paths without longer ones', () => {
  const set = fieldSetOfPaths([['f:a'], ['f:a', 'f:b'], ['f:c'], ['f:a', 'v:1', 'f:d']]);
  assert.deepEqual(texts(leaves(set)), ['.c', '.a.b', '.a[=1].d']);
});
