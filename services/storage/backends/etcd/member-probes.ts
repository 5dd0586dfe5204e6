import { setImmediate as turn } from 'node:timers/promises';
import { within } from '@binnacle/event-loop';
import type { Etcd3 } from 'etcd3';
import { findGrpcCode, grpcCode } from './grpc-code.ts';

/** How a member of etcd is found by asking it for its status, which it has without asking other members. */
export type MemberState =
  /** It answers and knows a leader. */
  | 'serving'
  /** It answers, and most of the cluster is away from it: it can neither read nor write. */
  | 'no-leader'
  /** It does not answer. */
  | 'away';

/** A member, as it is asked. */
interface ProbedMember {
  readonly endpoint: string;
  readonly client: Pick<Etcd3, 'maintenance'>;
}

/** Milliseconds from one question to the next, and for its answer. */
const intervalMs = 1000;
const answerTimeoutMs = 1000;

/** Bounds a question by the wall clock, which may be set meanwhile: far beyond the bound that counts. */
const callTimeoutMs = 60_000;

/**
 * Asks every member once a second how it is. A member that stands still, or that is cut off from the others, answers
 * neither requests nor with an error; a connection that breaks tells no more than that of the process.
 */
export class MemberProbes implements Disposable {
  readonly #members: readonly ProbedMember[];
  readonly #tell: (states: ReadonlyMap<string, MemberState>) => void;
  readonly #unanswered = new Set<ProbedMember>();
  readonly #timer: NodeJS.Timeout;

  /** `tell` gets the state of every member after each pass. */
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
    // One question at a time: those that a silent member does not answer must not pile up.
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
    // Where this process was held up the answer has come, and was not looked at yet.
    if (state === undefined) await turn();
    return state ?? 'away';
  }
}

/** Whether a member answers although it does not tell its status: to a user who may not ask for it, for example. */
function isAnswer(thrown: unknown): boolean {
  const code = findGrpcCode(thrown);
  return code === grpcCode.unauthenticated || code === grpcCode.permissionDenied;
}
