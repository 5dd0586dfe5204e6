/** The requests of one schema that share a distinguisher. A priority level is fair between its flows. */
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
  /** Whether the start gate throttles it between two requests. */
  isThrottled: boolean;
  /** When its last throttle ended, in ms of the gate's clock. */
  throttleEndedAt: number;
}

/** Creates a flow without requests. */
export function createFlow(id: Pick<Flow, 'schema' | 'distinguisher'>, meters: FlowMeters): Flow {
  return { ...id, meters, hand: undefined, executing: 0, waiting: 0, isThrottled: false, throttleEndedAt: 0 };
}

/** The meters of the flows of one schema in one priority level. */
export interface FlowMeters {
  /** Records a request that joined a queue, and the new length of the queue. */
  enqueued(length: number): void;
  dequeued(): void;
  started(seats: number, waitedMs: number): void;
  /** Records that the work of a request is done; its seats may still be held. */
  finished(ranMs: number, isWatch: boolean): void;
  released(seats: number): void;
  refused(reason: string, waitedMs: number): void;
}
