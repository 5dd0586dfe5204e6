import { StatusError, tooManyRequests } from '@binnacle/status-errors';
import { accessOf } from '../authorization/authorize.ts';
import { type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Exchange, Step } from '../request/exchange.ts';
import { isHealthPath } from '../request/request-target.ts';
import { bringsBody, receiveBody } from './clients/receive-body.ts';
import type { ClassifiedRequest, FlowControl } from './flow-control.ts';
import { takeSeat } from './take-seat.ts';

/** What the step works with. */
interface LimitByPriorityOptions {
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
export function limitByPriority({ control, authorizer, metrics }: LimitByPriorityOptions): Step {
  /** Counts a refusal; resolves when it may be sent. */
  const pacedRefusal = (exchange: Exchange): Promise<void> => {
    metrics.rejected(kindOf(exchange));
    metrics.terminated(exchange, 429);
    return control.refusals.pace(exchange.user.username, exchange.call.signal);
  };
  const refuseUnread = async (exchange: Exchange, { level, schema }: ClassifiedRequest): Promise<never> => {
    await pacedRefusal(exchange);
    control.metrics.refused(level.config.name, schema.name, 'unread-answers');
    throw tooManyRequests(
      'Too many answers of this user wait to be read, please try again later.',
      retryAfterSeconds,
    );
  };
  const receive = async (exchange: Exchange, { level, schema }: ClassifiedRequest) => {
    if (!(await isReceivedFirst(exchange, authorizer))) return undefined;
    try {
      return await receiveBody(exchange, control.bodies);
    } catch (error) {
      if (error instanceof StatusError && error.code === 429) {
        await pacedRefusal(exchange);
        control.metrics.refused(level.config.name, schema.name, 'body-bytes');
      }
      throw error;
    }
  };
  const limited = async (exchange: Exchange, classified: ClassifiedRequest, next: () => Promise<void>) => {
    if (control.answers.areTooMany(exchange.user.username)) await refuseUnread(exchange, classified);
    const forgetBody = await receive(exchange, classified);
    try {
      const entering = takeSeat(exchange, classified, control);
      const seat = entering instanceof Promise ? await entering : entering;
      if (typeof seat === 'string') {
        await pacedRefusal(exchange);
        throw tooManyRequests('Too many requests, please try again later.', retryAfterSeconds);
      }
      try {
        // Answers of requests that came with it may have begun to wait while it waited for its body or seat.
        if (control.answers.areTooMany(exchange.user.username)) {
          seat.release();
          await refuseUnread(exchange, classified);
        }
        await next();
      } finally {
        seat.release();
        control.answers.follow(exchange);
      }
    } finally {
      forgetBody?.();
    }
  };
  return async (exchange, next) => {
    const isWatch = exchange.longRunning && exchange.target.verb === 'watch';
    if (exchange.longRunning && !isWatch) return await next();
    const classified = control.classify(exchange);
    nameFlow(exchange, classified);
    const kind = kindOf(exchange);
    const isCounted = !isWatch && !isAboutServer(exchange);
    if (isCounted) metrics.inFlight(kind, 1);
    try {
      if (classified.level.set === undefined) await exempted(classified, isWatch, next);
      else await limited(exchange, classified, next);
    } finally {
      if (isCounted) metrics.inFlight(kind, -1);
    }
    if (isWatch) countWatch(exchange, control);
  };
}

async function exempted(
  { level, flow }: ClassifiedRequest,
  isWatch: boolean,
  next: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  level.exempted++;
  flow.executing++;
  flow.meters.started(1, 0);
  try {
    await next();
  } finally {
    level.exempted--;
    flow.executing--;
    flow.meters.finished(performance.now() - startedAt, isWatch);
    flow.meters.released(1);
  }
}

/** A body that the request is refused with anyway is not waited for. */
async function isReceivedFirst(exchange: Exchange, authorizer: Authorizer): Promise<boolean> {
  const { user, target, call } = exchange;
  if (!bringsBody(exchange, target)) return false;
  try {
    return await isAllowed(authorizer, { user, access: accessOf(target), call });
  } catch {
    return false;
  }
}

function kindOf({ target }: Exchange): 'readOnly' | 'mutating' {
  return readingVerbs.has(target.verb) ? 'readOnly' : 'mutating';
}

/** Whether a request asks how the server is; such requests do not count as load. */
function isAboutServer({ target }: Exchange): boolean {
  return target.kind === 'path' && (isHealthPath(target.path) || target.path === '/metrics');
}

function nameFlow({ response }: Exchange, { schema, level }: ClassifiedRequest): void {
  // Mandatory objects decide before they are stored; then they have no uid.
  if (schema.uid !== '') response.setHeader('X-Kubernetes-PF-FlowSchema-UID', schema.uid);
  if (level.config.uid !== '') response.setHeader('X-Kubernetes-PF-PriorityLevel-UID', level.config.uid);
}

function countWatch({ response, target }: Exchange, { watches }: FlowControl): void {
  const isOpen = response.headersSent && !response.writableFinished && !response.destroyed;
  if (isOpen && target.kind === 'resource') response.once('close', watches.opened(target));
}
