import { loadKafkaJs, type RequestQueue } from './load-kafkajs.ts';

let isDone = false;

/**
 * Lets the connections of kafkajs sleep while no request waits in them; to be called before a client is made.
 *
 * A queue of kafkajs looks for waiting requests once a millisecond from its first answer on, for as long as the
 * process lives (tulios/kafkajs#1704), with a delay that Node warns of because it is negative. Only a queue in which
 * something waits has to look again: whatever comes to wait asks for it.
 */
export function restIdleConnections(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = loadKafkaJs().requestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) schedule.call(this);
  };
}
