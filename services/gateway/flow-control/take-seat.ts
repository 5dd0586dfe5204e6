import type { Exchange } from '../request/exchange.ts';
import type { QueueSet } from './fair-queuing/queue-set.ts';
import { type Refusal, SeatRequest } from './fair-queuing/seat-request.ts';
import { oneSeat } from './fair-queuing/work-estimate.ts';
import type { ClassifiedRequest, FlowControl } from './flow-control.ts';

/** The seat of a request. */
interface Seat {
  /** Gives it back; without effect while it is given back already. */
  release(): void;
}

/** What the debug tables say of a request. */
export type RequestAbout = Pick<Exchange, 'user' | 'target'> & { readonly arrivedAt: number };

/** How long a client may take for a part of an answer before the seat goes to others, in ms. */
const graceMs = 10;

/**
 * Takes a seat for a request, at once where there is one. While the client lets its answer wait, the seat is given back;
 * to go on with the answer the request waits in its queue again. Between two parts it rests where its flow must.
 */
export function takeSeat(
  exchange: Exchange,
  { level, flow }: ClassifiedRequest,
  control: FlowControl,
): Seat | Refusal | Promise<Seat | Refusal> {
  const { set } = level;
  if (set === undefined) throw new Error('a level without limits has no seats');
  const about: RequestAbout = { user: exchange.user, target: exchange.target, arrivedAt: exchange.startedAt };
  const isWatch = exchange.longRunning;
  const request = new SeatRequest(flow, control.estimate(exchange), { about, isWatch });
  let held: SeatRequest | undefined = request;
  const seat: Seat = {
    release() {
      if (held !== undefined) set.finish(held);
      held = undefined;
    },
  };
  exchange.whileClientTakes = async taken => {
    if (held === undefined) return await taken;
    if (await settlesWithin(taken, graceMs)) return await set.pause(held);
    seat.release();
    const end = control.answers.began(exchange);
    try {
      await taken;
    } finally {
      end();
    }
    if (exchange.response.destroyed) return;
    const next = new SeatRequest(flow, oneSeat, { isContinuation: true, about });
    if ((await decisionOf(set, next, exchange)) === 'execute') held = next;
  };
  const decision = decisionOf(set, request, exchange);
  if (decision instanceof Promise) return decision.then(outcome => (outcome === 'execute' ? seat : outcome));
  return decision === 'execute' ? seat : decision;
}

/** Enters a queue set; a client that leaves does not wait any longer. */
function decisionOf(
  set: QueueSet,
  request: SeatRequest,
  { call }: Pick<Exchange, 'call'>,
): 'execute' | Refusal | Promise<'execute' | Refusal> {
  const entered = set.enter(request);
  if (entered !== 'wait') return entered;
  return new Promise(resolve => {
    const leave = () => {
      set.cancel(request);
      resolve('cancelled');
    };
    request.decided = decision => {
      call.signal.removeEventListener('abort', leave);
      resolve(decision);
    };
    if (call.signal.aborted) leave();
    else call.signal.addEventListener('abort', leave, { once: true });
  });
}

function settlesWithin(taken: Promise<void>, ms: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), ms);
    void taken.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
