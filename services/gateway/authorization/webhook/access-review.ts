import { groups } from '@binnacle/api-names';
import { canonicalApiVersion } from '@binnacle/api-types';
import type { SubjectAccessReviewSpec } from '@binnacle/api-types/authorization/v1';
import type { User } from '../../request/api-request.ts';
import type { Access, Decision } from '../authorizer.ts';

const group = groups.authorization;
const kind = 'SubjectAccessReview';
/** Most characters of a reason, which is cached and shown to users. */
const longestReason = 1000;

/** A version of the review that the webhook is sent. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The review that the webhook gets for an access; empty properties are left out. */
export function reviewSpec(user: User, access: Access): SubjectAccessReviewSpec {
  const { username, uid, groups, extra } = user;
  return {
    ...attributesFromAccess(access),
    ...(username !== '' && { user: username }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && { extra: copyOfExtra(extra) }),
    ...(uid !== '' && { uid }),
  };
}

/** The body of the call; in v1beta1 the groups have another name. */
export function reviewBody(spec: SubjectAccessReviewSpec, version: ReviewVersion): object {
  const { groups, ...rest } = spec;
  const versioned = version === 'v1' || groups === undefined ? spec : { ...rest, group: groups };
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {},
    spec: versioned,
    status: { allowed: false },
  };
}

/** The decision in the webhook's answer; throws an Error for an answer that is no review of the version it was sent. */
export function decisionFromAnswer(answer: unknown, version: ReviewVersion): Decision {
  const { apiVersion, kind: answered, status } = objectFrom(answer, 'the answer');
  if (typeof apiVersion !== 'string' || canonicalApiVersion(apiVersion) !== `${group}/${version}`)
    throw new Error(`the answer is not of version ${group}/${version}`);
  if (answered !== kind) throw new Error(`the answer is not a ${kind}`);
  const { allowed = false, denied = false, reason = '' } = objectFrom(status, 'its status');
  if (typeof allowed !== 'boolean') throw new Error('status.allowed is not true or false');
  if (typeof denied !== 'boolean') throw new Error('status.denied is not true or false');
  if (typeof reason !== 'string') throw new Error('status.reason is not a string');
  // A denial outranks an allowance.
  const verdict = denied ? 'denied' : allowed ? 'allowed' : 'noOpinion';
  return { verdict, reason: reason.slice(0, longestReason) };
}

function attributesFromAccess(access: Access): SubjectAccessReviewSpec {
  if (access.kind === 'path') return { nonResourceAttributes: { path: access.path, verb: access.verb } };
  const { kind: _, ...attributes } = access;
  const given = Object.entries(attributes).filter(([, value]) => value !== '' && value !== undefined);
  return { resourceAttributes: Object.fromEntries(given) };
}

function copyOfExtra(extra: User['extra']): { [key: string]: string[] } {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

function objectFrom(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} is not an object`);
  return { ...value };
}
