/** A part of a document. */
export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The parts that a `Range` header names, or the reason why none is sent. */
export type RequestedRanges =
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] }
  /** Every part begins after the end of the document. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'malformed' };

/** Most parts of one answer: each costs headers of its own. */
const mostRanges = 64;
const unit = 'bytes=';
const nothingToCut: RequestedRanges = { kind: 'ranges', ranges: [] };

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a document of `size` bytes. Without a header, with parts that are together
 * longer than the document, and with more than 64 parts there are no ranges: the whole document is sent.
 */
export function requestedRanges(header: string | undefined, size: number): RequestedRanges {
  if (header === undefined || header === '') return nothingToCut;
  if (!header.startsWith(unit)) return { kind: 'malformed' };
  const specs = header
    .slice(unit.length)
    .split(',')
    .map(spec => spec.trim())
    .filter(spec => spec !== '');
  if (specs.length > mostRanges) return nothingToCut;
  const read = specs.map(spec => parseRange(spec, size));
  if (read.includes('malformed')) return { kind: 'malformed' };
  const ranges = read.filter(range => typeof range === 'object');
  if (ranges.length === 0) return specs.length === 0 ? nothingToCut : { kind: 'outside' };
  const total = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  return total > size ? nothingToCut : { kind: 'ranges', ranges };
}

function parseRange(spec: string, size: number): ByteRange | 'outside' | 'malformed' {
  const [, first = '', last = ''] = /^(\d*) *- *(\d*)$/.exec(spec) ?? [];
  if (first === '' && last === '') return 'malformed';
  if (first === '')
    return Number(last) === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  if (start >= size) return 'outside';
  if (last === '') return { start, end: size };
  return Number(last) < start ? 'malformed' : { start, end: Math.min(Number(last) + 1, size) };
}

/** The value of `Content-Range` for a part. */
export function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}

/** Several parts in one body (RFC 9110, section 14.6). */
export function multipartBody(
  bytes: Buffer,
  ranges: readonly ByteRange[],
  { boundary, contentType }: { readonly boundary: string; readonly contentType: string },
): Buffer {
  const parts = ranges.flatMap((range, index) => [
    Buffer.from(
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\n` +
        `Content-Range: ${contentRange(range, bytes.length)}\r\nContent-Type: ${contentType}\r\n\r\n`,
    ),
    bytes.subarray(range.start, range.end),
  ]);
  return Buffer.concat([...parts, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
