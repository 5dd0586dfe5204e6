import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Step } from '../request/exchange.ts';

/** Counts and times requests; a watch is counted when it ends. */
export function measure(metrics: GatewayMetrics): Step {
  return async (exchange, next) => {
    const beganAt = performance.now();
    await next();
    const { response } = exchange;
    const isOpenWatch =
      exchange.longRunning && response.headersSent && !response.writableFinished && !response.destroyed;
    if (!isOpenWatch) {
      metrics.finished(exchange, (performance.now() - beganAt) / 1000);
      return;
    }
    metrics.longRunning(exchange, 1);
    response.once('close', () => {
      metrics.longRunning(exchange, -1);
      metrics.finished(exchange, (performance.now() - beganAt) / 1000);
    });
  };
}
