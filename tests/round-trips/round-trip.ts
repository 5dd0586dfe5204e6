import { isDeepStrictEqual } from 'node:util';
import type { ResourceDefinition } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';
import { decodeBodyAtOnce } from '@binnacle/codecs/testing';
import { parse as parseYaml, type ScalarTag, stringify as stringifyYaml, type Tags } from 'yaml';
import type { Answer, ConformanceServer, Sent } from '../conformance/drivers/conformance-server.ts';
import { until } from '../journeys/api-server.ts';
import { followLines } from '../journeys/setup/http-message.ts';
import {
  isObjectValue,
  memberAt,
  type ObjectValue,
  parseExact,
  stringifyExact,
  type Value,
} from './exact-json.ts';
import { findLosses } from './find-losses.ts';
import { createRepairs } from './repair-object.ts';

const json = 'application/json';
const yaml = 'application/yaml';
const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
const protobuf = 'application/vnd.cluster.protobuf';

/** Objects of one kind on their way through a server. */
export interface Travellers {
  readonly server: ConformanceServer;
  readonly kind: string;
  /** Undefined for kinds that a schema describes, which have no form in protobuf. */
  readonly builtIn: ResourceDefinition | undefined;
  /** The collection that objects are created in. */
  readonly collection: string;
  readonly serverOwned: ReadonlySet<string>;
  /** Paths whose values only a creation decides on. */
  readonly keptOnUpdate: ReadonlySet<string>;
}

/** A way that lost something: which one, and what. */
export class RoundTripFailure extends Error {}

/** How often a refused object is repaired before it is given up. */
const mostRepairs = 300;

/**
 * Creates an object, which is repaired at the fields that a refusal names until the server accepts it. Throws when a
 * refusal names no field, or the accepted object lacks a field that was sent.
 */
export async function createRepaired(
  travellers: Travellers,
  object: ObjectValue,
  base: ObjectValue,
): Promise<{ readonly sent: ObjectValue; readonly created: ObjectValue }> {
  const write = { method: 'POST', path: travellers.collection, object, base };
  const { sent, answer } = await writeRepaired(travellers, write);
  assertNoLoss(travellers, 'create', sent, answer);
  return { sent, created: answer };
}

/** Writes a status, repaired in the same way, through its subresource. */
export async function writeStatus(travellers: Travellers, base: ObjectValue, status: Value): Promise<void> {
  await createBase(travellers, base);
  const path = `${travellers.collection}/${nameOf(base)}`;
  const created = await settled(travellers, objectIn(await travellers.server.expect(200, 'GET', path)));
  const { sent, answer } = await writeRepaired(travellers, {
    method: 'PUT',
    path: `${path}/status`,
    object: { ...created, status },
    base: created,
  });
  const serverOwned = new Set([...travellers.serverOwned].filter(owned => owned !== 'status'));
  const { metadata: _, ...content } = sent;
  assertNoLoss({ ...travellers, serverOwned }, 'PUT of the status', content, answer);
  await readEverywhere(travellers, path, await settled(travellers, answer));
  await removeObject(travellers, nameOf(base));
}

interface RepairedWrite {
  readonly method: string;
  readonly path: string;
  readonly object: ObjectValue;
  readonly base: ObjectValue;
}

async function writeRepaired(
  travellers: Travellers,
  { method, path, object, base }: RepairedWrite,
): Promise<{ readonly sent: ObjectValue; readonly answer: ObjectValue }> {
  const sent = structuredClone(object);
  const repairs = createRepairs(travellers.builtIn?.message, base);
  for (let attempt = 0; attempt < mostRepairs; attempt++) {
    const answer = await send(travellers, method, path, { object: sent });
    if (answer.code < 300) return { sent, answer: objectIn(answer) };
    if (!repairs.mend(sent, fieldsIn(travellers, answer, sent)))
      throw failure(travellers, method, `no repair mends ${answer.text}`);
  }
  throw failure(travellers, method, `refused ${mostRepairs} times: ${stringifyExact(sent)}`);
}

/** Takes an accepted object through every format, verb and patch, and throws at the first loss. */
export async function travel(
  travellers: Travellers,
  {
    sent,
    created,
    base,
  }: { readonly sent: ObjectValue; readonly created: ObjectValue; readonly base: ObjectValue },
): Promise<void> {
  const path = `${travellers.collection}/${nameOf(created)}`;
  const object = await settled(travellers, created);
  await readEverywhere(travellers, path, object);
  await putInEveryFormat(travellers, path, object);
  await createInOtherFormats(travellers, sent, created);
  await patchInEveryForm(travellers, { sent, base });
  await applyTwice(travellers, { sent, base });
  await applyToBase(travellers, { sent, base });
  await removeObject(travellers, nameOf(base));
}

/** Removes an object, whatever holds it. */
export async function removeObject({ server, collection }: Travellers, name: string): Promise<void> {
  const path = `${collection}/${name}`;
  await server.request('PATCH', path, {
    body: '{"metadata":{"finalizers":null}}',
    contentType: 'application/merge-patch+json',
  });
  await server.request('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=Background`);
  await until(`${path} is gone`, async () => (await server.request('GET', path)).code === 404);
}

/** The condition that a controller of the server writes into a new object. */
const firstConditions: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'Established',
  FlowSchema: 'Dangling',
};

/** An object once the server has written what it writes by itself. */
async function settled({ server, collection, kind }: Travellers, created: ObjectValue): Promise<ObjectValue> {
  const condition = firstConditions[kind];
  if (condition === undefined) return created;
  let object = created;
  await until(`it has the condition ${condition}`, async () => {
    const answer = await server.expect(200, 'GET', `${collection}/${nameOf(created)}`);
    object = objectIn(answer);
    return answer.text.includes(`"${condition}"`);
  });
  return object;
}

async function readEverywhere(travellers: Travellers, path: string, created: ObjectValue): Promise<void> {
  const { server, builtIn, collection } = travellers;
  const get = (accept: string) => server.expect(200, 'GET', path, { accept });
  assertSame(travellers, 'get as JSON', created, objectIn(await get(json)));
  assertSame(travellers, 'get as YAML', created, readYaml(travellers, (await get(yaml)).text));
  if (builtIn !== undefined) {
    const { bytes } = await get(protobuf);
    const options = { definition: builtIn, fieldValidation: 'Strict' } as const;
    const { object } = decodeBodyAtOnce(bytes, protobuf, options);
    assertSame(travellers, 'get as protobuf', onWire(created), onWire(asValue(object)));
  }
  const named = `${collection}?fieldSelector=metadata.name%3D${nameOf(created)}`;
  const list = objectIn(await server.expect(200, 'GET', named));
  const [item] = list['items'] as ObjectValue[]; // a list has items
  const { apiVersion, kind, ...rest } = created;
  assertSame(travellers, 'list', rest, withoutType(item));
  const event = await firstEvent(server, `${named}&watch=true`);
  assertSame(
    travellers,
    'watch',
    { type: 'ADDED', object: { apiVersion, kind, ...rest } } as ObjectValue,
    event,
  );
  const table = await server.expect(200, 'GET', `${path}?includeObject=Object`, {
    accept: `${json};as=Table;g=meta.cluster.io;v=v1`,
  });
  const [row] = objectIn(table)['rows'] as ObjectValue[]; // one object is one row
  assertSame(travellers, 'Table', created, row?.['object']);
}

/** Writes the object back as it was read, which changes nothing. */
async function putInEveryFormat(travellers: Travellers, path: string, created: ObjectValue): Promise<void> {
  for (const format of formatsOf(travellers)) {
    const answer = await send(travellers, 'PUT', path, { object: created, format });
    if (answer.code !== 200) throw failure(travellers, `PUT as ${format}`, answer.text);
    assertSame(travellers, `PUT as ${format}`, created, objectIn(answer));
  }
}

async function createInOtherFormats(
  travellers: Travellers,
  sent: ObjectValue,
  created: ObjectValue,
): Promise<void> {
  for (const format of formatsOf(travellers).slice(1)) {
    await removeObject(travellers, nameOf(created));
    const answer = await send(travellers, 'POST', travellers.collection, { object: sent, format });
    if (answer.code !== 201) throw failure(travellers, `create as ${format}`, answer.text);
    // Protobuf does not tell an empty list from none.
    const form = (object: ObjectValue): Value =>
      format === protobuf ? withoutEmpty(lasting(travellers, object)) : lasting(travellers, object);
    assertSame(travellers, `create as ${format}`, form(created), form(objectIn(answer)));
  }
}

/** Patches that turn the base object into what was sent, or are refused for a field that cannot change. */
async function patchInEveryForm(
  travellers: Travellers,
  { sent, base }: { readonly sent: ObjectValue; readonly base: ObjectValue },
): Promise<void> {
  const path = `${travellers.collection}/${nameOf(base)}`;
  for (const [format, patch] of patchesOf(travellers, sent)) {
    // A null in a merge patch takes a member out.
    const wanted = format === mergePatch ? (withoutNulls(sent) as ObjectValue) : sent;
    await removeObject(travellers, nameOf(base));
    await createBase(travellers, base);
    const answer = await send(travellers, 'PATCH', path, { object: patch, format });
    if (answer.code === 200) assertNoLoss(ofUpdates(travellers), format, wanted, objectIn(answer));
    else fieldsIn(travellers, answer, sent);
  }
}

/** An apply creates the object, and changes nothing the second time. */
async function applyTwice(
  travellers: Travellers,
  { sent, base }: { readonly sent: ObjectValue; readonly base: ObjectValue },
): Promise<void> {
  const path = `${travellers.collection}/${nameOf(base)}?fieldManager=round-trips`;
  const format = applyPatch;
  await removeObject(travellers, nameOf(base));
  const first = await send(travellers, 'PATCH', path, { object: sent, format });
  if (first.code !== 201) return refused(travellers, 'apply', first);
  assertNoLoss(travellers, 'apply', sent, objectIn(first));
  const applied = await settled(travellers, objectIn(first));
  const second = await send(travellers, 'PATCH', path, { object: sent, format });
  // Of an atomic map that the server has filled in, an apply takes away what it does not have.
  if (second.code !== 200) return void fieldsIn(travellers, second, sent);
  assertSame(travellers, 'apply again', applied, objectIn(second));
}

/** An apply by another manager turns the base object into what was sent, or is refused as a patch is. */
async function applyToBase(
  travellers: Travellers,
  { sent, base }: { readonly sent: ObjectValue; readonly base: ObjectValue },
): Promise<void> {
  const path = `${travellers.collection}/${nameOf(base)}?fieldManager=round-trips&force=true`;
  await removeObject(travellers, nameOf(base));
  await createBase(travellers, base);
  const answer = await send(travellers, 'PATCH', path, { object: sent, format: applyPatch });
  const way = 'apply to the base object';
  // A null takes nothing from an object that other managers have.
  const wanted = withoutNulls(sent) as ObjectValue;
  if (answer.code === 200) assertNoLoss(ofUpdates(travellers), way, wanted, objectIn(answer));
  else refused(travellers, way, answer);
}

/** For what an update does, which leaves more as it is than a creation. */
function ofUpdates(travellers: Travellers): Travellers {
  const serverOwned = new Set([...travellers.serverOwned, ...travellers.keptOnUpdate]);
  return { ...travellers, serverOwned };
}

async function createBase(travellers: Travellers, base: ObjectValue): Promise<void> {
  const answer = await send(travellers, 'POST', travellers.collection, { object: base });
  if (answer.code !== 201) throw failure(travellers, 'create of the base object', answer.text);
}

function patchesOf({ builtIn }: Travellers, sent: ObjectValue): [format: string, patch: Value][] {
  const { apiVersion: _, kind: __, metadata, ...rest } = sent;
  const { name: ___, ...ofClient } = isObjectValue(metadata) ? metadata : {};
  const add = (path: string, value: Value): Value => ({ op: 'add', path, value });
  const operations = [
    ...Object.entries(ofClient).map(([name, value]) => add(`/metadata/${name}`, value)),
    ...Object.entries(rest).map(([name, value]) =>
      add(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value),
    ),
  ];
  const merge = { metadata: ofClient, ...rest };
  // There the key is no data but says what becomes of the object around it.
  const isStrategic = builtIn !== undefined && !stringifyExact(merge).includes('"$patch":');
  return [
    [mergePatch, merge],
    ['application/json-patch+json', operations],
    ...(isStrategic ? [['application/strategic-merge-patch+json', merge] as [string, Value]] : []),
  ];
}

/** The formats in which a kind can be written. */
function formatsOf({ builtIn }: Travellers): string[] {
  return builtIn === undefined ? [json, yaml] : [json, yaml, protobuf];
}

function send(
  { server, builtIn }: Travellers,
  method: string,
  path: string,
  { object, format = json }: { readonly object: Value; readonly format?: string },
): Promise<Answer> {
  const body: Sent['body'] =
    format === yaml
      ? stringifyYaml(object, {
          defaultStringType: 'QUOTE_DOUBLE',
          defaultKeyType: 'QUOTE_DOUBLE',
        })
      : format === protobuf && builtIn !== undefined
        ? encodeProtobuf(builtIn, bodyObject(builtIn, object))
        : stringifyExact(object);
  return server.request(method, path, { body, contentType: format });
}

function bodyObject(definition: ResourceDefinition, object: Value) {
  const bytes = Buffer.from(stringifyExact(object));
  return decodeBodyAtOnce(bytes, json, { definition, fieldValidation: 'Strict' }).object;
}

/** The fields that a refusal names; throws where it is none for the fields of an object. */
function fieldsIn(travellers: Travellers, answer: Answer, sent: ObjectValue): string[] {
  const causes = answer.at('details', 'causes');
  const fields = Array.isArray(causes)
    ? causes.flatMap(cause =>
        isObjectValue(cause as Value) ? String((cause as ObjectValue)['field'] ?? '') : [],
      )
    : [];
  if (answer.code !== 422 || fields.length === 0 || fields.includes(''))
    throw failure(travellers, 'a refusal without a field', `${answer.text} of ${stringifyExact(sent)}`);
  return fields;
}

/** An apply may be refused for what only an apply cannot do, such as two items with one key. */
function refused(travellers: Travellers, way: string, answer: Answer): void {
  if (answer.code < 400 || answer.code > 422) throw failure(travellers, way, answer.text);
}

function assertNoLoss(
  { kind, builtIn, serverOwned }: Travellers,
  way: string,
  sent: ObjectValue,
  answer: ObjectValue,
): void {
  const losses = findLosses(builtIn?.message, sent, { answer, serverOwned });
  if (losses.length === 0) return;
  const told = losses.map(({ path, sent, found }) => `${path}: ${shown(sent)} became ${shown(found)}`);
  throw new RoundTripFailure(`${kind}: ${way}: ${told.join('; ')}`);
}

function assertSame({ kind }: Travellers, way: string, expected: Value, found: Value | undefined): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new RoundTripFailure(
    `${kind}: ${way}: ${firstDifference(expected, found, '') ?? 'nothing to be seen'}`,
  );
}

function firstDifference(one: Value | undefined, other: Value | undefined, path: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  const keys =
    Array.isArray(one) && Array.isArray(other)
      ? [...Array(Math.max(one.length, other.length)).keys()]
      : isObjectValue(one) && isObjectValue(other)
        ? [...new Set([...Object.keys(one), ...Object.keys(other)])]
        : [];
  for (const key of keys) {
    const found = firstDifference(memberAt(one, [key]), memberAt(other, [key]), `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return `${path}: ${shown(one)} became ${shown(other)}`;
}

function shown(value: Value | undefined): string {
  return value === undefined ? 'nothing' : `${typeof value} ${stringifyExact(value)}`;
}

function failure({ kind }: Travellers, way: string, text: string): RoundTripFailure {
  return new RoundTripFailure(`${kind}: ${way}: ${text}`);
}

/** An object without what is another each time that it is created. */
function lasting({ serverOwned }: Travellers, object: ObjectValue): ObjectValue {
  const uid = String(memberAt(object, ['metadata', 'uid']));
  const copy = parseExact(stringifyExact(object).replaceAll(uid, 'the uid')) as ObjectValue; // an object, as before
  const {
    creationTimestamp: _,
    resourceVersion: __,
    managedFields: ___,
    ...metadata
  } = copy['metadata'] as ObjectValue;
  const result: ObjectValue = { ...copy, metadata };
  for (const path of serverOwned) removeAt(result, path.split('.'));
  return result;
}

function removeAt(value: Value | undefined, [first = '', ...rest]: readonly string[]): void {
  if (Array.isArray(value)) for (const element of value) removeAt(element, [first, ...rest]);
  else if (isObjectValue(value) && rest.length === 0) Reflect.deleteProperty(value, first);
  else if (isObjectValue(value)) removeAt(value[first], rest);
}

async function firstEvent(server: ConformanceServer, path: string): Promise<Value> {
  const message = await server.open('GET', path);
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  followLines(message, line => resolve(parseExact(line))).then(
    () => reject(new Error('the watch is over')),
    reject,
  );
  try {
    return await promise;
  } finally {
    message.destroy();
  }
}

function objectIn({ text }: Answer): ObjectValue {
  return parseExact(text) as ObjectValue; // an accepted write and a read are answered with an object
}

function readYaml(travellers: Travellers, text: string): Value {
  try {
    return yamlObject(text);
  } catch (error) {
    throw failure(travellers, 'get as YAML', `${String(error)} in ${text}`);
  }
}

/**
 * Reads YAML 1.1, apart from what the package and readers in Go take otherwise: a lone dot is no number, and no text is a
 * date.
 */
function yamlObject(text: string): Value {
  const value: unknown = parseYaml(text, (_, member: unknown) => safeInteger(member), {
    version: '1.1',
    intAsBigInt: true,
    customTags: tags => [...tags.filter(isKeptTag), floatTag],
  });
  return value as Value; // scalars, lists and maps
}

const changedTags = ['tag:yaml.org,2002:float', 'tag:yaml.org,2002:timestamp'];
const floatTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/,
  resolve: text => Number(text),
};

function isKeptTag(tag: Tags[number]): boolean {
  return typeof tag === 'string' || !changedTags.includes(tag.tag);
}

function safeInteger(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A value without nulls in objects; in lists they stay. */
function withoutNulls(value: Value): Value {
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutNulls(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null));
}

/** An object without what has no place in protobuf. */
function onWire(object: Value): Value {
  const result = withoutEmpty(object);
  const claims = memberAt(result, ['spec', 'volumeClaimTemplates']);
  if (!Array.isArray(claims)) return result;
  for (const claim of claims) for (const name of ['apiVersion', 'kind']) removeAt(claim, [name]);
  return result;
}

/** A value without the members that protobuf cannot tell from those that are not there. */
function withoutEmpty(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null && !isEmptyCollection(member)));
}

function isEmptyCollection(value: Value): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function withoutType(object: Value | undefined): Value {
  if (!isObjectValue(object)) return null;
  const { apiVersion: _, kind: __, ...rest } = object;
  return rest;
}

function asValue(object: unknown): Value {
  return parseExact(JSON.stringify(object));
}

function nameOf(object: ObjectValue): string {
  return String(memberAt(object, ['metadata', 'name']));
}
