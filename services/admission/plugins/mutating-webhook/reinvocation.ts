import { type ApiObject, copyJson, equalJson } from '@binnacle/api-objects';

/**
 * The webhooks of one review that are due for reinvocation (spec 2, "States and transitions" 2).
 *
 * Once a webhook with the policy IfNeeded was called, every later change of the object by another webhook or plugin makes it due
 * in the second run. `changed` reports changes by webhooks; changes by other plugins between the runs are found by comparing the
 * object at the end of the first run with the one at the beginning of the second. The second run calls no webhook for the first time.
 */
export class Reinvocation {
  /** Ids of the webhooks that were called since the object was last changed. */
  readonly #asked = new Set<string>();
  readonly #due = new Set<string>();
  #lastSeen: ApiObject | undefined;

  /** Begins a run with this object. */
  begin(object: ApiObject | undefined): void {
    if (this.#lastSeen !== undefined && !equalJson(this.#lastSeen, object)) this.changed();
    this.#lastSeen = undefined;
  }

  /** Records that a webhook changed the object: the webhooks called before it have not seen the change. */
  changed(): void {
    for (const id of this.#asked) this.#due.add(id);
    this.#asked.clear();
  }

  /** Records the call of a webhook with the policy IfNeeded. */
  asked(id: string): void {
    this.#asked.add(id);
  }

  /** Whether the webhook is due for reinvocation. */
  isDue(id: string): boolean {
    return this.#due.has(id);
  }

  /** Ends a run with this object. */
  end(object: ApiObject | undefined): void {
    if (this.#asked.size > 0 && object !== undefined) this.#lastSeen = copyJson(object);
  }
}
