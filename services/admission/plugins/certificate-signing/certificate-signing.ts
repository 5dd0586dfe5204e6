import { groups } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { CertificateSigningRequest } from '@binnacle/api-types/certificates/v1';
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
  concerns: [`${groups.certificates}/certificatesigningrequests`],
  create: () => ({
    name: 'CertificateSigning',
    async validate(review) {
      const { object, oldObject, operation, accessDemands } = review;
      const concerns = isAbout(review, groups.certificates, 'certificatesigningrequests', 'status');
      if (operation !== 'UPDATE' || !concerns || object === undefined || oldObject === undefined) return;
      if (isSameOutcome(object, oldObject)) return;
      const { spec: { signerName = '' } = {} }: CertificateSigningRequest = oldObject;
      accessDemands.push({
        anyOf: signerAccesses('sign', signerName),
        refusal: `the user may not sign requests with signerName ${JSON.stringify(signerName)}`,
      });
    },
  }),
};

function isSameOutcome({ status }: CertificateSigningRequest, old: CertificateSigningRequest): boolean {
  return (['certificate', 'conditions'] as const).every(field =>
    equalJson(status?.[field] ?? null, old.status?.[field] ?? null),
  );
}
