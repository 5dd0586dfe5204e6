import { randomBytes } from 'node:crypto';

/** The identity of one span in a distributed trace, after the W3C recommendation "Trace Context". */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether the trace is recorded. */
  readonly sampled: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` header; one that is malformed counts as absent. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = pattern.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent` header. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Begins a trace. */
export function createTrace(sampled: boolean): TraceContext {
  return { traceId: randomId(16), spanId: randomId(8), sampled };
}

/** Begins a span within the trace of another. */
export function createChildSpan(parent: TraceContext): TraceContext {
  return { ...parent, spanId: randomId(8) };
}

const pool = { bytes: randomBytes(4096), offset: 0 };

/** Identifiers come from a pool of random bytes, for a call of the generator costs more than all else here. */
function randomId(length: number): string {
  if (pool.offset + length > pool.bytes.length) {
    pool.bytes = randomBytes(4096);
    pool.offset = 0;
  }
  const id = pool.bytes.toString('hex', pool.offset, pool.offset + length);
  pool.offset += length;
  return /^0+$/.test(id) ? randomId(length) : id;
}
