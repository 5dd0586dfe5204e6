import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { customDefinitionFrom, customTypesFrom } from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import { isWebhookConverted, type WebhookConverted } from '@binnacle/conversion-webhooks';
import type { CallRequest, CallResponse } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { createMetrics } from '@binnacle/telemetry';
import { createConversionMetrics } from './conversion-calls.ts';
import { findForm } from './kept-forms.ts';
import { storedForm } from './stored-form.ts';
import { bytesInVersion } from './version-form.ts';
import { createWebhookConversions } from './webhook-conversions.ts';

const names = { plural: 'hosts', singular: 'host', kind: 'Host', listKind: 'HostList' };
const open = { type: 'object', 'x-cluster-preserve-unknown-fields': true };

/** The types v1, which is stored, and v2 of a definition; new ones each time. */
function hostTypes(): { v1: WebhookConverted; v2: WebhookConverted } {
  const definition: ApiObject = {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hosts.ex.com' },
    spec: {
      group: 'ex.com',
      scope: 'Namespaced',
      names,
      versions: ['v1', 'v2'].map(name => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: open },
      })),
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://hook/' }, conversionReviewVersions: ['v1'] },
      },
    },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
  const types = customTypesFrom(customDefinitionFrom(definition));
  const find = (version: string) => {
    const type = types.find(one => one.version === version);
    assert.ok(type && isWebhookConverted(type));
    return type;
  };
  return { v1: find('v1'), v2: find('v2') };
}

function host(name: string, padding = 0): Buffer {
  return encodeStored({
    kind: 'Host',
    apiVersion: 'ex.com/v1',
    metadata: { name, uid: name },
    padding: 'x'.repeat(padding),
  });
}

interface Asked {
  readonly names: string[];
  answer(): void;
}

/** Conversions through a dispatcher that answers when a test says so, or at once. */
function conversionsUnderTest({ atOnce = true } = {}) {
  let now = 1_000_000;
  const asked: Asked[] = [];
  const call = async (request: CallRequest): Promise<CallResponse> => {
    const review = JSON.parse(Buffer.from(request.body).toString());
    const objects: JsonObject[] = review.request.objects;
    const convertedObjects = objects.map(object => ({
      ...object,
      apiVersion: review.request.desiredAPIVersion,
      round: asked.length,
    }));
    const { promise, resolve } = Promise.withResolvers<void>();
    asked.push({
      names: objects.map(({ metadata }) => String((metadata as JsonObject)['name'])),
      answer: resolve,
    });
    if (!atOnce) await promise;
    const response = { uid: review.request.uid, result: { status: 'Success' }, convertedObjects };
    const body = Buffer.from(JSON.stringify({ ...review, response }));
    return { failure: 'NONE', failureMessage: '', status: 200, contentType: 'application/json', body };
  };
  const conversions = createWebhookConversions({
    dispatch: { call },
    findAddress: () => undefined,
    ...createConversionMetrics(createMetrics()),
    clock: () => now,
  });
  return {
    conversions,
    asked,
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve));

/** Resolves when the webhook was called so often: objects are read and written in slices, which wait for their turn. */
async function untilAsked(asked: readonly Asked[], times: number): Promise<void> {
  while (asked.length < times) await nextTurn();
  await nextTurn();
}

test('conversions are cached for half a minute, and watches use them at any age', async () => {
  const { conversions, asked, pass } = conversionsUnderTest();
  const { v2 } = hostTypes();
  const stored = host('a');
  const [first] = await conversions.formsInVersion(v2, [stored], {});
  assert.ok(first);
  assert.equal(decodeStored(first.bytes, 1).apiVersion, 'ex.com/v2');
  assert.deepEqual(conversions.formsInVersion(v2, [stored], {}), [first], 'without a promise');
  pass(30_001);
  assert.deepEqual(conversions.formsInVersion(v2, [stored], { anyAge: true }), [first]);
  const [second] = await conversions.formsInVersion(v2, [stored], {});
  assert.ok(second);
  assert.equal(decodeStored(second.bytes, 1)['round'], 1);
  assert.equal(asked.length, 2);
});

test('an object is read in the requested version, and converted if it is stored in another one', async () => {
  const { conversions, asked } = conversionsUnderTest();
  const { v1, v2 } = hostTypes();
  using call = createCallContext({ timeoutMs: 1000 });
  const how = { revision: 7, call };
  const { object } = await conversions.readStored(v2, host('a'), how);
  assert.equal(object.apiVersion, 'ex.com/v2');
  assert.equal(object.metadata.resourceVersion, '7');
  assert.equal((await conversions.readStored(v1, host('a'), how)).object.apiVersion, 'ex.com/v1');
  assert.equal(asked.length, 1);
});

test('a changed definition discards all conversions', async () => {
  const { conversions, asked } = conversionsUnderTest();
  const stored = host('a');
  await conversions.formsInVersion(hostTypes().v2, [stored], {});
  await conversions.formsInVersion(hostTypes().v2, [stored], {});
  assert.equal(asked.length, 2);
});

test('concurrent readers of an object share one conversion call', async () => {
  const { conversions, asked } = conversionsUnderTest({ atOnce: false });
  const { v2 } = hostTypes();
  const [a, b] = [host('a'), host('b')];
  const both = [conversions.formsInVersion(v2, [a], {}), conversions.formsInVersion(v2, [a, b], {})];
  await untilAsked(asked, 2);
  assert.deepEqual(
    asked.map(one => one.names),
    [['a'], ['b']],
  );
  for (const one of asked) one.answer();
  await Promise.all(both);
  assert.ok(findForm(v2, b));
});

test('an aborted reader does not abort the conversion for others', async () => {
  const { conversions, asked } = conversionsUnderTest({ atOnce: false });
  const { v2 } = hostTypes();
  const stored = host('a');
  const leaving = new AbortController();
  using parent = createCallContext({ timeoutMs: 60_000, signal: leaving.signal });
  const impatient = conversions.formsInVersion(v2, [stored], { call: parent });
  const patient = conversions.formsInVersion(v2, [stored], {});
  await untilAsked(asked, 1);
  leaving.abort(new Error('gone'));
  await assert.rejects(async () => impatient);
  asked[0]?.answer();
  await patient;
  assert.equal(asked.length, 1);
  assert.ok(findForm(v2, stored));
});

test('a long list is converted in calls of limited size and number', async () => {
  const { conversions, asked } = conversionsUnderTest({ atOnce: false });
  const { v2 } = hostTypes();
  const stored = Array.from({ length: 12 }, (_, index) => host(`h${index}`, 600 * 1024));
  const prepared = conversions.formsInVersion(v2, stored, {});
  for (let answered = 0; answered < stored.length; answered++) {
    const expected = Math.min(answered + 4, stored.length);
    await untilAsked(asked, expected);
    assert.equal(asked.length, expected);
    asked[answered]?.answer();
  }
  await prepared;
  assert.deepEqual(new Set(asked.flatMap(one => one.names)), new Set(stored.map((_, index) => `h${index}`)));
  for (const bytes of stored) assert.ok(findForm(v2, bytes));
});

test('objects stored in the requested version are not converted', async () => {
  const { conversions, asked } = conversionsUnderTest();
  const { v1, v2 } = hostTypes();
  using call = createCallContext({ timeoutMs: 1000 });
  const object = decodeStored(host('a'), 1);
  const stored = await storedForm(v1, object, { conversions, call });
  assert.ok(Buffer.isBuffer(stored), 'without a promise');
  assert.equal(conversions.formsInVersion(v1, [stored, host('b')], {}) instanceof Promise, false);
  const inV2 = encodeStored({ ...object, apiVersion: 'ex.com/v2' });
  assert.equal(conversions.formsInVersion(v2, [inV2], {}) instanceof Promise, false);
  assert.equal(decodeStored(bytesInVersion(v2, inV2) ?? stored, 1).apiVersion, 'ex.com/v2');
  assert.deepEqual(asked, []);
});

test('an object written in another version is stored in the storage version, without its resourceVersion', async () => {
  const { conversions } = conversionsUnderTest();
  const { v2 } = hostTypes();
  using call = createCallContext({ timeoutMs: 1000 });
  const object = { ...decodeStored(host('a'), 7), apiVersion: 'ex.com/v2' };
  const stored = decodeStored(await storedForm(v2, object, { conversions, call }), 9);
  assert.equal(stored.apiVersion, 'ex.com/v1');
  assert.equal(stored.metadata.resourceVersion, '9');
  assert.equal(object.metadata.resourceVersion, '7');
});

test('bytes that failed to convert have no other version', () => {
  assert.equal(bytesInVersion(hostTypes().v2, host('a')), undefined);
});

test('without access to webhooks a conversion fails with the reason', async () => {
  const conversions = createWebhookConversions({
    dispatch: undefined,
    findAddress: () => undefined,
    ...createConversionMetrics(createMetrics()),
    clock: () => 0,
  });
  await assert.rejects(async () => conversions.formsInVersion(hostTypes().v2, [host('a')], {}), {
    code: 500,
    reason: '',
    message: /^conversion webhook for ex\.com\/v1, Kind=Host failed: .* no webhook-dispatch$/,
  });
});
