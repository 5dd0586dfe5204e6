import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeText } from '../commands/top-fanout.ts';
import { fanoutFigures, quantile } from './fanout-figures.ts';
import { addressesIn } from './gateways.ts';
import { parseMetrics } from './parse-metrics.ts';

const text = (scale: number) => `
# HELP apiserver_registered_watchers Open watches of a type.
# TYPE apiserver_registered_watchers gauge
apiserver_registered_watchers{resource="pods"} 3
apiserver_registered_watchers{resource="configmaps"} 4
binnacle_watch_groups{resource="pods"} 2
apiserver_watch_cache_events_received_total{resource="pods"} ${10 * scale}
apiserver_watch_events_total{group="",kind="Pod",version="v1"} ${30 * scale}
apiserver_terminated_watchers_total{resource="pods"} ${scale}
binnacle_watch_event_stage_seconds_bucket{le="0.001",stage="written"} ${50 * scale}
binnacle_watch_event_stage_seconds_bucket{le="0.01",stage="written"} ${100 * scale}
binnacle_watch_event_stage_seconds_bucket{le="+Inf",stage="written"} ${100 * scale}
binnacle_watch_event_stage_seconds_sum{stage="written"} ${0.2 * scale}
binnacle_watch_event_stage_seconds_count{stage="written"} ${100 * scale}
binnacle_watch_event_stage_seconds_sum{stage="received"} 0.5
binnacle_watch_event_stage_seconds_count{stage="received"} 100
`;

test('samples are parsed with their labels, whatever characters these hold, and their values', () => {
  const samples = parseMetrics(
    'a 1\nb{x="1",y="q\\"\\\\ ,}\\n"} +Inf\nc{} 1e-3 1700000000\n# d 1\nnonsense\ne{x="1"} NaN',
  );
  assert.deepEqual(samples, [
    { name: 'a', labels: {}, value: 1 },
    { name: 'b', labels: { x: '1', y: 'q"\\ ,}\n' }, value: Number.POSITIVE_INFINITY },
    { name: 'c', labels: {}, value: 0.001 },
    { name: 'e', labels: { x: '1' }, value: Number.NaN },
  ]);
});

test('the figures since the start are sums over types, and the lag is the mean over all stages together', () => {
  const { lag = 0, stages, ...counts } = fanoutFigures(parseMetrics(text(1)));
  assert.deepEqual(counts, { watchers: 7, groups: 2, events: 10, delivered: 30, ended: 1 });
  assert.equal(lag.toFixed(6), '0.007000');
  assert.deepEqual(stages.published, { mean: undefined, p50: undefined, p99: undefined });
  assert.equal(stages.written.p50, 0.001);
});

test('the figures between two readings are their differences', () => {
  const figures = fanoutFigures(parseMetrics(text(3)), parseMetrics(text(1)));
  assert.deepEqual([figures.watchers, figures.events, figures.delivered, figures.ended], [7, 20, 60, 2]);
  assert.equal(figures.lag?.toFixed(6), '0.002000');
  assert.equal(figures.stages.received.mean, undefined);
  assert.equal(fanoutFigures(parseMetrics(text(1)), parseMetrics(text(1))).lag, undefined);
});

const quantiles: [share: number, buckets: [edge: number, count: number][], value: number | undefined][] = [
  [0.5, [[1, 10]], 0.5],
  [
    0.5,
    [
      [2, 20],
      [1, 10],
    ],
    1,
  ],
  [
    0.75,
    [
      [1, 10],
      [2, 20],
    ],
    1.5,
  ],
  [
    0.99,
    [
      [1, 0],
      [2, 0],
      [Number.POSITIVE_INFINITY, 5],
    ],
    2,
  ],
  [0.5, [[1, 0]], undefined],
  [0.5, [], undefined],
];

for (const [share, buckets, value] of quantiles) {
  test(`the quantile ${share} of ${JSON.stringify(buckets)} is ${value}`, () => {
    assert.equal(
      quantile(
        buckets.map(([edge, count]) => ({ edge, count })),
        share,
      ),
      value,
    );
  });
}

const times: [seconds: number | undefined, text: string][] = [
  [undefined, '-'],
  [0, '0µs'],
  [0.00025, '250µs'],
  [0.0012, '1.2ms'],
  [0.25, '250ms'],
  [2.5, '2.5s'],
  [31, '31s'],
];

for (const [seconds, shown] of times) {
  test(`${seconds} seconds are ${shown}`, () => assert.equal(timeText(seconds), shown));
}

test('each address of an Endpoints object is a gateway, with the port of its subset', () => {
  const addresses = addressesIn({
    subsets: [
      { addresses: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }], ports: [{ name: 'https', port: 6443 }] },
      { addresses: [{ ip: '10.0.0.2' }] },
      { notReadyAddresses: [{ ip: '10.0.0.3' }], ports: [{ port: 6443 }] },
    ],
  });
  assert.deepEqual(addresses, ['https://10.0.0.1:6443', 'https://[fd00::1]:6443']);
  assert.deepEqual(addressesIn({}), []);
});
