import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type ApiServer, until } from './api-server.ts';

/** Creates the quota `q` and waits until its limits hold. */
export async function makeQuota(
  server: Pick<ApiServer, 'call'>,
  namespace: string,
  spec: {
    readonly hard: Readonly<Record<string, string>>;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: object;
  },
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const body = { metadata: { name: 'q' }, spec };
  const { code, text } = await server.call('POST', path, { body });
  assert.equal(code, 201, text);
  await until('the limits hold', async () =>
    isDeepStrictEqual((await readStatus(server, namespace)).hard, spec.hard),
  );
}

/** The used amounts in the status of the quota `q`. */
export async function readUsage(
  server: Pick<ApiServer, 'call'>,
  namespace: string,
): Promise<Readonly<Record<string, string>>> {
  return (await readStatus(server, namespace)).used ?? {};
}

async function readStatus(server: Pick<ApiServer, 'call'>, namespace: string): Promise<QuotaStatus> {
  const { text } = await server.call('GET', `/api/v1/namespaces/${namespace}/resourcequotas/q`);
  return (JSON.parse(text) as { status?: QuotaStatus }).status ?? {}; // The server's own document.
}

interface QuotaStatus {
  readonly hard?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
}

/** A pod with one container, `c`. */
export function pod(name: string, container: object) {
  return {
    metadata: { name },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', ...container }] },
  };
}
