import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { canonicalGroup } from '@binnacle/api-types';
import type { Review } from '../../chain/review.ts';

const reviewGroup = 'admission.cluster.io';
const reviewKind = 'AdmissionReview';

/** The answer of a webhook, read and checked. */
export interface WebhookAnswer {
  readonly allowed: boolean;
  /** Why not, as far as the webhook says so. */
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Writes the reviews of one write for several webhooks: only version and uid differ, the rest is written once. */
export function createReviewWriter(review: Review): (version: string, uid: string) => Buffer {
  const { group, version, resource } = review.definition;
  const { subresource } = review;
  const { group: kindGroup, version: kindVersion, kind } = review.kind;
  const rest = JSON.stringify({
    kind: { group: kindGroup, version: kindVersion, kind },
    resource: { group, version, resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { group: kindGroup, version: kindVersion, kind },
    requestResource: { group, version, resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(review.name === '' ? {} : { name: review.name }),
    ...(review.namespace === '' ? {} : { namespace: review.namespace }),
    operation: review.operation,
    userInfo: userInfoOf(review),
    object: review.object ?? null,
    oldObject: review.oldObject ?? null,
    dryRun: review.dryRun,
    options: review.options === '' ? null : JSON.parse(review.options),
  });
  return (reviewVersion, uid) => {
    const head = JSON.stringify({ kind: reviewKind, apiVersion: `${reviewGroup}/${reviewVersion}` });
    return Buffer.from(`${head.slice(0, -1)},"request":{"uid":${JSON.stringify(uid)},${rest.slice(1)}}`);
  };
}

/**
 * Reads a webhook's answer to the review with this version and uid. Throws an Error that says what is wrong with an
 * answer that is none.
 */
export function parseWebhookAnswer(body: Uint8Array, version: string, uid: string): WebhookAnswer {
  const review = parseObject(body);
  const { kind, apiVersion, response } = review;
  const expected = `${reviewGroup}/${version}`;
  if (kind !== reviewKind || typeof apiVersion !== 'string' || canonical(apiVersion) !== expected)
    throw new Error(
      `expected webhook response of ${expected}, Kind=${reviewKind}, got ${shown(apiVersion)}, Kind=${shown(kind)}`,
    );
  if (!isJsonObject(response)) throw new Error('webhook response was absent');
  // The older version did not demand the uid back.
  if (version === 'v1' && response['uid'] !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${shown(response['uid'])}`);
  if (typeof response['allowed'] !== 'boolean') throw new Error('response.allowed is not a boolean');
  const { status, warnings, auditAnnotations } = response;
  return {
    allowed: response['allowed'],
    status: isJsonObject(status) ? status : {},
    warnings: Array.isArray(warnings) ? warnings.filter(warning => typeof warning === 'string') : [],
    auditAnnotations: isJsonObject(auditAnnotations) ? textEntries(auditAnnotations) : {},
  };
}

function userInfoOf({ user }: Review): JsonObject {
  const { username, uid, groups, extra } = user;
  const entries = Object.entries(extra).map(([key, { values }]) => [key, values] as const);
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

function parseObject(body: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
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
