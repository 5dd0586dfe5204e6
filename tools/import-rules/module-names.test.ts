import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readModuleNames } from './module-names.ts';

const exportCases: [what: string, source: string, exported: string[]][] = [
  [
    'declarations',
    'export const a = 1;\nexport function b() {}\nexport class C {}\nexport let d;',
    ['a', 'b', 'C', 'd'],
  ],
  ['types', 'export interface A {}\nexport type B = 1;', ['A', 'B']],
  ['declarations with more words', 'export abstract class A {}\nexport async function* b() {}', ['A', 'b']],
  ['lists', 'export { a, type B, c as d };', ['a', 'B', 'd']],
  [
    'lists of another module',
    `export { a, b as c } from './b.ts';\nexport type { D } from './b.ts';`,
    ['a', 'c', 'D'],
  ],
  ['a namespace of another module', `export * as a from './b.ts';`, ['a']],
  ['a default', 'export default a;', ['default']],
  [
    'no members, texts and comments',
    `const a = { export: 1 };\na.export;\n// export const b\n'export const c';`,
    [],
  ],
];

for (const [what, source, exported] of exportCases) {
  test(`exports are read: ${what}`, () => {
    assert.deepEqual(
      readModuleNames(source).exported.map(({ name }) => name),
      exported,
    );
  });
}

const importCases: [what: string, source: string, names: readonly string[] | 'everything'][] = [
  ['names', `import { a, type B, c as d } from './b.ts';`, ['a', 'B', 'c']],
  ['a name that is type', `import { type, type as a } from './b.ts';`, ['type', 'type']],
  ['types', `import type { A } from './b.ts';`, ['A']],
  ['a default', `import a from './b.ts';`, ['default']],
  ['a default and names', `import a, { b } from './b.ts';`, ['b', 'default']],
  ['everything', `import * as a from './b.ts';`, 'everything'],
  ['nothing', `import './b.ts';`, []],
  ['names that are passed on', `export { a, b as c } from './b.ts';`, ['a', 'b']],
  ['names of a dynamic import', `const { a, b: c } = await import('./b.ts');`, ['a', 'b']],
  ['a member of a dynamic import', `(await import('./b.ts')).a();`, ['a']],
  ['everything of a dynamic import', `const b = await import('./b.ts');`, 'everything'],
];

for (const [what, source, names] of importCases) {
  test(`imports are read: ${what}`, () => {
    assert.deepEqual(
      readModuleNames(source).taken,
      names.length === 0 ? [] : [{ specifier: './b.ts', names, passedOn: false }],
    );
  });
}

test('a re-export of everything is followed', () => {
  assert.deepEqual(readModuleNames(`export * from './b.ts';`).taken, [
    { specifier: './b.ts', names: [], passedOn: true },
  ]);
});

test('exports that their own module uses are marked, also for use in templates', () => {
  const source = `export const a = 1;\nexport const b = 2;\nexport const c = \`\${a}\`;\n// b`;
  assert.deepEqual(
    readModuleNames(source).exported.map(({ name, usedInside }) => [name, usedInside]),
    [
      ['a', true],
      ['b', false],
      ['c', false],
    ],
  );
});
