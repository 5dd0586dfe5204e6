import type { ApiObject } from '@binnacle/api-objects';
import { componentStatusFrom } from '@binnacle/api-types';
import { encodeStored, storedItem } from '@binnacle/codecs';
import type { Health } from '@binnacle/service-kit';
import { notFound } from '@binnacle/status-errors';
import { parseSelection } from '../read/list-options.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';

/** The health check that each component answers to, by the component's name. */
const checks: ReadonlyMap<string, string> = new Map([['etcd-0', 'etcd']]);

/**
 * GET on `componentstatuses`, one or all: what the gateway finds out about the components behind it when it is asked.
 * Nothing of it is stored, so that it has no version of its own.
 */
export async function readComponentStatuses(
  request: ApiRequest,
  { health }: { readonly health: Health },
): Promise<ApiResult> {
  const { definition, info, query } = request;
  if (info.verb === 'get') {
    const check = checks.get(info.name);
    if (check === undefined) throw notFound(definition, info.name);
    return { kind: 'object', code: 200, object: await componentStatus(info.name, check, health) };
  }
  const { fieldSelector, labelSelector } = parseSelection(query, definition);
  const wanted = [...checks].filter(
    ([name]) =>
      labelSelector.matches({}) && fieldSelector.matches({ 'metadata.name': name, 'metadata.namespace': '' }),
  );
  const objects = await Promise.all(wanted.map(([name, check]) => componentStatus(name, check, health)));
  const items = objects.map(object => storedItem(encodeStored(object), 0));
  return { kind: 'list', items, revision: 0 };
}

async function componentStatus(name: string, check: string, health: Health): Promise<ApiObject> {
  const { status } = await health.answer({ endpoint: 'healthz', check });
  const healthy = status === 200;
  return componentStatusFrom({ name, healthy, message: healthy ? 'ok' : 'the check failed', error: '' });
}
