import type { CollectedSpan } from './collector.ts';

/**
 * The spans of a trace below a parent, one a line, children indented below their parents in the order of their starts; spans whose
 * parents are missing are not in it.
 */
export function spanTree(
  spans: readonly CollectedSpan[],
  parentSpanId: string,
  describe: (span: CollectedSpan) => string,
): string[] {
  return spans
    .filter(span => span.parentSpanId === parentSpanId)
    .sort((one, other) => one.start - other.start)
    .flatMap(span => [describe(span), ...spanTree(spans, span.spanId, describe).map(line => `  ${line}`)]);
}
