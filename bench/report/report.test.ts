import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarizeLatencies } from '../measure/latencies.ts';
import type { BenchReport } from './bench-report.ts';
import { renderHtml } from './html-report.ts';
import { renderText } from './text-report.ts';

const report: BenchReport = {
  startedAt: '2026-01-01T00:00:00Z',
  form: 'a <form>',
  machine: { cores: 2, cpu: 'some CPU', memoryBytes: 1, node: '24' },
  settings: { objects: 10, objectBytes: 1, connections: 1, watchers: 1, events: 1, rate: 1 },
  results: [
    {
      name: 'watch-steady',
      parameters: { watchers: 3 },
      unit: 'delivered event',
      units: 300,
      seconds: 3,
      latencies: summarizeLatencies([1, 2, 30]),
      cpuMicrosPerUnit: { 'gateway-1': 12.5, 'storage-1': 0 },
      residentBytes: { 'gateway-1': 1e8 },
      bytes: 1000,
      failures: { '409': 2 },
      targets: [
        { what: 'gateway CPU', unit: 'µs', limit: 15, measured: 12.5 },
        { what: 'gateway memory', unit: 'KB', limit: 40, measured: 55 },
      ],
    },
  ],
};

test('the text shows each target beside the measured value, and what failed', () => {
  const text = renderText(report);
  assert.match(text, /holds {3}gateway CPU: 12\.50 µs \(at most 15\)/);
  assert.match(text, /MISSED {2}gateway memory: 55\.00 KB \(at most 40\)/);
  assert.match(text, /watch-steady: 2 × 409/);
  assert.match(text, /gateway-1 12\.5/);
});

test('the report is one self-contained page with plots that escapes texts', () => {
  const page = renderHtml(report);
  assert.match(page, /<svg/);
  assert.match(page, /a &lt;form&gt;/);
  assert.doesNotMatch(page, /(?:src|href)=/);
});
