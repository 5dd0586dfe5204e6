import { isJsonObject } from '@binnacle/api-objects';
import { StatusError, timeout } from '@binnacle/status-errors';
import type { Answer } from './answer.ts';
import type { ApiRequestOptions, OutgoingRequest } from './send.ts';
import type { WhenSilent } from './server-links.ts';

/** Sends a request to one server. */
export type SendTo = (outgoing: OutgoingRequest) => Promise<Answer>;

/** A request with its headers and the function that sends it. */
interface Exchange {
  readonly request: ApiRequestOptions;
  readonly headers: Readonly<Record<string, string>>;
  readonly sendTo: SendTo;
}

/** One of at most two concurrent attempts of a request. */
type Attempt = Exchange & Pick<OutgoingRequest, 'timeoutMs' | 'giveUpAt' | 'over' | 'onSilent'>;

const defaultTimeoutMs = 30_000;
const tooManyRequestsCode = 429;

/**
 * The servers of a client. All requests go to the current one until it does not answer or falls silent, then to the next
 * one; the client does not switch back, because all servers are equivalent.
 *
 * A request that waits at a silent server for 500 ms is also sent to another one if it is safe to repeat, and the first
 * answer counts. Reads are safe to repeat, and so are writes with the version or the uid of the object that they change:
 * such a write is done at most once. If one server refuses it and the other one does not answer, its outcome is unknown,
 * as the error says. Other writes wait until the server responds or its connection is closed.
 */
export class Servers {
  readonly #servers: readonly URL[];
  #current = 0;

  constructor(addresses: readonly string[]) {
    this.#servers = addresses.map(address => new URL(address));
  }

  /** Returns the first answer of a server. Rejects as `send` does. */
  async send(exchange: Exchange): Promise<Answer> {
    const timeoutMs = exchange.request.timeoutMs ?? defaultTimeoutMs;
    const timing = { timeoutMs, giveUpAt: performance.now() + timeoutMs };
    const { promise: silence, resolve: onSilent } = Promise.withResolvers<undefined>();
    const over = new AbortController();
    const first = this.#sendInTurn({
      ...exchange,
      ...timing,
      over: over.signal,
      onSilent: () => onSilent(undefined),
    });
    const answer = await Promise.race([first, silence]);
    if (answer !== undefined) return answer;
    if (!mayBeRepeated(exchange.request)) return await first;
    return await this.#repeat({ ...exchange, ...timing }, first, over);
  }

  async #repeat(
    exchange: Omit<Attempt, 'over' | 'onSilent'>,
    first: Promise<Answer>,
    firstOver: AbortController,
  ): Promise<Answer> {
    const secondOver = new AbortController();
    const second = this.#sendInTurn({ ...exchange, over: secondOver.signal, onSilent: () => {} });
    const isWrite = exchange.request.method !== 'GET';
    const { isFirst, isOnlyAnswer } = await decide(first, second, isWrite);
    // The cancelled attempt rejects; its error is ignored.
    for (const attempt of [first, second]) attempt.catch(() => {});
    (isFirst ? secondOver : firstOver).abort();
    try {
      return await (isFirst ? first : second);
    } catch (error) {
      throw isWrite && isOnlyAnswer && isAnswer(error) ? unknownOutcome(error) : error;
    }
  }

  /** Sends a request to the current server, and to the next ones as long as it was certainly not sent. */
  async #sendInTurn({ request, sendTo, onSilent, ...attempt }: Attempt): Promise<Answer> {
    let failure: unknown;
    // If no server accepts the request, the last attempt waits for the first server.
    for (let tried = 0; tried <= this.#servers.length; tried++) {
      const asked = this.#current;
      const server = this.#servers[asked % this.#servers.length] as URL; // In range by the modulus.
      // Of several requests that fail together only one advances, so that no server is skipped.
      const moveOn = () => {
        if (this.#current === asked) this.#current++;
      };
      try {
        return await sendTo({
          ...request,
          ...attempt,
          server,
          path: `${server.pathname.replace(/\/$/, '')}${request.path}`,
          whenSilent: this.#whenSilent(tried),
          onSilent() {
            moveOn();
            onSilent();
          },
        });
      } catch (error) {
        if (!request.signal?.aborted && !attempt.over.aborted && !isRefusal(error)) moveOn();
        if (!(error instanceof Error && 'unsent' in error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  #whenSilent(tried: number): WhenSilent {
    if (tried === this.#servers.length) return 'wait';
    return this.#servers.length > 1 ? 'leave' : 'reconnect';
  }
}

/** Whether a server refused the request itself, as every other server would. */
function isRefusal(error: unknown): boolean {
  return isAnswer(error) && error.code < 500 && error.code !== tooManyRequestsCode;
}

function isAnswer(error: unknown): error is StatusError {
  return error instanceof StatusError && !('unanswered' in error);
}

/** The choice between two attempts. */
interface Decision {
  readonly isFirst: boolean;
  /** Whether the outcome of the other attempt is unknown: it was sent, and ended without an answer. */
  readonly isOnlyAnswer: boolean;
}

/**
 * Chooses the attempt that answers first; one without an answer waits for the other. A refusal of a write counts only
 * after the other attempt has ended, because that attempt may have been done.
 */
function decide(first: Promise<Answer>, second: Promise<Answer>, isWrite: boolean): Promise<Decision> {
  return new Promise(resolve => {
    let ended: { readonly isFirst: boolean; readonly isKnown: boolean } | undefined;
    const follow = (attempt: Promise<Answer>, isFirst: boolean): void => {
      attempt.then(
        () => resolve({ isFirst, isOnlyAnswer: false }),
        (error: unknown) => {
          const hasAnswer = isAnswer(error);
          const isKnown = hasAnswer || (error instanceof Error && 'unsent' in error);
          if (hasAnswer && !isWrite) resolve({ isFirst, isOnlyAnswer: false });
          else if (ended === undefined) ended = { isFirst, isKnown };
          else if (hasAnswer) resolve({ isFirst, isOnlyAnswer: !ended.isKnown });
          else resolve({ isFirst: ended.isFirst, isOnlyAnswer: !isKnown });
        },
      );
    };
    follow(first, true);
    follow(second, false);
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
      return hasText(readMember(body, 'metadata'), 'resourceVersion');
    case 'DELETE': {
      const preconditions = readMember(body, 'preconditions');
      return hasText(preconditions, 'uid') || hasText(preconditions, 'resourceVersion');
    }
  }
}

function readMember(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function hasText(value: unknown, name: string): boolean {
  const text = readMember(value, name);
  return typeof text === 'string' && text !== '';
}

function unknownOutcome({ message }: StatusError): StatusError {
  return timeout(`the outcome is unknown: one server did not answer, and another says: ${message}`);
}
