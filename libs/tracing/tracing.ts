import type { Tracer } from '@binnacle/proto';
import type { Logger, Metrics } from '@binnacle/telemetry';

/** The tracing of a process; disposing of it exports the spans that have ended, within seconds, and stops. */
export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer;
}

/** The process whose spans are recorded. */
export interface TracedProcess {
  /** Name of the service: `gateway`. */
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}
