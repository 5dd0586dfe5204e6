import { isJsonObject } from '@binnacle/api-objects';
import { StatusError, timeout } from '@binnacle/status-errors';
import type { Answer } from './answer.ts';
import type { ApiRequestOptions } from './api-client.ts';
import type { OutgoingRequest } from './send.ts';

/** Sends a request to one server. */
export type SendTo = (outgoing: OutgoingRequest) => Promise<Answer>;

/** A request, how it is sent, and until when its answer is waited for. */
interface Exchange {
  readonly request: ApiRequestOptions;
  readonly headers: Readonly<Record<string, string>>;
  readonly sendTo: SendTo;
}

/** One of the two attempts that a request has at most. */
interface Attempt extends Exchange {
  /** Milliseconds of the monotonic clock. */
  readonly giveUpAt: number;
  readonly over: AbortSignal;
  onSilent(): void;
}

const defaultTimeoutMs = 30_000;
const conflictCode = 409;

/**
 * The servers of a client. All requests go to the current one, until it does not answer or falls silent; then to the next one, and
 * nothing leads back, for all serve alike.
 *
 * A request that waits at a silent server for half a second goes to another one too where that does no harm, and the first answer
 * counts. Reads may be repeated, and so may writes that name the version or the object that they change: such a write is done once
 * at most. When the second server finds it changed already, whether by this write is unknown, which the answer says. Other writes
 * wait until the server speaks or its connection is given up.
 */
export class Servers {
  readonly #servers: readonly URL[];
  #current = 0;

  constructor(addresses: readonly string[]) {
    this.#servers = addresses.map(address => new URL(address));
  }

  /** The answer of the server that gives one first. Rejects as `send` does. */
  async send(exchange: Exchange): Promise<Answer> {
    const giveUpAt = performance.now() + (exchange.request.timeoutMs ?? defaultTimeoutMs);
    const { promise: silence, resolve: onSilent } = Promise.withResolvers<undefined>();
    const over = new AbortController();
    const first = this.#sendInTurn({
      ...exchange,
      giveUpAt,
      over: over.signal,
      onSilent: () => onSilent(undefined),
    });
    const answer = await Promise.race([first, silence]);
    if (answer !== undefined) return answer;
    if (!mayBeRepeated(exchange.request)) return await first;
    return await this.#repeat({ ...exchange, giveUpAt }, first, over);
  }

  async #repeat(
    exchange: Omit<Attempt, 'over' | 'onSilent'>,
    first: Promise<Answer>,
    firstOver: AbortController,
  ): Promise<Answer> {
    const secondOver = new AbortController();
    const second = this.#sendInTurn({ ...exchange, over: secondOver.signal, onSilent: () => {} }).catch(
      (error: unknown) => {
        const isUnknown = error instanceof StatusError && error.code === conflictCode;
        throw isUnknown ? unknownOutcome(error) : error;
      },
    );
    // Whichever comes later fails when it is cancelled.
    for (const attempt of [first, second]) attempt.catch(() => {});
    const isFirst = await firstAnswered(first, second);
    (isFirst ? secondOver : firstOver).abort();
    return await (isFirst ? first : second);
  }

  /** Sends a request to the current server, and to the next one while it surely was not sent. */
  async #sendInTurn({ request, headers, sendTo, giveUpAt, over, onSilent }: Attempt): Promise<Answer> {
    let failure: unknown;
    for (let tried = 1; tried <= this.#servers.length; tried++) {
      const asked = this.#current;
      const server = this.#servers[asked % this.#servers.length] as URL; // Within bounds by the modulus.
      // Of requests that fail together one moves on, or the next server would be passed over too.
      const moveOn = () => {
        if (this.#current === asked) this.#current++;
      };
      try {
        return await sendTo({
          ...request,
          server,
          path: `${server.pathname.replace(/\/$/, '')}${request.path}`,
          headers,
          timeoutMs: Math.max(0, giveUpAt - performance.now()),
          hasOther: tried < this.#servers.length,
          over,
          onSilent() {
            moveOn();
            onSilent();
          },
        });
      } catch (error) {
        if (!request.signal?.aborted && !over.aborted && !isRefusal(error)) moveOn();
        if (!(error instanceof Error && 'unsent' in error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/** Whether a server has answered that the request itself cannot be served, as the next one would. */
function isRefusal(error: unknown): boolean {
  return isAnswer(error) && error.code < 500;
}

function isAnswer(error: unknown): error is StatusError {
  return error instanceof StatusError && !('unanswered' in error);
}

/** Whether of two attempts the first one has answered before the second; what fails without an answer waits for the other. */
function firstAnswered(first: Promise<Answer>, second: Promise<Answer>): Promise<boolean> {
  return new Promise(resolve => {
    let left = 2;
    const decide = (attempt: Promise<Answer>, isFirst: boolean) =>
      attempt.then(
        () => resolve(isFirst),
        error => {
          left--;
          if (left === 0 || isAnswer(error)) resolve(isFirst);
        },
      );
    void decide(first, true);
    void decide(second, false);
  });
}

function mayBeRepeated({ method, body }: ApiRequestOptions): boolean {
  switch (method) {
    case 'GET':
      return true;
    case 'POST':
      return false;
    case 'PUT':
    case 'PATCH':
      return hasText(memberOf(body, 'metadata'), 'resourceVersion');
    case 'DELETE': {
      const preconditions = memberOf(body, 'preconditions');
      return hasText(preconditions, 'uid') || hasText(preconditions, 'resourceVersion');
    }
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function hasText(value: unknown, name: string): boolean {
  const text = memberOf(value, name);
  return typeof text === 'string' && text !== '';
}

function unknownOutcome({ message }: StatusError): StatusError {
  return timeout(`the outcome is unknown: one server did not answer, and another says: ${message}`);
}
