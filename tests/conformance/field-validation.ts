import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { assertRefused, listCauses } from './drivers/collections.ts';
import type { ConformanceTests } from './drivers/conformance-server.ts';
import { withOtherSwitches } from './drivers/variants.ts';
import { eachWrite, unknownWarning } from './field-validation/each-write.ts';
import { defineMarks } from './server-side-apply/custom-definitions.ts';

const mergeType = 'application/merge-patch+json';
const levels = ['', 'fieldValidation=Ignore', 'fieldValidation=Warn', 'fieldValidation=Strict'];

/** 1, "Field validation". */
export const fieldValidationTests: ConformanceTests = {
  async '1/Field validation/1 a value of the wrong type is refused at every level'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/services`;
    const metadata = { name: 's' };
    const bodies: Record<string, JsonObject> = {
      'text for a number': { metadata, spec: { ports: [{ port: 'eighty' }] } },
      'an object for a list': { metadata, spec: { ports: { port: 80 } } },
      'a number for text': { metadata: { name: 7 }, spec: {} },
      'a list for a map': { metadata: { ...metadata, labels: [] } },
    };
    const fields = ['spec.ports[0].port', 'spec.ports', 'metadata.name', 'metadata.labels'];
    for (const level of levels) {
      for (const [index, [what, body]] of Object.entries(bodies).entries()) {
        const answer = await server.request('POST', `${collection}?${level}`, { body });
        assertRefused(answer, 400, 'BadRequest');
        const message = String(answer.at('message'));
        assert.ok(message.includes(fields[index] ?? ''), `${what} ${level}: ${message}`);
      }
    }
    await server.expect(404, 'GET', `${collection}/s`);
  },

  async '1/Field validation/1 an update or patch with a value of the wrong type is refused too'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const metadata = { name: 'a' };
    await server.expect(201, 'POST', collection, { body: { metadata, data: { a: '1' } } });
    for (const level of levels) {
      const body = { metadata, data: 'text' };
      assertRefused(await server.request('PUT', `${collection}/a?${level}`, { body }), 400, 'BadRequest');
      const patched = await server.request('PATCH', `${collection}/a?${level}`, {
        body: { data: 'text' },
        contentType: mergeType,
      });
      assertRefused(patched, 422, 'Invalid');
    }
    assert.deepEqual((await server.expect(200, 'GET', `${collection}/a`)).at('data'), { a: '1' });
  },

  async '1/Field validation/2a unknown fields are dropped wherever they are'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/services`;
    const body = {
      metadata: { name: 's', strange: 1 },
      spec: { ports: [{ port: 80, foo: 1 }], bar: { x: 2 } },
      bogus: [1],
    };
    const created = await server.expect(201, 'POST', collection, { body });
    const stored = await server.expect(200, 'GET', `${collection}/s`);
    for (const { body: object } of [created, stored]) {
      assert.doesNotMatch(JSON.stringify(object), /"(strange|foo|bar|bogus)"/);
    }
    assert.equal(stored.at('spec', 'ports', 0, 'port'), 80, 'what is known is kept');
  },

  async '1/Field validation/2a names of fields are case-sensitive'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const created = await server.expect(201, 'POST', collection, {
      body: { metadata: { name: 'a' }, Data: { a: '1' } },
    });
    assert.deepEqual(created.warnings, ['unknown field "Data"']);
    assert.equal(created.at('data'), undefined);
  },

  async '1/Field validation/2b of fields that occur twice the last one counts, in JSON and YAML'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const json = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
    const fromJson = await server.expect(201, 'POST', collection, { body: json });
    assert.deepEqual(fromJson.at('data'), { x: '2' });
    const yaml = 'metadata:\n  name: b\ndata:\n  x: "1"\n  x: "2"\n';
    const fromYaml = await server.expect(201, 'POST', collection, {
      body: yaml,
      contentType: 'application/yaml',
    });
    assert.deepEqual(fromYaml.at('data'), { x: '2' });
  },

  async '1/Field validation/2c where a definition keeps unknown fields they are no finding'(server) {
    const namespace = await server.namespace();
    const open = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
    await using definition = await defineMarks(server, { properties: { open } });
    const collection = `/apis/${definition.apiVersion}/namespaces/${namespace}/marks`;
    const strict = `${collection}?fieldValidation=Strict`;
    const kept = await server.expect(201, 'POST', strict, {
      body: definition.mark('a', { open: { any: { thing: 1 } } }),
    });
    assert.deepEqual(kept.at('spec'), { open: { any: { thing: 1 } } });
    const pruned = await server.expect(201, 'POST', collection, {
      body: definition.mark('b', { open: { any: 1 }, closed: 1 }),
    });
    assert.deepEqual(pruned.at('spec'), { open: { any: 1 } });
    assert.deepEqual(pruned.warnings, ['unknown field "spec.closed"']);
    const refused = await server.request('POST', strict, { body: definition.mark('c', { closed: 1 }) });
    assertRefused(refused, 400, 'BadRequest');
  },

  async '1/Field validation/3a POST, PUT and PATCH refuse another value of the parameter'(server) {
    const kinds: Record<string, string> = { POST: 'CreateOptions', PUT: 'UpdateOptions' };
    await eachWrite(server, 'fieldValidation=Perhaps', async ({ what, answer, path }) => {
      assertRefused(answer, 422, 'Invalid');
      assert.deepEqual(listCauses(answer), ['fieldValidation FieldValueNotSupported'], what);
      assert.equal(answer.at('details', 'kind'), kinds[what] ?? 'PatchOptions');
      const { code, text } = await server.request('GET', path);
      assert.ok(code === 404 || !text.includes('"a":"2"'), `${what} was written`);
    });
  },

  async '1/Field validation/3b without the gate the parameter says nothing'(server) {
    const variant = await withOtherSwitches(server);
    for (const level of levels.slice(1)) {
      await eachWrite(variant, level, async ({ what, answer, path }) => {
        assert.ok(answer.code === 200 || answer.code === 201, `${what} ${level}: ${answer.text}`);
        assert.deepEqual(answer.warnings, [], what);
        const stored = await variant.expect(200, 'GET', path);
        assert.deepEqual([stored.at('data'), stored.at('bogus')], [{ a: '2' }, undefined], what);
      });
    }
  },

  async '1/Field validation/3b with the gate, which is on by default, it does'(server) {
    const metrics = await server.expect(200, 'GET', '/metrics');
    const gate = 'kubernetes_feature_enabled{name="ServerSideFieldValidation",stage="BETA"} 1';
    assert.ok(metrics.text.includes(`\n${gate}\n`), 'the gate is beta, and on');
    await eachWrite(server, 'fieldValidation=Strict', async ({ answer }) =>
      assertRefused(answer, 400, 'BadRequest'),
    );
  },

  async '1/Field validation/Ignore every write drops the fields and says nothing of it'(server) {
    await eachWrite(server, 'fieldValidation=Ignore', async ({ what, answer, path }) => {
      assert.ok(answer.code === 200 || answer.code === 201, `${what}: ${answer.text}`);
      assert.deepEqual([answer.warnings, answer.headers.warning], [[], undefined], what);
      const stored = await server.expect(200, 'GET', path);
      assert.deepEqual([stored.at('data'), stored.at('bogus')], [{ a: '2' }, undefined], what);
    });
  },

  async '1/Field validation/Ignore duplicate fields are dropped silently'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const created = await server.expect(201, 'POST', `${collection}?fieldValidation=Ignore`, {
      body: '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}',
    });
    assert.deepEqual([created.at('data'), created.warnings], [{ x: '2' }, []]);
  },

  async '1/Field validation/Warn every write drops the fields and warns, by default too'(server) {
    for (const level of ['', 'fieldValidation=Warn']) {
      await eachWrite(server, level, async ({ what, answer, path }) => {
        assert.ok(answer.code === 200 || answer.code === 201, `${what}: ${answer.text}`);
        assert.deepEqual(answer.warnings, [unknownWarning], what);
        const stored = await server.expect(200, 'GET', path);
        assert.deepEqual([stored.at('data'), stored.at('bogus')], [{ a: '2' }, undefined], what);
      });
    }
  },

  async '1/Field validation/Warn there is one header for each field, with its full path'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/services`;
    const body =
      '{"metadata":{"name":"s","strange":1,"labels":{"l":"1","l":"2"}},' +
      '"spec":{"ports":[{"port":80,"foo":1},{"port":81,"name":"b","name":"c","foo":1}],"bar":2}}';
    const answer = await server.request('POST', collection, { body });
    assert.deepEqual(
      [...answer.warnings].sort(),
      [
        'duplicate field "metadata.labels.l"',
        'duplicate field "spec.ports[1].name"',
        'unknown field "metadata.strange"',
        'unknown field "spec.bar"',
        'unknown field "spec.ports[0].foo"',
        'unknown field "spec.ports[1].foo"',
      ],
      answer.text,
    );
  },

  async '1/Field validation/Warn the header has code 299, an agent and quoted text'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const message = await server.open('POST', collection, { body: { metadata: { name: 'a' }, 'b"c': 1 } });
    message.resume();
    const values = message.rawHeaders.filter((_, i, all) => all[i - 1]?.toLowerCase() === 'warning');
    assert.deepEqual(values, [String.raw`299 - "unknown field \"b\\\"c\""`]);
  },

  async '1/Field validation/Warn a hundred unknown fields are a hundred headers'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const names = Array.from({ length: 100 }, (_, i) => `u${String(i).padStart(3, '0')}`);
    const many = Object.fromEntries(names.map(name => [name, 1]));
    const { warnings } = await server.expect(201, 'POST', collection, {
      body: { metadata: { name: 'a' }, ...many },
    });
    assert.deepEqual(
      [...warnings].sort(),
      names.map(name => `unknown field "${name}"`),
    );
  },

  async '1/Field validation/Warn more than headers can hold is cut, and the request succeeds'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const long = Array.from({ length: 60 }, (_, i) => [`${i}${'x'.repeat(400)}`, 1]);
    const { warnings } = await server.expect(201, 'POST', collection, {
      body: { metadata: { name: 'a' }, ...Object.fromEntries(long) },
    });
    assert.ok(warnings.length >= 16 && warnings.length < 60, `${warnings.length} headers`);
    for (const text of warnings) {
      assert.match(text, /^unknown field "\d+x+/);
      assert.equal(text.length, 256);
    }
  },

  async '1/Field validation/Strict every write with unknown fields is refused and changes nothing'(server) {
    await eachWrite(server, 'fieldValidation=Strict', async ({ what, answer, path }) => {
      assertRefused(answer, 400, 'BadRequest');
      assert.ok(String(answer.at('message')).includes(unknownWarning), `${what}: ${answer.text}`);
      const { code, text } = await server.request('GET', path);
      assert.ok(code === 404 || !text.includes('"a":"2"'), `${what} was written`);
    });
  },

  async '1/Field validation/Strict the message lists every field, in JSON and YAML'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps?fieldValidation=Strict`;
    const json = '{"metadata":{"name":"a","x":1},"data":{"a":"1","a":"2"},"y":1,"z":1}';
    const fromJson = await server.request('POST', collection, { body: json });
    assertRefused(fromJson, 400, 'BadRequest');
    for (const finding of ['unknown field "metadata.x"', 'unknown field "y"', 'unknown field "z"'])
      assert.ok(String(fromJson.at('message')).includes(finding), `${finding}: ${fromJson.text}`);
    assert.match(String(fromJson.at('message')), /duplicate field "data\.a"/);
    const yaml = 'metadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\nother: 1\n';
    const fromYaml = await server.request('POST', collection, {
      body: yaml,
      contentType: 'application/yaml',
    });
    assertRefused(fromYaml, 400, 'BadRequest');
    assert.match(String(fromYaml.at('message')), /unknown field "other"/);
    assert.match(String(fromYaml.at('message')), /line 5.*"k"/s);
  },

  async '1/Field validation/Strict duplicate fields of a patch are refused'(server) {
    const path = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    await server.expect(201, 'POST', path, { body: { metadata: { name: 'a' } } });
    const body = '{"data":{"x":"1","x":"2"}}';
    for (const contentType of [mergeType, 'application/strategic-merge-patch+json']) {
      const strict = await server.request('PATCH', `${path}/a?fieldValidation=Strict`, { body, contentType });
      assertRefused(strict, 400, 'BadRequest');
      assert.match(String(strict.at('message')), /duplicate field "data\.x"/);
      const warned = await server.expect(200, 'PATCH', `${path}/a`, { body, contentType });
      assert.deepEqual(warned.warnings, ['duplicate field "data.x"']);
      assert.deepEqual(warned.at('data'), { x: '2' });
    }
  },

  async '1/Field validation/Strict what has no such fields goes through'(server) {
    const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    const created = await server.expect(201, 'POST', `${collection}?fieldValidation=Strict`, {
      body: { metadata: { name: 'a' }, data: { a: '1' } },
    });
    assert.deepEqual([created.at('data'), created.warnings], [{ a: '1' }, []]);
  },
};
