import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthChart } from '../report/svg-chart.ts';
import { axes } from './axes.ts';
import { findGrowth, findMemoryGrowth } from './find-growth.ts';
import { renderGrowthHtml } from './growth-html.ts';
import type { GrowthReport } from './growth-report.ts';
import { renderGrowthText } from './growth-text.ts';
import { createStep } from './test-drivers/create-step.ts';

function createReport(): GrowthReport {
  const axis = axes[0];
  assert.ok(axis);
  const steps = [
    createStep({ value: 100, own: 12 }),
    createStep({ value: 1_000, own: 6, residentMb: 136, isMissed: true }),
    createStep({ value: 3_000, own: 48 }),
  ];
  return {
    startedAt: '2026-01-01T00:00:00Z',
    form: 'a <form>',
    machine: { cores: 2, cpu: 'some CPU', memoryBytes: 1, node: '24' },
    seconds: 12,
    axes: [
      {
        ...axis,
        steps,
        growth: findGrowth(axis, steps),
        memoryGrowth: findMemoryGrowth(steps),
        left: [{ value: 10_000, why: 'the time of the axis would not do' }],
      },
    ],
  };
}

test('the text has each step with its cost, ratio, latencies, processes and limit', () => {
  const text = renderGrowthText(createReport());
  assert.match(text, /^100 +12 +1\.00 +3\.0 +3\.0 +2\.0 +30\.0 +10 +1 \(1\.00\) +12 \(1\.00\)$/m);
  assert.match(text, /^1,000 +6 +0\.50 .*5 of 10 requests a <second>$/m);
  assert.match(text, /delivery: grows as watchers to the power of 0\.41, FASTER than it may \(0\)/);
  assert.match(text, /watchers 10000 was not run: the time of the axis would not do/);
});

test('the report is one self-contained page with tables and plots that marks limits and escapes texts', () => {
  const page = renderGrowthHtml(createReport());
  assert.match(page, /a &lt;form&gt;/);
  assert.match(page, /5 of 10 requests a &lt;second&gt;/);
  assert.match(page, /class="missed">delivery: grows/);
  assert.match(page, /<td class="number">12 \(1\.00\)<\/td>/);
  assert.match(page, /<td class="number">136 \/ 50 \/ 10<\/td>/);
  assert.equal(page.match(/<svg /g)?.length, 3);
  assert.match(page, /fill="none"\/>/);
  assert.doesNotMatch(page, /(?:src|href)=|<script/);
  assert.doesNotMatch(page, /NaN|undefined|Infinity/);
});

test('a chart has logarithmic axes and leaves out values without a logarithm', () => {
  const chart = growthChart('cost', 'objects', [
    {
      label: 'a',
      points: [1, 10, 100].map(x => ({ x, y: x, isMarked: false })),
    },
    { label: 'nothing', points: [{ x: 1, y: 0, isMarked: false }] },
  ]);
  assert.match(chart, /points="50\.0,250\.0 275\.0,140\.0 500\.0,30\.0"/);
  assert.doesNotMatch(chart, /nothing|NaN/);
  assert.equal(growthChart('none', 'objects', []), '');
  const flat = growthChart('flat', 'objects', [
    { label: 'a', points: [10, 20].map(x => ({ x, y: 7, isMarked: false })) },
  ]);
  assert.match(flat, />5<\/text>/);
  assert.doesNotMatch(flat, /NaN/);
});
