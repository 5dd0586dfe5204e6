import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiServer } from './api-server.ts';

const patienceMs = 20_000;

/** Waits until a check holds; throws its last failure when it does not. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (failure) {
      if (Date.now() > end) throw failure;
      await pause(20);
    }
  }
}

/** Creates the quota `q` and waits until its limits hold. */
export async function makeQuota(
  server: Pick<ApiServer, 'call'>,
  namespace: string,
  spec: { readonly hard: Readonly<Record<string, string>>; readonly scopes?: readonly string[] },
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const body = { metadata: { name: 'q' }, spec };
  const { code, text } = await server.call('POST', path, { body });
  assert.equal(code, 201, text);
  await eventually(async () => {
    const { hard } = await statusOf(server, namespace);
    assert.deepEqual(hard, spec.hard);
  });
}

/** What the status of the quota `q` says is used. */
export async function usedOf(
  server: Pick<ApiServer, 'call'>,
  namespace: string,
): Promise<Readonly<Record<string, string>>> {
  return (await statusOf(server, namespace)).used ?? {};
}

async function statusOf(server: Pick<ApiServer, 'call'>, namespace: string): Promise<QuotaStatus> {
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
