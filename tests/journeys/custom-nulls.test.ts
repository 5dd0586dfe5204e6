import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer, ApiServer } from './api-server.ts';
import { createDefinition, establish } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

const text = { type: 'string' };
const nullable = { ...text, nullable: true };
const items = { type: 'array', items: text };
const map = { type: 'object', additionalProperties: text };

/** A field of a schema, and what becomes of a null in it: of a write that puts it there, and of an apply. */
const fields: Readonly<Record<string, { schema: object; sent: unknown; stored: unknown; applied: unknown }>> =
  {
    plain: { schema: text, sent: null, stored: 'absent', applied: 'refused' },
    byDefault: { schema: { ...text, default: 'd' }, sent: null, stored: 'd', applied: 'd' },
    nullable: { schema: nullable, sent: null, stored: null, applied: null },
    nullableByDefault: { schema: { ...nullable, default: 'd' }, sent: null, stored: null, applied: null },
    object: { schema: { type: 'object' }, sent: null, stored: 'absent', applied: 'refused' },
    list: { schema: items, sent: null, stored: 'absent', applied: 'refused' },
    port: { schema: { 'x-cluster-int-or-string': true }, sent: null, stored: 'absent', applied: 'refused' },
    anything: {
      schema: { 'x-cluster-preserve-unknown-fields': true },
      sent: null,
      stored: 'absent',
      applied: 'absent',
    },
    member: { schema: map, sent: { a: null }, stored: {}, applied: 'refused' },
    nullableMember: {
      schema: { type: 'object', additionalProperties: nullable },
      sent: { a: null },
      stored: { a: null },
      applied: { a: null },
    },
    item: { schema: items, sent: [null], stored: 'refused', applied: 'refused' },
    nullableItem: {
      schema: { type: 'array', items: nullable },
      sent: [null],
      stored: [null],
      applied: [null],
    },
    itemByDefault: {
      schema: { type: 'array', items: { ...text, default: 'd' } },
      sent: [null],
      stored: ['d'],
      applied: ['d'],
    },
    anyItem: {
      schema: { type: 'array', items: { 'x-cluster-preserve-unknown-fields': true } },
      sent: [null],
      stored: [null],
      applied: [null],
    },
  };

const group = 'nulls.example.com';
const path = `/apis/${group}/v1/namespaces/custom-nulls/nullings`;
const root = { apiVersion: `${group}/v1`, kind: 'Nulling' };

let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await server.namespace('custom-nulls');
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties },
      status: { type: 'object', properties: { phase: text } },
    },
  };
  const version = { subresources: { status: {} } };
  await establish(server, createDefinition('nullings', 'Nulling', schema, { group, version }));
});
after(() => server[Symbol.asyncDispose]());

/** The stored value of a field, or the finding about it. */
function findOutcome({ code, text: body, json }: Answer, field: string): unknown {
  if (code === 422) {
    const [cause] = json.details.causes;
    assert.equal(cause?.reason, 'FieldValueTypeInvalid', body);
    assert.ok(cause?.field.startsWith(`spec.${field}`), cause?.field);
    return 'refused';
  }
  assert.ok(code === 200 || code === 201, body);
  const { spec } = JSON.parse(body) as { spec: Record<string, unknown> };
  return field in spec ? spec[field] : 'absent';
}

const apply = (name: string, spec: object, more: object = {}) =>
  server.call('PATCH', `${path}/${name}?fieldManager=m&force=true`, {
    headers: { 'Content-Type': 'application/apply-patch+yaml' },
    body: { ...root, metadata: { name }, spec, ...more },
  });

let count = 0;
async function existing(): Promise<{ name: string; object: Record<string, unknown> }> {
  const name = `n${count++}`;
  const created = await server.call('POST', path, { body: { ...root, metadata: { name }, spec: {} } });
  assert.equal(created.code, 201, created.text);
  return { name, object: JSON.parse(created.text) };
}

describe('a null in a field', () => {
  for (const [field, { sent, stored, applied }] of Object.entries(fields)) {
    const spec = { [field]: sent };
    test(`${field}: by a creation`, async () => {
      const body = { ...root, metadata: { name: `c${count++}` }, spec };
      assert.deepEqual(findOutcome(await server.call('POST', path, { body }), field), stored);
    });

    test(`${field}: by a replacement`, async () => {
      const { name, object } = await existing();
      const answer = await server.call('PUT', `${path}/${name}`, { body: { ...object, spec } });
      assert.deepEqual(findOutcome(answer, field), stored);
    });

    test(`${field}: by a JSON patch`, async () => {
      const { name } = await existing();
      const answer = await server.call('PATCH', `${path}/${name}`, {
        headers: { 'Content-Type': 'application/json-patch+json' },
        body: [{ op: 'add', path: `/spec/${field}`, value: sent }],
      });
      assert.deepEqual(findOutcome(answer, field), stored);
    });

    test(`${field}: by an apply, to a new object and to an old one`, async () => {
      assert.deepEqual(findOutcome(await apply(`a${count++}`, spec), field), applied);
      const { name } = await existing();
      const answer = await apply(name, spec);
      assert.deepEqual(findOutcome(answer, field), applied);
      const { metadata } = JSON.parse((await server.call('GET', `${path}/${name}`)).text) as {
        metadata: { managedFields?: { manager: string }[] };
      };
      const isManager = metadata.managedFields?.some(({ manager }) => manager === 'm') ?? false;
      assert.equal(isManager, applied !== 'refused');
    });
  }

  test('a merge patch removes the field', async () => {
    const { name } = await existing();
    await apply(name, { nullable: 'x' });
    const answer = await server.call('PATCH', `${path}/${name}`, {
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: { spec: { nullable: null, plain: null } },
    });
    assert.deepEqual([findOutcome(answer, 'nullable'), findOutcome(answer, 'plain')], ['absent', 'absent']);
  });

  test('an apply of a status is refused only for nulls in the status', async () => {
    const { name } = await existing();
    const applyStatus = (more: object) =>
      server.call('PATCH', `${path}/${name}/status?fieldManager=s`, {
        headers: { 'Content-Type': 'application/apply-patch+yaml' },
        body: { ...root, metadata: { name }, ...more },
      });
    const fine = await applyStatus({ spec: { plain: null }, status: { phase: 'x' } });
    assert.equal(fine.code, 200, fine.text);
    const refused = await applyStatus({ status: { phase: null } });
    assert.deepEqual(
      [refused.code, refused.json.details.causes.map(({ field }) => field)],
      [422, ['status.phase']],
    );
  });

  test('a server-side dry run is refused too', async () => {
    const answer = await server.call('PATCH', `${path}/dry?fieldManager=m&dryRun=All`, {
      headers: { 'Content-Type': 'application/apply-patch+yaml' },
      body: { ...root, metadata: { name: 'dry' }, spec: { plain: null } },
    });
    assert.equal(findOutcome(answer, 'plain'), 'refused');
  });
});
