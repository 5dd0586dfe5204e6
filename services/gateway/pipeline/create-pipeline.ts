import type { Logger } from '@binnacle/service-kit';
import type { Audit } from '../audit/audit.ts';
import { allowsAnonymous } from '../authentication/anonymous-requests.ts';
import { authenticate } from '../authentication/authenticate.ts';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';
import { authorize } from '../authorization/authorize.ts';
import { limitByPriority } from '../flow-control/limit-by-priority.ts';
import { impersonate } from '../impersonation/impersonate.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { composeSteps, type Exchange } from '../request/exchange.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { leaveOutDisabled } from './leave-out-disabled.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { limitTime } from './limit-time.ts';
import { logRequests } from './log-requests.ts';
import { measure } from './measure.ts';
import { readTarget } from './read-target.ts';
import { renderErrors } from './render-errors.ts';
import { type ServeServices, serve } from './serve.ts';

/** What the pipeline is built from. */
interface PipelineOptions {
  readonly settings: GatewaySettings;
  /** The authorities of client certificates at the moment. */
  readonly authorities: () => ClientAuthorities;
  readonly services: ServeServices;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
  /** Undefined: nothing is audited. */
  readonly audit: Audit | undefined;
}

/** The way of every request, from top to bottom. */
export function createPipeline(options: PipelineOptions): (exchange: Exchange) => Promise<void> {
  const { settings, services, metrics, logger, audit } = options;
  const { authorizer, tokenReview, flowControl: control } = services;
  const { kubernetesClientCompatibility, requestTimeout } = settings;
  const { maxRequestsInflight: readOnly, maxMutatingRequestsInflight: mutating } = settings;
  const canonicalGroup = kubernetesClientCompatibility
    ? (group: string) => services.registry.canonicalGroup(group)
    : (group: string) => group;
  return composeSteps([
    ...(audit === undefined ? [] : [audit.recordEnd]),
    logRequests(settings.accessLog, logger),
    measure(metrics),
    renderErrors(logger),
    readTarget(canonicalGroup),
    leaveOutDisabled(settings),
    authenticate({
      tokenReview,
      anonymousAuth: allowsAnonymous(settings),
      authorities: options.authorities,
      proxies: settings,
      metrics,
      clock: services.clock,
    }),
    ...(audit === undefined ? [] : [audit.recordStart]),
    limitTime(requestTimeout, metrics),
    impersonate(authorizer),
    control === undefined
      ? limitInFlight({ readOnly, mutating, metrics })
      : limitByPriority({ control, authorizer, metrics }),
    authorize(authorizer),
    serve(services),
  ]);
}
