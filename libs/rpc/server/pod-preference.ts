/** Whether clients should prefer this pod because calls cost less here; the service sets it, its server reports it to clients. */
export class PodPreference {
  #isPreferred = false;
  #listener: (isPreferred: boolean) => void = () => {};

  /** Sets whether clients should prefer this pod. */
  set(isPreferred: boolean): void {
    this.#isPreferred = isPreferred;
    this.#listener(isPreferred);
  }

  /** Calls the listener at once and at each `set`; there is only one listener. */
  follow(listener: (isPreferred: boolean) => void): void {
    this.#listener = listener;
    listener(this.#isPreferred);
  }
}
