import { groups, understood } from '@binnacle/api-names';
import {
  type ApiObject,
  formatApiVersion,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
  readJsonSteps,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { AdmissionRequest } from '@binnacle/api-types/admission/v1';
import type { UserInfo } from '@binnacle/api-types/authentication/v1';
import type { GroupVersionKind, GroupVersionResource } from '@binnacle/api-types/meta/v1';
import { writeLongJson } from '@binnacle/codecs/texts';
import { readWebhookAnswer } from '@binnacle/conversion-webhooks';
import { runInSlices } from '@binnacle/event-loop';
import { isAboutNamespace, isOfOwnKind, type Review } from '../../chain/review.ts';
import { type ShownNames, shownExtra, shownObject, shownOptions } from '../../chain/shown-names.ts';
import type { ConvertObjects } from './convert-objects.ts';

const reviewKind = 'AdmissionReview';

/** The answer of a webhook, read and checked. */
export interface WebhookAnswer {
  readonly allowed: boolean;
  /** The Status that the webhook gave for a denial. */
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The operations of a JSON patch; none when the webhook changes nothing. */
  readonly patch: readonly JsonValue[];
}

/** The request to which an answer belongs. */
export interface ExpectedAnswer {
  /** Group of the AdmissionReview that was sent. */
  readonly group: string;
  readonly version: 'v1' | 'v1beta1';
  readonly uid: string;
  /** Whether the webhook may change the object. */
  readonly mutating: boolean;
}

/** Writes the body of one call in a version of AdmissionReview, with the uid of the call. */
export type WriteReview = (version: string, uid: string) => Buffer;

/** The view of a webhook or a policy on a review. */
export interface ReviewView {
  /** The version and group in which the resource is shown. */
  readonly definition: ResourceDefinition;
  readonly names: ShownNames;
}

/**
 * Creates the writer for webhooks with the same view of a review: only the version of AdmissionReview and the uid differ between
 * calls, all else is written once. Throws the errors of the conversion.
 */
export async function createReviewWriter(
  review: Review,
  view: ReviewView,
  convert: ConvertObjects,
): Promise<WriteReview> {
  const request = { ...createAdmissionRequest(review, view), ...(await shownObjects(review, view, convert)) };
  const rest = await writeLongJson(request as JsonValue, review.bytes); // the objects are JSON, as all else is
  const group = view.names.groupName(groups.admission);
  return (version, uid) => {
    const head = JSON.stringify({ kind: reviewKind, apiVersion: formatApiVersion({ group, version }) });
    return Buffer.from(`${head.slice(0, -1)},"request":{"uid":${JSON.stringify(uid)},${rest.slice(1)}}`);
  };
}

/** Creates an AdmissionRequest without its uid and its objects. */
export function createAdmissionRequest(review: Review, { definition, names }: ReviewView): AdmissionRequest {
  const { definition: requested, subresource } = review;
  const requestKind = createKind(review.kind, names);
  const namespace = isAboutNamespace(review) ? review.name : review.namespace;
  return {
    kind: isOfOwnKind(review) ? createKind(definition, names) : requestKind,
    resource: createResource(definition, names),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind,
    requestResource: createResource(requested, names),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(review.name === '' ? {} : { name: review.name }),
    ...(namespace === '' ? {} : { namespace }),
    operation: review.operation,
    userInfo: createUserInfo(review, names),
    dryRun: review.dryRun,
    options: review.options === '' ? null : shownOptions(readJson(review.options, false), names),
  };
}

/** Renders the objects of a review in the names of a view; null where there is none. */
export async function shownObjects(
  review: Review,
  { definition, names }: ReviewView,
  convert: ConvertObjects,
): Promise<{ readonly object: ApiObject | null; readonly oldObject: ApiObject | null }> {
  const { definition: requested, call } = review;
  const given = [review.object, review.oldObject].filter(one => one !== undefined);
  const isOwnKind = isOfOwnKind(review);
  const converted = isOwnKind ? await convert(given, { from: requested, to: definition }, call) : given;
  const kindNames = isOwnKind ? definition.rules.aliasNames : undefined;
  const shown = converted.map(object => shownObject(object, kindNames, names));
  return {
    object: review.object === undefined ? null : (shown[0] ?? null),
    oldObject: review.oldObject === undefined ? null : (shown.at(-1) ?? null),
  };
}

function createKind({ group, version, kind }: Review['kind'], names: ShownNames): GroupVersionKind {
  return { group: names.groupName(group), version, kind };
}

function createResource(
  { group, version, resource }: ResourceDefinition,
  names: ShownNames,
): GroupVersionResource {
  return { group: names.groupName(group), version, resource };
}

/**
 * Parses a webhook's answer, in slices where it is long; either name of the group is accepted. Throws an Error that says why an answer
 * is invalid.
 */
export async function parseWebhookAnswer(body: Uint8Array, expected: ExpectedAnswer): Promise<WebhookAnswer> {
  const { version, uid } = expected;
  const { kind, apiVersion, response } = await readWebhookAnswer(body);
  assertReview(kind, apiVersion, expected);
  if (!isJsonObject(response)) throw new Error('webhook response was absent');
  const { uid: answered, allowed, status, warnings, auditAnnotations } = response;
  // v1beta1 does not require the uid in the answer.
  if (version === 'v1' && answered !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${shown(answered)}`);
  if (typeof allowed !== 'boolean') throw new Error('response.allowed is not a boolean');
  return {
    allowed,
    status: isJsonObject(status) ? status : {},
    warnings: Array.isArray(warnings) ? warnings.filter(warning => typeof warning === 'string') : [],
    auditAnnotations: isJsonObject(auditAnnotations) ? textEntries(auditAnnotations) : {},
    patch: await readPatch(response, expected),
  };
}

function assertReview(
  kind: JsonValue | undefined,
  apiVersion: JsonValue | undefined,
  { group, version }: ExpectedAnswer,
): void {
  // Answers in v1beta1 may omit apiVersion and kind.
  if (version === 'v1beta1' && kind === undefined && apiVersion === undefined) return;
  const isKnown = understood.groups.admission.some(
    known => apiVersion === formatApiVersion({ group: known, version }),
  );
  if (kind === reviewKind && isKnown) return;
  throw new Error(
    `expected webhook response of ${formatApiVersion({ group, version })}, Kind=${reviewKind}, got ${shown(apiVersion)}, Kind=${shown(kind)}`,
  );
}

async function readPatch(
  { patch = '', patchType = null }: JsonObject,
  { version, mutating }: ExpectedAnswer,
): Promise<readonly JsonValue[]> {
  // v1beta1 reads any patch as a JSON patch, and ignores the patch of a validating webhook.
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
  if (typeof patch !== 'string') throw new Error('response.patch is not a string');
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

function createUserInfo({ user }: Review, names: ShownNames): UserInfo {
  const { username, uid, groups, extra } = user;
  const entries = Object.entries(extra).map(([key, { values }]) => [shownExtra(key, names), values] as const);
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

function textEntries(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 128);
}
