import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

test('a form is refused for a server that already runs', () => {
  for (const form of ['distributed', 'both']) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [main, '--server=https://127.0.0.1:1', '--form', form],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 2, stderr);
    assert.match(stderr, /--form/);
  }
});
