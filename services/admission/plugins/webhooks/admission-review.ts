import { groups } from '@binnacle/api-names';
import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
  readJsonSteps,
} from '@binnacle/api-objects';
import { canonicalGroup, type ResourceDefinition } from '@binnacle/api-types';
import type { AdmissionRequest } from '@binnacle/api-types/admission/v1';
import type { UserInfo } from '@binnacle/api-types/authentication/v1';
import type { GroupVersionKind, GroupVersionResource } from '@binnacle/api-types/meta/v1';
import { writeLongJson } from '@binnacle/codecs';
import { runInSlices } from '@binnacle/event-loop';
import { isAboutNamespace, isOfOwnKind, type Review } from '../../chain/review.ts';
import type { ConvertObjects } from './convert-objects.ts';

const reviewGroup = groups.admission;
const reviewKind = 'AdmissionReview';

/** The answer of a webhook, read and checked. */
export interface WebhookAnswer {
  readonly allowed: boolean;
  /** Why not, as far as the webhook says so. */
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The operations of a JSON patch; none when the webhook changes nothing. */
  readonly patch: readonly JsonValue[];
}

/** What an answer is read against. */
export interface ExpectedAnswer {
  /** Of AdmissionReview. */
  readonly version: 'v1' | 'v1beta1';
  readonly uid: string;
  /** Whether the webhook may change the object. */
  readonly mutating: boolean;
}

/** Writes the body of one call, for a version of AdmissionReview and the uid of the call. */
export type WriteReview = (version: string, uid: string) => Buffer;

/**
 * Prepares a review for webhooks that see the resource in the version and group of a definition: only the version of
 * AdmissionReview and the uid differ from call to call, the rest is written once. Throws what the conversion throws.
 */
export async function createReviewWriter(
  review: Review,
  definition: ResourceDefinition,
  convert: ConvertObjects,
): Promise<WriteReview> {
  const request = { ...requestOf(review, definition), ...(await shownObjects(review, definition, convert)) };
  const rest = await writeLongJson(request as JsonValue, review.bytes); // the objects are JSON, as all else is
  return (reviewVersion, uid) => {
    const head = JSON.stringify({ kind: reviewKind, apiVersion: `${reviewGroup}/${reviewVersion}` });
    return Buffer.from(`${head.slice(0, -1)},"request":{"uid":${JSON.stringify(uid)},${rest.slice(1)}}`);
  };
}

/** What an AdmissionRequest says beside its uid and its objects, to those that see the resource as a definition. */
export function requestOf(review: Review, definition: ResourceDefinition): AdmissionRequest {
  const { definition: requested, subresource } = review;
  const requestKind = kindOf(review.kind);
  const namespace = isAboutNamespace(review) ? review.name : review.namespace;
  return {
    kind: isOfOwnKind(review) ? kindOf(definition) : requestKind,
    resource: resourceOf(definition),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind,
    requestResource: resourceOf(requested),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(review.name === '' ? {} : { name: review.name }),
    ...(namespace === '' ? {} : { namespace }),
    operation: review.operation,
    userInfo: userInfoOf(review),
    dryRun: review.dryRun,
    options: review.options === '' ? null : readJson(review.options, false),
  };
}

/** The objects of a review as those see them that see the resource as a definition; null where there is none. */
export async function shownObjects(
  review: Review,
  definition: ResourceDefinition,
  convert: ConvertObjects,
): Promise<{ readonly object: ApiObject | null; readonly oldObject: ApiObject | null }> {
  const { definition: requested, call } = review;
  const given = [review.object, review.oldObject].filter(one => one !== undefined);
  const shown = isOfOwnKind(review) ? await convert(given, { from: requested, to: definition }, call) : given;
  return {
    object: review.object === undefined ? null : (shown[0] ?? null),
    oldObject: review.oldObject === undefined ? null : (shown.at(-1) ?? null),
  };
}

function kindOf({ group, version, kind }: Review['kind']): GroupVersionKind {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: ResourceDefinition): GroupVersionResource {
  return { group, version, resource };
}

/** Reads a webhook's answer, in slices where it is long. Throws an Error that says what is wrong with an answer that is none. */
export async function parseWebhookAnswer(body: Uint8Array, expected: ExpectedAnswer): Promise<WebhookAnswer> {
  const { version, uid } = expected;
  const { kind, apiVersion, response } = await parseObject(body);
  assertReview(kind, apiVersion, version);
  if (!isJsonObject(response)) throw new Error('webhook response was absent');
  const { uid: answered, allowed, status, warnings, auditAnnotations } = response;
  // The older version did not demand the uid back.
  if (version === 'v1' && answered !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${shown(answered)}`);
  if (typeof allowed !== 'boolean') throw new Error('response.allowed is not a boolean');
  return {
    allowed,
    status: isJsonObject(status) ? status : {},
    warnings: Array.isArray(warnings) ? warnings.filter(warning => typeof warning === 'string') : [],
    auditAnnotations: isJsonObject(auditAnnotations) ? textEntries(auditAnnotations) : {},
    patch: await patchOf(response, expected),
  };
}

function assertReview(
  kind: JsonValue | undefined,
  apiVersion: JsonValue | undefined,
  version: ExpectedAnswer['version'],
): void {
  // Webhooks of the older version need not say what they answer with.
  if (version === 'v1beta1' && kind === undefined && apiVersion === undefined) return;
  const expected = `${reviewGroup}/${version}`;
  if (kind === reviewKind && typeof apiVersion === 'string' && canonical(apiVersion) === expected) return;
  throw new Error(
    `expected webhook response of ${expected}, Kind=${reviewKind}, got ${shown(apiVersion)}, Kind=${shown(kind)}`,
  );
}

async function patchOf(
  { patch = '', patchType = null }: JsonObject,
  { version, mutating }: ExpectedAnswer,
): Promise<readonly JsonValue[]> {
  // The older version took any patch for a JSON patch, and overlooked those that had no business there.
  const type = version === 'v1beta1' && patch !== '' ? 'JSONPatch' : patchType;
  if (!mutating) {
    if (version === 'v1beta1' || ((patch === '' || patch === null) && type === null)) return [];
    throw new Error('a validating webhook may not answer with response.patch or response.patchType');
  }
  if (patch === '' || patch === null) {
    if (type === null || version === 'v1beta1') return [];
    throw new Error('response.patchType is set, but not response.patch');
  }
  if (type === null) throw new Error('response.patch is set, but not response.patchType');
  if (type !== 'JSONPatch') throw new Error(`response.patchType ${shown(type)} is not known`);
  if (typeof patch !== 'string') throw new Error('response.patch is not a text');
  return await decodePatchOperations(patch);
}

async function decodePatchOperations(base64: string): Promise<readonly JsonValue[]> {
  let operations: JsonValue;
  try {
    operations = await runInSlices(readJsonSteps(Buffer.from(base64, 'base64').toString()));
  } catch {
    throw new Error('response.patch is not the base64 form of JSON');
  }
  if (!Array.isArray(operations)) throw new Error('response.patch is not a list of operations');
  return operations;
}

function userInfoOf({ user }: Review): UserInfo {
  const { username, uid, groups, extra } = user;
  const entries = Object.entries(extra).map(([key, { values }]) => [key, values] as const);
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

async function parseObject(body: Uint8Array): Promise<JsonObject> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  let value: JsonValue;
  try {
    value = await runInSlices(readJsonSteps(text));
  } catch {
    throw new Error('the answer is not JSON');
  }
  if (!isJsonObject(value)) throw new Error('the answer is not an object');
  return value;
}

function canonical(apiVersion: string): string {
  const [group = '', version = ''] = apiVersion.split('/');
  return `${canonicalGroup(group)}/${version}`;
}

function textEntries(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 128);
}
