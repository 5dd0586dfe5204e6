import { createHash, randomUUID } from 'node:crypto';
import { components, groups, labels, namespaces } from '@binnacle/api-names';
import { type ApiObject, microTimestampFrom } from '@binnacle/api-objects';
import { objectKey, type ResourceDefinition, type TypeRegistry } from '@binnacle/api-types';
import type { Lease } from '@binnacle/api-types/coordination/v1';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { newObject } from './ensure-objects.ts';
import { listRecords } from './server-leases.ts';

interface IdentityLeaseOptions {
  readonly registry: Pick<TypeRegistry, 'resource'>;
  readonly storage: Pick<Storage, 'get' | 'list' | 'transact'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
  readonly hostname: string;
  readonly port: number;
  /** Resolves once this server serves everything; it renews the lease only then. */
  readonly ready: Promise<void>;
}

const durationSeconds = 3600;
const renewMs = 10_000;
const passTimeoutMs = 5_000;
/** Renewals between two searches for expired leases: those of an hour. */
const renewalsPerSearch = 360;

const where = { group: groups.coordination, version: 'v1', resource: 'leases' } as const;
const prefix = `${components.apiserver}-`;

/**
 * Renews the Lease in the system's namespace by which others see that this server is alive, as kube-apiserver 1.26
 * does under the gate APIServerIdentity, and removes the leases of servers that have not renewed theirs for an hour.
 */
export function startIdentityLease(options: IdentityLeaseOptions): Disposable {
  const { registry, ready, logger } = options;
  const stop = new AbortController();
  const name = createIdentity(options);
  const holder = `${name}_${randomUUID()}`;
  const failures = new FailureLog({
    log: logger,
    failed: 'the lease of this server cannot be renewed, retrying',
    worked: 'the lease of this server was renewed after failures',
  });
  let timer: NodeJS.Timeout | undefined;
  let passes = 0;
  const pass = async (): Promise<void> => {
    const definition = registry.resource(where.group, where.version, where.resource);
    // A type that is switched off has no objects.
    if (definition === undefined) return;
    try {
      using call = createCallContext({ timeoutMs: passTimeoutMs, signal: stop.signal });
      await renew(options, { definition, name, holder }, call);
      if (passes++ % renewalsPerSearch === 0) await removeExpired(options, definition, call);
      failures.worked();
    } catch (error) {
      if (!stop.signal.aborted) failures.failed(error);
    }
    if (!stop.signal.aborted) timer = setTimeout(pass, renewMs).unref();
  };
  ready.then(
    () => {
      if (!stop.signal.aborted) void pass();
    },
    () => {},
  );
  return {
    [Symbol.dispose]() {
      stop.abort();
      clearTimeout(timer);
    },
  };
}

/** The name of a server's lease: servers of one host differ by their ports. */
export function createIdentity({ hostname, port }: Pick<IdentityLeaseOptions, 'hostname' | 'port'>): string {
  const hash = createHash('sha256').update(`${hostname}:${port}`).digest();
  return prefix + base32(hash.subarray(0, 16));
}

interface Own {
  readonly definition: ResourceDefinition;
  readonly name: string;
  readonly holder: string;
}

/** A conflict means that another writer was faster: the next renewal follows. */
async function renew(
  { storage, clock, hostname }: IdentityLeaseOptions,
  { definition, name, holder }: Own,
  call: CallContext,
): Promise<void> {
  const key = storageKeyFrom(objectKey(definition, namespaces.system, name));
  const { record } = await storage.get(key, call);
  const current: Lease | undefined = record && decodeStored(record.value, record.revision);
  const spec = {
    ...current?.spec,
    holderIdentity: holder,
    leaseDurationSeconds: durationSeconds,
    renewTime: microTimestampFrom(clock()),
  };
  const own = { [labels.component]: components.apiserver, [labels.hostname]: hostname };
  const content = { metadata: { labels: own }, spec };
  const lease: ApiObject =
    current === undefined
      ? newObject({ namespace: namespaces.system, name, content }, definition, clock())
      : {
          ...current,
          metadata: { ...current.metadata, labels: { ...current.metadata.labels, ...own } },
          spec,
        };
  await storage.transact(
    {
      preconditions: [{ key, revision: record?.revision ?? 0 }],
      puts: [{ key, value: encodeStored(lease) }],
      deletes: [],
    },
    call,
  );
}

async function removeExpired(
  { storage, clock }: IdentityLeaseOptions,
  definition: ResourceDefinition,
  call: CallContext,
): Promise<void> {
  const all = storageKeyFrom(objectKey(definition, namespaces.system, prefix));
  for (const { key, value, revision } of await listRecords(storage, all, call)) {
    if (!isExpired(decodeStored(value, revision), clock())) continue;
    // A renewal in the meantime keeps it.
    await storage.transact({ preconditions: [{ key, revision }], puts: [], deletes: [key] }, call);
  }
}

/** Whether a lease is that of a server and has expired. */
export function isExpired({ metadata, spec = {} }: Pick<Lease, 'metadata' | 'spec'>, now: number): boolean {
  if (metadata.labels?.[labels.component] !== components.apiserver) return false;
  const renewed = Date.parse(spec.renewTime ?? '');
  return !(renewed + Number(spec.leaseDurationSeconds ?? 0) * 1000 >= now);
}

const digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes bytes with five bits a letter, without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += digits[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + digits[(held << (5 - bits)) & 31];
}
