import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiClient, ApiRequestOptions } from '@binnacle/client';
import { serviceUnavailable } from '@binnacle/status-errors';
import { type ApiServer, startApiServer, until } from '../journeys/api-server.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';

/** The faults in the requests of the controllers; the test changes them as it goes. */
interface Faults {
  /** Whether a request does not get through. */
  refuses: (request: ApiRequestOptions) => boolean;
  /** Whether the answer to a request that got through is lost. */
  losesAnswer: (request: ApiRequestOptions) => boolean;
  /** The answer that the controllers see instead of the API's. */
  rewrites: (request: ApiRequestOptions, answer: unknown) => unknown;
  /** How many requests and answers were lost. */
  lost: number;
}

function noFaults(): Faults {
  return { refuses: () => false, losesAnswer: () => false, rewrites: (_, answer) => answer, lost: 0 };
}

function through(faults: Faults, client: ApiClient): ApiClient {
  const check = (request: ApiRequestOptions): void => {
    if (!faults.refuses(request)) return;
    faults.lost++;
    throw serviceUnavailable('refused by the test');
  };
  return {
    async request<T>(request: ApiRequestOptions): Promise<T> {
      check(request);
      const answer = await client.request<T>(request);
      if (faults.losesAnswer(request)) {
        faults.lost++;
        throw serviceUnavailable('the answer was lost');
      }
      return faults.rewrites(request, answer) as T; // The test keeps the shape.
    },
    async *watch(path, signal, options) {
      for await (const messages of this.watchBatches(path, signal, options)) yield* messages;
    },
    async *watchBatches(path, signal, options) {
      check({ method: 'GET', path });
      for await (const messages of client.watchBatches(path, signal, options)) {
        if (faults.refuses({ method: 'GET', path })) throw serviceUnavailable('cut by the test');
        yield messages;
      }
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

let namespaces = 0;

async function newNamespace(server: ApiServer): Promise<string> {
  const name = `faults-${++namespaces}`;
  await server.namespace(name);
  return `/api/v1/namespaces/${name}`;
}

interface Made {
  readonly path: string;
  readonly reference: Readonly<Record<string, string>>;
}

async function make(
  server: ApiServer,
  collection: string,
  body: { readonly metadata: { readonly name: string } } & Record<string, unknown>,
): Promise<Made> {
  const { code, text } = await server.call('POST', collection, { body });
  assert.equal(code, 201, text);
  const { apiVersion, kind, metadata } = JSON.parse(text) as {
    apiVersion: string;
    kind: string;
    metadata: { name: string; uid: string };
  };
  const { name, uid } = metadata;
  return { path: `${collection}/${name}`, reference: { apiVersion, kind, name, uid } };
}

const map = (name: string, ...owners: Made[]) => ({
  metadata: { name, ownerReferences: owners.map(owner => owner.reference) },
});

const exists = async (server: ApiServer, { path }: Made): Promise<boolean> =>
  (await server.call('GET', path)).code === 200;

const goes = (server: ApiServer, object: Made): Promise<void> =>
  until(`${object.path} goes`, async () => !(await exists(server, object)));

async function remove(server: ApiServer, { path }: Made, policy = 'Background'): Promise<void> {
  const { code, text } = await server.call('DELETE', `${path}?propagationPolicy=${policy}`);
  assert.equal(code, 200, text);
}

/** Lets faults happen until so many more requests were lost to them. */
async function suffered(faults: Faults, requests: number): Promise<void> {
  const before = faults.lost;
  await until('requests are lost', () => faults.lost >= before + requests);
}

test('no object is collected before every type was listed', async () => {
  const faults = noFaults();
  faults.refuses = ({ path }) => path.startsWith('/api/v1/secrets');
  await using server = await startApiServer({ controllerClient: client => through(faults, client) });
  const namespace = await newNamespace(server);
  const owner = await make(server, `${namespace}/configmaps`, map('owner'));
  const dependent = await make(server, `${namespace}/configmaps`, map('dependent', owner));
  await remove(server, owner);
  await suffered(faults, 3);
  assert.ok(await exists(server, dependent));
  faults.refuses = () => false;
  await goes(server, dependent);
});

let faults: Faults;
let server: ApiServer;
before(async () => {
  faults = noFaults();
  server = await startApiServer({ controllerClient: client => through(faults, client) });
  const namespace = await newNamespace(server);
  const owner = await make(server, `${namespace}/configmaps`, map('owner'));
  const dependent = await make(server, `${namespace}/configmaps`, map('dependent', owner));
  await remove(server, owner);
  await goes(server, dependent);
});
after(() => server[Symbol.asyncDispose]());

test('an owner whose type cannot be watched keeps its dependents, and they are deleted after it', async () => {
  const namespace = await newNamespace(server);
  faults.refuses = ({ path }) => path.startsWith('/api/v1/configmaps?');
  // The next change ends the watch; what comes after it is not heard of.
  await make(server, `${namespace}/configmaps`, map('last-heard-of'));
  await suffered(faults, 1);
  const owner = await make(server, `${namespace}/configmaps`, map('owner'));
  const dependent = await make(server, `${namespace}/secrets`, map('dependent', owner));
  await suffered(faults, 2);
  assert.ok(await exists(server, dependent));
  await remove(server, owner);
  await goes(server, dependent);
  faults.refuses = () => false;
});

test('an owner that cannot be read does not count as deleted', async () => {
  const namespace = await newNamespace(server);
  const owner = await make(server, `${namespace}/configmaps`, map('owner'));
  const dependent = await make(server, `${namespace}/secrets`, map('dependent', owner));
  faults.refuses = ({ path }) => path === owner.path;
  await remove(server, owner);
  await suffered(faults, 3);
  assert.ok(await exists(server, dependent));
  faults.refuses = () => false;
  await goes(server, dependent);
});

for (const policy of ['Foreground', 'Orphan'] as const) {
  test(`changes with lost answers are made once (${policy})`, async () => {
    const namespace = await newNamespace(server);
    const owner = await make(server, `${namespace}/configmaps`, map('owner'));
    const dependents = await Promise.all(
      ['a', 'b', 'c'].map(name => make(server, `${namespace}/secrets`, map(name, owner))),
    );
    // Other controllers write to a new namespace, too.
    const made = new Set([owner, ...dependents].map(({ path }) => path));
    const unlucky = new Set<string>();
    faults.losesAnswer = ({ method, path: pathAndQuery }) => {
      const [path = ''] = pathAndQuery.split('?');
      if (!made.has(path) || method === 'GET' || unlucky.has(path)) return false;
      unlucky.add(path);
      return true;
    };
    await remove(server, owner, policy);
    await goes(server, owner);
    for (const dependent of dependents) {
      if (policy === 'Foreground') await goes(server, dependent);
      else assert.ok(await exists(server, dependent));
    }
    assert.equal(unlucky.size, 4);
    faults.losesAnswer = () => false;
  });
}

/** Objects of this type define what a server serves: a change of one has the collector look again. */
const services = '/apis/apiregistration.cluster.io/v1/apiservices';

test('a type that is served later is followed, and its dependents are collected', async () => {
  await using directory = await createTemporaryDirectory();
  const hiding = noFaults();
  hiding.rewrites = ({ path }, answer) => {
    if (path !== '/apis') return answer;
    const list = answer as { groups: { name: string }[] }; // The list of groups.
    return { ...list, groups: list.groups.filter(({ name }) => name !== 'batch') };
  };
  await using other = await startApiServer({
    dataDir: directory.path,
    controllerClient: client => through(hiding, client),
  });
  const namespace = await newNamespace(other);
  const cronJobs = `${namespace.replace('/api/v1', '/apis/batch/v1')}/cronjobs`;
  const owner = await make(other, `${namespace}/configmaps`, map('owner'));
  const containers = [{ name: 'c', image: 'i' }];
  const template = { spec: { restartPolicy: 'Never', containers } };
  const spec = { schedule: '0 0 * * *', jobTemplate: { spec: { template } } };
  const hidden = await make(other, cronJobs, { ...map('hidden', owner), spec });
  const ofHidden = await make(other, `${namespace}/configmaps`, map('of-hidden', hidden));
  const seen = await make(other, `${namespace}/configmaps`, map('seen', owner));
  await remove(other, owner);
  await goes(other, seen);
  assert.ok((await exists(other, hidden)) && (await exists(other, ofHidden)));
  hiding.rewrites = (_, answer) => answer;
  await make(other, services, {
    metadata: { name: 'v1.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'nobody' },
    },
  });
  await goes(other, hidden);
  await goes(other, ofHidden);
});
