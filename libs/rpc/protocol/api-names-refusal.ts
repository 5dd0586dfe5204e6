import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { Refusal } from '@binnacle/backend-access';

/** The refusal between this process and a dependency with other API names. */
export class ApiNamesRefusal extends Refusal {
  override readonly name = 'ApiNamesRefusal';
}

/** Creates the refusal of a peer with other API names. */
export function otherApiNames(
  peer: string,
  theirs: string,
  { own = vocabulary, cause }: { readonly own?: Vocabulary | undefined; readonly cause?: unknown } = {},
): ApiNamesRefusal {
  const message = `${peer} has --api-names=${theirs}, this service --api-names=${own}; both need the same`;
  return new ApiNamesRefusal(message, { cause });
}
