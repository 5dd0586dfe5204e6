import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPages } from './list-pages.ts';

interface TestPage {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly string[];
}

async function readAll(pages: readonly (TestPage | undefined)[], firstSize?: number) {
  const queries: string[] = [];
  const items: string[] = [];
  const read = async (query: string) => pages[queries.push(query) - 1];
  for await (const page of listPages(read, firstSize)) items.push(...page.items);
  return { queries, items };
}

test('each page is requested with the continue token of the previous one, until there is none', async () => {
  const pages = [
    { metadata: { continue: 'a&b' }, items: ['one'] },
    { metadata: { continue: 'c' }, items: [] },
    { metadata: {}, items: ['two', 'three'] },
  ];
  assert.deepEqual(await readAll(pages), {
    queries: ['?limit=500', '?limit=500&continue=a%26b', '?limit=500&continue=c'],
    items: ['one', 'two', 'three'],
  });
});

test('only the first page has the given limit', async () => {
  const pages = [
    { metadata: { continue: 'a' }, items: ['one'] },
    { metadata: { continue: '' }, items: ['two'] },
  ];
  assert.deepEqual(await readAll(pages, 1), {
    queries: ['?limit=1', '?limit=500&continue=a'],
    items: ['one', 'two'],
  });
});

test('an expired page ends the list', async () => {
  assert.deepEqual(await readAll([undefined]), { queries: ['?limit=500'], items: [] });
  assert.deepEqual((await readAll([{ metadata: { continue: 'a' }, items: ['one'] }, undefined])).items, [
    'one',
  ]);
});
