import type { Refusal } from '@binnacle/backend-access';

/** Refusals by the services that a process calls, for its readiness check. */
export class PeerRefusals {
  readonly #sources: (() => Refusal | undefined)[] = [];

  /** Adds a service; `source` returns its current refusal. */
  follow(source: () => Refusal | undefined): void {
    this.#sources.push(source);
  }

  /** Throws the first current refusal. */
  assertNone(): void {
    for (const source of this.#sources) {
      const refusal = source();
      if (refusal !== undefined) throw refusal;
    }
  }
}
