import { groups } from '@binnacle/api-names';
import { causeFromFieldError, type FieldError, fieldPath, forbiddenField } from '@binnacle/api-objects';
import { invalid } from '@binnacle/status-errors';

const optionsKind = { group: groups.meta, kind: 'ListOptions' };

/** The field path of errors in resourceVersionMatch. */
export const matchPath = fieldPath('resourceVersionMatch');

/** The parameter with which a watch says whether it begins with the existing objects. */
export const sendInitialEvents = 'sendInitialEvents';

/** The error for a match without a resourceVersion. */
export function matchNeedsVersion(): FieldError {
  return forbiddenField(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
}

/** The error for a match with a continue token, which has a version of its own. */
export function matchWithContinue(): FieldError {
  return forbiddenField(matchPath, 'resourceVersionMatch is forbidden when continue is provided');
}

/** Throws Invalid when there are errors in the options of a list or watch. */
export function refuseOptions(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(optionsKind, '', errors.map(causeFromFieldError));
}
