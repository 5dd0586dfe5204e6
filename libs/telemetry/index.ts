export { watchEventLoop } from './event-loop/watch-event-loop.ts';
export { createLogger, silentLogger } from './log/create-logger.ts';
export { FailureLog } from './log/failure-log.ts';
export type { Logger } from './log/logger.ts';
export { RepeatedWarnings } from './log/repeated-warnings.ts';
export {
  type CounterChild,
  createMetrics,
  type GaugeChild,
  type HistogramChild,
  type MetricFamily,
  type Metrics,
} from './metrics/metrics.ts';
