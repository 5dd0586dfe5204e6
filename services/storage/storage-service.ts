import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackendRefusal } from '@binnacle/backend-access';
import { type FlagValues, settingName, settingsFrom } from '@binnacle/flags';
import { PublishPace, RefusalStatus } from '@binnacle/kafka';
import type { StorageService, Tracer } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import type { Revision, Storage, StorageKey } from '@binnacle/storage-contract';
import type { Logger, Metrics } from '@binnacle/telemetry';
import { gatedStorage } from './api-names/gated-storage.ts';
import { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
import type { EtcdAccess } from './backends/etcd/access-report.ts';
import { connectEtcd } from './backends/etcd/connection.ts';
import type { EtcdOptions } from './backends/etcd/etcd-options.ts';
import { createEtcdStorage } from './backends/etcd/etcd-storage.ts';
import { createMemberMetrics } from './backends/etcd/member-metrics.ts';
import { ChangeStreams } from './change-streams.ts';
import { checkClock } from './check-clock.ts';
import { runCompaction } from './compaction/run-compaction.ts';
import type { EncryptionOptions, EncryptionSettings } from './encryption/encryption-at-rest.ts';
import type { ConfiguredTypes } from './encryption/stored-prefix.ts';
import { leadByEtcdLease } from './leader-election/lead-by-etcd-lease.ts';
import { leaderFlags } from './leader-election/leader-flags.ts';
import { type Duty, leadAlways, type RunAsLeader } from './leader-election/leadership.ts';
import { measuredRevision, measuredStorage } from './measured-storage.ts';
import { checkAccess } from './publisher/check-access.ts';
import { countBrokers } from './publisher/count-brokers.ts';
import type { KafkaOptions } from './publisher/kafka-options.ts';
import { runPublisher } from './publisher/run-publisher.ts';
import { SharedChanges } from './shared-changes.ts';
import { defaultQuotaBytes, SpaceWatch } from './space/space-watch.ts';
import { createStorageHandlers } from './storage-handlers.ts';
import { followStoreForm } from './store-form/follow-store-form.ts';
import { settleStoreForm } from './store-form/store-form.ts';
import { searchStoredValues } from './store-form/stored-values.ts';
import { tracedStorage } from './traced-storage.ts';

/** The backend of the state. */
type StorageBackend =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'etcd'; readonly etcd: EtcdOptions };

/** Milliseconds for which a start waits for the store, to check its form and API names; an unreachable store is checked later. */
const firstAttemptMs = 1_500;

type Settings = FlagValues<typeof leaderFlags>;

/** Options of the storage service. */
export interface StorageServiceOptions extends Partial<Settings> {
  readonly backend: StorageBackend;
  /** The size of its database at which etcd stops accepting writes; default: etcd's own default. */
  readonly etcdQuotaBytes?: number;
  /** The values that the store has encrypted; default: none. */
  readonly encryption?: EncryptionSettings;
  /** Publishes changes to Kafka; without it readers follow `changes`. */
  readonly kafka?: KafkaOptions;
  /** Called when this process begins to lead, and when it stops. */
  readonly onLeading?: (isLeading: boolean) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined;
}

/** The storage service in this process, without a server. */
export interface LocalStorageService extends AsyncDisposable {
  /** The handlers of the wire interface, which callers in this process use directly. */
  readonly handlers: StorageService;
  readonly storage: Storage;
  /**
   * Returns the result of `storage.typeRevision` without a wait, where the store is in this process; undefined while the API names of the
   * store are not checked yet.
   */
  readonly currentRevision: ((typePrefix: StorageKey | undefined) => Revision | undefined) | undefined;
  /** The refusal of Kafka while it refuses this process, whether this process leads or not. */
  readonly publishingRefusal: BackendRefusal | undefined;
  /** Rejects with a Refusal if a KMS plugin of encryption at rest does not work; undefined: nothing is encrypted. */
  readonly checkKmsProviders: (() => Promise<void>) | undefined;
  /**
   * Rejects when the store turns out to have other API names than this process, a form of a newer release, or values that this process
   * cannot read; never resolves.
   */
  readonly refused: Promise<never>;
}

/**
 * Opens the backend and starts the duties besides the handlers: the compaction and, with Kafka, the publisher, both in the process
 * that leads.
 *
 * Fails when the embedded store's directory is in use, or when the store is one that `refused` rejects. Does not wait for etcd
 * or Kafka: calls are `unavailable`, and publishing starts, until they are there.
 */
export async function createStorageService(options: StorageServiceOptions): Promise<LocalStorageService> {
  const { backend, log, metrics } = options;
  const settings = settingsFrom(leaderFlags, options);
  const opened = await openBackend({ ...options, ...settings });
  let types = options.encryption?.types;
  const configured = (): ConfiguredTypes | undefined => types;
  const setting = backend.kind === 'etcd' ? { setting: settingName('etcdEndpoints') } : {};
  const gated = gatedStorage({ storage: opened.storage, log: log.child(setting), configured });
  const recorded = options.tracer === undefined ? gated.storage : tracedStorage(gated.storage, backend.kind);
  const measured = measuredStorage(recorded, metrics, backend.kind);
  const stop = new AbortController();
  const beforeTypes = async (changed: ConfiguredTypes): Promise<void> => {
    await searchStoredValues(gated.storage, changed, stop.signal);
    using call = createCallContext({ timeoutMs: firstAttemptMs, signal: stop.signal });
    await settleStoreForm(gated.storage, changed, call);
    types = changed;
  };
  // Outermost: the metrics of the backend show the backend alone, and readers of changes share what is decrypted once.
  const encryption =
    options.encryption &&
    (await startEncryption(options, options.encryption, { storage: measured, beforeTypes }));
  const storage = encryption?.storage ?? measured;
  const { currentRevision } = opened;
  const settled = gated.settle(stop.signal);
  await Promise.race([settled, pause(firstAttemptMs, undefined, { ref: false })]).catch(async thrown => {
    await encryption?.[Symbol.asyncDispose]();
    await opened.close();
    throw thrown;
  });
  const refusal = new RefusalStatus(log.child({ component: 'publisher' }));
  const pace = new PublishPace();
  const lead = createLead({ ...options, ...settings, storage, refusal, pace });
  const refused = settled
    // The embedded store has no other writer.
    .then(() =>
      backend.kind === 'etcd'
        ? followStoreForm({ storage: opened.storage, configured }, stop.signal)
        : undefined,
    )
    .then(() => new Promise<never>(() => {}));
  refused.catch(() => {});
  // A store with other names has no leader here: `refused` says why.
  const duties = settled.then(
    () => opened.runAsLeader(lead.duty, stop.signal),
    () => {},
  );
  const { kafka } = options;
  if (kafka !== undefined) {
    // Neither rejects.
    void checkAccess({ kafka, refusal, isNeeded: () => !lead.isLeading }, stop.signal);
    void countBrokers(kafka, metrics, stop.signal);
  }
  settled.then(
    () => checkClock(opened.storage, { log, now: Date.now, signal: stop.signal }),
    () => {},
  );
  duties.catch(thrown => log.error('leader duties failed', { error: thrown }));
  return {
    handlers: createStorageHandlers(
      backend.kind === 'etcd' ? sharingChanges(storage) : storage,
      revision => pace.want(revision),
      new ChangeStreams(settings.maxChangeStreams),
    ),
    storage,
    checkKmsProviders: encryption?.checkKmsProviders,
    currentRevision: currentRevision && (prefix => (gated.isSettled ? currentRevision(prefix) : undefined)),
    refused,
    get publishingRefusal() {
      return refusal.current;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await duties.catch(() => {});
      await encryption?.[Symbol.asyncDispose]();
      await opened.close();
    },
  };
}

async function startEncryption(
  { log, metrics }: Pick<StorageServiceOptions, 'log' | 'metrics'>,
  settings: EncryptionSettings,
  store: Pick<EncryptionOptions, 'storage' | 'beforeTypes'>,
) {
  const { encryptAtRest } = await import('./encryption/encryption-at-rest.ts');
  return encryptAtRest({ ...store, settings, metrics, log: log.child({ component: 'encryption' }) });
}

/** Wraps a store so that all readers of changes share one watch. */
function sharingChanges(storage: Storage): Storage {
  const shared = new SharedChanges(storage);
  return { ...storage, changes: (start, call) => shared.changes(start, call) };
}

interface Duties extends Omit<StorageServiceOptions, keyof Settings>, Settings {
  readonly storage: Storage;
  readonly refusal: RefusalStatus;
  readonly pace: PublishPace;
  readonly atWork: () => void;
}

/** Creates the duty of a leader, which shows who leads. */
function createLead(options: Omit<Duties, 'atWork'>): { readonly duty: Duty; readonly isLeading: boolean } {
  const leading = options.metrics
    .gauge({ name: 'binnacle_storage_leader', help: '1 in the process that compacts and publishes.' })
    .labels();
  let isLeading = false;
  const note = (leads: boolean): void => {
    isLeading = leads;
    leading.set(Number(leads));
    options.onLeading?.(leads);
  };
  return {
    get isLeading() {
      return isLeading;
    },
    async duty(term, atWork) {
      note(true);
      try {
        await Promise.all(startDuties({ ...options, atWork }, term));
      } finally {
        note(false);
      }
    },
  };
}

function startDuties(options: Duties, term: AbortSignal): Promise<void>[] {
  const { storage, kafka, metrics, tracer, refusal, pace, historyWindow, atWork } = options;
  const compacting = runCompaction(
    { storage, historyWindow, log: options.log.child({ component: 'compaction' }) },
    term,
  );
  if (kafka === undefined) {
    atWork();
    return [compacting];
  }
  const log = options.log.child({ component: 'publisher' });
  const publisher = { storage, kafka, historyWindow, log, metrics, tracer, refusal, pace };
  return [compacting, runPublisher({ ...publisher, onFirstPublished: atWork }, term)];
}

interface OpenedBackend {
  readonly storage: Storage;
  readonly currentRevision?: (typePrefix: StorageKey | undefined) => Revision;
  readonly runAsLeader: RunAsLeader;
  close(): Promise<void>;
}

async function openBackend(options: StorageServiceOptions & Settings): Promise<OpenedBackend> {
  const { backend, log, metrics } = options;
  const ttlSeconds = Math.ceil(options.leaderLease / 1000);
  if (backend.kind === 'embedded') {
    const storage = await openEmbeddedStorage({ directory: backend.directory });
    return {
      storage,
      currentRevision: measuredRevision(storage, metrics, backend.kind),
      runAsLeader: leadAlways,
      close: async () => storage[Symbol.asyncDispose](),
    };
  }
  let space: SpaceWatch | undefined;
  const connection = connectEtcd({
    ...backend.etcd,
    onNoSpace: () => space?.lookSoon(),
    onAccess: access => logEtcdAccess(log, access),
    onSilence: isSilent =>
      isSilent
        ? log.error('etcd does not answer, requests fail until it does')
        : log.info('etcd answers again'),
    onMembers: createMemberMetrics(options.metrics),
  });
  const { etcdQuotaBytes: quotaBytes = defaultQuotaBytes } = options;
  const watch = new SpaceWatch({ maintenance: connection.maintenance, quotaBytes, log, metrics });
  space = watch;
  const closing = new AbortController();
  void watch.run(closing.signal); // Never rejects.
  const election = { connection, name: 'storage', identity: `${hostname()}/${process.pid}`, ttlSeconds };
  return {
    storage: { ...createEtcdStorage(connection, backend.etcd.batchLimits), space: async () => watch.space },
    runAsLeader: leadByEtcdLease({ ...election, log: log.child({ component: 'leader-election' }) }),
    async close() {
      closing.abort();
      connection[Symbol.dispose]();
    },
  };
}

function logEtcdAccess(log: Logger, access: EtcdAccess): void {
  switch (access.kind) {
    case 'refused':
      log.error(access.refusal.message, { operation: access.operation, error: access.refusal });
      break;
    case 'accepted':
      log.info('etcd accepts this service again', { operation: access.operation });
      break;
    case 'authentication-off':
      log.warn('etcd authentication is off, the user of this service is not checked');
  }
}
