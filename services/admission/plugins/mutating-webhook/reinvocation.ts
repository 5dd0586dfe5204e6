import { type ApiObject, copyJson, equalJson } from '@binnacle/api-objects';

/**
 * Which webhooks of one review want to be asked again (spec 2, "States and transitions" 2).
 *
 * A webhook with the policy IfNeeded was asked; from then on every change that something else makes to the object is a
 * reason to ask it once more, in the next round. Changes by webhooks are told with `changed`; those that other plugins
 * make between the rounds show when a round begins with another object than the one before ended with. In the next round
 * no webhook is asked for the first time.
 */
export class Reinvocation {
  /** Asked since the object was last changed. */
  readonly #asked = new Set<string>();
  readonly #due = new Set<string>();
  #lastSeen: ApiObject | undefined;

  /** A round begins with this object. */
  begin(object: ApiObject | undefined): void {
    if (this.#lastSeen !== undefined && !equalJson(this.#lastSeen, object)) this.changed();
    this.#lastSeen = undefined;
  }

  /** A webhook changed the object: the webhooks called before it have not seen that. */
  changed(): void {
    for (const id of this.#asked) this.#due.add(id);
    this.#asked.clear();
  }

  /** A webhook that wants to know of later changes was asked. */
  asked(id: string): void {
    this.#asked.add(id);
  }

  /** Whether the webhook is to be asked again. */
  isDue(id: string): boolean {
    return this.#due.has(id);
  }

  /** A round ends with this object. */
  end(object: ApiObject | undefined): void {
    if (this.#asked.size > 0 && object !== undefined) this.#lastSeen = copyJson(object);
  }
}
