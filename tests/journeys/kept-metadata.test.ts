import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings } from './admin-server.ts';
import { until } from './api-server.ts';
import { definitionsPath, widgets } from './custom-widget.ts';
import { objectAt, textAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

const group = 'kept.example.com';

let server: AdminServer;
let namespace: string;
before(async () => {
  server = await shareAdminServer();
  namespace = await server.namespace();
  const metadata = { name: `widgets.${group}` };
  const body = { ...widgets, metadata, spec: { ...widgets.spec, group } };
  await server.expect(201, 'POST', definitionsPath, { body });
  await until(
    'widgets are served',
    async () => (await server.send('GET', createPath(kinds.widget))).code === 200,
  );
});
after(() => server[Symbol.asyncDispose]());

const manners = ['merge patch', 'strategic patch', 'JSON patch', 'apply', 'PUT'] as const;
type Manner = (typeof manners)[number];

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly isGlobal?: boolean;
  /** The object, but for its type and name. */
  readonly content: JsonObject;
}

const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };
const kinds = {
  configMap: { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', content: { data: { a: '1' } } },
  service: {
    apiVersion: 'v1',
    kind: 'Service',
    resource: 'services',
    content: { spec: { ports: [{ port: 80 }] } },
  },
  pod: { apiVersion: 'v1', kind: 'Pod', resource: 'pods', content: template },
  deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    resource: 'deployments',
    content: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, ...template },
      },
    },
  },
  widget: {
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    resource: 'widgets',
    content: { spec: { size: 1, replicas: 1 } },
  },
  node: { apiVersion: 'v1', kind: 'Node', resource: 'nodes', isGlobal: true, content: {} },
  namespace: { apiVersion: 'v1', kind: 'Namespace', resource: 'namespaces', isGlobal: true, content: {} },
} satisfies Readonly<Record<string, Kind>>;

/** How a write ends: 'kept' is 200 where the member stays as it was; else code, reason and causes. */
type End = 'kept' | readonly [code: number, ...found: string[]];

const immutable = (member: string): End => [422, 'Invalid', `FieldValueInvalid metadata.${member}`];
const badRequest: End = [400, 'BadRequest'];
const conflict: End = [409, 'Conflict'];

interface Row {
  readonly member: string;
  readonly value: JsonValue;
  readonly end: End;
  /** Where a PUT ends otherwise. */
  readonly put?: End;
}

/** Other values of members that the server keeps, and how a write of them ends. */
const rows: readonly Row[] = [
  { member: 'uid', value: 'f00f', end: immutable('uid'), put: conflict },
  { member: 'uid', value: '', end: 'kept' },
  { member: 'uid', value: null, end: 'kept' },
  { member: 'resourceVersion', value: '1', end: conflict },
  { member: 'resourceVersion', value: '99999999', end: conflict },
  { member: 'name', value: 'other', end: badRequest },
  { member: 'namespace', value: 'other', end: badRequest },
  { member: 'creationTimestamp', value: '2001-01-01T00:00:00Z', end: 'kept' },
  { member: 'creationTimestamp', value: null, end: 'kept' },
  { member: 'deletionTimestamp', value: '2001-01-01T00:00:00Z', end: immutable('deletionTimestamp') },
  { member: 'deletionTimestamp', value: null, end: 'kept' },
  { member: 'deletionGracePeriodSeconds', value: 5, end: immutable('deletionGracePeriodSeconds') },
  { member: 'generation', value: 77, end: 'kept' },
  { member: 'selfLink', value: '/elsewhere', end: 'kept' },
];

interface Target {
  readonly what: string;
  readonly of: Kind;
  readonly subresource?: string;
  /** Default: all. */
  readonly manners?: readonly Manner[];
  /** Where it differs from the rows. */
  readonly ends?: Readonly<Record<string, End>>;
}

const ofCustom = manners.filter(manner => manner !== 'strategic patch');
const ofGlobal = { namespace: 'kept' } as const;
/** A PUT without a version is refused. */
const versionNeeded = ofCustom.filter(manner => manner !== 'PUT');
const ignored = { deletionTimestamp: 'kept', deletionGracePeriodSeconds: 'kept' } as const;
/** Of the metadata of a Scale only what names the object counts. */
const ofScale = { ...ignored, uid: conflict } as const;

const targets: readonly Target[] = [
  { what: 'a config map', of: kinds.configMap },
  { what: 'a service', of: kinds.service },
  { what: 'the status of a service', of: kinds.service, subresource: 'status' },
  { what: 'a deployment', of: kinds.deployment },
  { what: 'the status of a deployment', of: kinds.deployment, subresource: 'status' },
  { what: 'the scale of a deployment', of: kinds.deployment, subresource: 'scale', ends: ofScale },
  {
    what: 'the status of a pod',
    of: kinds.pod,
    subresource: 'status',
    ends: { deletionTimestamp: 'kept' },
  },
  { what: 'the ephemeral containers of a pod', of: kinds.pod, subresource: 'ephemeralcontainers' },
  { what: 'a node', of: kinds.node, ends: ofGlobal },
  { what: 'the status of a node', of: kinds.node, subresource: 'status', ends: ofGlobal },
  { what: 'a namespace', of: kinds.namespace, ends: ofGlobal },
  { what: 'the status of a namespace', of: kinds.namespace, subresource: 'status', ends: ofGlobal },
  {
    what: 'the finalizers of a namespace',
    of: kinds.namespace,
    subresource: 'finalize',
    manners: ['PUT'],
    ends: ofGlobal,
  },
  { what: 'a custom object', of: kinds.widget, manners: versionNeeded },
  {
    what: 'the status of a custom object',
    of: kinds.widget,
    subresource: 'status',
    manners: versionNeeded,
    ends: ignored,
  },
  {
    what: 'the scale of a custom object',
    of: kinds.widget,
    subresource: 'scale',
    manners: ofCustom,
    ends: ofScale,
  },
];

function createPath({ apiVersion, resource, isGlobal = false }: Kind): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const within = isGlobal ? '' : `/namespaces/${namespace.split('/').at(-1)}`;
  return `${root}${within}/${resource}`;
}

/** The body of a write that sets one member of the metadata, and the request that it makes. */
function createWrite(manner: Manner, before: JsonObject, { member, value }: Row) {
  const { apiVersion, kind } = before;
  const metadata = objectAt(before, 'metadata');
  const { name } = metadata;
  switch (manner) {
    case 'merge patch':
      return patch('application/merge-patch+json', { metadata: { [member]: value } });
    case 'strategic patch':
      return patch('application/strategic-merge-patch+json', { metadata: { [member]: value } });
    case 'JSON patch':
      return patch('application/json-patch+json', [{ op: 'add', path: `/metadata/${member}`, value }]);
    case 'apply':
      return patch('application/apply-patch+yaml', {
        apiVersion: apiVersion ?? '',
        kind: kind ?? '',
        metadata: { name: name ?? '', [member]: value },
      });
    case 'PUT': {
      const { resourceVersion: _, ...sent } = metadata;
      return {
        method: 'PUT',
        sent: {
          body: { ...before, metadata: { ...sent, [member]: value } },
          contentType: 'application/json',
        },
      };
    }
  }
}

function patch(contentType: string, body: JsonValue) {
  return { method: 'PATCH', sent: { body, contentType } };
}

/** The metadata that the server keeps, with the version. */
function pickKept(object: JsonObject): JsonObject {
  const { labels: _, annotations: __, managedFields: ___, ...kept } = objectAt(object, 'metadata');
  return kept;
}

let objects = 0;

for (const { what, of, subresource, manners: wanted = manners, ends = {} } of targets) {
  suite(`metadata that the server keeps in ${what}`, () => {
    for (const manner of wanted) {
      test(manner, async () => {
        const { apiVersion, kind, content } = of;
        const name = `kept-${++objects}`;
        await server.expect(201, 'POST', createPath(of), {
          body: { apiVersion, kind, metadata: { name }, ...content },
        });
        const object = `${createPath(of)}/${name}`;
        const path = subresource === undefined ? object : `${object}/${subresource}`;
        const shown = subresource === 'finalize' ? object : path;
        for (const row of rows) {
          const { member, value, end, put = end } = row;
          const before = await server.expect(200, 'GET', object);
          const { method, sent } = createWrite(manner, await server.expect(200, 'GET', shown), row);
          const query = manner === 'apply' ? '?fieldManager=m' : '';
          const answer = await server.send(method, `${path}${query}`, sent);
          const label = `${member}: ${JSON.stringify(value)}: ${JSON.stringify(answer.body)}`;
          const isOther = value !== null && value !== '';
          const expected = (isOther ? ends[member] : undefined) ?? (manner === 'PUT' ? put : end);
          if (expected === 'kept') assert.equal(answer.code, 200, label);
          else assert.deepEqual([answer.code, ...findings(answer.body)], expected, label);
          const { resourceVersion: versionBefore, ...keptBefore } = pickKept(before);
          const { resourceVersion, ...kept } = pickKept(await server.expect(200, 'GET', object));
          assert.deepEqual(kept, keptBefore, label);
          if (expected !== 'kept') assert.equal(resourceVersion, versionBefore, label);
        }
      });
    }
  });
}

suite('an object that is being deleted', () => {
  for (const manner of manners) {
    test(`keeps its deletion through a ${manner}`, async () => {
      const name = `deleting-${++objects}`;
      const path = `${createPath(kinds.configMap)}/${name}`;
      const metadata = { name, finalizers: ['example.com/hold'] };
      await server.expect(201, 'POST', createPath(kinds.configMap), { body: { metadata } });
      const before = await server.expect(200, 'DELETE', path);
      const send = async (row: Row) => {
        const { method, sent } = createWrite(manner, await server.expect(200, 'GET', path), row);
        return await server.send(method, `${path}${manner === 'apply' ? '?fieldManager=m' : ''}`, sent);
      };
      for (const [member, value] of [
        ['deletionTimestamp', '2001-01-01T00:00:00Z'],
        ['deletionTimestamp', null],
        ['deletionGracePeriodSeconds', null],
      ] as const) {
        const { code, body } = await send({ member, value, end: 'kept' });
        assert.equal(code, 200, JSON.stringify(body));
        for (const kept of ['deletionTimestamp', 'deletionGracePeriodSeconds'])
          assert.equal(at(body, 'metadata', kept), at(before, 'metadata', kept));
      }
      const other = await send({ member: 'deletionGracePeriodSeconds', value: 9, end: 'kept' });
      assert.deepEqual([other.code, ...findings(other.body)], immutable('deletionGracePeriodSeconds'));
      await server.expect(200, 'PATCH', path, {
        body: { metadata: { finalizers: null } },
        contentType: 'application/merge-patch+json',
      });
    });
  }
});

test('a patch for an earlier object of the same name does not change the current one', async () => {
  const path = `${createPath(kinds.configMap)}/reborn`;
  const body = { metadata: { name: 'reborn' } };
  const first = await server.expect(201, 'POST', createPath(kinds.configMap), { body });
  await server.expect(200, 'DELETE', path);
  const second = await server.expect(201, 'POST', createPath(kinds.configMap), { body });
  const uid = textAt(first, 'metadata', 'uid');
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u', controller: true };
  for (const contentType of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
    const refused = await server.expect(422, 'PATCH', path, {
      body: { metadata: { uid, ownerReferences: [owner] } },
      contentType,
    });
    assert.deepEqual(findings(refused), ['Invalid', 'FieldValueInvalid metadata.uid']);
  }
  assert.deepEqual(await server.expect(200, 'GET', path), second);
  const own = { uid: textAt(second, 'metadata', 'uid'), labels: { adopted: 'yes' } };
  const adopted = await server.expect(200, 'PATCH', path, {
    body: { metadata: own },
    contentType: 'application/merge-patch+json',
  });
  assert.deepEqual(at(adopted, 'metadata', 'labels'), own.labels);
});
