import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { phasesOf } from './phases.ts';
import { runTests } from './run-tests.ts';
import { findTestFiles, needsInstallation } from './test-files.ts';

function repositoryWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-run-tests-'));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

async function run(files: Record<string, string>): Promise<{ succeeded: boolean; lines: string[] }> {
  const root = repositoryWith(files);
  try {
    const lines: string[] = [];
    const succeeded = await runTests({
      root,
      paths: [],
      only: [],
      signal: new AbortController().signal,
      report: 'ignore',
      print: line => lines.push(line),
    });
    return { succeeded, lines };
  } finally {
    rmSync(root, { recursive: true });
  }
}

const passing = `require('node:test')('a', () => {});`;
const failing = `require('node:test')('b', () => { throw new Error('b'); });`;
const skipped = `require('node:test').test.skip('c', () => {});`;

test('the last line holds the totals, and a failed test fails the run', async () => {
  const { succeeded, lines } = await run({
    'libs/a/a.test.ts': `${passing}${skipped}`,
    'libs/a/b.test.ts': failing,
  });
  assert.equal(lines.at(-1), '1 passed, 1 failed, 1 skipped');
  assert.equal(succeeded, false);
});

test('a run in which all pass succeeds', async () => {
  const { succeeded, lines } = await run({ 'libs/a/a.test.ts': passing });
  assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped');
  assert.equal(succeeded, true);
});

test('a run of no tests fails', async () => {
  const { succeeded, lines } = await run({ 'libs/a/a.ts': '' });
  assert.deepEqual(lines, ['no tests were run', '0 passed, 0 failed, 0 skipped']);
  assert.equal(succeeded, false);
});

test('a test file that cannot be loaded fails the run', async () => {
  const { succeeded, lines } = await run({ 'libs/a/a.test.ts': `require('./absent.ts')` });
  assert.equal(lines.at(-1), '0 passed, 1 failed, 0 skipped');
  assert.equal(succeeded, false);
});

const files = [
  'libs/a/a.test.ts',
  'libs/a/b.etcd.test.ts',
  'libs/b/c.kafka.test.ts',
  'libs/b/e.process.test.ts',
  'tests/faults/d.test.ts',
];

const gibibytes = 1024 ** 3;

for (const [memory, concurrency] of [
  [32, [2, 3]],
  [10, [2, 2]],
  [4, [2, 1]],
  [2, [2, 1]],
] as const)
  test(`as many files run at once as fit into ${memory} GiB, the long ones first`, () => {
    const phases = phasesOf([...files, 'tests/journeys/f.test.ts'].toReversed(), memory * gibibytes);
    assert.deepEqual(
      phases.map(phase => phase.files),
      [
        ['libs/a/a.test.ts'],
        [
          'libs/b/c.kafka.test.ts',
          'tests/faults/d.test.ts',
          'libs/b/e.process.test.ts',
          'libs/a/b.etcd.test.ts',
          'tests/journeys/f.test.ts',
        ],
      ],
    );
    assert.deepEqual(
      phases.map(phase => phase.concurrency),
      concurrency,
    );
  });

test('files that need no backend need no installation', () => {
  assert.deepEqual(
    files.filter(file => !needsInstallation(file)),
    ['libs/a/a.test.ts', 'libs/b/e.process.test.ts'],
  );
});

const selections: [what: string, paths: string[], only: string[], found: string[]][] = [
  ['all files', [], [], files],
  ['a folder', ['libs/a'], [], ['libs/a/a.test.ts', 'libs/a/b.etcd.test.ts']],
  ['a file', ['libs/a/a.test.ts'], [], ['libs/a/a.test.ts']],
  ['a suffix', [], ['etcd'], ['libs/a/b.etcd.test.ts']],
  ['files that start server processes', [], ['process'], ['libs/b/e.process.test.ts']],
  ['files without needs', [], ['unit'], ['libs/a/a.test.ts']],
  ['a suffix in a folder', ['libs/b'], ['etcd', 'kafka'], ['libs/b/c.kafka.test.ts']],
];

for (const [what, paths, only, found] of selections) {
  test(`a selection of ${what}`, () => {
    const root = repositoryWith(Object.fromEntries(files.map(file => [file, ''])));
    const selection = { paths: paths.map(path => join(root, path)), only };
    assert.deepEqual(findTestFiles(root, selection), found);
    rmSync(root, { recursive: true });
  });
}
