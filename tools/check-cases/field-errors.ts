import { causeFromFieldError, type FieldError } from '@binnacle/api-objects';
import { differs } from './cases/compare.ts';

/** A field error that a row expects; messages may differ, type and field must not. */
export interface ExpectedError {
  readonly type: string;
  readonly field: string;
}

/** A sentence when findings are others than expected. */
export function differentErrors(
  actual: readonly FieldError[],
  expected: readonly ExpectedError[],
): string | undefined {
  const found = actual.map(causeFromFieldError).map(({ reason, field }) => `${reason} ${field}`);
  const wanted = expected.map(({ type, field }) => `${type} ${field}`);
  return differs(found.sort(), wanted.sort(), 'the list of findings');
}
