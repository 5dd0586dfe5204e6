import { copyJson, timestampFrom } from '@binnacle/api-objects';
import { objectKey, type TypeRegistry } from '@binnacle/api-types';
import type { FlowSchema } from '@binnacle/api-types/flowcontrol/v1beta3';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { Logger } from '@binnacle/telemetry';
import type { WatchCache } from '@binnacle/watch-cache';
import { flowControlCaches } from './follow-flow-config.ts';

/** Options of keeping the condition. */
export interface DanglingStatusOptions {
  readonly registry: TypeRegistry;
  readonly watchCache: WatchCache;
  readonly storage: Pick<Storage, 'get' | 'transact'>;
  readonly clock: () => number;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Keeps the condition Dangling of all FlowSchemas up to date. */
export interface DanglingStatus extends Disposable {
  /** Schedules a check of all of them. */
  check(): void;
}

/** Gateways wait for a random part of this before they write, so that the first one spares the others the work; in ms. */
const spreadMs = 1_000;
const writeTimeoutMs = 10_000;
const retryMs = 5_000;

/**
 * Starts to write the condition. Every gateway does; each compares with what its cache shows first, and writes only where
 * the store is at the revision that it read, so that equal answers are written once.
 */
export function startDanglingStatus(options: DanglingStatusOptions): DanglingStatus {
  const { logger, random } = options;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const write = async () => {
    timer = undefined;
    try {
      using call = createCallContext({ timeoutMs: writeTimeoutMs, signal: stop.signal });
      await writeConditions(options, call);
    } catch (error) {
      if (stop.signal.aborted) return;
      logger.warn('cannot write the status of flow schemas, retrying', { error });
      schedule(retryMs);
    }
  };
  const schedule = (ms: number) => {
    if (!stop.signal.aborted) timer ??= setTimeout(write, ms).unref();
  };
  return {
    check: () => schedule(spreadMs * random()),
    [Symbol.dispose]() {
      stop.abort();
      clearTimeout(timer);
    },
  };
}

/** The object with the correct condition; undefined when it has it already. */
export function withDanglingCondition(
  object: FlowSchema,
  isKnown: (level: string) => boolean,
  now: number,
): FlowSchema | undefined {
  const level = object.spec?.priorityLevelConfiguration?.name ?? '';
  const isDangling = !isKnown(level);
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const wanted = {
    type: 'Dangling',
    status: isDangling ? 'True' : 'False',
    reason: isDangling ? 'NotFound' : 'Found',
    message: isDangling ? `${named} but there is no such object` : `${named} and it exists`,
  };
  const conditions = object.status?.conditions ?? [];
  const present = conditions.find(({ type }) => type === 'Dangling');
  if (present?.status === wanted.status && present.message === wanted.message) return undefined;
  const lastTransitionTime =
    present?.status === wanted.status ? (present.lastTransitionTime ?? null) : timestampFrom(now);
  const others = conditions.filter(condition => condition !== present);
  return { ...copyJson(object), status: { conditions: [...others, { ...wanted, lastTransitionTime }] } };
}

async function writeConditions(options: DanglingStatusOptions, call: CallContext): Promise<void> {
  const caches = flowControlCaches(options);
  if (caches === undefined) return;
  const isKnown = (name: string) => caches.levels.get('', name) !== undefined;
  const now = options.clock();
  for (const object of caches.schemas.list({}).objects) {
    if (withDanglingCondition(object.parse(), isKnown, now) === undefined) continue;
    const key = storageKeyFrom(objectKey(caches.schemas.definition, '', object.name));
    const { record } = await options.storage.get(key, call);
    if (record === undefined) continue;
    const updated = withDanglingCondition(decodeStored(record.value, record.revision), isKnown, now);
    if (updated === undefined) continue;
    // The change in between has caused another check.
    await options.storage.transact(
      {
        preconditions: [{ key, revision: record.revision }],
        puts: [{ key, value: encodeStored(updated) }],
        deletes: [],
      },
      call,
    );
  }
}
