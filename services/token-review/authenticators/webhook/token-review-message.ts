import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { UserInfo } from '@binnacle/proto';

/** The versions of TokenReview for webhooks. */
export type TokenReviewVersion = 'v1' | 'v1beta1';

/** The answer of a webhook about a token. */
export type WebhookAnswer =
  | {
      readonly authenticated: true;
      readonly user: UserInfo;
      /** Audiences of the token; empty: the webhook ignores audiences, and the token is for the API server. */
      readonly audiences: readonly string[];
    }
  | { readonly authenticated: false; readonly error: string };

/** The request to review a token. */
interface TokenQuestion {
  readonly token: string;
  readonly audiences: readonly string[];
}

/** The most characters of a webhook's reason; the rest is cut off. */
const maxErrorLength = 1024;
/** The most characters of a user in JSON: the cache is bounded by the number of decisions, not their size. */
const maxUserLength = 64 * 1024;

const reviewApiVersion = (version: TokenReviewVersion): string => `${groups.authentication}/${version}`;

/** Creates the TokenReview for a webhook (spec 2, "TokenReview"). */
export function createTokenReview(
  { token, audiences }: TokenQuestion,
  version: TokenReviewVersion,
): JsonObject {
  const spec = { token, ...(audiences.length > 0 && { audiences: [...audiences] }) };
  return { apiVersion: reviewApiVersion(version), kind: 'TokenReview', spec };
}

/** Parses the status of an answer; its spec is ignored. Throws an Error that quotes nothing of the answer. */
export function parseWebhookAnswer(answer: unknown, version: TokenReviewVersion): WebhookAnswer {
  if (!isJsonObject(answer) || answer['kind'] !== 'TokenReview')
    throw new Error('the answer is not a TokenReview');
  const apiVersion = reviewApiVersion(version);
  if (answer['apiVersion'] !== apiVersion) throw new Error(`the answer is not of version ${apiVersion}`);
  const { status } = answer;
  if (!isJsonObject(status)) throw new Error('the answer has no status');
  const { authenticated = false } = status;
  if (typeof authenticated !== 'boolean') throw new Error('status.authenticated is not true or false');
  if (!authenticated)
    return { authenticated, error: readText(status['error'], 'status.error').slice(0, maxErrorLength) };
  return {
    authenticated,
    user: readUser(status),
    audiences: readTexts(status['audiences'], 'status.audiences'),
  };
}

function readUser(status: JsonObject): UserInfo {
  const { user } = status;
  if (!isJsonObject(user)) throw new Error('status.user is missing');
  if (JSON.stringify(user).length > maxUserLength)
    throw new Error(`status.user is longer than ${maxUserLength} characters`);
  const username = readText(user['username'], 'status.user.username');
  if (username === '') throw new Error('status.user.username is missing');
  const extra = user['extra'] ?? {};
  if (!isJsonObject(extra)) throw new Error('status.user.extra is not an object');
  return {
    username,
    uid: readText(user['uid'], 'status.user.uid'),
    groups: readTexts(user['groups'], 'status.user.groups'),
    extra: Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [key, { values: readTexts(values, 'status.user.extra') }]),
    ),
  };
}

function readText(value: JsonValue | undefined, path: string): string {
  const text = value ?? '';
  if (typeof text !== 'string') throw new Error(`${path} is not a string`);
  return text;
}

function readTexts(value: JsonValue | undefined, path: string): string[] {
  const texts = value ?? [];
  if (!Array.isArray(texts) || !texts.every(item => typeof item === 'string'))
    throw new Error(`${path} is not a list of strings`);
  return texts;
}
