import { setImmediate as turn } from 'node:timers/promises';
import { within } from '@binnacle/event-loop';
import type { Etcd3 } from 'etcd3';
import { findGrpcCode, grpcCode } from './grpc-code.ts';

/** The state of a member of etcd, from its own status, for which it needs no other member. */
export type MemberState =
  /** It answers and knows a leader. */
  | 'serving'
  /** It answers, but has no quorum: it can neither read nor write. */
  | 'no-leader'
  /** It does not answer. */
  | 'away';

/** A member that is probed. */
interface ProbedMember {
  readonly endpoint: string;
  readonly client: Pick<Etcd3, 'maintenance'>;
}

/** Milliseconds between probes, and for their answers. */
const intervalMs = 1000;
const answerTimeoutMs = 1000;

/** Deadline of a probe by the wall clock, which may be adjusted meanwhile: far beyond the timeout that counts. */
const callTimeoutMs = 60_000;

/**
 * Probes the status of every member once a second. A member that is suspended, or cut off from the others, neither answers requests nor
 * fails them, and an open connection shows only that its process exists.
 */
export class MemberProbes implements Disposable {
  readonly #members: readonly ProbedMember[];
  readonly #tell: (states: ReadonlyMap<string, MemberState>) => void;
  readonly #unanswered = new Set<ProbedMember>();
  readonly #timer: NodeJS.Timeout;

  /** Starts the probes; `tell` gets the state of every member after each pass. */
  constructor(members: readonly ProbedMember[], tell: (states: ReadonlyMap<string, MemberState>) => void) {
    this.#members = members;
    this.#tell = tell;
    this.#timer = setInterval(() => void this.#pass(), intervalMs).unref(); // Never rejects.
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #pass(): Promise<void> {
    const states = await Promise.all(
      this.#members.map(async member => [member.endpoint, await this.#ask(member)] as const),
    );
    this.#tell(new Map(states));
  }

  async #ask(member: ProbedMember): Promise<MemberState> {
    // One probe at a time: unanswered ones must not pile up.
    if (this.#unanswered.has(member)) return 'away';
    this.#unanswered.add(member);
    let state: MemberState | undefined;
    const answered = member.client.maintenance
      .status({ deadline: Date.now() + callTimeoutMs })
      .then(
        ({ leader }) => {
          state = leader === '0' ? 'no-leader' : 'serving';
        },
        (thrown: unknown) => {
          state = isAnswer(thrown) ? 'serving' : 'away';
        },
      )
      .finally(() => this.#unanswered.delete(member));
    await within(answered, answerTimeoutMs, () => {});
    // Where this process was suspended, the answer may have arrived without being processed yet.
    if (state === undefined) await turn();
    return state ?? 'away';
  }
}

/** Whether an error is an answer of the member: to a user without permission for the status, for example. */
function isAnswer(thrown: unknown): boolean {
  const code = findGrpcCode(thrown);
  return code === grpcCode.unauthenticated || code === grpcCode.permissionDenied;
}
