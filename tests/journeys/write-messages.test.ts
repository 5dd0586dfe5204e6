import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAdmission } from '@binnacle/admission';
import { remoteAdmission } from '@binnacle/admission-contract';
import type { JsonObject } from '@binnacle/api-objects';
import { createGateway } from '@binnacle/gateway';
import {
  type AdmissionService,
  admissionContract,
  type CallContext,
  type ReviewRequest,
  type StorageService,
  storageContract,
  type TransactRequest,
} from '@binnacle/proto';
import { connectRpc, implementService, startRpcServer } from '@binnacle/rpc';
import { createStorageService } from '@binnacle/storage';
import { remoteStorage } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createTokenReview } from '@binnacle/token-review';
import { createDirectFeed } from '@binnacle/watch-cache';
import { createWebhookDispatch } from '@binnacle/webhook-dispatch';
import { until } from './api-server.ts';
import { objectAt } from './setup/json-parts.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

/** A text in the data of every object that the tests write. */
const marker = 'the marker of write messages';

/** The messages of the services, and who read and wrote the text of an object, since the last request of a test. */
let sent: {
  readonly from: string;
  readonly to: string;
  readonly method: string;
  readonly message: unknown;
}[] = [];
let codings: string[] = [];

const stack = new AsyncDisposableStack();
const insecure = { insecure: true } as const;
let url: string;

before(async () => {
  const { path } = stack.use(await createTemporaryDirectory());
  const [log, metrics] = [silentLogger, createMetrics({ process: false })];
  const store = stack.use(
    await createStorageService({ backend: { kind: 'embedded', directory: path }, log, metrics }),
  );
  const storagePort = await serve([implementService(storageContract, store.handlers)]);
  const dispatch = stack.use(createWebhookDispatch({ allowLoopbackWebhooks: true }));
  const storageOfAdmission = remoteStorage(connectStorage('admission', storagePort));
  const admission = stack.use(
    createAdmission({
      storage: storageOfAdmission,
      objects: { feed: createDirectFeed({ storage: store.storage }) },
      webhookDispatch: dispatch.service,
    }),
  );
  const admissionPort = await serve([implementService(admissionContract, admission.service)]);
  const storage = remoteStorage(connectStorage('gateway', storagePort));
  const tokenReview = stack.use(
    createTokenReview({
      audiences: [],
      secret: () => Buffer.alloc(32),
      tokenSuccessCacheTtl: 1000,
      tokenFailureCacheTtl: 1000,
      log,
      metrics,
      clock: Date.now,
    }),
  );
  const gateway = stack.use(
    await createGateway({
      securePort: 0,
      tls: false,
      authorizationMode: ['AlwaysAllow'],
      anonymousAuth: true,
      storage,
      admission: remoteAdmission(connectAdmission(admissionPort)),
      tokenReview,
      changeFeed: createDirectFeed({ storage: store.storage }),
    }),
  );
  await Promise.all([gateway.ready(), admission.ready()]);
  url = `http://127.0.0.1:${gateway.port}`;
  stack.defer(countCodings());
});
after(() => stack.disposeAsync());

async function serve(services: Parameters<typeof startRpcServer>[0]['services']): Promise<number> {
  const server = stack.use(await startRpcServer({ services, port: 0, ...insecure, drainTimeoutMs: 200 }));
  return server.port;
}

function connectStorage(from: string, port: number): StorageService {
  const client = stack.use(connectRpc(storageContract, { addresses: [`127.0.0.1:${port}`], ...insecure }));
  return {
    get: noted(from, 'storage', 'get', client.get),
    list: noted(from, 'storage', 'list', client.list),
    transact: noted(from, 'storage', 'transact', client.transact),
    typeRevision: noted(from, 'storage', 'typeRevision', client.typeRevision),
    changes: client.changes,
    compact: noted(from, 'storage', 'compact', client.compact),
    space: client.space,
  };
}

function connectAdmission(port: number): AdmissionService {
  const client = stack.use(connectRpc(admissionContract, { addresses: [`127.0.0.1:${port}`], ...insecure }));
  return { review: noted('gateway', 'admission', 'review', client.review) };
}

function noted<Request, Response>(
  from: string,
  to: string,
  method: string,
  call: (request: Request, context: CallContext) => Promise<Response>,
) {
  return (message: Request, context: CallContext): Promise<Response> => {
    sent.push({ from, to, method, message });
    return call(message, context);
  };
}

/** Counts who reads and writes the text of an object that has the marker; gives what ends that. */
function countCodings(): () => void {
  const { parse, stringify } = JSON;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  const note = (what: string, text: unknown): void => {
    if (typeof text !== 'string' || !text.includes(marker)) return;
    codings.push(`${findSide(new Error('for its stack').stack ?? '')} ${what}`);
  };
  JSON.parse = (...args) => {
    note('reads', args[0]);
    return parse(...args);
  };
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    note('writes', text);
    return text;
  }) as typeof stringify; // of both of its signatures
  return () => {
    JSON.parse = parse;
    JSON.stringify = stringify;
    Error.stackTraceLimit = stackTraceLimit;
  };
}

/** The service in whose code a coding happens; the test's own ones are the client's. */
function findSide(trace: string): string {
  const places: readonly (readonly [place: string, side: string])[] = [
    ['served-admission', 'admission'],
    ['services/admission', 'admission'],
    ['remote-admission', 'gateway'],
    ['services/gateway', 'gateway'],
    ['services/storage', 'storage'],
    ['libs/watch-cache', 'replica'],
  ];
  return places.find(([place]) => trace.includes(place))?.[1] ?? 'client';
}

interface Sending {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly contentType?: string;
  readonly code?: number;
}

/** The work that one request made for the services. */
interface Cost {
  readonly answer: JsonObject;
  /** `<from> <to> <method>` of each message, in order. */
  readonly messages: readonly string[];
  /** `<side> reads` and `<side> writes` with how often, in order of names. */
  readonly codings: Readonly<Record<string, number>>;
  readonly review: ReviewRequest | undefined;
  readonly transaction: TransactRequest | undefined;
}

async function send({
  method,
  path,
  body,
  contentType = 'application/json',
  code = 200,
}: Sending): Promise<Cost> {
  const text = body && JSON.stringify(body);
  sent = [];
  codings = [];
  const headers = { 'content-type': contentType };
  const response = await fetch(url + path, { method, headers, ...(text && { body: text }) });
  const answered = await response.text();
  const [seen, coded] = [[...sent], [...codings]];
  assert.equal(response.status, code, answered);
  // The gateway writes leases and the like of its own accord.
  const own = seen.filter(
    ({ from, message }) => from === 'admission' || JSON.stringify(message).includes('messages-'),
  );
  const messageTo = <T>(wanted: string) => own.find(one => one.method === wanted)?.message as T | undefined;
  return {
    answer: JSON.parse(answered) as JsonObject,
    messages: own.map(({ from, to, method }) => `${from} ${to} ${method}`),
    codings: Object.fromEntries(
      Object.entries(Object.groupBy(coded, one => one))
        .map(([one, all]) => [one, all?.length ?? 0] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    review: messageTo<ReviewRequest>('review'),
    transaction: messageTo<TransactRequest>('transact'),
  };
}

const maps = '/api/v1/namespaces/default/configmaps';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const onePerService = ['gateway admission review', 'gateway storage transact'];

const mapNamed = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text: marker, ...more },
});

/** The messages of the gateway: admission asks storage whether its caches show what the claim depends on. */
const ofGateway = ({ messages }: Cost) => messages.filter(message => message.startsWith('gateway'));

const decodeText = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

const readVersion = (object: JsonObject) => objectAt(object, 'metadata')['resourceVersion'];

/** Resolves when the gateway's cache has an object as it is now: reads of version 0 are answered from the cache. */
async function cached({ answer }: Cost, path: string): Promise<void> {
  await until('the cache has the object', async () => {
    const response = await fetch(`${url}${path}?resourceVersion=0`);
    return readVersion((await response.json()) as JsonObject) === readVersion(answer);
  });
}

describe('a plain write needs one message to admission and one to storage', () => {
  const path = `${maps}/messages-plain`;
  const configuration = mapNamed('messages-plain', { applied: 'yes' });
  const writes: readonly (Sending & { readonly name: string; readonly codings: Cost['codings'] })[] = [
    {
      name: 'create',
      method: 'POST',
      path: maps,
      body: mapNamed('messages-plain'),
      code: 201,
      codings: { 'admission reads': 1, 'gateway reads': 1, 'gateway writes': 1 },
    },
    {
      name: 'update',
      method: 'PUT',
      path,
      body: mapNamed('messages-plain', { more: 'a' }),
      // The body and the object before it; admission looks at both.
      codings: { 'admission reads': 2, 'gateway reads': 2, 'gateway writes': 1 },
    },
    {
      name: 'patch',
      method: 'PATCH',
      path,
      body: { data: { more: 'b' } },
      contentType: 'application/merge-patch+json',
      codings: { 'admission reads': 2, 'gateway reads': 1, 'gateway writes': 1 },
    },
    {
      name: 'apply',
      method: 'PATCH',
      path: `${path}?fieldManager=tests&force=true`,
      body: configuration,
      contentType: 'application/apply-patch+yaml',
      codings: { 'admission reads': 2, 'gateway reads': 2, 'gateway writes': 1 },
    },
    // No plugin has an opinion about the object.
    { name: 'delete', method: 'DELETE', path, codings: { 'gateway reads': 1 } },
  ];
  for (const { name, codings: expected, ...sending } of writes)
    test(name, async () => {
      const cost = await send(sending);
      assert.deepEqual(cost.messages, onePerService);
      assert.deepEqual(cost.codings, expected);
      if (name === 'delete') return;
      const stored = decodeText(cost.transaction?.puts[0]?.value);
      const reviewed = decodeText(cost.review?.object);
      // Admission gets the bytes that are stored, but for the version and the length of the prefix before them.
      const bare = reviewed.replace(/"resourceVersion":"\d+",/, '');
      assert.equal(stored.slice(5), bare);
      assert.equal(bare.length < reviewed.length, name !== 'create');
      await cached(cost, path);
    });
});

test('an object that admission changes is encoded by admission and stored so', async () => {
  const claim: JsonObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'messages-claim', annotations: { text: marker } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const cost = await send({ method: 'POST', path: claims, body: claim, code: 201 });
  assert.deepEqual(ofGateway(cost), onePerService);
  // Admission adds a finalizer to new claims.
  assert.deepEqual(cost.codings, {
    'admission reads': 1,
    'admission writes': 1,
    'gateway reads': 2,
    'gateway writes': 1,
  });
  assert.deepEqual(objectAt(cost.answer, 'metadata')['finalizers'], ['cluster.io/pvc-protection']);
  const read = await send({ method: 'GET', path: `${claims}/messages-claim` });
  assert.deepEqual(read.answer, cost.answer);
  const update = { ...cost.answer, status: {} } as JsonObject;
  objectAt(update, 'metadata')['labels'] = { changed: 'yes' };
  const updated = await send({ method: 'PUT', path: `${claims}/messages-claim`, body: update });
  assert.deepEqual(ofGateway(updated), onePerService);
});

test('a dry run writes nothing, and is reviewed like a write', async () => {
  const cost = await send({
    method: 'POST',
    path: `${maps}?dryRun=All`,
    body: mapNamed('messages-dry'),
    code: 201,
  });
  assert.deepEqual(cost.messages, ['gateway admission review', 'gateway storage get']);
  assert.deepEqual(objectAt(cost.answer, 'data')['text'], marker);
});

test('messages contain the object once in each direction', async () => {
  const big = mapNamed('messages-size', { big: 'x'.repeat(10_000) });
  const created = await send({ method: 'POST', path: maps, body: big, code: 201 });
  await cached(created, `${maps}/messages-size`);
  const updated = await send({
    method: 'PATCH',
    path: `${maps}/messages-size`,
    body: { data: { more: 'b' } },
    contentType: 'application/merge-patch+json',
  });
  const sizes = ({ review, transaction }: Cost) => [
    (review?.object.length ?? 0) + (review?.oldObject.length ?? 0),
    transaction?.puts.reduce((sum, { value }) => sum + value.length, 0) ?? 0,
  ];
  const within = (bytes: number, copies: number) =>
    assert.ok(bytes > copies * 10_000 && bytes < copies * 11_000, `${bytes} bytes`);
  const [[reviewed = 0, stored = 0], [reviewedUpdate = 0, storedUpdate = 0]] = [
    sizes(created),
    sizes(updated),
  ];
  within(reviewed, 1);
  within(stored, 1);
  // Admission compares the object with the one before.
  within(reviewedUpdate, 2);
  within(storedUpdate, 1);
});
