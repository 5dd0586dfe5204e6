import type { Refusal } from '@binnacle/backend-access';

/** Refusals by the services that a process calls, for its readiness. */
export class PeerRefusals {
  readonly #sources: (() => Refusal | undefined)[] = [];

  /** Adds a service: the source gives its refusal for as long as it stands. */
  follow(source: () => Refusal | undefined): void {
    this.#sources.push(source);
  }

  /** Throws the first refusal that stands. */
  assertNone(): void {
    for (const source of this.#sources) {
      const refusal = source();
      if (refusal !== undefined) throw refusal;
    }
  }
}
