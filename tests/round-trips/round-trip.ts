import type { ResourceDefinition } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';
import { decodeBodyAtOnce } from '@binnacle/codecs/testing';
import { stringify as stringifyYaml } from 'yaml';
import type { Answer, Sent } from '../conformance/drivers/conformance-server.ts';
import { until } from '../journeys/api-server.ts';
import {
  isObjectValue,
  memberAt,
  type ObjectValue,
  parseExact,
  removeAt,
  stringifyExact,
  type Value,
  withoutEmpty,
} from './exact-json.ts';
import { findLosses } from './find-losses.ts';
import { readEverywhere } from './read-everywhere.ts';
import { createRepairs } from './repair-object.ts';
import {
  assertSame,
  failure,
  mediaTypes,
  nameFromObject,
  objectIn,
  shown,
  type Travellers,
} from './travellers.ts';

const { json, yaml, protobuf, mergePatch, apply: applyPatch } = mediaTypes;

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
  const path = `${travellers.collection}/${nameFromObject(base)}`;
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
  await readEverywhere(travellers, await settled(travellers, answer));
  await removeObject(travellers, nameFromObject(base));
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
  const path = `${travellers.collection}/${nameFromObject(created)}`;
  const object = await settled(travellers, created);
  await readEverywhere(travellers, object);
  await putInEveryFormat(travellers, path, object);
  await createInOtherFormats(travellers, sent, created);
  await updateInEveryForm(travellers, { sent, base });
  await applyTwice(travellers, { sent, base });
  await removeObject(travellers, nameFromObject(base));
}

/** Removes an object, whatever holds it. */
export async function removeObject({ server, collection }: Travellers, name: string): Promise<void> {
  const path = `${collection}/${name}`;
  const query = 'gracePeriodSeconds=0&propagationPolicy=Background';
  const { code, at } = await server.request('DELETE', `${path}?${query}`);
  // An object that something holds is the answer itself.
  if (code === 404 || (code === 200 && at('kind') === 'Status')) return;
  await server.request('PATCH', path, {
    body: '{"metadata":{"finalizers":null}}',
    contentType: mergePatch,
  });
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
    const answer = await server.expect(200, 'GET', `${collection}/${nameFromObject(created)}`);
    object = objectIn(answer);
    return answer.text.includes(`"${condition}"`);
  });
  return object;
}

/** Writes the object back as it was read, which changes nothing. */
async function putInEveryFormat(travellers: Travellers, path: string, created: ObjectValue): Promise<void> {
  for (const format of listFormats(travellers)) {
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
  for (const format of listFormats(travellers).slice(1)) {
    await removeObject(travellers, nameFromObject(created));
    const answer = await send(travellers, 'POST', travellers.collection, { object: sent, format });
    if (answer.code !== 201) throw failure(travellers, `create as ${format}`, answer.text);
    // Protobuf does not tell an empty list from none.
    const form = (object: ObjectValue): Value =>
      format === protobuf ? withoutEmpty(lasting(travellers, object)) : lasting(travellers, object);
    assertSame(travellers, `create as ${format}`, form(created), form(objectIn(answer)));
  }
}

/**
 * Updates, patches and an apply that turn the base object into what was sent, or are refused for a field that cannot
 * change.
 */
async function updateInEveryForm(
  travellers: Travellers,
  { sent, base }: { readonly sent: ObjectValue; readonly base: ObjectValue },
): Promise<void> {
  const path = `${travellers.collection}/${nameFromObject(base)}`;
  const updates: [format: string, body: Value][] = [
    [json, sent],
    ...createPatches(travellers, sent),
    [applyPatch, sent],
  ];
  for (const [format, object] of updates) {
    await removeObject(travellers, nameFromObject(base));
    const { metadata } = await settled(travellers, await createBase(travellers, base));
    const answer =
      format === json
        ? await send(travellers, 'PUT', path, { object: withVersionFrom(sent, metadata) })
        : await send(travellers, 'PATCH', `${path}?${managerFromFormat(format)}`, { object, format });
    if (answer.code !== 200) {
      if (format === applyPatch) refused(travellers, 'apply to an object', answer);
      else fieldsIn(travellers, answer, sent);
      continue;
    }
    // A null in a merge patch takes a member out, one in an apply takes nothing from other managers.
    const acceptsNulls = format === mergePatch || format === applyPatch;
    const wanted = acceptsNulls ? (withoutNulls(sent) as ObjectValue) : sent; // an object stays one
    const way = format === json ? 'PUT to an object' : `${format} to an object`;
    assertNoLoss(ofUpdates(travellers), way, wanted, objectIn(answer));
    const read = objectIn(await travellers.server.expect(200, 'GET', path));
    assertNoLoss(ofUpdates(travellers), `get after ${way}`, wanted, read);
  }
}

function withVersionFrom(object: ObjectValue, metadata: Value | undefined): ObjectValue {
  const resourceVersion = memberAt(metadata, ['resourceVersion']) ?? '';
  return { ...object, metadata: { ...(object['metadata'] as ObjectValue), resourceVersion } }; // every object has it
}

function managerFromFormat(format: string): string {
  return format === applyPatch ? 'fieldManager=round-trips&force=true' : '';
}

/** An apply creates the object, and changes nothing the second time. */
async function applyTwice(
  travellers: Travellers,
  { sent, base }: { readonly sent: ObjectValue; readonly base: ObjectValue },
): Promise<void> {
  const path = `${travellers.collection}/${nameFromObject(base)}?fieldManager=round-trips`;
  const format = applyPatch;
  await removeObject(travellers, nameFromObject(base));
  const first = await send(travellers, 'PATCH', path, { object: sent, format });
  if (first.code !== 201) return refused(travellers, 'apply', first);
  assertNoLoss(travellers, 'apply', sent, objectIn(first));
  const applied = await settled(travellers, objectIn(first));
  const second = await send(travellers, 'PATCH', path, { object: sent, format });
  // Of an atomic map that the server has filled in, an apply takes away what it does not have.
  if (second.code !== 200) return void fieldsIn(travellers, second, sent);
  assertSame(travellers, 'apply again', applied, objectIn(second));
}

/** For what an update does, which leaves more as it is than a creation. */
function ofUpdates(travellers: Travellers): Travellers {
  const serverOwned = new Set([...travellers.serverOwned, ...travellers.keptOnUpdate]);
  return { ...travellers, serverOwned };
}

async function createBase(travellers: Travellers, base: ObjectValue): Promise<ObjectValue> {
  const answer = await send(travellers, 'POST', travellers.collection, { object: base });
  if (answer.code !== 201) throw failure(travellers, 'create of the base object', answer.text);
  return objectIn(answer);
}

function createPatches({ builtIn }: Travellers, sent: ObjectValue): [format: string, patch: Value][] {
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
    [mediaTypes.jsonPatch, operations],
    ...(isStrategic ? [[mediaTypes.strategicPatch, merge] as [string, Value]] : []),
  ];
}

/** The formats in which a kind can be written. */
function listFormats({ builtIn }: Travellers): string[] {
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

function assertNoLoss(travellers: Travellers, way: string, sent: ObjectValue, answer: ObjectValue): void {
  const { builtIn, serverOwned } = travellers;
  const losses = findLosses(builtIn?.message, sent, { answer, serverOwned });
  if (losses.length === 0) return;
  const told = losses.map(({ path, sent, found }) => `${path}: ${shown(sent)} became ${shown(found)}`);
  throw failure(travellers, way, told.join('; '));
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

/** A value without nulls in objects; in lists they stay. */
function withoutNulls(value: Value): Value {
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutNulls(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null));
}
