import { type CallContext, isTraceparent, type Span } from '@binnacle/proto';
import type { Batch } from './batch.ts';
import { positionOfMember } from './batch-request.ts';

/** Traced members that a batch names at most: the value of the mark stays short. */
const mostTraces = 16;

/** Form of an entry: the value of the mark has the form of that of deletion marks, keys that are no object's. */
const entryForm = /^\/_trace\/(\d{1,3})\/(.*)$/;
const separator = '\0';

/** Encodes which members of a batch are traced, as the value of the trace mark; undefined: none is, or there is no room for the mark. */
export function encodeTraces(batch: Batch, calls: readonly CallContext[]): Buffer | undefined {
  let entries: string[] | undefined;
  for (const [index, { trace }] of calls.entries()) {
    if (trace?.isSampled !== true) continue;
    entries ??= [];
    if (entries.length < mostTraces)
      entries.push(`/_trace/${positionOfMember(index, calls.length)}/${trace.traceparent}`);
  }
  return entries === undefined || !batch.hasRoomForTraces ? undefined : Buffer.from(entries.join(separator));
}

/** Decodes the trace mark: the traceparents of the traced members of a batch by their positions. */
export function decodeTraces(value: Uint8Array): ReadonlyMap<number, string> {
  const traces = new Map<number, string>();
  for (const entry of Buffer.from(value).toString().split(separator).slice(0, mostTraces)) {
    const [, position, traceparent] = entryForm.exec(entry) ?? [];
    if (isTraceparent(traceparent)) traces.set(Number(position), traceparent);
  }
  return traces;
}

/** Starts a span for each traced member of a batch that is sent to etcd; undefined where none is traced. */
export function startTransactionSpans(calls: readonly CallContext[]): readonly Span[] | undefined {
  let spans: Span[] | undefined;
  for (const { trace } of calls) {
    if (trace?.isSampled !== true) continue;
    const attributes = { 'batch.transactions': calls.length };
    const span = trace.start('etcdserverpb.KV/Txn', { kind: 'client', attributes });
    if (span === undefined) continue;
    spans ??= [];
    spans.push(span);
  }
  return spans;
}
