import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEvents } from './describe-events.ts';
import { formatTabs } from './format-tabs.ts';

const now = Date.parse('2026-01-01T12:00:00Z');

test('events are sorted by their last occurrence and show their counts', () => {
  const events = [
    {
      type: 'Warning',
      reason: 'Late',
      message: 'often \n',
      count: 3,
      firstTimestamp: '2026-01-01T11:00:00Z',
      lastTimestamp: '2026-01-01T11:59:00Z',
      source: { component: 'clock' },
    },
    {
      type: 'Normal',
      reason: 'Once',
      message: 'once',
      firstTimestamp: '2026-01-01T11:30:00Z',
      lastTimestamp: '2026-01-01T11:30:00Z',
      source: { component: 'clock' },
    },
    {
      type: 'Normal',
      reason: 'Series',
      message: 'new',
      eventTime: '2026-01-01T10:00:00.000000Z',
      series: { count: 7, lastObservedTime: '2026-01-01T11:58:00.000000Z' },
      reportingComponent: 'bell',
    },
    { type: 'Normal', reason: 'Never', message: 'unknown' },
  ];
  assert.equal(
    formatTabs(describeEvents(events, now)),
    [
      'Events:',
      '  Type     Reason  Age                From   Message',
      '  ----     ------  ----               ----   -------',
      '  Normal   Series  2m (x7 over 120m)  bell   new',
      '  Normal   Never   <unknown>                 unknown',
      '  Normal   Once    30m                clock  once',
      '  Warning  Late    60s (x3 over 60m)  clock  often',
      '',
    ].join('\n'),
  );
  assert.equal(describeEvents([], now), 'Events:\t<none>\n');
});
