import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkFile } from './check-file.ts';
import { readExpectedFailures } from './expected-failures.ts';
import { plainRows } from './test-drivers/plain-rows.ts';
import { type RowPair, rows, schemas } from './test-drivers/rows.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const files = { ...rows, ...plainRows };
const deadlineMs = 60_000;
let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'check-cases-'));
});
after(() => rmSync(directory, { recursive: true }));

/** Writes a file of cases with the rows at the paths that are the names of their groups. */
function writeCases(file: string, side: keyof RowPair): void {
  const document: Record<string, unknown> = { about: 'cases', ...schemas[file] };
  for (const [name, pair] of Object.entries(files[file] ?? {})) {
    const steps = name.split('/');
    let place = document;
    for (const step of steps.slice(0, -1)) {
      const below = (place[step] ?? {}) as Record<string, unknown>; // an object that was made here
      place[step] = below;
      place = below;
    }
    place[steps.at(-1) ?? ''] = [pair[side]];
  }
  writeFileSync(join(directory, `${file}.json`), JSON.stringify(document));
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    ...{ encoding: 'utf8', timeout: deadlineMs },
  });
  return { status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
}

describe('a folder of cases', () => {
  it('passes if every row holds, with one line per file', () => {
    for (const file of Object.keys(files)) writeCases(file, 'right');
    const expected = Object.entries(files).map(([file, groups]) => {
      const count = Object.keys(groups).length;
      return `${file}: ${count} of ${count} rows hold`;
    });
    const { status, lines } = run(directory);
    assert.deepEqual(lines.sort(), expected.sort());
    assert.equal(status, 0);
  });

  it('fails with the name of every row that does not hold', () => {
    for (const file of Object.keys(files)) writeCases(file, 'wrong');
    const { status, lines } = run(directory);
    assert.equal(status, 1);
    for (const [file, groups] of Object.entries(files)) {
      assert.ok(lines.includes(`${file}: 0 of ${Object.keys(groups).length} rows hold`), file);
      for (const name of Object.keys(groups))
        assert.ok(
          lines.some(line => line.startsWith(`  ${file}/${name}/0: `)),
          `${file}/${name}`,
        );
    }
  });

  it('must contain files with known names', () => {
    const { status } = run(join(directory, 'nowhere'));
    assert.equal(status, 1);
    assert.equal(run().status, 2);
  });
});

test('fails if a row that is listed as a known failure holds', () => {
  const group = {
    name: 'even',
    rows: [1, 2, 3],
    findProblem: (n: number) => (n % 2 === 0 ? undefined : 'it is odd'),
  };
  const cases = { groups: [group], leftOut: [{ name: 'zero', count: 2, reason: 'none' }] };
  assert.deepEqual(checkFile('numbers', cases, new Set(['numbers/even/0', 'numbers/even/1'])), {
    ...{ file: 'numbers', rows: 3, expected: 1, leftOut: 2 },
    failed: [{ id: 'numbers/even/2', why: 'it is odd' }],
    surprising: ['numbers/even/1'],
  });
});

test('known failures each have a reason', () => {
  assert.deepEqual([...readExpectedFailures('# all\n\na/b/0  why not\nc/1    the same\n')], ['a/b/0', 'c/1']);
  assert.throws(() => readExpectedFailures('a/b/0'), /no reason/);
  readExpectedFailures();
});
