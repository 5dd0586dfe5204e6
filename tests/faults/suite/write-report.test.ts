import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HistoryRecord, verifyHistory } from '@binnacle/binnaclectl/testing';
import { writeReport } from './write-report.ts';

test('a report is one self-contained file with violations, their records, faults and errors', () => {
  const place = { resource: 'configmaps', namespace: 'a', name: '<x>' };
  const records: HistoryRecord[] = [
    { kind: 'read', client: 'before', start: 0, end: 1, ...place },
    { kind: 'fault', start: 1000, end: 3000, what: 'kill etcd-1' },
    {
      kind: 'write',
      client: 'c',
      start: 5,
      end: 9,
      verb: 'create',
      ...place,
      value: 'v',
      outcome: 'ok',
      version: '7',
    },
    { kind: 'read', client: 'r', start: 20, end: 21, ...place },
  ];
  const report = writeReport(
    {
      seed: 5,
      records,
      verdict: verifyHistory(records, { now: () => 0 }),
      requests: [
        { at: 5, ms: 4, code: 200 },
        { at: 1500, ms: 2500, code: 503 },
      ],
      failures: ['a client failed'],
    },
    'make faults SEED=5 MINUTES=1',
  );
  assert.match(report, /Faults with seed 5: 1 violations/);
  assert.match(report, /make faults SEED=5 MINUTES=1/);
  assert.match(report, /reads: configmaps\/a\/&lt;x&gt; was not found although it was there/);
  assert.match(report, /&gt; \{&quot;kind&quot;:&quot;write&quot;/);
  assert.match(report, / {2}\{&quot;kind&quot;:&quot;read&quot;,&quot;client&quot;:&quot;before&quot;/);
  assert.match(report, /kill etcd-1/);
  assert.match(report, /1 errors at 1 s: 503/);
  assert.match(report, /a client failed/);
  assert.doesNotMatch(report, /<x>|https?:|<script|src=/);
});
