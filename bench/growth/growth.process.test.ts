import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { GrowthReport } from './growth-report.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const run = (...flags: string[]) =>
  promisify(execFile)(process.execPath, [main, '--profile=growth', ...flags], { encoding: 'utf8' });

/** It starts a server and several processes of load; on a machine with other work that takes minutes. */
const timeout = 300_000;

test('the smallest axis is measured and reported', { timeout }, async () => {
  const out = await mkdtemp(join(tmpdir(), 'binnacle-growth-report-'));
  try {
    const flags = ['--form=standalone', '--axes=writes', '--most=writes=40', '--step-duration=500ms'];
    const { stdout } = await run(...flags, `--out=${out}`);
    assert.match(stdout, /^writes\/s +µs a write +ratio/m);
    const text = await readFile(join(out, 'growth.json'), 'utf8');
    const report = JSON.parse(text) as GrowthReport; // The bench wrote it.
    assert.equal(report.form, 'standalone');
    const [axis] = report.axes;
    assert.ok(axis && report.axes.length === 1);
    assert.deepEqual([axis.name, axis.left, axis.steps.map(({ value }) => value)], ['writes', [], [10, 40]]);
    for (const { setting, memory, works } of axis.steps) {
      const [work] = works;
      assert.ok(work && works.length === 1);
      // All of this was measured on processes that ran: nothing of it can be zero.
      assert.ok((work.cpuMicrosPerUnit['standalone-1'] ?? 0) > 0 && work.loadMicrosPerUnit > 0);
      assert.equal(work.ownMicrosPerUnit, work.cpuMicrosPerUnit['standalone-1']);
      assert.equal(work.units, setting.writesPerSecond / 2);
      assert.ok((work.requestLatencies?.p50 ?? 0) > 0 && (work.deliveryLatencies?.p99 ?? 0) > 0);
      assert.deepEqual(work.failures, {}, 'every watcher got every write once');
      const { resident = 0, heap = 0, external = 0 } = memory['standalone-1'] ?? {};
      assert.ok(resident > heap && heap > 0 && external > 0);
    }
    const page = await readFile(join(out, 'growth.html'), 'utf8');
    assert.equal(page.match(/<svg /g)?.length, 3);
    assert.match(page, /<h2 id="writes">/);
    for (const value of ['10', '40'])
      assert.match(page, new RegExp(`<tr><td>${value}</td><td class="number">`));
    assert.doesNotMatch(page, /NaN|undefined|Infinity|(?:src|href)=|<script/);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});

test('an unknown choice is refused before anything starts', async () => {
  for (const [flags, message] of [
    [['--form=standalone', '--axes=gateways'], /no axis is called gateways/],
    [['--form=both'], /--profile=growth starts one form/],
    [['--server=https://127.0.0.1:1'], /--profile=growth starts one form/],
  ] as const)
    await assert.rejects(run(...flags), (error: Error & { code?: number; stderr?: string }) => {
      assert.equal(error.code, 2);
      assert.match(error.stderr ?? '', message);
      return true;
    });
});
