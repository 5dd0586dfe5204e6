import { refusalIn } from '@binnacle/backend-access';
import { within } from '@binnacle/event-loop';

/**
 * Says whether a part works: throws, or rejects, when it does not. The answer withholds the reason, except that a
 * `Refusal` is named. A text that it gives is shown: the part works, but not as it should.
 */
export type HealthCheck = (signal: AbortSignal) => string | undefined | void | Promise<void>;

/** The three questions: is it alive, may it get traffic, and the old name for both. */
export type HealthEndpoint = 'livez' | 'readyz' | 'healthz';

/** A question about health. */
export interface HealthRequest {
  readonly endpoint: HealthEndpoint;
  /** One check by name: `/readyz/etcd`. */
  readonly check?: string | undefined;
  /** One line for each check. */
  readonly verbose?: boolean;
  /** Names of checks that do not count; unknown names are fine. */
  readonly exclude?: readonly string[];
}

/** An answer about health: plain text with an HTTP status. */
interface HealthAnswer {
  readonly status: 200 | 404 | 500;
  readonly body: string;
}

/** The health of a process: named checks behind `/livez`, `/readyz` and `/healthz`. */
export interface Health {
  /**
   * Adds a check; by default it counts for readiness and `healthz`, with `live` for liveness as well. An `informative` one shows
   * its failure in a verbose answer, and fails that answer alone that is asked by its name. Its owner logs why.
   */
  add(name: string, check: HealthCheck, options?: CheckOptions): void;
  /** From now on the process is not ready: it is about to stop, and takes no more traffic. */
  startShutdown(): void;
  /** Runs the checks that are asked for, all at once. */
  answer(request: HealthRequest): Promise<HealthAnswer>;
}

interface CheckOptions {
  readonly live?: boolean;
  readonly informative?: boolean;
}

/** How health is found out. */
interface HealthOptions {
  /** A check that takes longer failed; default: 2 s. */
  readonly checkTimeoutMs?: number;
  /** Told why a check failed; the answer does not say. */
  readonly onFailure?: (name: string, error: unknown) => void;
}

interface NamedCheck {
  readonly name: string;
  readonly check: HealthCheck;
  readonly endpoints: readonly HealthEndpoint[];
  readonly informative?: boolean;
}

/** Creates the health of a process, with the checks `ping` and `shutdown`. */
export function createHealth(options: HealthOptions = {}): Health {
  let stopping = false;
  const checks: NamedCheck[] = [
    { name: 'ping', check: () => {}, endpoints: ['livez', 'readyz', 'healthz'] },
    {
      name: 'shutdown',
      check: () => {
        if (stopping) throw new Error('the process is stopping');
      },
      endpoints: ['readyz'],
    },
  ];
  return {
    add(name, check, { live = false, informative = false } = {}) {
      if (checks.some(present => present.name === name))
        throw new Error(`health check ${name} exists already`);
      const endpoints: HealthEndpoint[] = live ? ['livez', 'readyz', 'healthz'] : ['readyz', 'healthz'];
      checks.push({ name, check, endpoints, informative });
    },
    startShutdown() {
      stopping = true;
    },
    answer: request => answer(checks, request, options),
  };
}

async function answer(
  checks: readonly NamedCheck[],
  request: HealthRequest,
  options: HealthOptions,
): Promise<HealthAnswer> {
  const { endpoint, check: only, verbose = false, exclude = [] } = request;
  const asked = checks.filter(named =>
    only === undefined ? counts(named, endpoint) : isAsked(named, request),
  );
  if (only !== undefined && asked.length === 0) return { status: 404, body: '404 page not found\n' };
  const lines = await Promise.all(
    asked.map(async named => {
      if (exclude.includes(named.name)) return { ok: true, text: `[+]${named.name} excluded: ok` };
      const outcome = await run(named, options);
      if (!('error' in outcome)) {
        const note = outcome.note === undefined ? '' : `: ${outcome.note}`;
        return { ok: true, text: `[+]${named.name} ok${note}` };
      }
      const reason = refusalIn(outcome.error)?.message ?? 'reason withheld';
      return named.informative && only === undefined
        ? { ok: true, text: `[-]${named.name} failed, does not count: ${reason}` }
        : { ok: false, text: `[-]${named.name} failed: ${reason}` };
    }),
  );
  const healthy = lines.every(({ ok }) => ok);
  if (healthy && !verbose) return { status: 200, body: 'ok' };
  // All three endpoints say this same line when all is well (spec 1, health endpoints).
  const verdict = healthy ? 'healthz check passed' : `${endpoint} check failed`;
  return { status: healthy ? 200 : 500, body: `${[...lines.map(({ text }) => text), verdict].join('\n')}\n` };
}

function counts({ endpoints }: NamedCheck, endpoint: HealthEndpoint): boolean {
  return endpoints.includes(endpoint);
}

/** Under its own name a check is found below `/livez` too when it does not count for liveness. */
function isAsked(named: NamedCheck, { endpoint, check }: HealthRequest): boolean {
  return (
    named.name === check && (counts(named, endpoint) || (endpoint === 'livez' && counts(named, 'healthz')))
  );
}

/** Runs a check. */
async function run(
  { name, check, informative = false }: NamedCheck,
  options: HealthOptions,
): Promise<{ readonly note: string | undefined } | { readonly error: unknown }> {
  const controller = new AbortController();
  try {
    const checked = Promise.resolve(check(controller.signal));
    const note = await within(checked, options.checkTimeoutMs ?? 2_000, () => {
      controller.abort();
      throw new Error('the check took too long');
    });
    return { note: note ?? undefined };
  } catch (error) {
    if (!informative) options.onFailure?.(name, error);
    return { error };
  }
}
