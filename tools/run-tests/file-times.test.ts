import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { processorTimeMs, reportTimes } from './file-times.ts';

test('the slowest files of a run are listed, with the sum of all', () => {
  const times = Array.from({ length: 60 }, (_, i) => ({
    file: `libs/a/${i}.test.ts`,
    ms: i * 1000,
    processorMs: i * 500,
  }));
  const lines = reportTimes(times);
  assert.equal(lines.length, 27);
  assert.equal(lines[1]?.trim(), '59.0    29.5  libs/a/59.test.ts');
  assert.equal(lines.at(-1)?.trim(), '1770.0   885.0  all files');
  assert.deepEqual(reportTimes(times.slice(0, 10)), [], 'of a part of the suite nothing is told');
  assert.equal(reportTimes(times.slice(0, 10), 2).length, 4, 'unless it is asked for');
  assert.equal(reportTimes(times, 1000).length, 62);
});

const isLinux = process.platform === 'linux';
test('processes that have ended are counted with their children', { skip: !isLinux }, () => {
  const before = processorTimeMs();
  const burn = 'while (process.cpuUsage().user < 300_000);';
  const start = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(burn)}])`;
  spawnSync(process.execPath, ['-e', start]);
  assert.ok(processorTimeMs() - before >= 300);
});
