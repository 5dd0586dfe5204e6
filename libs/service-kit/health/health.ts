import { refusalIn } from '@binnacle/backend-access';
import { within } from '@binnacle/event-loop';

/**
 * Checks a part of the process: throws or rejects if it fails. The answer withholds the reason, except that of a
 * `Refusal`. A returned text is shown in verbose answers: the part works, but in a degraded state.
 */
export type HealthCheck = (signal: AbortSignal) => string | undefined | void | Promise<void>;

/** The health endpoints: liveness, readiness, and `healthz`, the older name for both. */
export type HealthEndpoint = 'livez' | 'readyz' | 'healthz';

/** A request to a health endpoint. */
export interface HealthRequest {
  readonly endpoint: HealthEndpoint;
  /** Name of a single check, as in `/readyz/etcd`. */
  readonly check?: string | undefined;
  /** Whether the answer has a line for each check. */
  readonly verbose?: boolean;
  /** Names of checks that are skipped; unknown names are ignored. */
  readonly exclude?: readonly string[];
}

/** The answer of a health endpoint: plain text with an HTTP status. */
interface HealthAnswer {
  readonly status: 200 | 404 | 500;
  readonly body: string;
}

/** The health of a process: named checks behind `/livez`, `/readyz` and `/healthz`. */
export interface Health {
  /**
   * Adds a check for `readyz` and `healthz`, and with `live` for `livez`. An `informative` check fails an answer only if
   * it is requested by name; verbose answers show its failure. The part that adds it logs the reason.
   */
  add(name: string, check: HealthCheck, options?: CheckOptions): void;
  /** Makes the process unready: it is stopping and must get no more traffic. */
  startShutdown(): void;
  /** Runs the requested checks concurrently. */
  answer(request: HealthRequest): Promise<HealthAnswer>;
}

interface CheckOptions {
  readonly live?: boolean;
  readonly informative?: boolean;
}

/** Options of health checks. */
interface HealthOptions {
  /** Time after which a check fails, in ms; default: 2,000. */
  readonly checkTimeoutMs?: number;
  /** Receives the reason of a failed check, which the answer withholds. */
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
        ? { ok: true, text: `[-]${named.name} failed, not required: ${reason}` }
        : { ok: false, text: `[-]${named.name} failed: ${reason}` };
    }),
  );
  const healthy = lines.every(({ ok }) => ok);
  if (healthy && !verbose) return { status: 200, body: 'ok' };
  // All three endpoints end with this line when every check passes (spec 1, health endpoints).
  const verdict = healthy ? 'healthz check passed' : `${endpoint} check failed`;
  return { status: healthy ? 200 : 500, body: `${[...lines.map(({ text }) => text), verdict].join('\n')}\n` };
}

function counts({ endpoints }: NamedCheck, endpoint: HealthEndpoint): boolean {
  return endpoints.includes(endpoint);
}

/** A check requested by name is found under `/livez` even if it does not count for liveness. */
function isAsked(named: NamedCheck, { endpoint, check }: HealthRequest): boolean {
  return (
    named.name === check && (counts(named, endpoint) || (endpoint === 'livez' && counts(named, 'healthz')))
  );
}

/** Runs a check with a timeout. */
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
