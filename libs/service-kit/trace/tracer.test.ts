import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';
import { createTracer, type SpanRecord } from './tracer.ts';

const header = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const malformed = [
  undefined,
  '',
  'x',
  header.toUpperCase(),
  header.replace('00-', 'ff-'),
  `${header}-more`,
  '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
];

test('a traceparent reads back as it was written', () => {
  const context = parseTraceparent(header);
  assert.ok(context);
  assert.deepEqual(context, {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    sampled: true,
  });
  assert.equal(formatTraceparent(context), header);
  assert.equal(parseTraceparent(header.replace(/01$/, '00'))?.sampled, false);
  assert.ok(parseTraceparent(`${header.replace(/^00/, '01')}-more`), 'later versions may say more');
});

test('a malformed traceparent counts as absent', () => {
  for (const text of malformed) assert.equal(parseTraceparent(text), undefined, text);
});

test('a span goes on with the trace of its parent, and is handed over when it ends', () => {
  const spans: SpanRecord[] = [];
  let now = 1000;
  const tracer = createTracer({ onSpan: span => spans.push(span), clock: () => now });
  const span = tracer.start('get', header);
  assert.equal(span.context.traceId, '4bf92f3577b34da6a3ce929d0e0e4736');
  assert.notEqual(span.context.spanId, '00f067aa0ba902b7');
  now = 1250;
  span.end({ code: 200 });
  assert.equal(spans.length, 1);
  assert.equal(spans[0]?.parentSpanId, '00f067aa0ba902b7');
  assert.equal(spans[0].durationMs, 250);
});

test('traces that begin here are sampled by the ratio, and only sampled spans are handed over', () => {
  const spans: SpanRecord[] = [];
  const draws = [0.05, 0.2];
  const tracer = createTracer({
    sampleRatio: 0.1,
    random: () => draws.shift() ?? 1,
    onSpan: span => spans.push(span),
  });
  tracer.start('a').end();
  tracer.start('b').end();
  assert.deepEqual(
    spans.map(({ name }) => name),
    ['a'],
  );
});

test('identifiers are unique', () => {
  const tracer = createTracer();
  const ids = new Set(Array.from({ length: 2000 }, () => tracer.start('x').context.spanId));
  assert.equal(ids.size, 2000);
});
