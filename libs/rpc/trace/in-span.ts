import type { CallContext, SpanOptions } from '@binnacle/proto';

/** Runs work for a call in a span of its own where the call is traced; the work gets the call to make further calls with. */
export async function inSpan<T>(
  call: CallContext,
  { name, ...options }: SpanOptions & { readonly name: string },
  work: (call: CallContext) => Promise<T> | T,
): Promise<T> {
  const span = call.trace?.start(name, options);
  if (span === undefined) return await work(call);
  try {
    return await work({ signal: call.signal, deadline: call.deadline, trace: span });
  } catch (thrown) {
    span.fail(thrown instanceof Error ? thrown.message : String(thrown));
    throw thrown;
  } finally {
    span.end();
  }
}

/** The fields of log lines about a call whose trace is recorded. */
export function traceFields({ trace }: Pick<CallContext, 'trace'>): Readonly<Record<string, string>> {
  if (trace?.isSampled !== true) return {};
  const [, traceId = '', spanId = ''] = trace.traceparent.split('-');
  return { trace_id: traceId, span_id: spanId };
}
