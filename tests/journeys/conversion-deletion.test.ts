import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { type Answer, type ApiServer, until } from './api-server.ts';
import { createHosts, type HostConverter } from './conversion-hosts.ts';
import { type ConversionSetup, type Hosts, parseSpec, startConversions } from './conversion-setup.ts';
import { definitionsPath } from './custom-widget.ts';
import { objectAt } from './setup/json-parts.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

/** Objects whose conversion webhook is out of order: none of them gets stuck. */

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;
let admission: WebhookServer;

before(async () => {
  [setup, admission] = await Promise.all([
    startConversions(),
    startWebhooks({ '/see': () => ({ allowed: true }) }),
  ]);
  ({ server, converter } = setup);
});
after(async () => {
  await setup[Symbol.asyncDispose]();
  await admission[Symbol.asyncDispose]();
});

const merge = { 'Content-Type': 'application/merge-patch+json' };
const metadataList = { Accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
const metadataOnly = { Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };

function breakWebhook(): void {
  converter.answering = () => ({ result: { status: 'Failure', message: 'out of order' } });
}

async function expect(code: number, answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  assert.equal(got.code, code, got.text);
  return got;
}

const holdAs = (...finalizers: string[]) => ({ metadata: { finalizers } });
const held = (where: string, ...finalizers: string[]) =>
  expect(200, server.call('PATCH', where, { headers: merge, body: holdAs(...finalizers) }));
const gone = (where: string) => expect(404, server.call('GET', where));
const isMarked = async (where: string) =>
  'deletionTimestamp' in (await expect(200, server.call('GET', where))).json.metadata;

/** Makes v2 the stored version: what is stored stays in v1. The webhook is out of order from then on. */
async function storeInV2({ group, path, host }: Hosts): Promise<void> {
  const { versions } = createHosts(group, converter, 'v2').spec;
  const definition = `${definitionsPath}/hosts.${group}`;
  await expect(200, server.call('PATCH', definition, { headers: merge, body: { spec: { versions } } }));
  breakWebhook();
  await until('v2 is stored', async () => {
    const body = host('v2', 'probe', { host: 'p.com' });
    return (await server.call('POST', `${path('v2')}?dryRun=All`, { body })).code === 201;
  });
}

const forms: [stored: string, prepare: (hosts: Hosts) => void | Promise<void>][] = [
  ['v1 is the stored version', breakWebhook],
  ['v2 has become the stored version', storeInV2],
];
for (const [index, [what, prepare]] of forms.entries())
  describe(`hosts in v1, ${what}`, () => {
    let hosts: Hosts;
    let a: (version: string) => string;
    let count = 0;

    before(async () => {
      hosts = await setup.hosts(`stuck${index}`);
      // The webhook answers well until then.
      for (let n = 0; n < 12; n++) await hosts.create('v1', `a${n}`, { hostPort: 'a.com:81' });
      // Its manager wrote in v2.
      for (const name of ['a0', 'a1', 'a2', 'a3'])
        await expect(
          200,
          server.call('PATCH', hosts.path('v2', name), { headers: merge, body: { spec: { host: 'b.com' } } }),
        );
      for (const name of ['a4', 'a5', 'a6', 'a7', 'a8'])
        await held(hosts.path('v1', name), 'x.io/one', 'x.io/two');
      await prepare(hosts);
    });
    beforeEach(() => {
      converter.server.calls.length = 0;
      const name = `a${count++}`;
      a = version => hosts.path(version, name);
    });

    for (const version of ['v1', 'v2'])
      test(`an object is deleted through ${version}`, async () => {
        const { json } = await expect(200, server.call('DELETE', a(version)));
        assert.equal(json.status, 'Success');
        assert.deepEqual(converter.server.calls, []);
        await gone(a('v1'));
      });

    test('a change of metadata needs no conversion, whatever version its managers used', async () => {
      const body = { metadata: { labels: { a: 'b' } } };
      const how = { headers: { ...merge, ...metadataOnly }, body };
      // Through the stored version; where that is another one, the object would have to be converted to it.
      const answer = await server.call('PATCH', a('v1'), how);
      assert.equal(answer.code, index === 0 ? 200 : 500, answer.text);
      if (index === 0) assert.deepEqual(converter.server.calls, []);
    });

    test('the specification can be changed if the object needs no conversion, and other managers keep their fields', async () => {
      const managers = async () => {
        const { metadata } = (await expect(200, server.call('GET', a('v1')))).json;
        const { managedFields } = metadata as unknown as { managedFields: { apiVersion: string }[] };
        return managedFields.filter(({ apiVersion }) => apiVersion.endsWith('/v2'));
      };
      const before = await managers();
      assert.equal(before.length, 1);
      const body = { spec: { hostPort: 'c.com:82' } };
      const answer = await server.call('PATCH', a('v1'), { headers: merge, body });
      assert.equal(answer.code, index === 0 ? 200 : 500, answer.text);
      if (index === 0) assert.equal(parseSpec(answer)['hostPort'], 'c.com:82');
      assert.deepEqual(await managers(), before);
    });

    for (const version of ['v1', 'v2'])
      test(`a deletion through ${version} marks an object with finalizers, and the last finalizer removes it`, async () => {
        const marked = await expect(200, server.call('DELETE', a(version)));
        if (version === 'v2') {
          assert.equal(marked.json.kind, 'Status');
          assert.equal(marked.json.status, 'Success');
          assert.match(String(marked.headers['warning']), /cannot be shown: .*out of order/);
        } else assert.equal(marked.json.kind, 'Host');
        assert.ok(await isMarked(a('v1')));
        const repeated = await expect(200, server.call('DELETE', a(version)));
        assert.equal(repeated.json.kind, marked.json.kind);
        await held(a('v1'), 'x.io/two');
        const { json } = await expect(200, server.call('GET', a('v1')));
        await expect(
          200,
          server.call('PUT', a('v1'), {
            body: { ...json, metadata: { ...json.metadata, finalizers: [] } },
          }),
        );
        await gone(a('v1'));
      });

    test('a dry run of a deletion is answered and changes nothing', async () => {
      const { json } = await expect(200, server.call('DELETE', `${a('v1')}?dryRun=All`));
      assert.equal(json.kind, 'Host');
      assert.ok('deletionTimestamp' in json.metadata);
      await expect(200, server.call('DELETE', `${a('v2')}?dryRun=All`));
      assert.equal(await isMarked(a('v1')), false);
    });

    test('metadata of objects is listed, read and watched in every version', async () => {
      const list = await expect(200, server.call('GET', hosts.path('v2'), { headers: metadataList }));
      assert.ok(list.json.items.some(item => item.metadata.name === 'a8'));
      const one = await expect(200, server.call('GET', hosts.path('v2', 'a8'), { headers: metadataOnly }));
      assert.equal(one.json.metadata.name, 'a8');
      const from = list.json.metadata.resourceVersion;
      using watch = await server.watch(`${hosts.path('v2')}?watch=1&resourceVersion=${from}`, {
        headers: metadataOnly,
      });
      await expect(200, server.call('DELETE', hosts.path('v2', 'a8')));
      await until('the watch has heard', () => watch.events.length > 0);
      assert.equal(watch.events[0]?.type, 'MODIFIED');
      assert.equal(watch.events[0]?.object.metadata.name, 'a8');
      assert.deepEqual(converter.conversions().flat(), ['a8 v1->v2'], 'for the answer to the deletion alone');
    });

    test('a pending foreground deletion is finished by a background deletion', async () => {
      const at = hosts.path('v2', 'a9');
      const wish = (policy: string) => server.call('DELETE', `${at}?propagationPolicy=${policy}`);
      await expect(200, wish('Foreground'));
      assert.ok(await isMarked(hosts.path('v1', 'a9')));
      await expect(200, wish('Background'));
      await gone(hosts.path('v1', 'a9'));
    });

    test('a collection is deleted through the other version', async () => {
      const { json } = await expect(200, server.call('DELETE', hosts.path('v2')));
      assert.equal(json.kind, 'Status');
      assert.equal(json.status, 'Success');
      const left = await expect(200, server.call('GET', hosts.path('v1'), { headers: metadataList }));
      for (const { metadata } of left.json.items) {
        assert.ok('deletionTimestamp' in metadata, metadata.name);
        await held(hosts.path('v1', metadata.name));
      }
      await gone(hosts.path('v1', 'a11'));
    });

    test('the namespace of objects and their definition can be deleted', async () => {
      const { group } = hosts;
      converter.answering = 'well';
      const namespace = `full${index}`;
      await server.namespace(namespace);
      const body = hosts.host('v1', 'b', { hostPort: 'a.com:81' });
      const there = hosts.path('v1').replace('/default/', `/${namespace}/`);
      await expect(201, server.call('POST', there, { body }));
      await expect(201, server.call('POST', hosts.path('v1'), { body }));
      breakWebhook();
      await expect(200, server.call('DELETE', `/api/v1/namespaces/${namespace}`));
      await until(
        'the namespace goes',
        async () => (await server.call('GET', `/api/v1/namespaces/${namespace}`)).code === 404,
      );
      const definition = `${definitionsPath}/hosts.${group}`;
      await expect(200, server.call('DELETE', definition));
      await until('the definition goes', async () => (await server.call('GET', definition)).code === 404);
    });
  });

describe('admission webhooks that review deletions', () => {
  const configurations = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';

  /** Has deletions of hosts of a group reviewed in a version; gives the path of an object to delete. */
  async function reviewed(name: string, version: string): Promise<string> {
    const { group, path, create } = await setup.hosts(name);
    const webhook = {
      name: `see.${group}`,
      clientConfig: { url: `${admission.url}/see`, caBundle: admission.caBundle },
      rules: [{ operations: ['DELETE'], apiGroups: [group], apiVersions: [version], resources: ['hosts'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    };
    const body = { metadata: { name: `see.${group}` }, webhooks: [webhook] };
    await create('v1', 'a', { hostPort: 'a.com:81' });
    await create('v1', 'probe', { hostPort: 'a.com:81' });
    await expect(201, server.call('POST', configurations, { body }));
    await until('the webhook is known', async () => {
      admission.calls.length = 0;
      await expect(200, server.call('DELETE', `${path('v2', 'probe')}?dryRun=All`));
      return admission.calls.length > 0;
    });
    admission.calls.length = 0;
    return path('v2', 'a');
  }

  test('see the stored object if they use its version', async () => {
    const object = await reviewed('seen', 'v1');
    breakWebhook();
    await expect(200, server.call('DELETE', object));
    const [call] = admission.calls;
    const { oldObject, requestKind, kind } = call?.request as Record<string, JsonObject>;
    assert.equal(objectAt(oldObject, 'spec')['hostPort'], 'a.com:81');
    assert.deepEqual([kind?.['version'], requestKind?.['version']], ['v1', 'v2']);
  });

  test('see a converted object if they use another version, and a failed conversion refuses the deletion', async () => {
    const object = await reviewed('blind', 'v2');
    breakWebhook();
    const refused = await expect(500, server.call('DELETE', object));
    assert.match(refused.json.message, /out of order/);
    converter.answering = 'well';
    await expect(200, server.call('DELETE', object));
    const { oldObject } = admission.calls.at(-1)?.request as Record<string, JsonObject>;
    assert.equal(objectAt(oldObject, 'spec')['host'], 'a.com');
  });
});
