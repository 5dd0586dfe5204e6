import { groups } from '@binnacle/api-names';
import { causeFromFieldError, type FieldError, fieldPath, forbiddenField } from '@binnacle/api-objects';
import { invalid } from '@binnacle/status-errors';

const optionsKind = { group: groups.meta, kind: 'ListOptions' };

/** Where findings about the match are reported. */
export const matchPath = fieldPath('resourceVersionMatch');

/** The parameter with which a watch says whether it begins with the existing objects. */
export const sendInitialEvents = 'sendInitialEvents';

/** A match says how a version is meant: without one it says nothing. */
export function matchNeedsVersion(): FieldError {
  return forbiddenField(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
}

/** A continue token has a version of its own. */
export function matchWithContinue(): FieldError {
  return forbiddenField(matchPath, 'resourceVersionMatch is forbidden when continue is provided');
}

/** Throws Invalid when something is wrong with the options of a list or watch. */
export function refuseOptions(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(optionsKind, '', errors.map(causeFromFieldError));
}
