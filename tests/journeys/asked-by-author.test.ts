import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extensions, groups, understood } from '@binnacle/api-names';
import { ofCluster } from '@binnacle/api-names/testing';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { until } from './api-server.ts';
import { createDefinition } from './custom-widget.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';
import {
  configMapRule,
  configurationsPath,
  patched,
  startWebhookJourney,
  type WebhookJourney,
} from './webhook-journey.ts';

type GroupKey = 'networking' | 'rbac' | 'coordination' | 'apiextensions' | 'authentication';

/** The object that is written, by the group that has aliases; '' for the core group. */
interface Subject {
  readonly key: GroupKey | '';
  readonly resource: string;
  readonly kind: string;
  /** Default: the namespace of the test. */
  readonly clusterWide?: boolean;
  readonly content: (group: string) => JsonObject;
}

const schema = { type: 'object', properties: { spec: { type: 'object' } } };
const definition = (): JsonObject => createDefinition('buoys', 'Buoy', schema);
const subjects: readonly Subject[] = [
  {
    key: '',
    resource: 'pods',
    kind: 'Pod',
    content: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }),
  },
  {
    key: 'networking',
    resource: 'ingresses',
    kind: 'Ingress',
    content: () => ({ spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } }),
  },
  {
    key: 'rbac',
    resource: 'roles',
    kind: 'Role',
    content: () => ({ rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }),
  },
  { key: 'coordination', resource: 'leases', kind: 'Lease', content: () => ({ spec: {} }) },
  {
    key: 'apiextensions',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    clusterWide: true,
    content: () => ({ spec: definition()['spec'] ?? null }),
  },
];

/** The names of the API's groups for a client that knows the API by one of its names. */
const sides = understood.groups.admissionregistration.map((registration, side) => ({
  registration,
  call: (key: keyof typeof groups | ''): string =>
    key === '' ? '' : (understood.groups[key][side] ?? groups[key]),
}));

const behaviours = {
  '/allow': () => ({ allowed: true }),
  '/free': () =>
    patched({
      op: 'add',
      path: `/spec/versions/0/schema/openAPIV3Schema/properties/spec/${understood.extensions.preserveUnknownFields.at(-1)}`,
      value: true,
    }),
  '/free-own': () =>
    patched({
      op: 'add',
      path: `/spec/versions/0/schema/openAPIV3Schema/properties/spec/${extensions.preserveUnknownFields}`,
      value: true,
    }),
  '/typed': ({ object }: JsonObject) =>
    patched({ op: 'replace', path: '/spec', value: at(object, 'spec') ?? null }),
  '/mark': () => patched({ op: 'add', path: '/metadata/annotations', value: { seen: 'yes' } }),
  // As clients with types built in do, it says the apiVersion that it knows.
  '/marked': ({ object }: JsonObject) =>
    patched(
      { op: 'test', path: '/metadata/annotations/seen', value: 'yes' },
      { op: 'replace', path: '', value: object ?? null },
      { op: 'add', path: '/metadata/annotations/again', value: 'yes' },
    ),
};

let journey: WebhookJourney;
let server: AdminServer;
let namespace: string;

before(async () => {
  journey = await startWebhookJourney(behaviours, {
    runtimeConfig: `${groups.admissionregistration}/v1alpha1`,
  });
  ({ server } = journey);
  namespace = await server.namespace();
});
after(() => journey[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';
const createRule = (group: string, resource: string): JsonObject => ({
  ...configMapRule,
  apiGroups: [group],
  resources: [resource],
});

function createPath({ key, resource, clusterWide = false }: Subject, group: string): string {
  const base = key === '' ? '/api/v1' : `/apis/${group}/v1`;
  return clusterWide ? `${base}/${resource}` : `${base}${namespace.replace('/api/v1', '')}/${resource}`;
}

/** Every name of a group, or apiVersion, that a review has outside of what its objects hold. */
function namesIn(review: JsonObject): JsonValue[] {
  const { request } = review;
  const kinds = ['kind', 'requestKind', 'resource', 'requestResource'].map(
    member => at(request, member, 'group') ?? null,
  );
  const objects = ['object', 'oldObject', 'options'].flatMap(
    member => at(request, member, 'apiVersion') ?? [],
  );
  return [review['apiVersion'] ?? null, ...kinds, ...objects];
}

for (const { registration, call } of sides)
  for (const subject of subjects)
    test(`a webhook of ${registration} reviews ${subject.resource} in its own names, whatever the path of the request`, async () => {
      const { key, resource, kind, content } = subject;
      const label = `${resource}-${registration.replaceAll('.', '-')}`;
      const group = call(key);
      const rules = { rules: [createRule(group, resource)] };
      await using _ = await journey.configureThrough(
        registration,
        'validating',
        journey.webhook('/allow', label, rules),
      );
      const asked = [group, group, group, group];
      const [review, options] = [call('admission'), call('meta')].map(one => `${one}/v1`);
      const object = group === '' ? 'v1' : `${group}/v1`;
      for (const path of key === '' ? [''] : understood.groups[key]) {
        journey.hooks.calls.length = 0;
        const name = key === 'apiextensions' ? 'buoys.shop.example.com' : label;
        const metadata = { name, labels: { case: label } };
        const collection = createPath(subject, path);
        await server.expect(201, 'POST', collection, { body: { metadata, ...content(group) } });
        const change = { body: { metadata: { labels: { more: 'yes' } } }, contentType: mergePatch };
        await server.expect(200, 'PATCH', `${collection}/${name}`, change);
        const deleted = await server.send('DELETE', `${collection}/${name}?gracePeriodSeconds=0`);
        assert.ok(deleted.code < 300, JSON.stringify(deleted.body));
        await until(
          `${resource} is gone`,
          async () => (await server.send('GET', `${collection}/${name}`)).code === 404,
        );
        const seen = new Map(
          journey.callsTo('/allow').map(one => [String(one.request['operation']), namesIn(one.review)]),
        );
        assert.deepEqual(seen.get('CREATE'), [review, ...asked, object, options], path);
        assert.deepEqual(seen.get('UPDATE'), [review, ...asked, object, object, options], path);
        assert.deepEqual(seen.get('DELETE'), [review, ...asked, object, options], path);
        const [first] = journey.callsTo('/allow');
        assert.equal(objectAt(first?.request, 'kind')['kind'], kind);
      }
    });

for (const { registration, call } of sides)
  for (const subject of subjects.filter(({ key }) => key !== 'apiextensions'))
    test(`changes of webhooks of ${registration} to ${subject.resource} are stored in the own names`, async () => {
      const { key, resource, content } = subject;
      const label = `made-${resource}-${registration.replaceAll('.', '-')}`;
      const rules = { rules: [createRule(call(key), resource)] };
      await using _ = await journey.configureThrough(
        registration,
        'mutating',
        journey.webhook('/mark', label, rules),
        journey.webhook('/marked', label, { ...rules, name: 'b.example.com' }),
      );
      const own = key === '' ? '' : groups[key];
      const body = { metadata: { name: label, labels: { case: label } }, ...content(own) };
      const made = await server.expect(201, 'POST', createPath(subject, own), { body });
      assert.deepEqual(at(made, 'metadata', 'annotations', 'seen'), 'yes');
      assert.deepEqual(at(made, 'metadata', 'annotations', 'again'), 'yes');
      assert.equal(made['apiVersion'], own === '' ? 'v1' : `${own}/v1`);
      assert.deepEqual(await server.expect(200, 'GET', `${createPath(subject, own)}/${label}`), made);
    });

const definitionPath = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;

const freed: readonly [what: string, side: number, path: string][] = [
  ['an alias of the extension, asked by the aliases,', -1, '/free'],
  ['the own name of the extension, asked by the aliases,', -1, '/free-own'],
  ['an alias of the extension, asked by the own names,', 0, '/free'],
  ['the own name of the extension, asked by the own names,', 0, '/free-own'],
];
for (const [index, [what, side, path]] of freed.entries())
  test(`a patch with ${what} makes a field of a definition preserve data`, async () => {
    const { registration, call } = sides.at(side) ?? sides[0]!; // There is always the own one.
    const plural = `floats${index}`;
    const label = `free-${index}`;
    const rules = { rules: [createRule(call('apiextensions'), 'customresourcedefinitions')] };
    const hooks = [
      journey.webhook(path, label, rules),
      // One with types built in sends everything back that it has seen.
      journey.webhook('/typed', label, { ...rules, name: 'b.example.com' }),
    ];
    const configured = await journey.configureThrough(registration, 'mutating', ...hooks);
    const body = createDefinition(plural, `Float${index}`, schema);
    body.metadata['labels'] = { case: label };
    const made = await server.expect(201, 'POST', definitionPath, { body });
    await configured[Symbol.asyncDispose]();
    const kept = { type: 'object', [extensions.preserveUnknownFields]: true };
    const spec = at(made, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec');
    assert.deepEqual(spec, kept);
    const objects = `/apis/shop.example.com/v1${namespace.replace('/api/v1', '')}/${plural}`;
    await until('floats are served', async () => (await server.send('GET', objects)).code === 200);
    const data = { apiVersion: 'shop.example.com/v1', kind: `Float${index}`, metadata: { name: 'f' } };
    const stored = await server.expect(201, 'POST', objects, { body: { ...data, spec: { colour: 'red' } } });
    assert.deepEqual(stored['spec'], { colour: 'red' });
    const last = journey.callsTo('/typed').at(-1)?.request['object'];
    const extension = understood.extensions.preserveUnknownFields.at(side);
    assert.ok(
      JSON.stringify(last).includes(`"${extension}":true`),
      'the second webhook sees what the first one did',
    );
  });

test('a webhook reviews and changes a subresource in its own names', async () => {
  const { registration, call } = sides.at(-1)!; // There is always one.
  const rules = { rules: [createRule('', 'serviceaccounts/token')] };
  await using _ = await journey.configureThrough(
    registration,
    'mutating',
    journey.webhook('/mark', 'token', rules),
  );
  const path = `${namespace}/serviceaccounts/default/token`;
  await until('there is the account', async () => (await server.send('GET', path.slice(0, -6))).code === 200);
  const body = { metadata: { labels: { case: 'token' } }, spec: { audiences: ['a'] } };
  const answer = await server.expect(201, 'POST', path, { body });
  assert.equal(answer['apiVersion'], `${groups.authentication}/v1`);
  assert.deepEqual(at(answer, 'metadata', 'annotations'), { seen: 'yes' });
  const [asked] = journey.callsTo('/mark');
  const expected = [`${call('admission')}/v1`, call('authentication'), call('authentication')];
  const [review, kind, requestKind] = namesIn(asked?.review ?? {});
  assert.deepEqual([review, kind, requestKind], expected);
  assert.equal(at(asked?.request['object'], 'apiVersion'), `${call('authentication')}/v1`);
});

test(
  'the author of a configuration is its last writer, unless only an authority was changed',
  ofCluster,
  async () => {
    const [own, alias] = sides;
    assert.ok(own !== undefined && alias !== undefined);
    const hook = journey.webhook('/allow', 'author');
    await using _ = await journey.configureThrough(own.registration, 'validating', hook);
    const pathIn = (group: string) => configurationsPath('validating', group);
    const list = await server.expect(200, 'GET', pathIn(own.registration));
    const found = objectsAt(list, 'items').find(one => JSON.stringify(one).includes('"author"'));
    const name = String(objectAt(found, 'metadata')['name']);
    let writes = 0;
    const askedBy = async () => {
      writes++;
      journey.hooks.calls.length = 0;
      const body = { metadata: { name: `author-${writes}`, labels: { case: 'author' } } };
      await server.expect(201, 'POST', `${namespace}/configmaps`, { body });
      return journey.callsTo('/allow')[0]?.review['apiVersion'];
    };
    const change = async (group: string, edit: (webhook: JsonObject) => void) => {
      const read = await server.expect(200, 'GET', `${pathIn(group)}/${name}`);
      assert.equal(read['apiVersion'], `${group}/v1`);
      const [first] = objectsAt(read, 'webhooks');
      edit(first ?? {});
      await server.expect(200, 'PUT', `${pathIn(group)}/${name}`, { body: read });
    };
    const [byOwn, byAlias] = [own, alias].map(({ call }) => `${call('admission')}/v1`);
    assert.equal(await askedBy(), byOwn);
    await change(alias.registration, () => {});
    await change(alias.registration, webhook => {
      const config = objectAt(webhook, 'clientConfig');
      config['caBundle'] = Buffer.from(
        `${Buffer.from(String(config['caBundle']), 'base64').toString()}\n`,
      ).toString('base64');
    });
    assert.equal(await askedBy(), byOwn);
    await change(alias.registration, webhook => {
      webhook['timeoutSeconds'] = 7;
    });
    await until('the change is in effect', async () => (await askedBy()) === byAlias);
    await change(own.registration, webhook => {
      webhook['timeoutSeconds'] = 8;
    });
    await until('the change is in effect', async () => (await askedBy()) === byOwn);
  },
);

const mixed = [
  ...understood.groups.networking,
  ...understood.groups.coordination,
  'gateway.networking.k8s.io',
];
const webhooks = [
  {
    name: 'a.example.com',
    clientConfig: { url: 'https://localhost:1/' },
    rules: [{ ...configMapRule, apiGroups: mixed, scope: '*' }],
    objectSelector: { matchLabels: { never: 'matches' } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  },
];
const resourceRules = [{ ...configMapRule, apiGroups: mixed, scope: '*' }];
const written: readonly [version: string, resource: string, content: JsonObject][] = [
  ['v1', 'validatingwebhookconfigurations', { webhooks }],
  ['v1', 'mutatingwebhookconfigurations', { webhooks }],
  [
    'v1alpha1',
    'validatingadmissionpolicies',
    {
      spec: {
        matchConstraints: { resourceRules },
        paramKind: { apiVersion: `${understood.groups.networking.at(-1)}/v1`, kind: 'Ingress' },
        validations: [{ expression: 'true' }],
      },
    },
  ],
  [
    'v1alpha1',
    'validatingadmissionpolicybindings',
    { spec: { policyName: 'p', matchResources: { resourceRules, excludeResourceRules: resourceRules } } },
  ],
];
for (const { registration } of sides)
  for (const [version, resource, content] of written)
    test(`${resource} of ${registration} are returned as written, and writing them again changes nothing`, async () => {
      const path = `/apis/${registration}/${version}/${resource}`;
      const name = `written-${registration.replaceAll('.', '-')}`;
      const body = { metadata: { name }, ...content };
      const made = await server.expect(201, 'POST', path, { body });
      const read = await server.expect(200, 'GET', `${path}/${name}`);
      assert.deepEqual(made, read);
      assert.equal(read['apiVersion'], `${registration}/${version}`);
      assertHolds(read, content);
      const repeated = await server.expect(200, 'PUT', `${path}/${name}`, { body: { ...read, ...content } });
      assert.deepEqual(at(repeated, 'metadata', 'resourceVersion'), at(read, 'metadata', 'resourceVersion'));
      const other = sides.find(side => side.registration !== registration)?.registration ?? registration;
      const shown = await server.expect(200, 'GET', `/apis/${other}/${version}/${resource}/${name}`);
      assert.deepEqual(shown, { ...read, apiVersion: `${other}/${version}` });
      const items = objectsAt(await server.expect(200, 'GET', path), 'items');
      const { kind: _, apiVersion: __, ...item } = read;
      const {
        kind: ___,
        apiVersion: ____,
        ...listed
      } = items.find(one => at(one, 'metadata', 'name') === name) ?? {};
      assert.deepEqual(listed, item);
      await server.expect(200, 'DELETE', `${path}/${name}`);
    });

/** Everything that was written is there, as it was written; defaults may stand beside it. */
function assertHolds(read: JsonValue | undefined, sent: JsonValue): void {
  if (Array.isArray(sent)) {
    assert.equal(Array.isArray(read) && read.length, sent.length);
    for (const [index, element] of sent.entries()) assertHolds(at(read, index), element);
  } else if (isJsonObject(sent))
    for (const [key, value] of Object.entries(sent)) assertHolds(at(read, key), value);
  else assert.deepEqual(read, sent);
}
