import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '@binnacle/telemetry';
import { FollowedFiles } from './followed-files.ts';

function createLog() {
  const lines: string[] = [];
  return { lines, log: createLogger({ sink: line => lines.push(JSON.parse(line).message) }) };
}

test('a changed file is used after the next check, and its change is reported once', async () => {
  const { lines, log } = createLog();
  using files = new FollowedFiles();
  let content = Buffer.from('a');
  const changes: string[] = [];
  const current = files.follow('x', {
    first: content,
    read: async () => Buffer.from(content),
    onChange: value => changes.push(String(value)),
  });
  await files.look(log);
  assert.deepEqual([String(current()), changes, lines], ['a', [], []]);
  content = Buffer.from('b');
  await files.look(log);
  await files.look(log);
  assert.deepEqual([String(current()), changes, lines], ['b', ['b'], ['changed files are in use']]);
});

test('an unreadable file is logged once, and others are followed', async () => {
  const { lines, log } = createLog();
  using files = new FollowedFiles();
  let broken: Error | undefined = new Error('half written');
  const first = files.follow('x', {
    first: 1,
    read: async () => {
      if (broken !== undefined) throw broken;
      return 2;
    },
  });
  const second = files.follow('y', { first: 1, read: async () => 2 });
  await files.look(log);
  await files.look(log);
  assert.deepEqual([first(), second()], [1, 2]);
  assert.deepEqual(lines, ['changed files cannot be used, the old ones stay', 'changed files are in use']);
  broken = undefined;
  await files.look(log);
  assert.equal(first(), 2);
});

test('a change that a listener refuses is not used until it is accepted', async () => {
  const { lines, log } = createLog();
  using files = new FollowedFiles();
  const changes: number[] = [];
  const current = files.follow('x', {
    first: 1,
    read: async () => 2,
    onChange: value => changes.push(value),
  });
  let isValid = false;
  files.onChange(() => {
    if (!isValid) throw new Error(`${current()} is not valid yet`);
  });
  await files.look(log);
  assert.deepEqual([current(), changes], [1, []]);
  isValid = true;
  await files.look(log);
  assert.deepEqual([current(), changes], [2, [2]]);
  assert.deepEqual(lines, ['changed files cannot be used, the old ones stay', 'changed files are in use']);
});
