import { loadKafkaJs, type RequestInFlight, type RequestQueue } from './load-kafkajs.ts';

let isDone = false;

/** Milliseconds between two checks for overdue requests. */
const overdueCheckMs = 1_000;

/**
 * Stops the polling of kafkajs connections in which no request waits; to be called before a client is made.
 *
 * A queue of kafkajs looks for waiting requests once a millisecond from its first answer on, for as long as the
 * process lives (tulios/kafkajs#1704), with a delay that Node warns of because it is negative. With this, only a queue in
 * which requests wait checks again: each waiting request schedules a check. kafkajs checks for overdue requests ten times
 * a second; once is enough for timeouts of seconds.
 */
export function stopIdlePolling(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = loadKafkaJs().requestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => failOverdue(this), overdueCheckMs);
  };
}

/** When a request was first seen in flight, by the monotonic clock: the library's own time is of the wall clock, which steps. */
const seenAt = new WeakMap<RequestInFlight, number>();

function failOverdue(queue: RequestQueue): void {
  const now = performance.now();
  for (const request of queue.inflight.values()) {
    const since = seenAt.get(request);
    if (since === undefined) seenAt.set(request, now);
    else if (now - since > request.requestTimeout) request.timeoutRequest();
  }
  if (!queue.isConnected()) queue.destroy();
}
