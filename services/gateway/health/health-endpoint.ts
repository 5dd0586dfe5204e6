import type { Health, HealthEndpoint } from '@binnacle/service-kit';
import type { Exchange } from '../pipeline/exchange.ts';
import { writeResponse } from '../render/write-response.ts';
import { PageNotFound } from '../request-info/page-not-found.ts';

/** Whether a path is one of a health endpoint. */
export function isHealthPath(path: string): boolean {
  return /^\/(healthz|livez|readyz)(\/|$)/.test(path);
}

/** Answers `/healthz`, `/livez`, `/readyz` and the single checks below them (spec 1, "Health endpoints"). */
export async function serveHealth(exchange: Exchange, health: Health): Promise<void> {
  const [, endpoint, ...rest] = exchange.path.split('/');
  const check = rest.join('/');
  const answer = await health.answer({
    endpoint: endpoint as HealthEndpoint, // One of the three: see isHealthPath.
    check: check === '' ? undefined : check,
    verbose: check === '' && exchange.query.has('verbose'),
    exclude: exchange.query.getAll('exclude'),
  });
  if (answer.status === 404 || exchange.path.endsWith('/')) throw new PageNotFound();
  if (check === '') exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
  const body = Buffer.from(answer.body);
  await writeResponse(exchange, { code: answer.status, contentType: 'text/plain; charset=utf-8', body });
}
