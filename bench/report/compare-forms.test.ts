import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { BenchReport } from './bench-report.ts';
import { compareForms } from './compare-forms.ts';
import { renderComparisonText } from './comparison-text.ts';
import { renderComparisonHtml } from './html-report.ts';

function createReport(form: string, results: readonly ScenarioResult[]): BenchReport {
  return {
    startedAt: '2026-01-01T00:00:00Z',
    form,
    machine: { cores: 2, cpu: 'some <CPU>', memoryBytes: 1, node: '24' },
    settings: { objects: 10, objectBytes: 1, connections: 1, watchers: 1, events: 1, rate: 1 },
    results,
  };
}

function createResult(name: string, cpuMicrosPerUnit: Record<string, number>, seconds = 1): ScenarioResult {
  return {
    name,
    parameters: {},
    unit: 'request',
    units: 100,
    seconds,
    latencies: undefined,
    cpuMicrosPerUnit,
    residentBytes: {},
    bytes: 0,
    failures: {},
    targets: [],
  };
}

const comparison = compareForms(
  createReport('standalone', [
    createResult('create', { 'standalone-1': 800 }),
    createResult('fairness', { 'standalone-1': 1 }),
  ]),
  createReport('distributed', [
    createResult(
      'create',
      { 'gateway-1': 1000, 'gateway-2': 200, 'storage-1': 400, 'etcd-1': 200, 'kafka-1': 80, 'redis-1': 4 },
      2,
    ),
    createResult('watch-memory', { 'gateway-1': 1 }),
  ]),
);

test('a row has the cost of Binnacle itself in both forms, and of each backend as a ratio to the standalone form', () => {
  assert.deepEqual(comparison.rows, [
    {
      name: 'create',
      unit: 'request',
      standaloneMicros: 800,
      distributedMicros: 1600,
      ratio: 2,
      backends: { etcd: 0.25, kafka: 0.1, redis: 0.005 },
      standaloneRate: 100,
      distributedRate: 50,
      byService: { gateway: 1200, storage: 400, etcd: 200, kafka: 80, redis: 4 },
    },
  ]);
});

test('the comparison is written as text and as a page of its own', () => {
  const text = renderComparisonText(comparison);
  assert.match(text, /^create +800\.0 +1600\.0 +2\.00 +0\.25 +0\.10 +100 +50$/m);
  assert.match(text, /gateway 1200\.0, storage 400\.0, etcd 200\.0/);
  const page = renderComparisonHtml(comparison);
  assert.match(page, /<td class="number">2\.00<\/td>/);
  assert.match(page, /some &lt;CPU&gt;/);
  assert.match(page, /<svg/);
});
