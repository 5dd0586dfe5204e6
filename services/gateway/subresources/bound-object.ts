import type { BoundObjectReference } from '@binnacle/api-types/authentication/v1';
import type { Pod } from '@binnacle/api-types/core/v1';
import type { TokenBinding } from '@binnacle/service-kit';
import { badRequest, conflict } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import { type NamedObjectServices, readNamed } from './read-named.ts';

/**
 * The pod or secret that a token is to be bound to, as its claims name it. Throws NotFound when there is none, Conflict
 * when it has another uid, BadRequest for another kind and for a pod that runs as another account.
 */
export async function boundObjectOf(
  request: ApiRequest,
  services: NamedObjectServices,
  reference: BoundObjectReference,
): Promise<Pick<TokenBinding, 'pod' | 'secret'>> {
  const { name = '', uid: sent = '' } = reference;
  const kind = `${reference.apiVersion ?? ''} ${reference.kind ?? ''}`;
  if (kind !== 'v1 Pod' && kind !== 'v1 Secret')
    throw badRequest(`cannot bind token to object of type ${kind}: only a Pod or a Secret of v1`);
  const isPod = kind === 'v1 Pod';
  const object = await readNamed(request, services, { resource: isPod ? 'pods' : 'secrets', name });
  if (isPod) assertRunsAs(request, object);
  const { uid = '' } = object.metadata;
  if (sent !== '' && sent !== uid) {
    const why = `the UID in the bound object reference (${sent}) does not match the UID in record`;
    throw conflict({ group: '', resource: isPod ? 'Pod' : 'Secret' }, name, `${why} (${uid})`);
  }
  return isPod ? { pod: { name, uid } } : { secret: { name, uid } };
}

function assertRunsAs({ info }: ApiRequest, { spec }: Pod): void {
  const account = spec?.serviceAccountName ?? '';
  if (account === info.name) return;
  throw badRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(info.name)} to a pod that runs as ${JSON.stringify(account)}`,
  );
}
