import { groups } from '@binnacle/api-names';
import type { ResourceAccess } from '@binnacle/proto';

/** Lists the accesses of which one suffices to act for a signer: on the signer itself, or on all signers of its domain. */
export function signerAccesses(verb: 'approve' | 'sign', signerName: string): ResourceAccess[] {
  const [domain = ''] = signerName.split('/');
  return [signerName, `${domain}/*`].map(name => ({
    verb,
    group: groups.certificates,
    resource: 'signers',
    subresource: '',
    namespace: '',
    name,
  }));
}
