import type { FieldError } from '@binnacle/api-objects';
import type { MatchSteps } from '../text-patterns/text-matcher.ts';

/**
 * Maximum number of steps for the validation of one value: visits of schema nodes, compared members of enumerations and required
 * lists, and each 256 characters of texts. They take less than 100 ms.
 */
export const mostSchemaSteps = 300_000;

/** The message for a value that needs more steps. */
export const stepsSpentMessage = `validation takes more than ${mostSchemaSteps} steps through the schema of the kind: the object is too large for alternatives (anyOf, oneOf, allOf, not) and enumerations as large as these`;

/** Thrown when the steps are exhausted. */
export class StepsSpent extends Error {}

/** Maximum number of reported errors. */
const mostFindings = 1_000;

/** The errors of a value's validation, and the remaining steps. */
export class Findings {
  readonly errors: FieldError[] = [];
  /** Whether only the existence of an error matters. */
  readonly isQuiet: boolean;
  /** Remaining steps for matching patterns; when they are exhausted, only the affected texts are refused. */
  readonly matching: MatchSteps;
  readonly #steps: { left: number };
  #found = 0;

  constructor(steps: { left: number }, matching: MatchSteps, isQuiet = false) {
    this.#steps = steps;
    this.matching = matching;
    this.isQuiet = isQuiet;
  }

  /** Whether further errors would not change the result. */
  get isDecided(): boolean {
    return this.#found >= (this.isQuiet ? 1 : mostFindings);
  }

  /** Counts steps; throws `StepsSpent` when they are exhausted. */
  step(by = 1): void {
    this.#steps.left -= by;
    if (this.#steps.left < 0) throw new StepsSpent();
  }

  /** Adds an error, which is only created if it is reported. */
  add(make: () => FieldError): void {
    if (!this.isDecided && !this.isQuiet) this.errors.push(make());
    this.#found++;
  }

  /** Adds errors that are created together. */
  addAll(make: () => readonly FieldError[]): void {
    if (this.isDecided) return;
    for (const error of make()) this.add(() => error);
  }

  /** Creates findings for a nested validation whose errors are not reported; the remaining steps are shared. */
  quiet(): Findings {
    return new Findings(this.#steps, this.matching, true);
  }
}
