import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('.', import.meta.url));
const promtool = spawnSync('promtool', ['--version']);
const skip = promtool.error === undefined ? false : 'promtool is not installed';

test('the alert rules are valid and pass their promtool tests', { skip }, () => {
  for (const args of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: directory, encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
  }
});
