import assert from 'node:assert/strict';
import { createAdmission } from '@binnacle/admission';
import { finalizers } from '@binnacle/api-names';
import { createTypeRegistry, objectKey, type ResourceDefinition } from '@binnacle/api-types';
import { encodeStored } from '@binnacle/codecs';
import { type ApiRequest, alwaysAllow, KeyLocks, type WriteServices } from '@binnacle/gateway/testing';
import { createStorageService } from '@binnacle/storage';
import { type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createDirectFeed, type WatchCache } from '@binnacle/watch-cache';
import { createWebhookDispatch } from '@binnacle/webhook-dispatch';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { call } from './store-writes.ts';

const registry = createTypeRegistry();

/** The write engine on the embedded store, with admission, a namespace `tour`, and a cache that has nothing. */
export interface EngineUnderTest extends AsyncDisposable {
  readonly storage: Storage;
  readonly services: WriteServices;
}

/** Starts an engine for tests. */
export async function startEngine(): Promise<EngineUnderTest> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTemporaryDirectory());
  const [log, metrics] = [silentLogger, createMetrics({ process: false })];
  const { storage } = stack.use(
    await createStorageService({ backend: { kind: 'embedded', directory: path }, log, metrics }),
  );
  await putNamespace(storage);
  const dispatch = stack.use(createWebhookDispatch({ allowLoopbackWebhooks: true }));
  const feed = createDirectFeed({ storage });
  const admission = stack.use(
    createAdmission({ storage, objects: { feed }, webhookDispatch: dispatch.service }),
  );
  await admission.ready();
  const services: WriteServices = {
    registry,
    storage,
    admission: admission.admission,
    authorizer: alwaysAllow,
    allocators: new Map(),
    guardOf: () => undefined,
    writeLocks: new KeyLocks(),
    // A cache that has nothing, of a kind that no webhook converts.
    watchCache: { find: () => undefined } as unknown as WatchCache,
    conversions: undefined as unknown as WriteServices['conversions'],
    clock: Date.now,
  };
  const parts = stack.move();
  return { storage, services, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** The definition of a core type. */
export function findType(resource: string): ResourceDefinition {
  const definition = registry.resource('', 'v1', resource);
  assert.ok(definition);
  return definition;
}

/** The key of the namespace of the tests. */
export const namespaceKey: StorageKey = storageKeyFrom(objectKey(findType('namespaces'), '', 'tour'));

async function putNamespace(storage: Storage): Promise<void> {
  const value = encodeStored({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'tour', uid: 'u' },
    spec: { finalizers: [finalizers.namespace] },
    status: { phase: 'Active' },
  });
  const preconditions = [{ key: namespaceKey, revision: 0 }];
  await storage.transact({ preconditions, puts: [{ key: namespaceKey, value }], deletes: [] }, call);
}

/** The key of a ConfigMap of the tests. */
export function configMapKey(name: string): StorageKey {
  return storageKeyFrom(objectKey(findType('configmaps'), 'tour', name));
}

/** A request that writes a ConfigMap. */
export function requestFor(name: string, signal: AbortSignal = call.signal): ApiRequest {
  return {
    info: {
      verb: 'create',
      path: '/api/v1/namespaces/tour/configmaps',
      group: '',
      version: 'v1',
      resource: 'configmaps',
      subresource: '',
      namespace: 'tour',
      name,
    },
    definition: findType('configmaps'),
    user: { username: 'u', uid: '', groups: [], extra: {} },
    query: new URLSearchParams(),
    contentType: 'application/json',
    userAgent: '',
    body: async () => Buffer.alloc(0),
    call: { ...call, signal },
    warnings: [],
    notes: { webhookSeconds: 0, workBytes: 0, annotations: new Map(), hasAnnotations: false },
  };
}
