import type { Health, HealthEndpoint } from '@binnacle/service-kit';
import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';

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
