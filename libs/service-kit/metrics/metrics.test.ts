import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('children are kept, and the same name gives the same family', async () => {
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

test('gauges go up and down, histograms sort', async () => {
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

test('a name stands for one type of metric', () => {
  const metrics = createMetrics({ process: false });
  metrics.counter({ name: 'x', help: 'X.' });
  assert.throws(() => metrics.gauge({ name: 'x', help: 'X.' }));
});

test('an observation can stand for several; what is above all bounds counts too', async () => {
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
