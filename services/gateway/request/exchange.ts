import { randomUUID } from 'node:crypto';
import { sharedNotes } from '@binnacle/event-loop';
import { type CallContext, noDeadline } from '@binnacle/proto';
import type { Status } from '@binnacle/status-errors';
import type { RequestNotes, User } from './api-request.ts';
import { type Credential, noCredential } from './credential.ts';
import type { HttpRequest, HttpResponse } from './http-messages.ts';
import type { RequestTarget } from './request-target.ts';
import type { ResolvedResource } from './resolve-resource.ts';
import { anonymousUser } from './users.ts';

/** The level of detail of the audit events of a request. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** What the audit of a request collects while it is served. */
export interface AuditRecord {
  readonly level: AuditLevel;
  /** The request body with its media type, when the level includes it and a verb has read it. */
  sentBody: { readonly bytes: Buffer; readonly contentType: string } | undefined;
  /** The response object as JSON, when the level includes it; 'too-long' when it exceeds the limit of an event. */
  answer: { readonly json: string } | 'too-long' | undefined;
  /** The name that the server generated for an object; "" when the client named it. */
  generatedName: string;
}

/** The decision of the authorizer on a request. */
interface AccessDecision {
  readonly verdict: 'allowed' | 'denied' | 'noOpinion';
  readonly reason: string;
  /** What failed; an access that is not allowed was then not refused either. */
  readonly error?: unknown;
}

/** One HTTP request and its response on their way through the pipeline; each step fills in what it finds out. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Upper case. */
  readonly method: string;
  /** As sent, without the query; not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Sent back as `Audit-Id`. */
  readonly auditId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Texts for `Warning: 299` headers, in order. */
  readonly warnings: string[];
  /** Aborts when the client goes away. */
  readonly disconnected: AbortSignal;
  target: RequestTarget;
  /** The resource that the target turned out to be. */
  resolved: ResolvedResource | undefined;
  user: User;
  /** Who makes the request where they act as another user; undefined where they do not. */
  impersonator: User | undefined;
  /** Undefined: the request was not authorized yet. */
  access: AccessDecision | undefined;
  /** Undefined: the audit policy was not evaluated yet, or there is none. */
  audit: AuditRecord | undefined;
  /** The Status of the error that the request was answered with. */
  refusal: Status | undefined;
  /** What the user was authenticated by. */
  credential: Credential;
  /** Without a deadline of its own until the step that sets one. */
  call: CallContext;
  /** Whether the answer lasts: counted apart, without deadline and limits. */
  longRunning: boolean;
  /** Whether it is a server-side apply, which is a verb of its own for those who watch over the server. */
  readonly isApply: boolean;
  readonly notes: RequestNotes;
  /** Bytes of the answer's body before compression. */
  responseBytes: number;
  /** The body, where it was received before the request was served; undefined: it is read when a verb asks for it. */
  body: Promise<Buffer> | undefined;
  /**
   * Awaits that the client takes a part of the answer. What the request holds of the server is given back while the
   * client lets it wait, and taken again before this resolves.
   */
  whileClientTakes: (taken: Promise<void>) => Promise<void>;
}

/** One step of the pipeline; it calls `next` for the steps after it, or answers, or throws a StatusError. */
export type Step = (exchange: Exchange, next: () => Promise<void>) => Promise<void>;

const longestAuditId = 64;

/** Starts an exchange and puts the headers on the response that every response has. */
export function createExchange(request: HttpRequest, response: HttpResponse, clock: () => number): Exchange {
  const url = originForm(request.url ?? '/');
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const auditId = auditIdOf(request);
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort(new Error('the client closed the connection'));
  });
  response.setHeader('Audit-Id', auditId);
  response.setHeader('Cache-Control', 'no-cache, private');
  return {
    request,
    response,
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(question < 0 ? '' : url.slice(question + 1)),
    auditId,
    startedAt: clock(),
    warnings: [],
    disconnected: leaving.signal,
    target: { kind: 'path', verb: (request.method ?? 'GET').toLowerCase(), path },
    resolved: undefined,
    user: anonymousUser,
    impersonator: undefined,
    access: undefined,
    audit: undefined,
    refusal: undefined,
    credential: noCredential,
    call: { signal: leaving.signal, deadline: noDeadline, ...traceOf(request) },
    longRunning: false,
    isApply:
      request.headers['content-type']?.startsWith('application/apply-patch') === true &&
      request.method === 'PATCH',
    notes: { webhookSeconds: 0, workBytes: 0, annotations: new Map() },
    responseBytes: 0,
    body: undefined,
    whileClientTakes: taken => taken,
  };
}

/** Runs steps in order, each around those after it, noted as work for the request. */
export function composeSteps(steps: readonly Step[]): (exchange: Exchange) => Promise<void> {
  const run = async (exchange: Exchange, index: number): Promise<void> => {
    const step = steps[index];
    if (step !== undefined) await step(exchange, () => run(exchange, index + 1));
  };
  return exchange => sharedNotes.run(exchange, () => run(exchange, 0));
}

/** Clients may send a whole URL as request target, as they do to a proxy; only what follows the host counts. */
function originForm(url: string): string {
  return url.startsWith('/') ? url : (/^[a-z]+:\/\/[^/?]*(.*)$/i.exec(url)?.[1] ?? url);
}

function auditIdOf(request: HttpRequest): string {
  const sent = request.headers['audit-id'];
  if (typeof sent === 'string' && /^[\x21-\x7e]+$/.test(sent)) return sent.slice(0, longestAuditId);
  return randomUUID();
}

function traceOf(request: HttpRequest): { traceparent?: string } {
  const sent = request.headers['traceparent'];
  return typeof sent === 'string' && /^[0-9a-f-]{55}$/.test(sent) ? { traceparent: sent } : {};
}
