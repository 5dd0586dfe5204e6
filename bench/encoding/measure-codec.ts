import { messageNamed } from '@binnacle/api-types';
import { decodeProtobuf, encodeProtobuf } from '@binnacle/codecs';
import { findMedian } from './figures.ts';
import { pod } from './pod.ts';

const message = messageNamed('core.v1.Pod');
const runs = 7;
const runMs = 400;
const batch = 500;

/** Pods a second that one core encodes. */
export function measureEncoding() {
  return measureRate(() => encodeProtobuf(message, pod));
}

/** Pods a second that one core decodes. */
export function measureDecoding() {
  const bytes = encodeProtobuf(message, pod);
  return measureRate(() => decodeProtobuf(bytes, message));
}

/** Repeats an operation in several runs, after one that is not counted. */
function measureRate(operation: () => unknown) {
  const rates = Array.from({ length: runs + 1 }, () => {
    const start = performance.now();
    let count = 0;
    for (; performance.now() - start < runMs; count += batch) for (let i = 0; i < batch; i++) operation();
    return (count * 1000) / (performance.now() - start);
  }).slice(1);
  return { median: findMedian(rates), worst: Math.min(...rates), better: 'higher' as const };
}
