import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, type Metrics } from './metrics.ts';

test('the same name gives the same family, and the same labels the same child', async () => {
  const metrics = createMetrics({ process: false });
  const options = { name: 'calls_total', help: 'Calls.', labelNames: ['method', 'code'] };
  const child = metrics.counter(options).labels('get', '200');
  assert.equal(metrics.counter(options).labels('get', '200'), child);
  child.inc();
  child.inc(4);
  metrics.counter(options).labels('list', '200').inc();
  const { body } = await metrics.render();
  assert.match(body, /calls_total\{method="get",code="200"\} 5\n/);
  assert.match(body, /calls_total\{method="list",code="200"\} 1\n/);
  assert.equal((await metrics.render()).body, body);
});

test('gauges rise and fall, and histograms count by bucket', async () => {
  const metrics = createMetrics({ process: false });
  const gauge = metrics.gauge({ name: 'watchers', help: 'Watchers.' }).labels();
  gauge.inc();
  gauge.inc(3);
  gauge.dec();
  const histogram = metrics.histogram({
    name: 'seconds',
    help: 'Seconds.',
    labelNames: ['verb'],
    buckets: [0.1, 1],
  });
  histogram.labels('GET').observe(0.5);
  const { body } = await metrics.render();
  assert.match(body, /watchers 3\n/);
  assert.match(body, /seconds_bucket\{le="0\.1",verb="GET"\} 0\n/);
  assert.match(body, /seconds_bucket\{le="1",verb="GET"\} 1\n/);
});

test('a name can have one type of metric only', () => {
  const metrics = createMetrics({ process: false });
  metrics.counter({ name: 'x', help: 'X.' });
  assert.throws(() => metrics.gauge({ name: 'x', help: 'X.' }));
});

test('an observation can count several times, and values above all bounds count too', async () => {
  const metrics = createMetrics({ process: false });
  const sizes = metrics.histogram({
    name: 'sizes',
    help: 'Sizes.',
    labelNames: ['kind'],
    buckets: [10, 100],
  });
  const child = sizes.labels('a "b"');
  child.observe(10, 3);
  child.observe(1000);
  const { body } = await metrics.render();
  const values = body.split('\n').filter(line => line.startsWith('sizes'));
  assert.deepEqual(values, [
    'sizes_bucket{le="10",kind="a \\"b\\""} 3',
    'sizes_bucket{le="100",kind="a \\"b\\""} 3',
    'sizes_bucket{le="+Inf",kind="a \\"b\\""} 4',
    'sizes_sum{kind="a \\"b\\""} 1030',
    'sizes_count{kind="a \\"b\\""} 4',
  ]);
  assert.match(body, /^# TYPE sizes histogram$/m);
});

test('series are sorted by labels, and removed children are left out', async () => {
  const metrics = createMetrics({ process: false });
  const counter = metrics.counter({ name: 'c', help: 'C.', labelNames: ['group', 'resource', 'code'] });
  const histogram = metrics.histogram({
    name: 'h',
    help: 'H.',
    labelNames: ['resource', 'group'],
    buckets: [1],
  });
  const other = metrics.gauge({ name: 'g', help: 'G.', labelNames: ['resource'] });
  const before = await seriesIn(metrics);
  const child = counter.labels('a', 'x', '200');
  child.inc();
  counter.labels('a', 'x', '404').inc();
  histogram.labels('x', 'a').observe(2);
  assert.equal(metrics.removals, 0);
  metrics.removeSeries({ group: 'a', resource: 'x' });
  assert.equal(metrics.removals, 1);
  assert.deepEqual(await seriesIn(metrics), before);
  child.inc();
  assert.deepEqual(await seriesIn(metrics), before);
  counter.labels('b', 'x', '200').inc();
  other.labels('x').set(1);
  metrics.removeSeries({ group: 'a', resource: 'x' });
  assert.deepEqual(await seriesIn(metrics), ['c{group="b",resource="x",code="200"} 1', 'g{resource="x"} 1']);
});

test('label values beyond the limit of a metric are counted together', async () => {
  const metrics = createMetrics({ process: false });
  const counter = metrics.counter({ name: 'c', help: 'C.', labelNames: ['a', 'b'] });
  for (let i = 0; i < 10_050; i++) counter.labels('x', String(i)).inc();
  const series = await seriesIn(metrics);
  assert.equal(series.length, 10_001);
  assert.equal(series.at(-1), 'c{a="other",b="other"} 50');
});

test('concurrent scrapes share one result', async () => {
  const metrics = createMetrics({ process: false });
  const counter = metrics.counter({ name: 'c', help: 'C.', labelNames: ['a'] });
  for (let i = 0; i < 5_000; i++) counter.labels(String(i)).inc();
  const scrapes = await Promise.all([metrics.render(), metrics.render(), metrics.render()]);
  assert.equal(new Set(scrapes.map(({ body }) => body)).size, 1);
  counter.labels('0').inc();
  assert.notEqual((await metrics.render()).body, scrapes[0]?.body);
});

test('process metrics include everything except event loop delays, whose measurement would wake an idle loop', async () => {
  const { body } = await createMetrics().render();
  assert.match(body, /^process_cpu_seconds_total /m);
  assert.match(body, /^nodejs_eventloop_lag_seconds /m);
  assert.doesNotMatch(body, /nodejs_eventloop_lag_\w+_seconds/);
});

test('a metric without labels has a value before it is counted', async () => {
  const metrics = createMetrics({ process: false });
  metrics.counter({ name: 'c', help: 'A \\ and\nmore.' });
  metrics.gauge({ name: 'g', help: 'G.' });
  const { body } = await metrics.render();
  assert.equal(
    body,
    '# HELP c A \\\\ and\\nmore.\n# TYPE c counter\nc 0\n\n# HELP g G.\n# TYPE g gauge\ng 0\n',
  );
});

async function seriesIn(metrics: Metrics): Promise<string[]> {
  const { body } = await metrics.render();
  return body.split('\n').filter(line => line !== '' && !line.startsWith('#'));
}
