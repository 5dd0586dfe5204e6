// Generated from proto/internal/token_review.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec, ServiceContract, UnaryMethod } from '../runtime/contract.ts';
import { assertEnd, messageEnd, newWriter, readEntry, readerOf, type Reader, type Writer } from '../runtime/wire.ts';
import { readUserInfo, writeUserInfo, type UserInfo } from './admission.ts';

/** `TokenReviewRequest` of `token_review.proto`. */
export interface TokenReviewRequest {
  token: string;
  /** The audiences that are acceptable; empty means those of the API server. */
  audiences: string[];
}

/** Turns `TokenReviewRequest` into bytes and back. */
export const tokenReviewRequestCodec: MessageCodec<TokenReviewRequest> = {
  encode: message => writeTokenReviewRequest(message, newWriter()).finish(),
  decode: bytes => readTokenReviewRequest(readerOf(bytes), bytes.length),
};

/** Appends a `TokenReviewRequest` without its length. */
export function writeTokenReviewRequest(message: TokenReviewRequest, writer: Writer): Writer {
  if (message.token) writer.uint32(10).string(message.token);
  for (const item of message.audiences ?? []) writer.uint32(18).string(item);
  return writer;
}

/** Reads a `TokenReviewRequest` that ends at `end`. */
export function readTokenReviewRequest(reader: Reader, end: number): TokenReviewRequest {
  const message: TokenReviewRequest = { token: '', audiences: [] };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.token = reader.string();
        break;
      case 18:
        message.audiences.push(reader.string());
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `TokenReviewResponse` of `token_review.proto`. */
export interface TokenReviewResponse {
  authenticated: boolean;
  user?: UserInfo | undefined;
  /** The intersection of the token's audiences with those asked for. */
  audiences: string[];
  /** Why not; empty when authenticated. */
  error: string;
  /** The token is not accepted, and may be good all the same: what could have accepted it did not answer. */
  undecided: boolean;
  /** For the audit event of the request that the token came with. */
  auditAnnotations: { [key: string]: string };
  /**
   * Milliseconds from the question on for which the caller may use this answer for the same token and audiences without asking again;
   * absent: for this request alone.
   */
  reusableMs?: number | undefined;
}

/** Turns `TokenReviewResponse` into bytes and back. */
export const tokenReviewResponseCodec: MessageCodec<TokenReviewResponse> = {
  encode: message => writeTokenReviewResponse(message, newWriter()).finish(),
  decode: bytes => readTokenReviewResponse(readerOf(bytes), bytes.length),
};

/** Appends a `TokenReviewResponse` without its length. */
export function writeTokenReviewResponse(message: TokenReviewResponse, writer: Writer): Writer {
  if (message.authenticated) writer.uint32(8).bool(message.authenticated);
  if (message.user !== undefined) writeUserInfo(message.user, writer.uint32(18).fork()).ldelim();
  for (const item of message.audiences ?? []) writer.uint32(26).string(item);
  if (message.error) writer.uint32(34).string(message.error);
  if (message.undecided) writer.uint32(40).bool(message.undecided);
  for (const [key, item] of Object.entries(message.auditAnnotations ?? {})) writer.uint32(50).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  if (message.reusableMs !== undefined) writer.uint32(56).uint32(message.reusableMs);
  return writer;
}

/** Reads a `TokenReviewResponse` that ends at `end`. */
export function readTokenReviewResponse(reader: Reader, end: number): TokenReviewResponse {
  const message: TokenReviewResponse = { authenticated: false, audiences: [], error: '', undecided: false, auditAnnotations: {} };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        message.authenticated = reader.bool();
        break;
      case 18:
        message.user = readUserInfo(reader, messageEnd(reader));
        break;
      case 26:
        message.audiences.push(reader.string());
        break;
      case 34:
        message.error = reader.string();
        break;
      case 40:
        message.undecided = reader.bool();
        break;
      case 50:
        readEntry(reader, message.auditAnnotations, { tag: 18, read: () => reader.string(), missing: () => '' });
        break;
      case 56:
        message.reusableMs = reader.uint32();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The service `TokenReview` of `token_review.proto`. */
export interface TokenReviewService {
  /** Decides on a token; an unknown token is an answer, not an error. */
  readonly review: UnaryMethod<TokenReviewRequest, TokenReviewResponse>;
}

/** The contract of `TokenReviewService`: its name and methods on the wire. */
export const tokenReviewContract: ServiceContract<TokenReviewService> = {
  name: 'binnacle.internal.token_review.TokenReview',
  methods: [
    {
      name: 'review',
      path: '/binnacle.internal.token_review.TokenReview/Review',
      serverStreaming: false,
      hot: true,
      request: tokenReviewRequestCodec,
      response: tokenReviewResponseCodec,
    },
  ],
};
