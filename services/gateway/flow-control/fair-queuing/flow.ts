/** The requests of one schema that share a distinguisher: what a priority level is fair between. */
export interface Flow {
  readonly schema: string;
  readonly distinguisher: string;
  readonly meters: FlowMeters;
  /** The queues that its requests may wait in; undefined until it is dealt. */
  hand: readonly number[] | undefined;
  /** Requests that hold seats. */
  executing: number;
  /** Requests in queues. */
  waiting: number;
  /** Whether the start gate lets it pause between two requests. */
  isThrottled: boolean;
  /** When its last throttle ended, in ms of the gate's clock. */
  throttleEndedAt: number;
}

/** A flow without requests. */
export function createFlow(id: Pick<Flow, 'schema' | 'distinguisher'>, meters: FlowMeters): Flow {
  return { ...id, meters, hand: undefined, executing: 0, waiting: 0, isThrottled: false, throttleEndedAt: 0 };
}

/** The meters of the flows of one schema in one priority level. */
export interface FlowMeters {
  /** A request came into a queue that now has so many. */
  enqueued(length: number): void;
  dequeued(): void;
  started(seats: number, waitedMs: number): void;
  /** Its work is done; its seats may be held on. */
  finished(ranMs: number, isWatch: boolean): void;
  released(seats: number): void;
  refused(reason: string, waitedMs: number): void;
}
