import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { Refusal } from '@binnacle/backend-access';

/** A dependency has other API names than the process: they refuse each other. */
export class ApiNamesRefusal extends Refusal {
  override readonly name = 'ApiNamesRefusal';
}

/** The refusal between this process and a peer with names of its own. */
export function otherApiNames(
  peer: string,
  theirs: string,
  { own = vocabulary, cause }: { readonly own?: Vocabulary | undefined; readonly cause?: unknown } = {},
): ApiNamesRefusal {
  const message = `${peer} has --api-names=${theirs}, this service --api-names=${own}; both need the same`;
  return new ApiNamesRefusal(message, { cause });
}
