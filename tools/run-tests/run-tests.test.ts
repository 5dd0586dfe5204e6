import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { pollUntil } from '@binnacle/backends';
import { runTests } from './run-tests.ts';
import { schedule } from './schedule.ts';
import { findTestFiles, needsInstallation } from './test-files.ts';

function repositoryWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-run-tests-'));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

interface Run {
  readonly succeeded: boolean;
  readonly lines: readonly string[];
  readonly report: string;
}

async function run(files: Record<string, string>, endTimeoutMs?: number): Promise<Run> {
  const root = repositoryWith(files);
  try {
    return await runIn(root, endTimeoutMs);
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function runIn(root: string, endTimeoutMs = 60_000): Promise<Run> {
  const reports: string[] = [];
  const lines: string[] = [];
  const succeeded = await runTests({
    root,
    paths: [],
    only: [],
    signal: new AbortController().signal,
    endTimeoutMs,
    report: text => reports.push(text),
    print: line => lines.push(line),
  });
  return { succeeded, lines, report: reports.join('') };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const passing = `require('node:test')('a', () => {});`;
const failing = `require('node:test')('b', () => { throw new Error('b'); });`;
const skipped = `require('node:test').test.skip('c', () => {});`;

test('failures are printed before the totals in the last line, and a failed test fails the run', async () => {
  const { succeeded, lines } = await run({
    'libs/a/a.test.ts': `${passing}${skipped}`,
    'libs/a/b.test.ts': failing,
  });
  assert.match(lines.at(-3) ?? '', /^✖ b \(.*b\.test\.ts:1\)\nError: b\n/);
  assert.equal(lines.at(-1), '1 passed, 1 failed, 1 skipped');
  assert.equal(succeeded, false);
});

test('a run without failures succeeds', async () => {
  const { succeeded, lines } = await run({ 'libs/a/a.test.ts': passing });
  assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped');
  assert.equal(succeeded, true);
});

test('a run without tests fails', async () => {
  const { succeeded, lines } = await run({ 'libs/a/a.ts': '' });
  assert.deepEqual(lines, ['0 files', 'no tests were run', '0 passed, 0 failed, 0 skipped']);
  assert.equal(succeeded, false);
});

test('hooks of a file apply to its tests only, and run even if a test fails', async () => {
  const counting = `const { before, after, beforeEach, test } = require('node:test');
    before(() => { globalThis.open = (globalThis.open ?? 0) + 1; });
    beforeEach(() => { globalThis.each = (globalThis.each ?? 0) + 1; });
    after(() => { globalThis.open--; });`;
  const { lines, report } = await run({
    'libs/a/a.test.ts': `${counting} test('a', () => { throw new Error('a'); });`,
    'libs/a/b.test.ts': `${counting} test('b', () => { if (globalThis.open !== 1) throw new Error('b'); });`,
    'libs/a/c.test.ts': `require('node:test')('c', () => { if (globalThis.open) throw new Error('c'); });`,
  });
  assert.equal(lines.at(-1), '2 passed, 1 failed, 0 skipped', report);
});

test('the tests of a file whose before hook fails have failed, and other files are run', async () => {
  const hook = `require('node:test').before(() => { throw new Error('hook'); });`;
  const { succeeded, lines } = await run({
    'libs/a/a.test.ts': `${hook}${passing}`,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`libs/b/${i}.test.ts`, passing])),
  });
  assert.equal(lines.at(-1), '8 passed, 1 failed, 0 skipped');
  assert.equal(succeeded, false);
});

test('an uncaught error fails the test that caused it, among concurrent ones', async () => {
  const uncaught = `const { suite, test } = require('node:test');
    const { setTimeout: pause } = require('node:timers/promises');
    const fail = () => { throw new Error('uncaught'); };
    const leading = {
      timer: () => void setTimeout(fail, 1),
      microtask: () => queueMicrotask(fail),
      promise: () => void Promise.reject(new Error('uncaught')),
      listener: () => void setImmediate(() => new (require('node:events'))().emit('error', new Error('uncaught'))),
    };
    suite('s', { concurrency: true }, async () => {
      await pause(1);
      for (const [name, lead] of Object.entries(leading)) {
        test(name, async () => { await pause(10); lead(); await pause(100); });
        test('beside', async t => { await t.test('within', () => pause(110)); await test('by name', () => pause(1)); });
      }
    });`;
  const { lines, report } = await run({ 'libs/a/a.test.ts': uncaught });
  for (const name of ['timer', 'microtask', 'promise', 'listener'])
    assert.match(lines.join('\n'), new RegExp(`✖ ${name} \\(`), report);
  assert.equal(lines.at(-1), '12 passed, 4 failed, 0 skipped', report);
});

test('promises of tests are not tracked one by one', async () => {
  const following = `const { executionAsyncId } = require('node:async_hooks');
    require('node:test')('a', async () => {
      await null;
      const first = executionAsyncId();
      await null;
      require('node:assert/strict').equal(executionAsyncId(), first);
    });`;
  const { lines, report } = await run({ 'libs/a/a.test.ts': following });
  assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped', report);
});

const keeping = `import { keptUntilEnd } from '${import.meta.resolve('@binnacle/backends/testing')}';
  import { appendFileSync } from 'node:fs';
  const note = text => appendFileSync(new URL('./notes', import.meta.url), text + '\\n');
  export const shared = keptUntilEnd(async () => {
    note('start');
    const timer = setInterval(() => {}, 1000);
    return { async [Symbol.asyncDispose]() { clearInterval(timer); note('end'); } };
  });`;
const usingKept = `import { before, test } from 'node:test'; import { shared } from './shared.mjs';
  before(shared); test('a', shared);`;

test('a shared resource is started once per process, and ended after the last file', async () => {
  const root = repositoryWith({
    'libs/a/shared.mjs': keeping,
    ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`libs/a/${i}.test.ts`, usingKept])),
  });
  const { lines, report } = await runIn(root);
  assert.equal(lines.at(-1), '9 passed, 0 failed, 0 skipped', report);
  const notes = readFileSync(join(root, 'libs/a/notes'), 'utf8').trimEnd().split('\n');
  const starts = notes.filter(note => note === 'start').length;
  assert.ok(starts >= 1 && starts <= 4, `${starts} starts in four processes`);
  assert.equal(notes.length, 2 * starts, 'each that was started is ended');
  rmSync(root, { recursive: true });
});

test('a shared resource is ended if a file runs alone', async () => {
  const root = repositoryWith({ 'shared.mjs': keeping, 'a.test.mjs': usingKept });
  const environment = { ...process.env };
  // It would make node:test report to a runner above it.
  delete environment['NODE_TEST_CONTEXT'];
  await promisify(execFile)(process.execPath, ['--test', join(root, 'a.test.mjs')], {
    env: environment,
    timeout: 60_000,
  });
  assert.equal(readFileSync(join(root, 'notes'), 'utf8'), 'start\nend\n');
  rmSync(root, { recursive: true });
});

test('a shared resource that cannot be ended fails the run', async () => {
  const failingEnd = `import { test } from 'node:test';
    import { keptUntilEnd } from '${import.meta.resolve('@binnacle/backends/testing')}';
    const shared = keptUntilEnd(async () => ({ async [Symbol.asyncDispose]() { throw new Error('stuck'); } }));
    test('a', shared);`;
  const { succeeded, report, lines } = await run({ 'libs/a/a.test.ts': failingEnd });
  assert.match(report, /stuck/);
  assert.equal(lines.at(-1), '1 passed, 1 failed, 0 skipped');
  assert.equal(succeeded, false);
});

test('a process exit within a file is a failed test, and other files are run', async () => {
  const ending = `require('node:test')('d', () => process.exit(0));`;
  const { succeeded, report, lines } = await run({
    'libs/a/a.test.ts': ending,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`libs/b/${i}.test.ts`, passing])),
  });
  assert.match(report, /ended within libs\/a\/a\.test\.ts/);
  assert.equal(lines.at(-1), '8 passed, 1 failed, 0 skipped');
  assert.equal(succeeded, false);
});

test('processes left behind by a killed file are ended, and the run continues', async () => {
  const leaving = `require('node:test')('d', () => {
    const left = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(require('node:path').join(__dirname, 'left'), String(left.pid));
    process.kill(process.pid, 'SIGKILL');
  });`;
  const root = repositoryWith({ 'libs/a/a.test.ts': leaving });
  const { succeeded, lines, report } = await runIn(root);
  assert.match(report, /ended within libs\/a\/a\.test\.ts/);
  assert.equal(lines.at(-1), '0 passed, 1 failed, 0 skipped');
  assert.equal(succeeded, false);
  const left = Number(readFileSync(join(root, 'libs/a/left'), 'utf8'));
  await pollUntil('the end of what was left', async () => !isRunning(left));
  rmSync(root, { recursive: true });
});

test('a process exit after a file is a failed test, and remaining files are run', async () => {
  const ending = `require('node:test')('f', () => {}); require('node:test').after(() => process.exit(0));`;
  const { succeeded, lines } = await run({
    'libs/a/a.test.ts': ending,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`libs/b/${i}.test.ts`, passing])),
  });
  assert.match(lines.at(-1) ?? '', /^[789] passed, 1 failed, 0 skipped$/);
  assert.equal(succeeded, false);
});

test('an open resource after a test fails the run, and other failures of the process are reported', async () => {
  const { succeeded, report, lines } = await run(
    {
      'libs/a/a.test.ts': `${failing}require('node:test')('e', () => { setInterval(() => {}, 1000); });`,
    },
    3_000,
  );
  assert.match(report, /does not end: a test has left something open/);
  assert.match(lines.join('\n'), /✖ b \(.*a\.test\.ts:1\)\nError: b\n/);
  assert.equal(lines.at(-1), '1 passed, 2 failed, 0 skipped');
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

for (const [memory, workers] of [
  [64, 4],
  [12, 3],
  [8, 2],
  [2, 1],
] as const)
  test(`as many files run at once as fit into ${memory} GiB`, () => {
    assert.equal(schedule(files, memory * gibibytes).length, workers);
  });

test('workers start with long files at one end and files without needs at the other', () => {
  const workers = schedule([...files, 'tests/journeys/f.test.ts'], 64 * gibibytes);
  const [first, second, third, fourth] = workers.map(nextProcess => nextProcess());
  assert.deepEqual(
    [first?.(), third?.(), second?.(), fourth?.(), first?.(), second?.(), second?.(), third?.()],
    [
      'libs/b/c.kafka.test.ts',
      'libs/a/b.etcd.test.ts',
      'libs/a/a.test.ts',
      'tests/journeys/f.test.ts',
      'libs/b/e.process.test.ts',
      'tests/faults/d.test.ts',
      undefined,
      undefined,
    ],
  );
});

test('the files of a folder with a shared form have a process of their own', () => {
  const sharing = ['tests/faults/one-form/a.kafka.test.ts', 'tests/faults/one-form/b.kafka.test.ts'];
  const [nextProcess] = schedule([...files, ...sharing], 4 * gibibytes);
  const processes: string[][] = [];
  for (let next = nextProcess?.(); next !== undefined; next = nextProcess?.()) {
    const given: string[] = [];
    for (let file = next(); file !== undefined; file = next()) given.push(file);
    processes.push(given);
  }
  assert.deepEqual(processes[0], sharing);
  assert.deepEqual(
    processes.slice(1).map(given => given.toSorted()),
    [files],
  );
});

test('files that need no backend need no installation', () => {
  assert.deepEqual(
    files.filter(file => !needsInstallation(file)),
    ['libs/a/a.test.ts', 'libs/b/e.process.test.ts'],
  );
});

test('files that depend on API names, and files composed of such, can be selected', () => {
  const root = repositoryWith({
    'libs/a/a.test.ts': `const group = 'networking.cluster.io';`,
    'libs/a/b.test.ts': `import { group } from './test-drivers/group.ts';`,
    'libs/a/test-drivers/group.ts': `export * from './names.ts';`,
    'libs/a/test-drivers/names.ts': `export const group = 'cluster.io';`,
    'libs/a/c.test.ts': `import { group } from './group.ts'; import type { A } from './test-drivers/group.ts';`,
    'libs/a/group.ts': `export const group = 'cluster.io';`,
  });
  assert.deepEqual(findTestFiles(root, { paths: [], only: [], withNames: true }), [
    'libs/a/a.test.ts',
    'libs/a/b.test.ts',
  ]);
  rmSync(root, { recursive: true });
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
