import { hasEnded, onCallEnd } from '@binnacle/rpc';
import type { Exchange } from '../request/exchange.ts';
import { type Decision, type Refusal, SeatRequest } from './fair-queuing/fair-queue.ts';
import type { QueueSet } from './fair-queuing/queue-set.ts';
import { oneSeat } from './fair-queuing/work-estimate.ts';
import type { ClassifiedRequest, FlowControl } from './flow-control.ts';

/** The facts about a request in the debug tables. */
export type RequestAbout = Pick<Exchange, 'user' | 'target'> & { readonly arrivedAt: number };

/** Time that a client may take for a part of an answer before the seat is given back, in ms. */
const graceMs = 10;

/** The seat of a request, at once where there is one. */
export function takeSeat(
  exchange: Exchange,
  { level, flow }: ClassifiedRequest,
  control: FlowControl,
): Seat | Refusal | Promise<Seat | Refusal> {
  const { set } = level;
  if (set === undefined) throw new Error('a level without limits has no seats');
  const about = requestFacts(exchange);
  const request = new SeatRequest(flow, control.estimate(exchange), { about, isWatch: exchange.longRunning });
  const decision = enterQueue(set, request, exchange);
  if (decision instanceof Promise)
    return decision.then(outcome =>
      outcome === 'execute' ? new Seat(exchange, request, { set, control }) : outcome,
    );
  return decision === 'execute' ? new Seat(exchange, request, { set, control }) : decision;
}

/** A seat that was taken. */
export class Seat {
  readonly #exchange: Exchange;
  readonly #set: QueueSet;
  readonly #control: FlowControl;
  #held: SeatRequest | undefined;
  readonly #first: SeatRequest;

  constructor(
    exchange: Exchange,
    request: SeatRequest,
    { set, control }: { readonly set: QueueSet; readonly control: FlowControl },
  ) {
    this.#exchange = exchange;
    this.#set = set;
    this.#control = control;
    this.#first = request;
    this.#held = request;
  }

  /** Gives the seat back; without effect when it was given back already. */
  release(): void {
    if (this.#held !== undefined) this.#set.finish(this.#held);
    this.#held = undefined;
  }

  /**
   * Waits until the client has taken a part of the answer. While the client is slow, the seat is given back; to go on
   * the request waits in its queue again. Between two parts it is throttled where its flow must wait.
   */
  async whileClientTakes(taken: Promise<void>): Promise<void> {
    const exchange = this.#exchange;
    if (this.#held === undefined) return await taken;
    if (await settlesWithin(taken, graceMs)) return await this.#set.pause(this.#held);
    this.release();
    const end = this.#control.answers.began(exchange);
    try {
      await taken;
    } finally {
      end();
    }
    if (exchange.response.destroyed) return;
    const { flow, about } = this.#first;
    const next = new SeatRequest(flow, oneSeat, { isContinuation: true, about });
    if ((await enterQueue(this.#set, next, exchange)) === 'execute') this.#held = next;
  }
}

function requestFacts({ user, target, startedAt }: Exchange): RequestAbout {
  return { user, target, arrivedAt: startedAt };
}

/** Enters a queue set; a client that leaves does not wait any longer. */
function enterQueue(
  set: QueueSet,
  request: SeatRequest,
  { call }: Pick<Exchange, 'call'>,
): Decision | Promise<Decision> {
  const entered = set.enter(request);
  if (entered !== 'wait') return entered;
  return new Promise(resolve => {
    const leave = () => {
      set.cancel(request);
      resolve('cancelled');
    };
    if (hasEnded(call)) {
      leave();
      return;
    }
    const stay = onCallEnd(call, leave);
    request.decided = decision => {
      stay();
      resolve(decision);
    };
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
