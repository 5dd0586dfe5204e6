import { StatusError, tooManyRequests } from '@binnacle/status-errors';
import { accessFromTarget } from '../authorization/authorize.ts';
import { type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { type Exchange, freePlace, type Place, type RequestLimits } from '../request/exchange.ts';
import { isHealthPath } from '../request/request-target.ts';
import { bringsBody, receiveBody } from './clients/receive-body.ts';
import type { Refusal } from './fair-queuing/fair-queue.ts';
import type { ClassifiedRequest, FlowControl } from './flow-control.ts';
import { type Seat, takeSeat } from './take-seat.ts';

/** Parts that the limits are made of. */
interface PriorityLimitsOptions {
  readonly control: FlowControl;
  readonly authorizer: Authorizer;
  readonly metrics: Pick<GatewayMetrics, 'inFlight' | 'rejected' | 'terminated'>;
}

const readingVerbs = new Set(['get', 'list', 'watch', 'head', 'options']);
const retryAfterSeconds = 1;

/**
 * Lets requests execute by priority and fairness. A request takes a seat once its body is there and gives it back while its
 * answer waits for the client: seats are held for work, never for a client. Requests that are passed on are not limited.
 */
export function createPriorityLimits(options: PriorityLimitsOptions): RequestLimits {
  const { control, metrics } = options;
  return {
    enter(exchange) {
      const isWatch = exchange.longRunning && exchange.target.verb === 'watch';
      if (exchange.longRunning && !isWatch) return freePlace;
      const classified = control.classify(exchange);
      nameFlow(exchange, classified);
      if (!isWatch && !isAboutServer(exchange)) metrics.inFlight(inFlightKind(exchange), 1);
      if (classified.level.set === undefined) return new ExemptPlace(exchange, classified, options);
      try {
        const place = enterLevel(exchange, classified, options);
        return place instanceof Promise ? place.catch(error => refused(exchange, error, options)) : place;
      } catch (error) {
        return refused(exchange, error, options);
      }
    },
  };
}

function refused(exchange: Exchange, error: unknown, { metrics }: PriorityLimitsOptions): never {
  countOut(exchange, metrics);
  throw error;
}

function countOut(exchange: Exchange, metrics: PriorityLimitsOptions['metrics']): void {
  if (!exchange.longRunning && !isAboutServer(exchange)) metrics.inFlight(inFlightKind(exchange), -1);
}

/** Waits for the body where one comes first, and for a seat where none is free; refuses where the user has too much already. */
function enterLevel(
  exchange: Exchange,
  classified: ClassifiedRequest,
  options: PriorityLimitsOptions,
): Place | Promise<Place> {
  const { control } = options;
  if (control.answers.areTooMany(exchange.user.username)) return refuseUnread(exchange, classified, options);
  if (bringsBody(exchange, exchange.target)) return enterWithBody(exchange, classified, options);
  const seat = takeSeat(exchange, classified, control);
  if (seat instanceof Promise)
    return seat.then(taken => seated(exchange, { classified, seat: taken, forgetBody: undefined }, options));
  return seated(exchange, { classified, seat, forgetBody: undefined }, options);
}

async function enterWithBody(
  exchange: Exchange,
  classified: ClassifiedRequest,
  options: PriorityLimitsOptions,
): Promise<Place> {
  const forgetBody = await receive(exchange, classified, options);
  try {
    const seat = await takeSeat(exchange, classified, options.control);
    return await seated(exchange, { classified, seat, forgetBody }, options);
  } catch (error) {
    forgetBody?.();
    throw error;
  }
}

/** The resources that a request has taken on the way to its place. */
interface Taken {
  readonly classified: ClassifiedRequest;
  readonly seat: Seat | Refusal;
  /** Stops the counting of the bytes of its body. */
  readonly forgetBody: (() => void) | undefined;
}

function seated(
  exchange: Exchange,
  { classified, seat, forgetBody }: Taken,
  options: PriorityLimitsOptions,
): Place | Promise<never> {
  if (typeof seat === 'string') return refuseSeat(exchange, options);
  // Answers of requests that came with it may have begun to wait while it waited for its body or seat.
  if (options.control.answers.areTooMany(exchange.user.username)) {
    seat.release();
    return refuseUnread(exchange, classified, options);
  }
  return new SeatedPlace(exchange, { seat, forgetBody }, options);
}

async function refuseSeat(exchange: Exchange, options: PriorityLimitsOptions): Promise<never> {
  await paceRefusal(exchange, options);
  throw tooManyRequests('Too many requests, please try again later.', retryAfterSeconds);
}

async function refuseUnread(
  exchange: Exchange,
  { level, schema }: ClassifiedRequest,
  options: PriorityLimitsOptions,
): Promise<never> {
  await paceRefusal(exchange, options);
  options.control.metrics.refused(level.config.name, schema.name, 'unread-answers');
  throw tooManyRequests(
    'Too many answers of this user wait to be read, please try again later.',
    retryAfterSeconds,
  );
}

/** Counts a refusal; resolves when it may be sent. */
function paceRefusal(exchange: Exchange, { control, metrics }: PriorityLimitsOptions): Promise<void> {
  metrics.rejected(inFlightKind(exchange));
  metrics.terminated(exchange, 429);
  return control.refusals.pace(exchange.user.username, exchange.call.signal);
}

/** Receives the body of a request, unless it is refused anyway; returns a function that stops the counting of its bytes. */
async function receive(
  exchange: Exchange,
  { level, schema }: ClassifiedRequest,
  options: PriorityLimitsOptions,
): Promise<(() => void) | undefined> {
  const { control, authorizer } = options;
  if (!(await isReceivedFirst(exchange, authorizer))) return undefined;
  try {
    return await receiveBody(exchange, control.bodies);
  } catch (error) {
    if (error instanceof StatusError && error.code === 429) {
      await paceRefusal(exchange, options);
      control.metrics.refused(level.config.name, schema.name, 'body-bytes');
    }
    throw error;
  }
}

/** Whether to receive the body before the request is authorized: not where authorization will refuse it anyway. */
async function isReceivedFirst({ user, target, call }: Exchange, authorizer: Authorizer): Promise<boolean> {
  try {
    return await isAllowed(authorizer, { user, access: accessFromTarget(target), call });
  } catch {
    return false;
  }
}

/** The place of a request of a level with limits. */
class SeatedPlace implements Place {
  readonly #exchange: Exchange;
  readonly #seat: Seat;
  readonly #forgetBody: (() => void) | undefined;
  readonly #options: PriorityLimitsOptions;

  constructor(
    exchange: Exchange,
    { seat, forgetBody }: { readonly seat: Seat; readonly forgetBody: (() => void) | undefined },
    options: PriorityLimitsOptions,
  ) {
    this.#exchange = exchange;
    this.#seat = seat;
    this.#forgetBody = forgetBody;
    this.#options = options;
  }

  whileClientTakes(taken: Promise<void>): Promise<void> {
    return this.#seat.whileClientTakes(taken);
  }

  leave(): void {
    const { control, metrics } = this.#options;
    this.#seat.release();
    control.answers.follow(this.#exchange);
    this.#forgetBody?.();
    countOut(this.#exchange, metrics);
    countWatch(this.#exchange, control);
  }
}

/** The place of a request of an exempt level. */
class ExemptPlace implements Place {
  readonly #exchange: Exchange;
  readonly #classified: ClassifiedRequest;
  readonly #options: PriorityLimitsOptions;
  readonly #startedAt = performance.now();

  constructor(exchange: Exchange, classified: ClassifiedRequest, options: PriorityLimitsOptions) {
    this.#exchange = exchange;
    this.#classified = classified;
    this.#options = options;
    const { level, flow } = classified;
    level.exempted++;
    flow.executing++;
    flow.meters.started(1, 0);
  }

  whileClientTakes(taken: Promise<void>): Promise<void> {
    return taken;
  }

  leave(): void {
    const { level, flow } = this.#classified;
    const { control, metrics } = this.#options;
    level.exempted--;
    flow.executing--;
    flow.meters.finished(performance.now() - this.#startedAt, this.#exchange.longRunning);
    flow.meters.released(1);
    countOut(this.#exchange, metrics);
    countWatch(this.#exchange, control);
  }
}

function inFlightKind({ target }: Exchange): 'readOnly' | 'mutating' {
  return readingVerbs.has(target.verb) ? 'readOnly' : 'mutating';
}

/** Whether a request is about the state of the server; such requests do not count as load. */
function isAboutServer({ target }: Exchange): boolean {
  return target.kind === 'path' && (isHealthPath(target.path) || target.path === '/metrics');
}

function nameFlow({ headers }: Exchange, { schema, level }: ClassifiedRequest): void {
  // Mandatory objects decide before they are stored; then they have no uid.
  if (schema.uid !== '') headers.push('X-Kubernetes-PF-FlowSchema-UID', schema.uid);
  if (level.config.uid !== '') headers.push('X-Kubernetes-PF-PriorityLevel-UID', level.config.uid);
}

function countWatch({ response, target, longRunning }: Exchange, { watches }: FlowControl): void {
  if (!longRunning) return;
  const isOpen = response.headersSent && !response.writableFinished && !response.destroyed;
  if (isOpen && target.kind === 'resource') response.once('close', watches.opened(target));
}
