import { randomUid } from '@binnacle/api-objects';
import { OpenCall } from '@binnacle/rpc';
import type { Status } from '@binnacle/status-errors';
import type { RequestFindings, User } from './api-request.ts';
import { type Credential, noCredential } from './credential.ts';
import type { HttpRequest, HttpResponse } from './http-messages.ts';
import type { RequestTarget } from './request-target.ts';
import type { ResolvedResource } from './resolve-resource.ts';
import { anonymousUser } from './users.ts';

/** The level of detail of the audit events of a request. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** The record for the audit of a request, filled while it is served. */
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
  /** The error that prevented a decision: the access was neither allowed nor refused. */
  readonly error?: unknown;
}

/** The seats and memory that a request holds of the server while it executes. */
export interface Place {
  /**
   * Waits until the client has taken a part of the answer. The seats and memory of the request are given back while
   * the client is slow, and taken again before this resolves.
   */
  whileClientTakes(taken: Promise<void>): Promise<void>;
  /** Gives the place up when the work for the request is done, whatever its outcome. */
  leave(): void;
}

/** The place of a request that holds nothing. */
export const freePlace: Place = { whileClientTakes: taken => taken, leave() {} };

/** Bounds the requests that execute at a time. */
export interface RequestLimits {
  /** Gives a request its place among those that execute, at once or after a wait; throws TooManyRequests. */
  enter(exchange: Exchange): Place | Promise<Place>;
}

/** The spans of a request whose trace is recorded. */
export interface RequestSpans {
  /** Begins a step of the request, which ends the one before; calls that are made during the step belong to it. */
  begin(step: string): void;
  /** Ends the step. */
  leave(): void;
  /** Ends the request. */
  end(): void;
}

/** One HTTP request and its response on their way through the pipeline; each step fills in its results. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Upper case. */
  readonly method: string;
  /** The path as sent, without the query; not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Sent back as `Audit-Id`. */
  readonly auditId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /**
   * Headers of the answer, names and values in turn, beside those that are set on the response: Node makes a table of headers
   * that it gets one by one, and writes a list as it is. See `setHeaders`.
   */
  readonly headers: string[];
  /** Texts for `Warning: 299` headers, in order. */
  readonly warnings: string[];
  /** Whether the client went away before the end of the answer. */
  readonly isDisconnected: boolean;
  target: RequestTarget;
  /** The resource that the target resolved to. */
  resolved: ResolvedResource | undefined;
  user: User;
  /** The authenticated user of a request that impersonates another one; undefined without impersonation. */
  impersonator: User | undefined;
  /** Undefined: the request was not authorized yet. */
  access: AccessDecision | undefined;
  /** Undefined: the audit policy was not evaluated yet, or there is none. */
  audit: AuditRecord | undefined;
  /** The Status of the error that the request was answered with. */
  refusal: Status | undefined;
  /** The credential of the user. */
  credential: Credential;
  /** Ends when the client goes away. Without a deadline until the pipeline sets one. */
  readonly call: OpenCall;
  /** Whether the request is long-running: counted apart, without deadline and limits. */
  longRunning: boolean;
  /** Whether it is a server-side apply, which is a verb of its own in metrics. */
  readonly isApply: boolean;
  readonly notes: RequestFindings;
  /** Bytes of the answer's body before compression. */
  responseBytes: number;
  /** The body, where it was received before the request was served; undefined: it is read when a verb asks for it. */
  body: Promise<Buffer> | undefined;
  place: Place;
  /** Undefined: the request is not traced, or its trace is not sampled. */
  spans: RequestSpans | undefined;
}

const longestAuditId = 64;

/** Starts an exchange, with the headers that every answer has. */
export function createExchange(request: HttpRequest, response: HttpResponse, clock: () => number): Exchange {
  const exchange = new ServedExchange(request, response, clock());
  response.once('close', () => exchange.closed());
  return exchange;
}

/** Sets the headers of an exchange on its response, for an answer whose head is written without them. */
export function setHeaders({ response, headers }: Exchange): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!); // pairs
  headers.length = 0;
}

class ServedExchange implements Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly auditId: string;
  readonly startedAt: number;
  readonly headers: string[];
  readonly warnings: string[] = [];
  readonly call: OpenCall;
  readonly isApply: boolean;
  readonly notes: RequestFindings = new CollectedFindings();
  isDisconnected = false;
  target: RequestTarget;
  resolved: ResolvedResource | undefined = undefined;
  user = anonymousUser;
  impersonator: User | undefined = undefined;
  access: AccessDecision | undefined = undefined;
  audit: AuditRecord | undefined = undefined;
  refusal: Status | undefined = undefined;
  credential = noCredential;
  longRunning = false;
  responseBytes = 0;
  body: Promise<Buffer> | undefined = undefined;
  place = freePlace;
  spans: RequestSpans | undefined = undefined;

  constructor(request: HttpRequest, response: HttpResponse, startedAt: number) {
    const { method = 'GET', url = '/', headers } = request;
    const line = originForm(url);
    const question = line.indexOf('?');
    this.request = request;
    this.response = response;
    this.method = method;
    this.path = question < 0 ? line : line.slice(0, question);
    this.query = question < 0 ? new URLSearchParams() : new URLSearchParams(line.slice(question + 1));
    this.auditId = auditIdFrom(headers['audit-id']);
    this.headers = ['Audit-Id', this.auditId, 'Cache-Control', 'no-cache, private'];
    this.startedAt = startedAt;
    this.call = new OpenCall();
    this.isApply =
      method === 'PATCH' && headers['content-type']?.startsWith('application/apply-patch') === true;
    this.target = { kind: 'path', verb: method.toLowerCase(), path: this.path };
  }

  closed(): void {
    if (this.response.writableFinished) return;
    this.isDisconnected = true;
    this.call.end(new Error('the client closed the connection'));
  }
}

class CollectedFindings implements RequestFindings {
  webhookSeconds = 0;
  workBytes = 0;
  #annotations: Map<string, string> | undefined;

  get hasAnnotations(): boolean {
    return this.#annotations !== undefined;
  }

  get annotations(): Map<string, string> {
    this.#annotations ??= new Map();
    return this.#annotations;
  }
}

/** Clients may send a whole URL as request target, as they do to a proxy; only what follows the host counts. */
function originForm(url: string): string {
  return url.startsWith('/') ? url : (/^[a-z]+:\/\/[^/?]*(.*)$/i.exec(url)?.[1] ?? url);
}

function auditIdFrom(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && /^[\x21-\x7e]+$/.test(sent)) return sent.slice(0, longestAuditId);
  return randomUid();
}
