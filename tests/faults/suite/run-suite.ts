import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@binnacle/backends';
import {
  type HistoryRecord,
  type ObjectPlace,
  placeKey,
  type Verdict,
  verifyHistory,
  versionNumber,
} from '@binnacle/binnaclectl/testing';
import { errorStack } from '@binnacle/status-errors';
import { createRandom, type Random } from '../../fuzz/random.ts';
import { itemAt } from '../steady-writes.ts';
import { registerNamespace, runController } from './clients/controllers.ts';
import {
  quotaHard,
  quotaNamespace,
  quotaUser,
  runCreator,
  serviceCreator,
  serviceNamespace,
} from './clients/creators.ts';
import { runNamespaceUser } from './clients/namespace-users.ts';
import type { SuiteContext } from './clients/suite-context.ts';
import { type FollowedCollection, startWatcher, type Watcher } from './clients/watcher.ts';
import { type Door, HistoryRecorder, type RequestNote } from './recording/recorder.ts';
import { valueAnnotation, type WrittenObject } from './recording/written-object.ts';

/** Options of a run. */
export interface SuiteOptions {
  /** A client of each gateway. */
  readonly doors: readonly Door[];
  /** Does harm until the signal, and has put everything back when it resolves. */
  readonly injectFaults: (recorder: HistoryRecorder, random: Random, signal: AbortSignal) => Promise<void>;
  readonly seed: number;
  /** How long clients and faults go on; settling and checking come after that. */
  readonly durationMs: number;
  /** By how much clients pause longer between two requests: more of them cost more processor time. Default: 1. */
  readonly pauseFactor?: number;
  /** How long watchers are waited for at the end; what they have not been shown then is taken for left out. Three minutes by default. */
  readonly settleMs?: number;
  readonly log: (line: string) => void;
}

/** The outcome of a run. */
export interface SuiteResult {
  readonly seed: number;
  readonly verdict: Verdict;
  readonly records: readonly HistoryRecord[];
  readonly requests: readonly RequestNote[];
  /** Clients or the run itself that failed, which is no violation, but no success either. */
  readonly failures: readonly string[];
}

const all = (resource: string): FollowedCollection => ({ resource, path: `/api/v1/${resource}` });
const within = (resource: string, namespace: string): FollowedCollection => ({
  resource,
  namespace,
  path: `/api/v1/namespaces/${namespace}/${resource}`,
});

/** Followed by watchers; the controllers follow the registers besides, each with a watcher of its own. */
const followed: readonly FollowedCollection[] = [
  all('configmaps'),
  all('namespaces'),
  within('services', serviceNamespace),
  all('services'),
  within('secrets', quotaNamespace),
  all('secrets'),
];

const controllerCount = 6;
const creatorCount = 2;
const defaultSettleMs = 180_000;

/** Runs the clients and faults of a seed, lets everything settle, and checks the history. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { doors, seed, durationMs, pauseFactor = 1, settleMs = defaultSettleMs, log } = options;
  const recorder = new HistoryRecorder();
  await prepare(recorder, doors);
  const failures: string[] = [];
  const [writing, watching, faulting] = [new AbortController(), new AbortController(), new AbortController()];
  const createStream = seededStreams(seed);
  const watchContext: SuiteContext = { recorder, doors, pauseFactor, signal: watching.signal };
  const watch = (name: string, collection: FollowedCollection) =>
    startWatcher(name, collection, watchContext, createStream(name));
  const watchers = followed.map((collection, index) => watch(`watcher-${index + 1}`, collection));
  const clients = startClients({ recorder, doors, pauseFactor, signal: writing.signal }, watchers, {
    watch,
    createStream,
  });
  const faults = options.injectFaults(recorder, createStream('faults'), faulting.signal);
  const guarded = [...clients, faults].map(each => each.catch(error => failures.push(errorText(error))));
  log(`seed ${seed}: clients and faults for ${Math.round(durationMs / 1000)} s`);
  await sleep(durationMs);
  faulting.abort();
  await guarded.at(-1);
  log('the faults have ended, waiting for everything to settle');
  writing.abort();
  await Promise.all(guarded);
  await settle({ recorder, doors, watchers, settleMs, log }).catch(error => failures.push(errorText(error)));
  watching.abort();
  await Promise.all(watchers.map(({ ended }) => ended.catch(error => failures.push(errorText(error)))));
  log(`checking ${recorder.records.length} records`);
  const { records, requests } = recorder;
  const verdict = verifyHistory(records, { now: () => performance.now() });
  return { seed, verdict, records, requests, failures };
}

function errorText(error: unknown): string {
  return errorStack(error);
}

/** Each client has numbers of its own, so that what one does changes nothing of what another decides. */
function seededStreams(seed: number): (name: string) => Random {
  return name => {
    let mixed = seed;
    for (const character of name) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
    return createRandom(mixed);
  };
}

interface ClientParts {
  readonly watch: (name: string, collection: FollowedCollection) => Watcher;
  readonly createStream: (name: string) => Random;
}

function startClients(
  context: SuiteContext,
  watchers: Watcher[],
  { watch, createStream }: ClientParts,
): Promise<void>[] {
  const numbered = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word}-${index + 1}`);
  const registers = within('configmaps', registerNamespace);
  const controllers = numbered('controller', controllerCount).map(name => {
    const watcher = watch(`${name}-informer`, registers);
    watchers.push(watcher);
    return runController(name, watcher, context, createStream(name));
  });
  const creators = numbered('creator', creatorCount).map(name =>
    runCreator(name, serviceCreator, context, createStream(name)),
  );
  const quotaUsers = numbered('quota-user', creatorCount).map(name =>
    runCreator(name, quotaUser, context, createStream(name)),
  );
  const namespaceUsers = numbered('ending', creatorCount).map(name =>
    runNamespaceUser(name, context, createStream(name)),
  );
  return [...controllers, ...creators, ...quotaUsers, ...namespaceUsers];
}

/** Creates the namespaces and the quota, and waits until the quota is in force. */
async function prepare(recorder: HistoryRecorder, doors: readonly Door[]): Promise<void> {
  const [door] = doors;
  if (door === undefined) throw new RangeError('there is no gateway');
  const { client } = door;
  for (const name of [registerNamespace, serviceNamespace, quotaNamespace])
    await client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  const path = `/api/v1/namespaces/${quotaNamespace}/resourcequotas`;
  const hard = { 'count/secrets': String(quotaHard) };
  await client.request({ method: 'POST', path, body: { metadata: { name: 'secrets' }, spec: { hard } } });
  for (const place of new Map(
    followed.map(each => [placeKey(findLastPlace(each)), findLastPlace(each)]),
  ).values())
    await writeLast(recorder, doors, place, 'create');
  type Quota = WrittenObject & { readonly status?: { readonly hard?: object } };
  let version = '';
  await pollUntil('the quota to be in force', async () => {
    const quota = await client.request<Quota>({ method: 'GET', path: `${path}/secrets` });
    version = quota.metadata.resourceVersion ?? '';
    return quota.status?.hard !== undefined;
  });
  recorder.add({
    ...{ kind: 'quota', at: recorder.now(), namespace: quotaNamespace, resource: 'secrets' },
    ...{ hard: quotaHard, version },
  });
}

interface Settling {
  readonly recorder: HistoryRecorder;
  readonly doors: readonly Door[];
  readonly watchers: readonly Watcher[];
  readonly settleMs: number;
  readonly log: (line: string) => void;
}

/**
 * Waits until controllers are done, writes one last object into each collection and waits until every watcher has seen it: with it,
 * it has been given everything before. Then everything is read through every gateway.
 */
async function settle({ recorder, doors, watchers, settleMs, log }: Settling): Promise<void> {
  await waitForNamespaces(doors);
  const last = new Map<string, number>();
  for (const { collection } of watchers) {
    const place = findLastPlace(collection);
    if (!last.has(placeKey(place)))
      last.set(placeKey(place), await writeLast(recorder, doors, place, 'update'));
  }
  const isBehind = ({ collection, reached }: Watcher) =>
    reached < (last.get(placeKey(findLastPlace(collection))) ?? Number.POSITIVE_INFINITY);
  await pollUntil('every watcher to see the last write', () => !watchers.some(isBehind), {
    timeoutMs: settleMs,
  }).catch(() =>
    log(
      `behind: ${watchers
        .filter(isBehind)
        .map(({ name }) => name)
        .join(', ')}`,
    ),
  );
  for (const door of doors) {
    for (const { resource, path, ...rest } of followed) {
      const place = { resource, ...rest };
      await pollUntil(
        `a list of ${resource}`,
        async () => Boolean(await recorder.list(door, 'last-reader', place, path)),
        {
          timeoutMs: settleMs,
        },
      );
    }
  }
  recorder.add({ kind: 'settled', at: recorder.now() });
}

/** Waits until the namespaces that were ended are gone: controllers write until then. */
async function waitForNamespaces(doors: readonly Door[]): Promise<void> {
  type Namespaces = { readonly items: readonly { readonly status?: { readonly phase?: string } }[] };
  let count = 0;
  await pollUntil(
    'ended namespaces to be gone',
    async () => {
      const { client } = itemAt(doors, count++);
      const { items } = await client.request<Namespaces>({ method: 'GET', path: '/api/v1/namespaces' });
      return !items.some(({ status }) => status?.phase === 'Terminating');
    },
    { timeoutMs: defaultSettleMs, intervalMs: 500 },
  );
}

/** The objects whose last write every watcher must see: one for each collection that is followed. */
function findLastPlace({ resource, namespace }: FollowedCollection): ObjectPlace {
  const namespaces: Readonly<Record<string, string>> = { services: serviceNamespace, namespaces: '' };
  return { resource, namespace: namespace ?? namespaces[resource] ?? registerNamespace, name: 'faults-last' };
}

/** Creates or changes such an object, again and again until that is acknowledged; its version. */
async function writeLast(
  recorder: HistoryRecorder,
  doors: readonly Door[],
  place: ObjectPlace,
  verb: 'create' | 'update',
): Promise<number> {
  const { resource, namespace, name } = place;
  const path = namespace === '' ? '/api/v1/namespaces' : `/api/v1/namespaces/${namespace}/${resource}`;
  let version = 0;
  let count = 0;
  const attempt = async (): Promise<boolean> => {
    const value = `${verb}-${count++}`;
    const metadata = { name, annotations: { [valueAnnotation]: value } };
    const spec = resource === 'services' ? { spec: { ports: [{ port: 80 }] } } : {};
    const patch = {
      method: 'PATCH',
      path: `${path}/${name}`,
      contentType: 'application/merge-patch+json',
    } as const;
    const record = await recorder.write(itemAt(doors, count), {
      ...{ client: 'last-writer', verb, ...place, value },
      request:
        verb === 'create'
          ? { method: 'POST', path, body: { metadata, ...spec } }
          : { ...patch, body: { metadata: { annotations: metadata.annotations } } },
    });
    version = versionNumber(record.version ?? '0');
    return record.outcome === 'ok';
  };
  await pollUntil(`a last write of ${resource}`, attempt, { timeoutMs: defaultSettleMs, intervalMs: 500 });
  return version;
}
