import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('yaml-bodies');
});
after(() => server?.[Symbol.asyncDispose]());

const templates = '/api/v1/namespaces/yaml-bodies/podtemplates';
const maps = '/api/v1/namespaces/yaml-bodies/configmaps';
const yaml = { 'content-type': 'application/yaml' };
const applied = { 'content-type': 'application/apply-patch+yaml' };

const template = (name: string, mode: string) => `
apiVersion: v1
kind: PodTemplate
metadata: {name: ${name}}
template:
  spec:
    automountServiceAccountToken: off
    containers:
    - &main {name: main, image: app}
    - <<: *main
      name: other
    volumes:
    - name: key
      secret: {secretName: key, defaultMode: ${mode}}
`;

interface Template {
  readonly metadata: { readonly resourceVersion: string };
  readonly template: {
    readonly spec: {
      readonly automountServiceAccountToken: boolean;
      readonly containers: readonly { readonly name: string; readonly image: string }[];
      readonly volumes: readonly { readonly secret: { readonly defaultMode: number } }[];
    };
  };
}

/** The values in an answer that the manifest gives in forms of YAML 1.1. */
function shown(text: string) {
  const { spec } = (JSON.parse(text) as Template).template; // the body of a PodTemplate
  return [
    spec.volumes[0]?.secret.defaultMode,
    spec.automountServiceAccountToken,
    spec.containers.map(({ name, image }) => `${name} ${image}`),
  ];
}

const files = ['main app', 'other app'];

test('modes, words and merge keys of a manifest have the meaning of kubectl in creations, updates and applies', async () => {
  const created = await server.call('POST', templates, { body: template('made', '0400'), headers: yaml });
  assert.equal(created.code, 201, created.text);
  assert.deepEqual(shown(created.text), [256, false, files]);

  const path = `${templates}/made`;
  const updated = await server.call('PUT', path, { body: template('made', '0o440'), headers: yaml });
  assert.equal(updated.code, 200, updated.text);
  assert.deepEqual(shown(updated.text), [288, false, files]);

  const query = '?fieldManager=m&force=true';
  const changed = await server.call('PATCH', path + query, {
    body: template('made', '0b100000000'),
    headers: applied,
  });
  assert.equal(changed.code, 200, changed.text);
  assert.deepEqual(shown(changed.text), [256, false, files]);

  const fresh = await server.call('PATCH', `${templates}/applied${query}`, {
    body: template('applied', '0644'),
    headers: applied,
  });
  assert.equal(fresh.code, 201, fresh.text);
  assert.deepEqual(shown(fresh.text), [420, false, files]);
});

test('a YAML word such as yes is not a string', async () => {
  const body = 'metadata: {name: word}\ndata: {a: yes}\n';
  const refused = await server.call('POST', maps, { body, headers: yaml });
  assert.deepEqual([refused.code, refused.json.reason], [400, 'BadRequest'], refused.text);
  assert.match(refused.json.message, /data\.a/);
});

test('a member that overrides a merged one is a duplicate for field validation', async () => {
  const body = 'metadata: {name: merged}\ndata:\n  <<: {a: b, c: d}\n  a: e\n';
  const strict = await server.call('POST', `${maps}?fieldValidation=Strict`, { body, headers: yaml });
  assert.equal(strict.code, 400, strict.text);
  assert.match(strict.json.message, /line 4: key "a" already set in map/);
  const warned = await server.call('POST', maps, { body, headers: yaml });
  assert.equal(warned.code, 201, warned.text);
  assert.deepEqual(warned.json.data, { a: 'e', c: 'd' });
  assert.match(String(warned.headers['warning']), /key \\"a\\" already set in map/);
});

test('an answer in YAML can be sent back, whatever strings it contains', async () => {
  const texts = [
    '0400',
    'yes',
    'N',
    '1_000',
    '1e3',
    '<<',
    '=',
    '~',
    '',
    '.inf',
    '0x1F',
    '1:30',
    '2001-01-01',
    ' \n',
  ];
  const data = Object.fromEntries(texts.map((text, index) => [`k${index}`, text]));
  const annotations = Object.fromEntries(['yes', 'on', '0400', '1.5'].map(key => [key, key]));
  const body = { metadata: { name: 'texts', annotations }, data };
  const created = await server.call('POST', maps, { body });
  assert.equal(created.code, 201, created.text);
  const read = await server.call('GET', `${maps}/texts`, { headers: { accept: 'application/yaml' } });
  const sent = await server.call('PUT', `${maps}/texts?fieldValidation=Strict`, {
    body: read.text,
    headers: yaml,
  });
  assert.equal(sent.code, 200, sent.text);
  assert.deepEqual(sent.json.data, data);
  assert.deepEqual(sent.json.metadata.annotations, annotations);
  assert.equal(sent.json.metadata.resourceVersion, created.json.metadata.resourceVersion);
});
