import type { ApiRequest } from '../request/api-request.ts';
import type { DeleteOptions } from './delete-options.ts';
import { leavesDependentsUnsaid } from './deletion-decision.ts';

/** Tells a client that did not say what becomes of dependents that the kind leaves them behind, where it wants that told. */
export function warnOfOrphans({ definition, warnings }: ApiRequest, options: DeleteOptions): void {
  const { warning = '' } = definition.rules.orphansDependents ?? {};
  if (warning !== '' && leavesDependentsUnsaid(options)) warnings.push(warning);
}
