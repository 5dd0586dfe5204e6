import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { groups, mediaTypes, understood } from '@binnacle/api-names';
import { messageNamed } from '@binnacle/api-types';
import { decodeProtobuf } from '@binnacle/codecs';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { objectAt } from './setup/json-parts.ts';

/** Configurations of webhooks, which are stored under the name by which their author knows the group, and read by either. */

let server: ApiServer;
before(async () => {
  server = await startApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

const registrations = understood.groups.admissionregistration;
const createPath = (group: string) => `/apis/${group}/v1/validatingwebhookconfigurations`;
const named = (group: string) => `by-${group.replaceAll('.', '-')}`;
const body = (group: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: named(group) },
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://localhost:1/' },
      rules: [{ operations: ['CREATE'], apiGroups: ['never'], apiVersions: ['v1'], resources: ['matches'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    },
  ],
});

async function read(path: string, accept = 'application/json'): Promise<{ text: string; bytes: Buffer }> {
  const { code, text, bytes } = await server.call('GET', path, { headers: { Accept: accept } });
  assert.equal(code, 200, text);
  return { text, bytes };
}

for (const author of registrations)
  test(`a configuration written through ${author} has the group of the path in each form`, async () => {
    const made = await server.call('POST', createPath(author), { body: body(author) });
    assert.equal(made.code, 201, made.text);
    for (const reader of registrations) {
      const path = `${createPath(reader)}/${named(author)}`;
      const apiVersion = `${reader}/v1`;
      assert.equal(JSON.parse((await read(path)).text).apiVersion, apiVersion);
      assert.ok((await read(path, 'application/yaml')).text.includes(`apiVersion: ${apiVersion}`));
      const message = messageNamed('admissionregistration.v1.ValidatingWebhookConfiguration');
      const decoded = decodeProtobuf((await read(path, mediaTypes.protobuf)).bytes, message);
      assert.equal(decoded.apiVersion, apiVersion);
      const table = await read(
        `${path}?includeObject=Object`,
        `application/json;as=Table;g=${groups.meta};v=v1`,
      );
      assert.equal(JSON.parse(table.text).rows[0].object.apiVersion, apiVersion);
      const list = objectAt(JSON.parse((await read(createPath(reader))).text));
      assert.equal(list['apiVersion'], apiVersion);
      using watch = await server.watch(
        `${createPath(reader)}?watch=1&resourceVersion=0&fieldSelector=metadata.name=${named(author)}`,
      );
      await until('the watch has it', () => watch.events.length > 0);
      assert.equal(watch.events[0]?.object.apiVersion, apiVersion);
      const { text } = await read(path);
      const same = await server.call('PUT', path, { body: JSON.parse(text) });
      assert.equal(same.text, text, 'what was read changes nothing');
    }
  });

for (const [index, other] of registrations.entries())
  test(`an apply through ${other} becomes a manager of fields written through another group, and a second apply changes nothing`, async () => {
    const [author = ''] = registrations;
    const name = `applied-${index}`;
    const content = { ...body(author), metadata: { name } };
    const made = await server.call('POST', createPath(author), { body: content });
    assert.equal(made.code, 201, made.text);
    const apply = () =>
      server.call('PATCH', `${createPath(other)}/${name}?fieldManager=m&force=true`, {
        body: { ...content, apiVersion: `${other}/v1` },
        headers: { 'Content-Type': 'application/apply-patch+yaml' },
      });
    const applied = await apply();
    assert.equal(applied.code, 200, applied.text);
    assert.equal(JSON.parse(applied.text).apiVersion, `${other}/v1`);
    assert.equal((await apply()).text, applied.text);
    const deleted = await server.call('DELETE', `${createPath(other)}/${name}`);
    assert.equal(deleted.code, 200, deleted.text);
  });
