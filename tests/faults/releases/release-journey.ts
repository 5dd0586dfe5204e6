import assert from 'node:assert/strict';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';

/** An object of an answer, as far as the journey looks at it. */
interface Answered {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly clusterIP?: string; readonly replicas?: number; readonly size?: number };
  readonly status?: { readonly token?: string };
}

const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

/** Stores the definition of the custom objects of journeys; returns its removal. */
export async function defineGadgets(admin: ApiClient): Promise<() => Promise<unknown>> {
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } };
  const version = { name: 'v1', served: true, storage: true };
  await admin.request({
    method: 'POST',
    path: definitions,
    body: {
      metadata: { name: 'gadgets.releases.example.com' },
      spec: {
        group: 'releases.example.com',
        scope: 'Namespaced',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties } } }],
      },
    },
  });
  await pollUntil('custom objects to be served', () =>
    admin.request({ method: 'GET', path: '/apis/releases.example.com/v1/gadgets' }).then(
      () => true,
      () => false,
    ),
  );
  return () => admin.request({ method: 'DELETE', path: `${definitions}/gadgets.releases.example.com` });
}

/**
 * One short life of a namespace through every service, by one gateway, and seen by the other: objects of several kinds are created,
 * updated, patched, applied, refused and deleted, a watch tells all of it, a token logs in, and the namespace ends. Throws at whatever
 * is not as with one release.
 */
export async function makeJourney(
  form: Distributed,
  [first, second]: readonly [string, string],
): Promise<void> {
  const configuration = loadClientConfiguration(form.adminConfiguration);
  const clientOf = (server: string) =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'journey' });
  await using admin = clientOf(first);
  await using other = clientOf(second);
  const { metadata } = await admin.request<Answered>({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { generateName: 'journey-' } },
  });
  const space = `/api/v1/namespaces/${metadata.name}`;
  await watchConfigMaps({ admin, other, space });
  await changeKinds({ admin, other, space });
  await refuseWrites(admin, space);
  await logIn(admin, other, { space, configuration });
  await admin.request({ method: 'DELETE', path: space });
  await pollUntil(`the end of ${space}`, async () => (await codeOf(other, space)) === 404);
}

interface Place {
  readonly admin: ApiClient;
  readonly other: ApiClient;
  /** The path of the namespace. */
  readonly space: string;
}

/** Changes a config map through one gateway in every way, and reads each change from a watch of the other one. */
async function watchConfigMaps({ admin, other, space }: Place): Promise<void> {
  const path = `${space}/configmaps`;
  const own = `${path}/a`;
  const list = await other.request<Answered>({ method: 'GET', path });
  const body = (value: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { value },
  });
  const created = await admin.request<Answered>({ method: 'POST', path, body: body('created') });
  const { resourceVersion } = created.metadata;
  const update = { ...body('updated'), metadata: { name: 'a', resourceVersion } };
  await admin.request({ method: 'PUT', path: own, body: update });
  await admin.request({
    method: 'PATCH',
    path: own,
    contentType: merge,
    body: { data: { value: 'patched' } },
  });
  const query = '?fieldManager=journey&force=true';
  await admin.request({ method: 'PATCH', path: `${own}${query}`, contentType: apply, body: body('applied') });
  const read = await other.request<Answered>({ method: 'GET', path: own });
  assert.equal(read.data?.['value'], 'applied', 'a read shows every write that was acknowledged before it');
  await admin.request({ method: 'DELETE', path: own });
  const seen: string[] = [];
  const ending = new AbortController();
  const watch = `${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}&fieldSelector=metadata.name%3Da`;
  for await (const { type, object } of other.watch(watch, ending.signal)) {
    seen.push(`${type} ${(object as unknown as Answered).data?.['value']}`);
    if (type === 'DELETED') break;
  }
  assert.deepEqual(seen, [
    'ADDED created',
    'MODIFIED updated',
    'MODIFIED patched',
    'MODIFIED applied',
    'DELETED applied',
  ]);
}

/** Creates and patches objects whose kinds have rules of their own, and deletes one with a precondition. */
async function changeKinds({ admin, other, space }: Place): Promise<void> {
  const service = { metadata: { name: 's' }, spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } };
  const { spec } = await admin.request<Answered>({
    method: 'POST',
    path: `${space}/services`,
    body: service,
  });
  assert.match(spec?.clusterIP ?? '', /^\d+\.\d+\.\d+\.\d+$/);
  const namespaced = space.replace('/api/v1', '');
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const deployment = {
    metadata: { name: 'd' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template },
  };
  const deployments = `/apis/apps/v1${namespaced}/deployments`;
  await admin.request({ method: 'POST', path: deployments, body: deployment });
  const patch = { spec: { template: { spec: { containers: [{ name: 'b', image: 'b' }] } } } };
  await other.request({ method: 'PATCH', path: `${deployments}/d`, contentType: strategic, body: patch });
  const scaled = await admin.request<Answered>({
    method: 'PATCH',
    path: `${deployments}/d/scale`,
    contentType: merge,
    body: { spec: { replicas: 3 } },
  });
  assert.equal(scaled.spec?.replicas, 3);
  const gadgets = `/apis/releases.example.com/v1${namespaced}/gadgets`;
  const gadget = {
    apiVersion: 'releases.example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'g' },
    spec: { size: 2 },
  };
  await admin.request({ method: 'POST', path: gadgets, body: gadget });
  const found = await other.request<Answered>({ method: 'GET', path: `${gadgets}/g` });
  assert.equal(found.spec?.size, 2);
  const preconditions = { resourceVersion: found.metadata.resourceVersion };
  await admin.request({ method: 'DELETE', path: `${gadgets}/g`, body: { preconditions } });
  assert.equal(await codeOf(other, `${gadgets}/g`), 404);
}

/** Refusals of storage, admission, its webhooks and authorization have their codes and reasons. */
async function refuseWrites(admin: ApiClient, space: string): Promise<void> {
  const path = `${space}/configmaps`;
  const refusals: readonly [name: string, body: object, code: number, message: RegExp][] = [
    [
      'denied',
      { metadata: { name: 'denied-by-webhook' } },
      400,
      /admission webhook "journey\.binnacle\.test" denied.*: no/,
    ],
    ['invalid', { metadata: { name: 'in valid' } }, 422, /metadata\.name: Invalid value/],
    ['stale', { metadata: { name: 'stale', resourceVersion: '5' } }, 409, /./],
  ];
  await admin.request({ method: 'POST', path, body: { metadata: { name: 'stale' } } });
  for (const [name, body, code, message] of refusals) {
    const to =
      name === 'stale'
        ? ({ method: 'PUT', path: `${path}/stale` } as const)
        : ({ method: 'POST', path } as const);
    await assert.rejects(admin.request({ ...to, body }), (error: unknown) => {
      assert.ok(error instanceof StatusError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      return true;
    });
  }
}

/** A token that one gateway issues logs in at the other, with the rights of its account and no others. */
async function logIn(
  admin: ApiClient,
  other: ApiClient,
  {
    space,
    configuration,
  }: { readonly space: string; readonly configuration: ReturnType<typeof loadClientConfiguration> },
): Promise<void> {
  const accounts = `${space}/serviceaccounts`;
  await admin.request({ method: 'POST', path: accounts, body: { metadata: { name: 'robot' } } });
  const { status } = await admin.request<Answered>({
    method: 'POST',
    path: `${accounts}/robot/token`,
    body: { spec: {} },
  });
  const review = await other.request<{ status: { authenticated: boolean } }>({
    method: 'POST',
    path: '/apis/authentication.cluster.io/v1/tokenreviews',
    body: { spec: { token: status?.token } },
  });
  assert.equal(review.status.authenticated, true);
  const { certificateAuthority } = configuration;
  assert.ok(certificateAuthority && status?.token);
  await using robot = createApiClient({
    configuration: { servers: configuration.servers, certificateAuthority, token: status.token },
    userAgent: 'journey',
  });
  assert.equal(await codeOf(robot, '/api'), 200);
  assert.equal(await codeOf(robot, `${space}/secrets`), 403);
}

/** The code of the answer to a read. */
function codeOf(client: ApiClient, path: string): Promise<number> {
  return client.request({ method: 'GET', path }).then(
    () => 200,
    (error: unknown) => {
      if (error instanceof StatusError) return error.code;
      throw error;
    },
  );
}
