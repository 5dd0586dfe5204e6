import type { TypeRegistry } from '@binnacle/api-types';
import type { Metrics } from '@binnacle/telemetry';
import type { WatchCache } from '@binnacle/watch-cache';
import type { Exchange } from '../request/exchange.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { type Classifier, createClassifier } from './classification/classifier.ts';
import type { FlowSchema } from './classification/flow-schema.ts';
import { HeldBytes } from './clients/held-bytes.ts';
import { RefusalPacer } from './clients/refusal-pacer.ts';
import { WaitingAnswers } from './clients/waiting-answers.ts';
import type { Flow } from './fair-queuing/flow.ts';
import type { QueueClock } from './fair-queuing/queue-set.ts';
import type { WorkEstimate } from './fair-queuing/work-estimate.ts';
import { type FlowConfig, flowConfigFrom } from './flow-config.ts';
import { createFlowControlMetrics, type FlowControlMetrics } from './flow-control-metrics.ts';
import { type PriorityLevel, PriorityLevels } from './priority-levels/priority-levels.ts';
import { estimateWork, type WorkSources } from './work/estimate-work.ts';
import { LoopGate, type LoopGateOptions } from './work/loop-gate.ts';
import { ThreadMeter } from './work/thread-load.ts';
import { WatchCounts } from './work/watch-counts.ts';

/** Options of flow control. */
export interface FlowControlOptions
  extends Pick<GatewaySettings, 'requestTimeout' | 'maxBodyBytesInflight' | 'maxAnswerBytesWaiting'> {
  readonly registry: Pick<TypeRegistry, 'resource'>;
  readonly watchCache: Pick<WatchCache, 'type'>;
  readonly metrics: Metrics;
  /** `--max-requests-inflight` and `--max-mutating-requests-inflight` together; 0: no limit. */
  readonly serverSeats: number;
  readonly clock?: QueueClock;
  /** The source of this thread's load; undefined: it is measured. */
  readonly thread?: Pick<LoopGateOptions, 'load' | 'every'>;
}

/** The flow of a request, with its schema and priority level. */
export interface ClassifiedRequest {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly flow: Flow;
}

/** Divisor of the memory for all users that gives the limit of one. */
const userPart = 8;
/** Divisor of the time limit of a request that gives its longest wait. */
const waitPart = 4;
const borrowMs = 1_000;
/** Seats of a server whose flags set no limit. */
const seatsWithoutLimit = 100_000;

/** Decides when requests execute. One per gateway; its limits are those of this process. */
export class FlowControl implements Disposable {
  readonly levels: PriorityLevels;
  readonly gate: LoopGate;
  readonly metrics: FlowControlMetrics;
  readonly watches = new WatchCounts();
  readonly bodies: HeldBytes;
  readonly answers: WaitingAnswers;
  readonly refusals: RefusalPacer;
  readonly #options: FlowControlOptions;
  readonly #sources: WorkSources;
  readonly #meter = new ThreadMeter();
  readonly #stopBorrowing: () => void;
  #classifier: Classifier;

  constructor(options: FlowControlOptions) {
    const { clock = systemClock, requestTimeout, maxBodyBytesInflight, maxAnswerBytesWaiting } = options;
    const { thread = { load: () => this.#meter.load(), every } } = options;
    this.#options = options;
    this.metrics = createFlowControlMetrics(options.metrics);
    this.gate = new LoopGate({
      ...thread,
      clock,
      onOpen: () => this.levels.retry(),
      onChange: most => this.metrics.executingLimit(most),
    });
    this.levels = new PriorityLevels({
      clock,
      gate: this.gate,
      serverSeats: options.serverSeats || seatsWithoutLimit,
      waitLimitMs: requestTimeout / waitPart,
      onSeats: (level, demand) => this.metrics.seats(level, demand),
    });
    this.refusals = new RefusalPacer(clock);
    this.bodies = new HeldBytes({
      user: maxBodyBytesInflight / userPart,
      total: maxBodyBytesInflight,
    });
    const limits = { user: maxAnswerBytesWaiting / userPart, total: maxAnswerBytesWaiting };
    this.answers = new WaitingAnswers({ limits, longestMs: requestTimeout });
    this.#sources = {
      objectsOf: target => this.#objectsOf(target),
      watchesOf: target => this.watches.concernedBy(target),
    };
    this.#classifier = createClassifier([]);
    this.configure(flowConfigFrom([], []));
    this.#stopBorrowing = every(borrowMs, () => this.levels.borrow());
  }

  /** Changes schemas and levels; schemas whose level does not exist are left out. */
  configure({ schemas, levels }: FlowConfig): void {
    const names = new Set(levels.map(({ name }) => name));
    this.levels.configure(levels);
    this.#classifier = createClassifier(schemas.filter(schema => names.has(schema.priorityLevel)));
  }

  /** Finds the flow of a request. */
  classify(exchange: Pick<Exchange, 'user' | 'target'>): ClassifiedRequest {
    const { user, target } = exchange;
    const found = this.#classifier.classify(user, target);
    const level = found && this.levels.get(found.schema.priorityLevel);
    // The mandatory schema catch-all matches every user, and its level is always there.
    if (found === undefined || level === undefined) throw new Error('a request matches no flow schema');
    const { schema, distinguisher } = found;
    const id = { schema: schema.name, distinguisher };
    const flow = this.levels.flow(level, id, () => this.metrics.meters(level.config.name, schema.name));
    // A watch begins once, and no other request needs to be held back for that.
    if (target.kind !== 'resource' || target.verb !== 'watch') this.gate.seen(flow, level.set === undefined);
    return { schema, level, flow };
  }

  /** Estimates the work of a request. */
  estimate({ target, query }: Exchange): WorkEstimate {
    return estimateWork(target, query, this.#sources);
  }

  [Symbol.dispose](): void {
    this.#stopBorrowing();
    this.gate[Symbol.dispose]();
    this.#meter[Symbol.dispose]();
  }

  #objectsOf({ canonicalGroup, version, resource }: Parameters<WorkSources['objectsOf']>[0]) {
    const { registry, watchCache } = this.#options;
    const definition = registry.resource(canonicalGroup, version, resource);
    if (definition === undefined || !definition.stored) return undefined;
    try {
      return watchCache.type(definition).size;
    } catch {
      // A definition that is being added or removed is not in the cache.
      return undefined;
    }
  }
}

const systemClock: QueueClock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

function every(ms: number, callback: () => void): () => void {
  const timer = setInterval(callback, ms).unref();
  return () => clearInterval(timer);
}
