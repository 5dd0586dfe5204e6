import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePrivate } from './compile-cache.ts';

const root = join(import.meta.dirname, '../../..');

function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'binnacle-compiled-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const cases: readonly {
  readonly name: string;
  readonly prepare: (parent: string, folder: string) => void;
  readonly isUsed: boolean;
}[] = [
  { name: 'a folder that is not there is made', prepare: () => {}, isUsed: true },
  {
    name: 'a folder that others may read becomes private',
    prepare: (_, folder) => mkdirSync(folder, { mode: 0o755 }),
    isUsed: true,
  },
  {
    name: 'where others can put another in its place, it is not used',
    prepare: parent => chmodSync(parent, 0o777),
    isUsed: false,
  },
  {
    name: 'a folder that others could write is not used, for what lies there may be theirs',
    prepare: (_, folder) => {
      mkdirSync(folder);
      chmodSync(folder, 0o777);
    },
    isUsed: false,
  },
  {
    name: 'a folder with one in it that others could write is not used either',
    prepare: (_, folder) => {
      mkdirSync(join(folder, 'release'), { recursive: true });
      chmodSync(join(folder, 'release'), 0o777);
    },
    isUsed: false,
  },
  {
    name: 'a link is not followed',
    prepare: (parent, folder) => {
      mkdirSync(join(parent, 'elsewhere'), { mode: 0o777 });
      symlinkSync(join(parent, 'elsewhere'), folder);
    },
    isUsed: false,
  },
  {
    name: 'without a place for it nothing fails',
    prepare: parent => rmSync(parent, { recursive: true }),
    isUsed: false,
  },
];
for (const { name, prepare, isUsed } of cases)
  test(`compiled code: ${name}`, () => {
    using temporary = temporaryFolder();
    const parent = join(temporary.path, 'cache');
    mkdirSync(parent, { mode: 0o755 });
    const folder = join(parent, 'compiled');
    prepare(parent, folder);
    if (name.startsWith('without')) symlinkSync('/proc/nowhere', parent);
    assert.equal(makePrivate(folder), isUsed);
    if (isUsed) assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

test('modules that are imported later are cached, and none if the environment disables the cache', () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'compiled');
  const program = `
    const { keepCompiledCode } = await import('${join(import.meta.dirname, 'compile-cache.ts')}');
    keepCompiledCode('${folder}');
    await import('${join(import.meta.dirname, 'run-service.ts')}');`;
  const run = (environment: NodeJS.ProcessEnv) => {
    const { NODE_COMPILE_CACHE: _, ...others } = process.env;
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...others, ...environment },
    });
  };
  run({ NODE_DISABLE_COMPILE_CACHE: '1' });
  assert.deepEqual(readdirSync(folder), []);
  run({});
  const [release = ''] = readdirSync(folder);
  assert.ok(readdirSync(join(folder, release)).length > 1);
});

test('every service caches all of its modules, because its main file enables the cache first', () => {
  const mains = globSync('services/*/main.ts', { cwd: root });
  assert.ok(mains.length >= 7);
  for (const main of mains) {
    const text = readFileSync(join(root, main), 'utf8');
    const imports = [...text.matchAll(/^import .* from '(.*)';$/gm)].map(([, module]) => module);
    assert.deepEqual(imports, ['@binnacle/service-kit/compile-cache'], main);
    assert.match(text, /^keepCompiledCode\(\);$[\s\S]*^await import\('\.\/run\.ts'\);$/m, main);
  }
});
