import {
  isSampled,
  isTraceparent,
  isTracestate,
  type Span,
  type TraceContext,
  type Tracer,
  unrecordedTrace,
} from '@binnacle/proto';
import type { Exchange, RequestSpans } from '../request/exchange.ts';
import { authenticatedGroup } from '../request/users.ts';

/**
 * Begins the trace of a request that is not authenticated yet. A trace that the client began is not recorded before it is known who
 * the client is: until then its ids go on as those of a trace that is not sampled.
 */
export function beginTrace(exchange: Exchange, tracer: Tracer): void {
  const context = readContext(exchange);
  if (context !== undefined) exchange.call.trace = unrecordedTrace(withoutSampling(context));
  else if (tracer.samples()) {
    exchange.spans = new RecordedSpans(exchange, tracer);
    exchange.spans.begin('authentication');
  }
}

/**
 * Decides on the trace of an authenticated request. The sampling decision of a client counts if the client is authenticated; an anonymous
 * client could otherwise have every request recorded, and its ids are dropped.
 */
export function traceAuthenticated(exchange: Exchange, tracer: Tracer): void {
  if (exchange.spans !== undefined) {
    exchange.spans.leave();
    return;
  }
  // Its ids go on since `beginTrace`, if the client has sent any.
  const context = exchange.call.trace && readContext(exchange);
  if (context === undefined) return;
  const isTrusted = exchange.user.groups.includes(authenticatedGroup);
  if (!isTrusted) exchange.call.trace = undefined;
  if (isTrusted ? !isSampled(context) : !tracer.samples()) return;
  const spans = new RecordedSpans(exchange, tracer, isTrusted ? context : undefined);
  exchange.spans = spans;
  spans.begin('authentication', exchange.startedAt);
  spans.leave();
}

/** The trace that the client sends; undefined without one, and for anything that is not one. */
function readContext({ request }: Exchange): TraceContext | undefined {
  const { traceparent, tracestate } = request.headers;
  if (!isTraceparent(traceparent)) return undefined;
  return { traceparent, tracestate: isTracestate(tracestate) ? tracestate : '' };
}

function withoutSampling({ traceparent, tracestate }: TraceContext): TraceContext {
  return { traceparent: `${traceparent.slice(0, -2)}00`, tracestate };
}

/** The spans of a sampled request: one for the request, named as kube-apiserver names it, and below it one for each step. */
class RecordedSpans implements RequestSpans {
  readonly #exchange: Exchange;
  readonly #request: Span;
  #step: Span | undefined;

  constructor(exchange: Exchange, tracer: Tracer, parent?: TraceContext) {
    const { method, path, auditId, startedAt, request } = exchange;
    const attributes = {
      'http.method': method,
      'http.target': path,
      'http.user_agent': request.headers['user-agent'] ?? '',
      'audit-id': auditId,
    };
    const options = { kind: 'server', startTime: startedAt, attributes } as const;
    this.#exchange = exchange;
    this.#request = tracer.start('KubernetesAPI', options, parent);
    exchange.call.trace = this.#request;
  }

  begin(step: string, startTime?: number): void {
    this.#step?.end();
    this.#step = this.#request.start(step, startTime === undefined ? {} : { startTime });
    this.#exchange.call.trace = this.#step;
  }

  leave(): void {
    this.#step?.end();
    this.#step = undefined;
    this.#exchange.call.trace = this.#request;
  }

  end(): void {
    const { response, target, user } = this.#exchange;
    this.leave();
    this.#request.set({ 'http.status_code': response.statusCode, verb: target.verb, user: user.username });
    if (response.statusCode >= 500) this.#request.fail(this.#exchange.refusal?.message ?? '');
    this.#request.end();
  }
}
