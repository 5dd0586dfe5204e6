import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { UserInfo } from '@binnacle/proto';

/** Versions of TokenReview that a webhook is asked in. */
export type TokenReviewVersion = 'v1' | 'v1beta1';

/** The answer of a webhook about a token. */
export type WebhookAnswer =
  | {
      readonly authenticated: true;
      readonly user: UserInfo;
      /** Empty: the webhook does not tell audiences apart, and the token is for the API server. */
      readonly audiences: readonly string[];
    }
  | { readonly authenticated: false; readonly error: string };

/** A question about a token. */
interface TokenQuestion {
  readonly token: string;
  readonly audiences: readonly string[];
}

/** Characters that are kept of the reason that a webhook gives. */
const maxErrorLength = 1024;
/** Longest user in JSON, in characters: decisions are cached by their number. */
const maxUserLength = 64 * 1024;

const reviewApiVersion = (version: TokenReviewVersion): string => `${groups.authentication}/${version}`;

/** The object that a webhook is sent (spec 2, "TokenReview"). */
export function createTokenReview(
  { token, audiences }: TokenQuestion,
  version: TokenReviewVersion,
): JsonObject {
  const spec = { token, ...(audiences.length > 0 && { audiences: [...audiences] }) };
  return { apiVersion: reviewApiVersion(version), kind: 'TokenReview', spec };
}

/** Reads the status of an answer, whose spec is ignored. Throws an Error that repeats nothing of it. */
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
