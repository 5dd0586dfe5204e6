import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkImports } from './check-imports.ts';

const packages: Record<string, object> = {
  'package.json': { name: 'root' },
  'proto/package.json': { name: '@binnacle/proto' },
  'libs/codecs/package.json': {
    name: '@binnacle/codecs',
    dependencies: { '@binnacle/proto': '0.1.0', yaml: '2.9.1' },
  },
  'services/gateway/package.json': {
    name: '@binnacle/gateway',
    dependencies: { '@binnacle/proto': '0.1.0', '@binnacle/admission': '0.1.0' },
    devDependencies: { '@binnacle/backends': '0.1.0' },
  },
  'services/admission/package.json': { name: '@binnacle/admission' },
  'services/standalone/package.json': {
    name: '@binnacle/standalone',
    dependencies: { '@binnacle/gateway': '0.1.0' },
  },
  'tests/package.json': { name: '@binnacle/tests', dependencies: { '@binnacle/gateway': '0.1.0' } },
};

/** Files that use all that is declared, so that each case shows its own violations only. */
const good: Record<string, string> = {
  'proto/index.ts': `export const a = 1;`,
  'proto/testing.ts': `export const t = 1;`,
  'libs/codecs/index.ts': `import { a } from '@binnacle/proto';\nimport { parse } from 'yaml';\nimport './b.ts';`,
  'libs/codecs/b.ts': `import { readFileSync } from 'node:fs';`,
  'libs/codecs/b.test.ts': `import { t } from '@binnacle/proto/testing';`,
  'services/gateway/index.ts': `import { a } from '@binnacle/proto'; const b = '@binnacle/admission';`,
  'services/gateway/a.etcd.test.ts': `import { startEtcd } from '@binnacle/backends';`,
  'services/standalone/index.ts': `import { g } from '@binnacle/gateway';`,
  'tests/a.test.ts': `import { g } from '@binnacle/gateway';`,
};

const cases: [what: string, files: Record<string, string>, violations: string[]][] = [
  ['imports that keep the rules are accepted', {}, []],
  [
    'an undeclared package is refused',
    { 'proto/a.ts': `\nimport x from 'express';` },
    ['proto/a.ts:2: express is not declared in the package.json of @binnacle/proto'],
  ],
  [
    'an import of a higher layer is refused',
    {
      'proto/package.json': '{"name":"@binnacle/proto","dependencies":{"@binnacle/codecs":"0.1.0"}}',
      'proto/a.ts': `import { c } from '@binnacle/codecs';`,
    },
    ['proto/a.ts:1: @binnacle/proto stands below @binnacle/codecs and must not import it'],
  ],
  [
    'an import of another service is refused',
    { 'services/gateway/a.ts': `import type { A } from '@binnacle/admission';` },
    [
      'services/gateway/a.ts:1: @binnacle/gateway and @binnacle/admission stand in one layer and do not import each other',
    ],
  ],
  [
    'an import past index.ts is refused',
    { 'libs/codecs/c.ts': `import '@binnacle/proto/a.ts';` },
    ['libs/codecs/c.ts:1: "@binnacle/proto/a.ts" goes past the index.ts of @binnacle/proto'],
  ],
  [
    'the table of names is an entry of its own',
    {
      'libs/api-names/package.json': '{"name":"@binnacle/api-names"}',
      'libs/codecs/package.json':
        '{"name":"@binnacle/codecs","dependencies":{"@binnacle/api-names":"0.1.0","@binnacle/proto":"0.1.0","yaml":"2.9.1"}}',
      'libs/codecs/d.ts': `import { groupTable } from '@binnacle/api-names/table';`,
      'libs/codecs/e.ts': `import { groupTable } from '@binnacle/api-names/tables';`,
    },
    ['libs/codecs/e.ts:1: "@binnacle/api-names/tables" goes past the index.ts of @binnacle/api-names'],
  ],
  [
    'generated types are an entry for types',
    {
      'libs/codecs/package.json':
        '{"name":"@binnacle/codecs","dependencies":{"@binnacle/api-types":"0.1.0","@binnacle/proto":"0.1.0","yaml":"2.9.1"}}',
      'libs/codecs/d.ts': `import type { Pod } from '@binnacle/api-types/core/v1';`,
      'libs/codecs/e.ts': `import { Pod } from '@binnacle/api-types/core/v1';`,
    },
    ['libs/codecs/e.ts:1: "@binnacle/api-types/core/v1" has types alone: use `import type`'],
  ],
  ['an entry for tests is open to tests', { 'tests/b.test.ts': `import '@binnacle/gateway/testing';` }, []],
  ['and to what tests are made of', { 'tests/start-gateway.ts': `import '@binnacle/gateway/testing';` }, []],
  [
    'an entry for tests is closed to the program',
    { 'libs/codecs/c.ts': `import '@binnacle/proto/testing';` },
    ['libs/codecs/c.ts:1: "@binnacle/proto/testing" is for tests alone'],
  ],
  [
    'folders in a circle are refused, types counted and tests not',
    {
      'proto/x/a.ts': `import type { B } from '../y/b.ts';`,
      'proto/y/b.ts': `export type B = 1;`,
      'proto/y/c.ts': `import type { D } from '../x/d.ts';`,
      'proto/x/d.ts': `export type D = 1;`,
      'proto/z/e.ts': `import type { D } from '../x/d.ts';`,
      'proto/x/a.test.ts': `import '../z/e.ts';`,
    },
    ['proto/x: folders import in a circle, types counted: proto/x -> proto/y -> proto/x'],
  ],
  [
    'an import of a higher folder is refused, types counted',
    {
      'services/gateway/request/a.ts': `import type { B } from '../write/b.ts';`,
      'services/gateway/write/b.ts': `import type { C } from './engine/c.ts';\nexport type B = C;`,
      'services/gateway/write/engine/c.ts': `export type C = 1;`,
      'services/gateway/read/d.ts': `import type { B } from '../write/b.ts';`,
    },
    ['services/gateway/request/a.ts: request stands below write in services/gateway and must not import it'],
  ],
  [
    'a folder that the layers of its package do not name is refused',
    {
      'services/gateway/request/a.ts': `export type A = 1;`,
      'services/gateway/new/b.ts': `import type { A } from '../request/a.ts';`,
    },
    ['services/gateway/new/b.ts: services/gateway/new is not in the table of layers of services/gateway'],
  ],
  [
    'a relative import of another package is refused',
    { 'libs/codecs/c.ts': `export * from '../../proto/index.ts';` },
    ['libs/codecs/c.ts:1: reaches into the files of @binnacle/proto: import the package by its name'],
  ],
  [
    'a file that does not exist is refused',
    { 'libs/codecs/c.ts': `import './absent.ts';` },
    ['libs/codecs/c.ts:1: libs/codecs/absent.ts does not exist'],
  ],
  [
    'an export that no other file takes is refused',
    { 'proto/a.ts': `import './b.ts';\nconst c = 1;\nexport { c };`, 'proto/b.ts': `export type D = 1;` },
    ['proto/a.ts:3: no other file uses the export c', 'proto/b.ts:1: no other file uses the export D'],
  ],
  [
    'an export of a package that no other package takes is refused',
    {
      'proto/index.ts': `export const a = 1;\nexport { b } from './b.ts';`,
      'proto/b.ts': `export const b = 1;`,
    },
    ['proto/index.ts:2: no other file uses the export b'],
  ],
  [
    'an export that serves tests alone is refused',
    { 'proto/a.ts': `export const c = 1;`, 'proto/a.test.ts': `import { c } from './a.ts';` },
    ['proto/a.ts:1: tests alone use the export c'],
  ],
  [
    'a part that is tested by itself, and what is passed on to tests by intent, is accepted',
    {
      'proto/a.ts': `export const c = 1;\nexport const d = 1;\nconst e = c;`,
      'proto/a.test.ts': `import { c } from './a.ts';`,
      'proto/testing.ts': `export const t = 1;\nexport { d } from './a.ts';`,
      'libs/codecs/b.test.ts': `import { d, t } from '@binnacle/proto/testing';`,
    },
    [],
  ],
  [
    'what goes through an export of everything is taken from where it comes',
    {
      'proto/index.ts': `export const a = 1;\nexport * from './b.ts';`,
      'proto/b.ts': `export const b = 1;\nexport const c = 1;`,
      'libs/codecs/c.ts': `import { b } from '@binnacle/proto';`,
    },
    ['proto/b.ts:2: no other file uses the export c'],
  ],
  [
    'imports in a circle are refused',
    { 'proto/a.ts': `import './b.ts';`, 'proto/b.ts': `await import('./a.ts');` },
    ['proto/a.ts: imports go in a circle, types counted: proto/a.ts -> proto/b.ts -> proto/a.ts'],
  ],
  [
    'imports of types in a circle are refused',
    {
      'proto/a.ts': `import type { B } from './b.ts';\nexport type A = 1;`,
      'proto/b.ts': `import type { A } from './a.ts';\nexport type B = 1;`,
    },
    ['proto/a.ts: imports go in a circle, types counted: proto/a.ts -> proto/b.ts -> proto/a.ts'],
  ],
  [
    'a dependency for development is refused outside tests',
    { 'services/gateway/a.ts': `import { startEtcd } from '@binnacle/backends';` },
    ['services/gateway/a.ts:1: @binnacle/backends is not declared in the package.json of @binnacle/gateway'],
  ],
  [
    'a declared package that nothing uses is refused',
    { 'services/standalone/index.ts': `export {};` },
    ['services/standalone/package.json: @binnacle/gateway is declared but not used'],
  ],
];

for (const [what, files, violations] of cases) {
  test(what, () => {
    const root = mkdtempSync(join(tmpdir(), 'binnacle-import-rules-'));
    try {
      for (const [file, content] of Object.entries(packages)) write(root, file, JSON.stringify(content));
      for (const [file, content] of Object.entries({ ...good, ...files })) write(root, file, content);
      assert.deepEqual(checkImports(root), violations);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

function write(root: string, file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}
