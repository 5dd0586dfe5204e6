import type { FieldError } from '@binnacle/api-objects';
import type { MatchSteps } from '../text-patterns/text-matcher.ts';

/**
 * Steps that the check of one value may take: visits of a schema's nodes by parts of the value, members of enumerations
 * and of lists of required names that are compared, texts by the 256 characters. Less than a tenth of a second.
 */
export const mostSchemaSteps = 300_000;

/** The message for a value that takes more steps. */
export const stepsSpentMessage = `validation takes more than ${mostSchemaSteps} steps through the schema of the kind: the object is too large for alternatives (anyOf, oneOf, allOf, not) and enumerations as large as these`;

/** Thrown where the steps are spent. */
export class StepsSpent extends Error {}

/** More findings than this are not listed. */
const mostFindings = 1_000;

/** The findings on the way of a value through a schema, and how many steps are left. */
export class Findings {
  readonly errors: FieldError[] = [];
  /** Whether all that counts is if there is any finding. */
  readonly isQuiet: boolean;
  /** For matching texts with patterns; spent steps refuse those texts alone. */
  readonly matching: MatchSteps;
  readonly #steps: { left: number };
  #found = 0;

  constructor(steps: { left: number }, matching: MatchSteps, isQuiet = false) {
    this.#steps = steps;
    this.matching = matching;
    this.isQuiet = isQuiet;
  }

  /** Whether more findings would change nothing. */
  get isDecided(): boolean {
    return this.#found >= (this.isQuiet ? 1 : mostFindings);
  }

  /** Counts work; throws `StepsSpent`. */
  step(by = 1): void {
    this.#steps.left -= by;
    if (this.#steps.left < 0) throw new StepsSpent();
  }

  /** Notes a finding, which is made when it is listed. */
  add(make: () => FieldError): void {
    if (!this.isDecided && !this.isQuiet) this.errors.push(make());
    this.#found++;
  }

  /** Notes findings that are made together. */
  addAll(make: () => readonly FieldError[]): void {
    if (this.isDecided) return;
    for (const error of make()) this.add(() => error);
  }

  /** Findings of a question on the way, about which only the answer counts; the steps are the same ones. */
  quiet(): Findings {
    return new Findings(this.#steps, this.matching, true);
  }
}
