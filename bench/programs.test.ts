import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, measuring = ''] = /^## Measure it$(.*?)^## /ms.exec(readme) ?? [];

test('the table of the README lists every program that measures, and no others', () => {
  const named = [...measuring.matchAll(/`(?:node )?(bench\/[\w-]+\/main\.ts)`/g)].map(
    ([, program]) => program,
  );
  const programs = globSync('bench/*/main.ts', { cwd: root });
  // The others have a target of make.
  const direct = programs.filter(program => !/^bench\/(frozen|rolling)\//.test(program));
  assert.deepEqual(named.toSorted(), direct.toSorted());
});

test('the make targets and flags that the table names exist', () => {
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
  const mains = ['bench/main.ts', 'bench/rolling/main.ts'];
  const main = mains.map(file => readFileSync(join(root, file), 'utf8')).join('');
  for (const [, target = ''] of measuring.matchAll(/`make ([\w-]+)/g))
    assert.match(makefile, new RegExp(`^${target}:`, 'm'), target);
  const flags = [...measuring.matchAll(/(?<![-\w])--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
  assert.ok(flags.length >= 5);
  for (const flag of flags) {
    const setting = flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    assert.ok(flag === 'help' || new RegExp(`\\b${setting}: `).test(main), flag);
  }
});

test('the pages that the table names exist', () => {
  for (const [, path = ''] of measuring.matchAll(/\]\(([\w./-]+)\)/g))
    assert.ok(existsSync(join(root, path)), path);
});
