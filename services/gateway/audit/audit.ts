import type { Logger, Metrics } from '@binnacle/service-kit';
import { internalError, StatusError } from '@binnacle/status-errors';
import { isStorageError } from '@binnacle/storage-contract';
import { renderError } from '../render/render-error.ts';
import type { User } from '../request/api-request.ts';
import type { AuditRecord, Exchange, Step } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { type AuditMetrics, createAuditMetrics } from './audit-metrics.ts';
import type { AuditOptions } from './audit-options.ts';
import { type BackendsMeans, createBackends } from './create-backends.ts';
import type { AuditBackend } from './delivery/audit-backend.ts';
import type { AuditEvent } from './events/audit-event.ts';
import { RequestAudit } from './events/request-audit.ts';
import type { AuditStage } from './policy/audit-policy.ts';
import { createAuditDecider, type DecideAudit } from './policy/create-audit-decider.ts';

/** What audits work with. */
interface AuditMeans extends Omit<BackendsMeans, 'onLost'> {
  readonly metrics: Metrics;
}

/** The record of requests that are not audited. */
const notAudited: AuditRecord = Object.freeze({
  level: 'None',
  sentBody: undefined,
  answer: undefined,
  generatedName: '',
});

/** Tells its backends what is done with the API, and by whom: the events of each request, as the policy wants them. */
export class Audit {
  readonly #decide: DecideAudit;
  readonly #metrics: AuditMetrics;
  readonly #backends: readonly AuditBackend[];
  readonly #clock: () => number;
  readonly #logger: Logger;
  /** Events that are being made. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: AuditOptions, means: AuditMeans) {
    const plugins = [options.log, options.webhook].flatMap(backend => backend?.delivery.plugin ?? []);
    const metrics = createAuditMetrics(means.metrics, plugins);
    this.#decide = createAuditDecider(options.policy);
    this.#metrics = metrics;
    this.#backends = createBackends(options, { ...means, onLost: metrics.lost });
    this.#clock = means.clock;
    this.#logger = means.logger;
  }

  /** The outermost step: tells how requests end, those too that never came to be authenticated. */
  readonly recordEnd: Step = async (exchange, next) => {
    let isBroken = false;
    try {
      await next();
    } catch (error) {
      isBroken = true;
      throw error;
    } finally {
      this.#ended(exchange, isBroken);
    }
  };

  /**
   * The step behind authentication: asks the policy, by the user who was authenticated, and tells that the request was
   * received. Answers with an InternalError where that must be delivered first and cannot be.
   */
  readonly recordStart: Step = async (exchange, next) => {
    const audit = this.#begin(exchange, exchange.user);
    if (audit === undefined) return await next();
    if (!(await this.#tellReceived(audit))) {
      this.#metrics.rejected();
      // Not thrown, for each would be logged: the backend's failure is.
      await renderError(exchange, internalError('the request cannot be audited'));
      return;
    }
    if (exchange.longRunning) this.#tellWhenStarted(exchange, audit);
    try {
      await next();
    } catch (error) {
      audit.isUnexpected = isUnexpected(error);
      throw error;
    }
  };

  /** Delivers the events that wait, and closes the backends; what is not delivered within `timeoutMs` is lost. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all(this.#underWay);
    await Promise.all(this.#backends.map(backend => backend.close(timeoutMs)));
  }

  /** Undefined: the request is not audited. */
  #begin(exchange: Exchange, user: User | undefined): RequestAudit | undefined {
    const decision = this.#decide(user, exchange.target);
    this.#metrics.decided(decision.level);
    const audit = decision.level === 'None' ? undefined : new RequestAudit(exchange, decision, user);
    exchange.audit = audit ?? notAudited;
    return audit;
  }

  /** Whether the request may go on. */
  async #tellReceived(audit: RequestAudit): Promise<boolean> {
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

  /** The head of an answer is written when the answer begins, be it events, what is behind a proxy, or an error. */
  #tellWhenStarted({ response }: Exchange, audit: RequestAudit): void {
    if (audit.decision.omitStages.has('ResponseStarted')) return;
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (code, headers) => {
      response.writeHead = writeHead;
      this.#tell(audit.started(this.#clock(), code));
      return writeHead(code, headers);
    };
  }

  #ended(exchange: Exchange, isBroken: boolean): void {
    const isAuthenticated = exchange.audit !== undefined;
    const audit = isAuthenticated ? exchange.audit : this.#begin(exchange, undefined);
    if (!(audit instanceof RequestAudit)) return;
    const { response } = exchange;
    const isOpen =
      exchange.longRunning && response.headersSent && !response.writableFinished && !response.destroyed;
    const isPanic = isBroken || audit.isUnexpected;
    const tell = () => this.#tellEnd(audit, isAuthenticated ? endStage(isPanic) : refusedStage(audit));
    if (isOpen) response.once('close', tell);
    else tell();
  }

  #tellEnd(audit: RequestAudit, stage: AuditStage): void {
    if (audit.decision.omitStages.has(stage)) return;
    const telling = this.#tellWithBodies(audit, stage).finally(() => this.#underWay.delete(telling));
    this.#underWay.add(telling);
  }

  async #tellWithBodies(audit: RequestAudit, stage: AuditStage): Promise<void> {
    try {
      this.#tell(await audit.ended(stage, this.#clock()));
    } catch (error) {
      this.#logger.error('an audit event could not be made', { error });
    }
  }

  /** Nothing waits for these events: the answer is on its way. Backends count what they lose. */
  #tell(event: AuditEvent): void {
    this.#metrics.event();
    for (const backend of this.#backends) void backend.take(event);
  }
}

function endStage(isPanic: boolean): AuditStage {
  return isPanic ? 'Panic' : 'ResponseComplete';
}

/** kube-apiserver tells of requests that it does not authenticate when their answer begins, and then no more. */
function refusedStage({ decision }: RequestAudit): AuditStage {
  return decision.omitStages.has('ResponseStarted') ? 'ResponseComplete' : 'ResponseStarted';
}

/** Whether an error shows that the server was not prepared for something. */
function isUnexpected(error: unknown): boolean {
  return !(error instanceof StatusError || error instanceof PageNotFound || isStorageError(error));
}
