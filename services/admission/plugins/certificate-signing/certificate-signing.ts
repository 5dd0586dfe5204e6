import { type ApiObject, equalJson } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout } from '../../chain/review.ts';
import { signerAccesses } from '../certificate-approval/signer-accesses.ts';

/**
 * CertificateSigning, on by default: a user who puts a certificate into a request, or marks it as failed, needs `sign`
 * on its signer.
 */
export const certificateSigning: PluginRegistration = {
  name: 'CertificateSigning',
  byDefault: true,
  concerns: ['certificates.cluster.io/certificatesigningrequests'],
  create: () => ({
    name: 'CertificateSigning',
    async validate(review) {
      const { object, oldObject, operation, accessDemands } = review;
      const concerns = isAbout(review, 'certificates.cluster.io', 'certificatesigningrequests', 'status');
      if (operation !== 'UPDATE' || !concerns || object === undefined || oldObject === undefined) return;
      if (['certificate', 'conditions'].every(field => isSame(field, object, oldObject))) return;
      const signerName = asText(asObject(oldObject['spec'])?.['signerName']);
      accessDemands.push({
        anyOf: signerAccesses('sign', signerName),
        refusal: `the user may not sign requests with signerName ${JSON.stringify(signerName)}`,
      });
    },
  }),
};

function isSame(field: string, object: ApiObject, old: ApiObject): boolean {
  const [now, before] = [object, old].map(({ status }) => asObject(status)?.[field] ?? null);
  return equalJson(now ?? null, before ?? null);
}
