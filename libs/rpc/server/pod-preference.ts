/** Whether calls cost less at this pod than at others: its service says so, and its server tells clients. */
export class PodPreference {
  #isPreferred = false;
  #listener: (isPreferred: boolean) => void = () => {};

  /** Says whether calls should come here first. */
  set(isPreferred: boolean): void {
    this.#isPreferred = isPreferred;
    this.#listener(isPreferred);
  }

  /** Hands over what is said, at once and whenever it is said anew; to one listener. */
  follow(listener: (isPreferred: boolean) => void): void {
    this.#listener = listener;
    listener(this.#isPreferred);
  }
}
