import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { auditKeys } from '@binnacle/api-names';
import { getClientAddress } from '@binnacle/connections';
import type { User } from '../../request/api-request.ts';
import type { AuditLevel, AuditRecord, Exchange } from '../../request/exchange.ts';
import type { HttpRequest } from '../../request/http-messages.ts';
import type { AuditStage } from '../policy/audit-policy.ts';
import type { AuditDecision } from '../policy/create-audit-decider.ts';
import { type AuditEvent, auditEvent, type EventHead, type EventObject, eventHead } from './audit-event.ts';
import { type BodyOmissions, bodyText, sentBodyText } from './body-text.ts';
import { isPatchAnnotation } from './patch-annotation.ts';

/** Most bytes of the two bodies of one event. */
export const maxBodyBytes = 1.5 * 1024 * 1024;
const longestUserAgent = 1024;
const cutMark = '...TRUNCATED';

/** One audited request: what is collected while it is served, and its events. */
export class RequestAudit implements AuditRecord {
  readonly level: AuditLevel;
  readonly decision: AuditDecision;
  sentBody: AuditRecord['sentBody'];
  answer: AuditRecord['answer'];
  generatedName = '';
  /** Whether the request failed with an unexpected error. */
  isUnexpected = false;
  readonly #exchange: Exchange;
  readonly #head: EventHead;
  readonly #user: User | undefined;
  readonly #authenticationFailure: string | undefined;

  /** `user` is the authenticated user; undefined when authentication failed. */
  constructor(exchange: Exchange, decision: AuditDecision, user: User | undefined) {
    this.decision = decision;
    this.level = decision.level;
    this.#exchange = exchange;
    this.#user = user;
    const { request, path, target, auditId, startedAt } = exchange;
    this.#head = eventHead({
      level: decision.level,
      auditId,
      requestURI: auditedUri(path, request.url ?? ''),
      verb: target.verb,
      user,
      sourceIPs: readSourceIPs(request),
      userAgent: shortened(request.headers['user-agent'] ?? ''),
      receivedAt: startedAt,
    });
    this.#authenticationFailure = user === undefined ? authenticationFailure(exchange) : undefined;
    if (user !== undefined)
      exchange.notes.sentObject = { namespace: '', name: '', uid: '', resourceVersion: '' };
  }

  /** The event RequestReceived. */
  received(at: number): AuditEvent {
    return auditEvent(
      this.#head,
      {
        stage: 'RequestReceived',
        at,
        impersonatedUser: undefined,
        object: this.#object(),
        status: undefined,
        annotations: {},
      },
      false,
    );
  }

  /** The event ResponseStarted of a long-running request; `code` is its status code. */
  started(at: number, code: number): AuditEvent {
    return auditEvent(this.#head, this.#stage('ResponseStarted', { at, code }), false);
  }

  /** The last event of a request. */
  async ended(stage: AuditStage, at: number): Promise<AuditEvent> {
    const { response, refusal } = this.#exchange;
    const code = refusal?.code ?? (response.headersSent ? response.statusCode : 0);
    const { requestObject, responseObject, isCut } = await this.#bodies(code);
    const described = { ...this.#stage(stage, { at, code }), requestObject, responseObject };
    return auditEvent(this.#head, described, isCut);
  }

  #stage(stage: AuditStage, { at, code }: { readonly at: number; readonly code: number }) {
    const { user, impersonator } = this.#exchange;
    const isImpersonated = this.#user !== undefined && (impersonator !== undefined || user !== this.#user);
    return {
      stage,
      at,
      impersonatedUser: isImpersonated ? user : undefined,
      object: this.#object(),
      status: this.#status(code),
      annotations: this.#annotations(),
    };
  }

  #object(): EventObject | undefined {
    const { target, notes } = this.#exchange;
    if (target.kind !== 'resource') return undefined;
    const { resource, subresource, version, canonicalGroup } = target;
    const { sentObject: sent } = notes;
    return {
      resource,
      namespace: target.namespace || (sent?.namespace ?? ''),
      name: target.requestedName || sent?.name || this.generatedName,
      uid: sent?.uid ?? '',
      apiGroup: canonicalGroup,
      apiVersion: version,
      resourceVersion: sent?.resourceVersion ?? '',
      subresource,
    };
  }

  #status(code: number) {
    const { refusal } = this.#exchange;
    if (refusal === undefined) {
      // No response was sent; the words are kube-apiserver's.
      if (code === 0)
        return { metadata: {}, status: 'Success', message: 'Connection closed early', code: 200 } as const;
      return { metadata: {}, code };
    }
    const { metadata, status, reason, details } = refusal;
    const isUnauthorized = code === 401 && this.#authenticationFailure !== undefined;
    const message = isUnauthorized ? this.#authenticationFailure : refusal.message;
    return { metadata, status, message, reason, details, code } as const;
  }

  #annotations(): Record<string, string> {
    const { notes, access } = this.#exchange;
    const annotations: Record<string, string> = {};
    if (access?.verdict !== 'allowed' && access?.error !== undefined) {
      // As in kube-apiserver: there is no decision.
      annotations[auditKeys.reason] = 'internal error';
    } else if (access !== undefined) {
      annotations[auditKeys.decision] = access.verdict === 'allowed' ? 'allow' : 'forbid';
      annotations[auditKeys.reason] = access.reason;
    }
    for (const [key, value] of notes.annotations)
      if (this.level !== 'Metadata' || !isPatchAnnotation(key)) annotations[key] = value;
    return annotations;
  }

  /** The bodies that the level includes; when both are too long together, the response is cut. */
  async #bodies(code: number) {
    const isValid = code >= 200 && code < 300;
    const { sentBody, answer } = this;
    const { refusal, resolved } = this.#exchange;
    const omissions = this.#omissions();
    const isSentTooLong = (sentBody?.bytes.length ?? 0) > maxBodyBytes;
    const request =
      sentBody === undefined || isSentTooLong
        ? undefined
        : await sentBodyText({ ...sentBody, isValid, resolved }, omissions).catch(() => undefined);
    let response: string | undefined;
    if (this.level === 'RequestResponse') {
      if (refusal !== undefined) response = JSON.stringify(refusal);
      else if (typeof answer === 'object') response = bodyText(answer.json, omissions);
    }
    const left = maxBodyBytes - (request === undefined ? 0 : Buffer.byteLength(request));
    const requestObject = left < 0 ? undefined : request;
    const room = requestObject === undefined ? maxBodyBytes : left;
    const isTooLong = response !== undefined && Buffer.byteLength(response) > room;
    return {
      requestObject,
      responseObject: isTooLong ? undefined : response,
      isCut: isSentTooLong || left < 0 || isTooLong || answer === 'too-long',
    };
  }

  #omissions(): BodyOmissions {
    const { target } = this.#exchange;
    const isAboutTokens =
      target.kind === 'resource' &&
      (target.resource === 'tokenreviews' ||
        (target.resource === 'serviceaccounts' && target.subresource === 'token'));
    return { managedFields: this.decision.omitManagedFields, tokens: isAboutTokens };
  }
}

function shortened(userAgent: string): string {
  return userAgent.length > longestUserAgent ? userAgent.slice(0, longestUserAgent) + cutMark : userAgent;
}

/** The message of a failed authentication: the kinds of credentials that the request has, never their values. */
function authenticationFailure({ request, query }: Exchange): string {
  const { headers, socket } = request;
  const { authorization = '', 'sec-websocket-protocol': protocols = '' } = headers;
  const [scheme = '', credentials = ''] = authorization.trim().split(/ +/, 2);
  const means = [
    ...(/^basic$/i.test(scheme) && credentials !== '' ? ['basic'] : []),
    ...(/^bearer$/i.test(scheme) && credentials !== '' ? ['bearer'] : []),
    ...(/\bbearer\.authorization\./.test(protocols) ? ['websocket'] : []),
    ...((query.get('access_token') ?? '') === '' ? [] : ['access_token']),
    ...(socket instanceof TLSSocket && socket.getPeerX509Certificate() !== undefined ? ['x509'] : []),
  ];
  return means.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${means.join(', ')}`;
}

/** Names of query parameters that hold credentials; no parameter of the API itself has such a name. */
const secretName = /(token|password|secret|authorization|credentials?|api[-_]?key|signature)$/i;

/** Path and query of a request, without the parameters that hold credentials. */
export function auditedUri(path: string, url: string): string {
  const question = url.indexOf('?');
  if (question < 0) return path;
  const query = url
    .slice(question + 1)
    .split('&')
    .filter(pair => !secretName.test(parameterName(pair)))
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

function parameterName(pair: string): string {
  const equals = pair.indexOf('=');
  const name = (equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' ');
  if (!name.includes('%')) return name.trim();
  // Decodes as the server does; decodeURIComponent throws on malformed escapes.
  const [[decoded = ''] = []] = new URLSearchParams(name);
  return decoded.trim();
}

/** Most addresses that are taken from headers. */
const mostForwarded = 64;
const mappedPrefix = '::ffff:';

/**
 * The addresses of `X-Forwarded-For`, that of `X-Real-Ip`, and last the peer of the connection, as kube-apiserver lists them.
 * Clients can forge all but the last.
 */
export function readSourceIPs({ headers, socket }: Pick<HttpRequest, 'headers' | 'socket'>): string[] {
  const { 'x-forwarded-for': forwarded, 'x-real-ip': real } = headers;
  const peer = withoutMapping(getClientAddress(socket) ?? '');
  if (forwarded === undefined && real === undefined) return peer === '' ? [] : [peer];
  const addresses = String(forwarded ?? '')
    .split(',', mostForwarded)
    .map(text => text.trim())
    .filter(text => isIP(text) !== 0);
  const named = String(real ?? '').trim();
  if (isIP(named) !== 0 && !addresses.includes(named)) addresses.push(named);
  if (peer !== '' && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

function withoutMapping(address: string): string {
  const isMapped = address.toLowerCase().startsWith(mappedPrefix) && address.includes('.');
  return isMapped ? address.slice(mappedPrefix.length) : address;
}
