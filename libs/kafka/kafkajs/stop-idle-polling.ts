import { loadKafkaJs, type RequestInFlight, type RequestQueue } from './load-kafkajs.ts';

let isDone = false;

/** Interval of the checks for overdue requests, in ms. */
const overdueCheckMs = 1_000;

/**
 * Stops the polling of kafkajs connections without pending requests; must be called before a client is created.
 *
 * A kafkajs request queue polls for pending requests once a millisecond from its first response on, for the lifetime of
 * the process (tulios/kafkajs#1704), with a negative delay that Node warns of. With this patch only a queue with pending
 * requests polls: each pending request schedules a check. kafkajs checks for overdue requests ten times a second; once a
 * second is enough for timeouts of seconds.
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

/** Monotonic time at which a request was first seen in flight; kafkajs uses the wall clock, which may be stepped. */
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
