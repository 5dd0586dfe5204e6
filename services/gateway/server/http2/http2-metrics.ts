import type { Metrics } from '@binnacle/telemetry';

/** The reason why the server reset or refused a stream, or closed a whole connection because of its frames. */
export type Http2Refusal = 'streams' | 'body' | 'answer' | 'watch-bytes' | 'held-bytes' | 'frames';

/** The metrics of HTTP/2. */
export interface Http2Metrics {
  /** A stream with a request was opened (1) or is over (-1). */
  streams(change: 1 | -1): void;
  refused(reason: Http2Refusal): void;
}

/** Registers the metrics of HTTP/2. */
export function createHttp2Metrics(metrics: Metrics): Http2Metrics {
  const open = metrics
    .gauge({
      name: 'binnacle_http2_open_streams',
      help: 'Requests under way over HTTP/2, watches among them.',
      labelNames: [],
    })
    .labels();
  const refused = metrics.counter({
    name: 'binnacle_http2_refused_total',
    help: 'Streams of HTTP/2 that were refused or reset: streams (too many under way), body or answer without progress, watch-bytes (too many wait for the client), held-bytes (too many of headers and answers); frames: connections closed because of a flood.',
    labelNames: ['reason'],
  });
  return {
    streams: change => open.inc(change),
    refused: reason => refused.labels(reason).inc(),
  };
}

/** Metrics that record nothing. */
export const noHttp2Metrics: Http2Metrics = { streams() {}, refused() {} };
