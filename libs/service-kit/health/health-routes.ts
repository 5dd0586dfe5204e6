import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Health, HealthEndpoint } from './health.ts';

const endpoints: readonly HealthEndpoint[] = ['livez', 'readyz', 'healthz'];

/** Routes for `/livez`, `/readyz`, `/healthz` and one check of each, with the parameters `verbose` and `exclude`. */
export function healthRoutes(health: Health): RequestHandler {
  const router = Router();
  for (const endpoint of endpoints) {
    router.get(`/${endpoint}`, (request, response) => respond(health, endpoint, { request, response }));
    router.get(`/${endpoint}/*check`, (request, response) => {
      const { check } = request.params;
      return respond(health, endpoint, { request, response, check: check.join('/') });
    });
  }
  return router;
}

async function respond(
  health: Health,
  endpoint: HealthEndpoint,
  { request, response, check }: { request: Request; response: Response; check?: string },
): Promise<void> {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const { status, body } = await health.answer({
    endpoint,
    check,
    verbose: searchParams.has('verbose'),
    exclude: searchParams.getAll('exclude'),
  });
  response
    .status(status)
    .set({
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache, private',
    })
    .end(body);
}
