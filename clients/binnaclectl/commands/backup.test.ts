import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { runCommandLine } from '../run-command-line.ts';

/** Runs a command line; the listener gets what it reports as an error. */
async function run(args: readonly string[], signal: AbortSignal, onError: (text: string) => void = () => {}) {
  let text = '';
  const code = await runCommandLine(args, {
    version: '0.0.0',
    out: async more => {
      text += more;
    },
    err(more) {
      text += more;
      onError(more);
    },
    input: Readable.from([]),
    inputIsInteractive: false,
    env: {},
    signal,
    now: () => performance.now(),
    time: Date.now,
    runProgram: () => Promise.reject(new Error('a backup runs no program')),
    random: Math.random,
  });
  return { code, text };
}

const refused: readonly [args: readonly string[], message: string][] = [
  [['backup'], 'either a file or --directory must be given'],
  [['backup', 'a', '--directory=b'], 'either a file or --directory must be given'],
  [['backup', 'a', 'b'], 'unexpected arguments: b'],
  [['backup', 'a', '--keep=2', '--data-dir=.'], '--keep and --every need --directory'],
  [['backup', 'a', '--every=1h', '--data-dir=.'], '--keep and --every need --directory'],
  [['backup', '--directory=a', '--keep=0'], '--keep must be an integer of at least 1, not "0"'],
  [['backup', 'a'], 'one of --data-dir and --etcd-endpoints must be given, or its environment variable'],
  [['backup', 'verify'], 'exactly one file must be given'],
  [['restore', '--data-dir=.'], 'exactly one file must be given'],
  [
    ['restore', 'a', '--data-dir=.', '--etcd-endpoints=b'],
    'one of --data-dir and --etcd-endpoints must be given, or its environment variable',
  ],
];
for (const [args, message] of refused)
  test(`${args.join(' ')} is refused`, async () => {
    const { code, text } = await run(args, new AbortController().signal);
    assert.equal(code, 1);
    assert.ok(text.includes(message), text);
  });

test('a failed backup is reported, and the next one is made on schedule', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-backup-'));
  t.after(() => rm(folder, { recursive: true }));
  const ending = new AbortController();
  const errors: string[] = [];
  const args = ['backup', `--directory=${join(folder, 'backups')}`, '--every=20ms', `--data-dir=${folder}`];
  const { code } = await run(args, ending.signal, text => {
    errors.push(text);
    if (errors.length === 3) ending.abort();
  });
  assert.equal(code, 0);
  assert.deepEqual(errors, Array(3).fill(`error: there is no store in ${join(folder, 'store')}\n`));
});
