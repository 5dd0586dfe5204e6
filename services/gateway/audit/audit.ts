import { StatusError } from '@binnacle/status-errors';
import { isStorageError } from '@binnacle/storage-contract';
import type { Logger, Metrics } from '@binnacle/telemetry';
import type { User } from '../request/api-request.ts';
import type { AuditRecord, Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { type AuditMetrics, createAuditMetrics } from './audit-metrics.ts';
import type { AuditOptions } from './audit-options.ts';
import { type AuditBackendServices, createBackends } from './create-backends.ts';
import type { AuditBackend } from './delivery/audit-backend.ts';
import type { AuditEvent } from './events/audit-event.ts';
import { RequestAudit } from './events/request-audit.ts';
import type { AuditStage } from './policy/audit-policy.ts';
import { createAuditDecider, type DecideAudit } from './policy/create-audit-decider.ts';

/** Services and clocks that an audit uses. */
interface AuditServices extends Omit<AuditBackendServices, 'onLost'> {
  readonly metrics: Metrics;
}

/** The record of requests that are not audited. */
const notAudited: AuditRecord = Object.freeze({
  level: 'None',
  sentBody: undefined,
  answer: undefined,
  generatedName: '',
});

/** The audit of a gateway: generates the events of each request that the policy demands, and passes them to the backends. */
export class Audit {
  readonly #decide: DecideAudit;
  readonly #metrics: AuditMetrics;
  readonly #backends: readonly AuditBackend[];
  readonly #clock: () => number;
  readonly #logger: Logger;
  /** Work that generates the last events of requests. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: AuditOptions, services: AuditServices) {
    const plugins = [options.log, options.webhook].flatMap(backend => backend?.delivery.plugin ?? []);
    const metrics = createAuditMetrics(services.metrics, plugins);
    this.#decide = createAuditDecider(options.policy);
    this.#metrics = metrics;
    this.#backends = createBackends(options, { ...services, onLost: metrics.lost });
    this.#clock = services.clock;
    this.#logger = services.logger;
  }

  /**
   * Evaluates the policy for the authenticated user and generates the event RequestReceived. Answers whether the request may go
   * on: not when a `blocking-strict` backend cannot deliver that event.
   */
  start(exchange: Exchange): boolean | Promise<boolean> {
    const audit = this.#begin(exchange, exchange.user);
    return audit === undefined || this.#startAudited(exchange, audit);
  }

  async #startAudited(exchange: Exchange, audit: RequestAudit): Promise<boolean> {
    const isDelivered = await this.#emitReceived(audit);
    if (!isDelivered) this.#metrics.rejected();
    else if (exchange.longRunning) this.#emitStarted(exchange, audit);
    return isDelivered;
  }

  /** Notes the error that a started request failed with. */
  failed({ audit }: Exchange, error: unknown): void {
    if (audit instanceof RequestAudit) audit.isUnexpected = isUnexpected(error);
  }

  /**
   * Generates the last event of a request, also of one that was not started because its authentication failed.
   * `isBroken` says that the server could not send even an error.
   */
  end(exchange: Exchange, isBroken: boolean): void {
    const isAuthenticated = exchange.audit !== undefined;
    const audit = isAuthenticated ? exchange.audit : this.#begin(exchange, undefined);
    if (!(audit instanceof RequestAudit)) return;
    const isPanic = isBroken || audit.isUnexpected;
    this.#scheduleEnd(audit, isAuthenticated ? endStage(isPanic) : refusedStage(audit));
  }

  /** Flushes and closes the backends; events that are not delivered within `timeoutMs` are lost. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all(this.#underWay);
    await Promise.all(this.#backends.map(backend => backend.close(timeoutMs)));
  }

  /** Creates the audit of a request; undefined when the request is not audited. */
  #begin(exchange: Exchange, user: User | undefined): RequestAudit | undefined {
    const decision = this.#decide(user, exchange.target);
    this.#metrics.decided(decision.level);
    const audit = decision.level === 'None' ? undefined : new RequestAudit(exchange, decision, user);
    exchange.audit = audit ?? notAudited;
    return audit;
  }

  /** Emits the event RequestReceived; resolves to whether the request may go on. */
  async #emitReceived(audit: RequestAudit): Promise<boolean> {
    if (audit.decision.omitStages.has('RequestReceived')) return true;
    const event = audit.received(this.#clock());
    this.#metrics.event();
    const outcomes = await Promise.all(
      this.#backends.map(async backend => {
        const isDelivered = (await backend.take(event)) ?? true;
        return isDelivered || backend.mode !== 'blocking-strict';
      }),
    );
    return outcomes.every(Boolean);
  }

  /**
   * Emits the event ResponseStarted with the head of the response, which each one writes once: watches, proxied
   * answers and errors alike.
   */
  #emitStarted({ response }: Exchange, audit: RequestAudit): void {
    if (audit.decision.omitStages.has('ResponseStarted')) return;
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (code, headers) => {
      response.writeHead = writeHead;
      this.#emit(audit.started(this.#clock(), code));
      return writeHead(code, headers);
    };
  }

  #scheduleEnd(audit: RequestAudit, stage: AuditStage): void {
    if (audit.decision.omitStages.has(stage)) return;
    const emitting = this.#emitEnd(audit, stage).finally(() => this.#underWay.delete(emitting));
    this.#underWay.add(emitting);
  }

  async #emitEnd(audit: RequestAudit, stage: AuditStage): Promise<void> {
    try {
      this.#emit(await audit.ended(stage, this.#clock()));
    } catch (error) {
      this.#logger.error('an audit event cannot be generated', { error });
    }
  }

  /**
   * Emits an event without waiting for its delivery: the response is already on its way, and backends count the events
   * that they lose.
   */
  #emit(event: AuditEvent): void {
    this.#metrics.event();
    for (const backend of this.#backends) void backend.take(event);
  }
}

function endStage(isPanic: boolean): AuditStage {
  return isPanic ? 'Panic' : 'ResponseComplete';
}

/** As in kube-apiserver, a request that fails authentication has one event, at ResponseStarted. */
function refusedStage({ decision }: RequestAudit): AuditStage {
  return decision.omitStages.has('ResponseStarted') ? 'ResponseComplete' : 'ResponseStarted';
}

/** Whether an error is a defect of the server: not a StatusError, a storage error or a missing page. */
function isUnexpected(error: unknown): boolean {
  return !(error instanceof StatusError || error instanceof PageNotFound || isStorageError(error));
}
