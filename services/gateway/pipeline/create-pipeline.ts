import { sharedNotes } from '@binnacle/event-loop';
import type { Tracer } from '@binnacle/proto';
import { internalError } from '@binnacle/status-errors';
import type { Logger } from '@binnacle/telemetry';
import type { Audit } from '../audit/audit.ts';
import { type Authenticate, allowsAnonymous, createAuthenticator } from '../authentication/authenticate.ts';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';
import { authorize } from '../authorization/authorize.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { createPriorityLimits } from '../flow-control/limit-by-priority.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Exchange, RequestLimits } from '../request/exchange.ts';
import { parseRequestTarget } from '../request/parse-request-target.ts';
import { isProxied } from '../request/request-target.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { impersonate } from './impersonate.ts';
import { createInFlightLimits } from './limit-in-flight.ts';
import { createFailureRenderer } from './render-failure.ts';
import { type EndParts, RequestEnd } from './request-end.ts';
import { type ServeServices, serve } from './serve.ts';
import { beginTrace, traceAuthenticated } from './trace-request.ts';

/** Options of the pipeline of a gateway. */
interface PipelineOptions {
  readonly settings: GatewaySettings;
  /** Returns the current authorities of client certificates. */
  readonly authorities: () => ClientAuthorities;
  readonly services: ServeServices;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
  /** Undefined: nothing is audited. */
  readonly audit: Audit | undefined;
  /** Undefined: nothing is traced. */
  readonly tracer: Tracer | undefined;
}

/** Parts that requests go through. */
export interface PipelineParts extends EndParts {
  /** Returns the canonical name of a group, also for an alias. */
  readonly canonicalGroup: (group: string) => string;
  readonly features: DisabledFeatures;
  readonly authenticate: Authenticate;
  readonly authorizer: Authorizer;
  readonly limits: RequestLimits;
  /** Undefined: nothing is traced. */
  readonly tracer: Tracer | undefined;
  readonly serve: (exchange: Exchange) => void | Promise<void>;
}

/** Features whose parameters and headers are removed from requests, so that no verb sees them. */
interface DisabledFeatures {
  readonly chunks: boolean;
  readonly fieldValidation: boolean;
  readonly compression: boolean;
}

/** Creates the pipeline of a gateway. */
export function createPipeline(options: PipelineOptions): (exchange: Exchange) => Promise<void> {
  const { settings, services, metrics, logger, audit } = options;
  const { authorizer, flowControl: control } = services;
  const { featureGates, requestTimeout, accessLog } = settings;
  const { maxRequestsInflight: readOnly, maxMutatingRequestsInflight: mutating } = settings;
  return pipelineFromParts({
    canonicalGroup: settings.kubernetesClientCompatibility
      ? group => services.registry.canonicalGroup(group)
      : group => group,
    features: {
      chunks: !featureGates.isEnabled('APIListChunking'),
      fieldValidation: !featureGates.isEnabled('ServerSideFieldValidation'),
      compression: !featureGates.isEnabled('APIResponseCompression'),
    },
    authenticate: createAuthenticator({
      tokenReview: services.tokenReview,
      anonymousAuth: allowsAnonymous(settings),
      authorities: options.authorities,
      proxies: settings,
      metrics,
      clock: services.clock,
    }),
    audit,
    tracer: options.tracer,
    requestTimeout,
    authorizer,
    limits:
      control === undefined
        ? createInFlightLimits({ readOnly, mutating, metrics })
        : createPriorityLimits({ control, authorizer, metrics }),
    serve: exchange => serve(exchange, services),
    renderFailure: createFailureRenderer(logger),
    accessLog,
    logger,
    metrics,
  });
}

/** Builds the pipeline from its parts. Its promise rejects when a request could not even be answered with an error. */
export function pipelineFromParts(parts: PipelineParts): (exchange: Exchange) => Promise<void> {
  return exchange => sharedNotes.run(exchange, () => handleRequest(exchange, parts));
}

/**
 * Handles a request; its steps stand from top to bottom.
 *
 * A step returns its result when it knows it, and a promise only when it has to wait, so that a request is handled
 * without a wait when all its facts are cached. Each wait is written where it happens.
 */
async function handleRequest(exchange: Exchange, parts: PipelineParts): Promise<void> {
  const end = new RequestEnd(exchange, parts);
  try {
    readTarget(exchange, parts);
    if (parts.tracer !== undefined) beginTrace(exchange, parts.tracer);

    const authenticating = parts.authenticate(exchange);
    exchange.user = authenticating instanceof Promise ? await authenticating : authenticating;
    if (parts.tracer !== undefined) traceAuthenticated(exchange, parts.tracer);

    const starting = parts.audit?.start(exchange) ?? true;
    const mayGoOn = starting instanceof Promise ? await starting : starting;
    if (!mayGoOn) return await end.refuse(internalError('the request cannot be audited'));

    end.limitTime();

    const impersonating = impersonate(exchange, parts.authorizer);
    if (impersonating instanceof Promise) await impersonating;

    exchange.spans?.begin('priority and fairness');
    const entering = parts.limits.enter(exchange);
    const place = entering instanceof Promise ? await entering : entering;
    try {
      exchange.place = place;

      exchange.spans?.begin('authorization');
      const authorizing = authorize(exchange, parts.authorizer);
      if (authorizing instanceof Promise) await authorizing;

      exchange.spans?.begin(capitalized(exchange.target.verb));
      const serving = parts.serve(exchange);
      if (serving instanceof Promise) await serving;
    } finally {
      place.leave();
    }
    end.succeed();
  } catch (error) {
    const failing = end.fail(error);
    if (failing instanceof Promise) await failing;
  }
}

/** The step that serves a verb, as kube-apiserver names its span: `Create`. */
function capitalized(verb: string): string {
  return `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`;
}

/** Parses the target of the request, and removes the parameters and headers of features that are switched off. */
function readTarget(exchange: Exchange, { canonicalGroup, features }: PipelineParts): void {
  const { query, request } = exchange;
  const target = parseRequestTarget(exchange, canonicalGroup);
  exchange.target = target;
  exchange.longRunning = target.kind === 'resource' && (target.verb === 'watch' || isProxied(target));
  if (isProxied(target)) return;
  if (features.chunks) {
    query.delete('limit');
    query.delete('continue');
  }
  if (features.fieldValidation) query.set('fieldValidation', 'Ignore');
  if (features.compression) delete request.headers['accept-encoding'];
}
