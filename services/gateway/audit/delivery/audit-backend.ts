import { within } from '@binnacle/event-loop';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import type { AuditEvent } from '../events/audit-event.ts';
import type { AuditSink } from './audit-sink.ts';
import { EventQueue, type QueueLimits } from './event-queue.ts';

/** Whether requests wait for their events, and whether a request is refused whose first event cannot be delivered. */
export type DeliveryMode = 'batch' | 'blocking' | 'blocking-strict';

/** Options of the delivery of events to one place. */
export interface DeliveryOptions {
  /** Name of the backend in metrics and logs. */
  readonly plugin: 'log' | 'webhook';
  readonly mode: DeliveryMode;
  readonly limits: QueueLimits;
  /** Length in characters beyond which an event is delivered without its bodies; undefined: no limit. */
  readonly maxEventLength: number | undefined;
}

/** Services and callbacks that a backend uses. */
export interface BackendServices {
  readonly logger: Logger;
  /** Called with the number of events that a backend lost. */
  readonly onLost: (plugin: string, events: number) => void;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Longest time that a request waits for the delivery of an event. */
const longestBlockMs = 5_000;

/** One place that events are delivered to. */
export class AuditBackend {
  readonly mode: DeliveryMode;
  readonly #options: DeliveryOptions;
  readonly #queue: EventQueue;
  readonly #lost: (events: number) => void;

  constructor(options: DeliveryOptions, sink: AuditSink, { logger, onLost, now }: BackendServices) {
    const { plugin, mode, limits } = options;
    this.mode = mode;
    this.#options = options;
    this.#lost = events => onLost(plugin, events);
    const log = logger.child({ component: 'audit', backend: plugin });
    this.#queue = new EventQueue({
      ...limits,
      sink,
      now,
      onLost: this.#lost,
      failures: new FailureLog({
        log,
        failed: 'audit events are lost: delivery fails',
        worked: 'audit events are delivered again',
        now,
      }),
      overflows: new FailureLog({ log, failed: 'audit events are lost: the buffer is full', now }),
    });
  }

  /** Queues an event; resolves to whether it was delivered. Undefined in mode batch. */
  take(event: AuditEvent): Promise<boolean> | undefined {
    const text = this.#textOf(event);
    if (text === undefined) {
      this.#lost(1);
      return this.mode === 'batch' ? undefined : Promise.resolve(false);
    }
    if (this.mode === 'batch') {
      this.#queue.add(text);
      return undefined;
    }
    const outcome = new Promise<boolean>(resolve => this.#queue.add(text, resolve));
    return within(outcome, longestBlockMs, () => false);
  }

  close(timeoutMs: number): Promise<void> {
    return this.#queue.close(timeoutMs);
  }

  /** The text to deliver; undefined for an event that is too long even without its bodies. */
  #textOf(event: AuditEvent): string | undefined {
    const { maxEventLength: most = Number.POSITIVE_INFINITY } = this.#options;
    if (event.text.length <= most) return event.text;
    const bare = event.withoutBodies();
    return bare.length <= most ? bare : undefined;
  }
}
