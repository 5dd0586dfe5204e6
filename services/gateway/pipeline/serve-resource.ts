import { auditKeys } from '@binnacle/api-names';
import type { LiveTypeRegistry } from '@binnacle/api-types';
import { decodeStoredMetadata } from '@binnacle/codecs';
import { sharedNotes } from '@binnacle/event-loop';
import { hasEnded } from '@binnacle/rpc';
import { resourceNotFound, StatusError } from '@binnacle/status-errors';
import { recordAnswer, recordBody } from '../audit/record-answer.ts';
import { findKindBehavior, kindVerb } from '../kinds/find-kind.ts';
import type { KindServices } from '../kinds/kinds.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { type ProxyServices, serveProxy } from '../proxy/serve-proxy.ts';
import { get } from '../read/get.ts';
import { type KnownTypes, knownResource } from '../read/known-resource.ts';
import { list } from '../read/list.ts';
import type { ReadServices } from '../read/read-services.ts';
import { negotiate } from '../render/negotiate.ts';
import { documentOffer, findOffer } from '../render/negotiation-offers.ts';
import { renderResult } from '../render/render-result.ts';
import type { Rendering } from '../render/rendering.ts';
import { isMetadataOnly } from '../render/representation.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { type Exchange, setHeaders } from '../request/exchange.ts';
import { readBody } from '../request/read-body.ts';
import { isProxied, type ResourceTarget } from '../request/request-target.ts';
import type { ResolvedResource } from '../request/resolve-resource.ts';
import type { VersionBytes } from '../versions/kept-forms.ts';
import { resultInVersion } from '../versions/result-in-version.ts';
import type { WebhookConversions } from '../versions/webhook-conversions.ts';
import { serveWatch, type WatchServices } from '../watch/serve-watch.ts';
import { writeVerb } from '../write/write-verbs.ts';

/** Services of resources. */
export interface ResourceServices
  extends KindServices,
    ReadServices,
    WatchServices,
    ProxyServices,
    KnownTypes {
  readonly registry: LiveTypeRegistry;
  readonly metrics: RequestMetrics;
  /** Whether a chunk of a list says how many items follow. */
  readonly remainingItemCount: boolean;
}

/** Answers a request for a resource: resolves the resource, negotiates the form of the answer, runs the verb, renders. */
export async function serveResource(
  exchange: Exchange,
  target: ResourceTarget,
  services: ResourceServices,
): Promise<void> {
  const { method, call } = exchange;
  const finding = knownResource({ target, method, call }, services);
  const resolved = finding instanceof Promise ? await finding : finding;
  exchange.resolved = resolved;
  const { definition } = resolved;
  noteDeprecation(exchange, resolved, services.metrics);
  const request = apiRequestFrom(exchange, resolved);
  if (isProxied(target)) {
    const findTarget = findKindBehavior(definition).proxyTarget;
    if (findTarget === undefined) throw resourceNotFound();
    setHeaders(exchange);
    await serveProxy(exchange, { request, findTarget }, services);
    return;
  }
  if (resolved.info.verb === 'watch') {
    setHeaders(exchange);
    await serveWatch(exchange, request, services);
    return;
  }
  const { accept, 'user-agent': userAgent } = exchange.request.headers;
  // The answer of an operation is no object of a list: there is no Table of it.
  const isOperation =
    resolved.info.verb === 'create' && (!definition.stored || resolved.subresource !== undefined);
  const offer = isOperation ? documentOffer : findOffer(resolved.info.verb, hasWireForm(resolved));
  const representation = negotiate({ accept, userAgent, query: exchange.query }, offer);
  const running = runVerb(request, services);
  const done = withoutCount(running instanceof Promise ? await running : running, services);
  sharedNotes.begin();
  const now = services.clock();
  let rendering: Rendering;
  if (isMetadataOnly(representation))
    rendering = { request, representation, now, shows: 'metadata', result: done };
  else {
    const shown = resultShown(request, done, services.conversions);
    const result = shown instanceof Promise ? await shown : shown;
    rendering = { request, representation, now, shows: 'objects', result };
  }
  const recording = recordAnswer(exchange, rendering);
  if (recording instanceof Promise) await recording;
  const sending = renderResult(exchange, rendering);
  if (sending instanceof Promise) await sending;
}

/**
 * A result in the version of its request. Throws a StatusError when a webhook cannot convert a single object; a
 * deletion, which is already done, is answered with a Status of success.
 */
function resultShown(
  request: ApiRequest,
  result: ApiResult,
  conversions: WebhookConversions,
): ApiResult<VersionBytes> | Promise<ApiResult<VersionBytes>> {
  const shown = resultInVersion(request, result, conversions);
  return shown instanceof Promise ? shown.catch(thrown => unlessDeleted(request, result, thrown)) : shown;
}

function unlessDeleted(request: ApiRequest, result: ApiResult, thrown: unknown): ApiResult<VersionBytes> {
  const { call, info, definition } = request;
  const isDeletion = info.verb === 'delete' || info.verb === 'deletecollection';
  if (!isDeletion || definition.conversionWebhook === undefined) throw thrown;
  if (!(thrown instanceof StatusError) || hasEnded(call)) throw thrown;
  request.warnings.push(`the deleted object cannot be shown: ${thrown.message}`);
  const { name = '', uid = '' } =
    result.kind === 'stored' ? decodeStoredMetadata(result.stored, result.revision) : {};
  return { kind: 'success', details: { name, uid } };
}

/**
 * Whether the objects have a protobuf form: a type that a schema describes has no field numbers, but its subresources
 * of built-in kinds have.
 */
function hasWireForm({ definition, subresource }: ResolvedResource): boolean {
  return definition.message.structure === undefined || subresource?.group !== undefined;
}

/** Tells client, audit and metrics of a deprecated resource (spec 1, "Events" 2). */
function noteDeprecation(
  exchange: Exchange,
  { definition }: ResolvedResource,
  metrics: RequestMetrics,
): void {
  const { deprecation, removedRelease = '' } = definition;
  if (deprecation === undefined) return;
  exchange.warnings.push(deprecation);
  exchange.notes.annotations.set(auditKeys.deprecated, 'true');
  if (removedRelease !== '') exchange.notes.annotations.set(auditKeys.removedRelease, removedRelease);
  metrics.deprecated(exchange, removedRelease);
}

function runVerb(request: ApiRequest, services: ResourceServices): ApiResult | Promise<ApiResult> {
  const own = kindVerb(request);
  if (own !== undefined) return own(request, services);
  const { verb } = request.info;
  if (verb === 'get') return get(request, services);
  if (verb === 'list') return list(request, services);
  return writeVerb(request.info)(request, services);
}

function withoutCount(result: ApiResult, { remainingItemCount }: ResourceServices): ApiResult {
  if (remainingItemCount || result.kind !== 'list') return result;
  const { remainingItemCount: _, ...rest } = result;
  return rest;
}

function apiRequestFrom(exchange: Exchange, { definition, info }: ResolvedResource): ApiRequest {
  let body: Promise<Buffer> | undefined;
  const { headers } = exchange.request;
  const contentType = parseMediaType(headers['content-type']);
  return {
    info,
    definition,
    user: exchange.user,
    query: exchange.query,
    contentType,
    userAgent: headers['user-agent'] ?? '',
    body() {
      body ??= (exchange.body ?? readBody(exchange, exchange.call)).then(bytes => {
        sharedNotes.begin();
        exchange.notes.workBytes = bytes.length;
        recordBody(exchange, bytes, contentType);
        return bytes;
      });
      return body;
    },
    call: exchange.call,
    warnings: exchange.warnings,
    notes: exchange.notes,
  };
}

function parseMediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
