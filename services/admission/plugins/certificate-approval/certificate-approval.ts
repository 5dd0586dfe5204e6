import { groups } from '@binnacle/api-names';
import type { CertificateSigningRequest } from '@binnacle/api-types/certificates/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout } from '../../chain/review.ts';
import { signerAccesses } from './signer-accesses.ts';

/** CertificateApproval, on by default: a user who approves or denies a request needs `approve` on its signer. */
export const certificateApproval: PluginRegistration = {
  name: 'CertificateApproval',
  byDefault: true,
  concerns: [`${groups.certificates}/certificatesigningrequests`],
  create: () => ({
    name: 'CertificateApproval',
    async validate(review) {
      const { oldObject, operation, accessDemands } = review;
      const concerns = isAbout(review, groups.certificates, 'certificatesigningrequests', 'approval');
      if (operation !== 'UPDATE' || oldObject === undefined || !concerns) return;
      const { spec: { signerName = '' } = {} }: CertificateSigningRequest = oldObject;
      accessDemands.push({
        anyOf: signerAccesses('approve', signerName),
        refusal: `the user may not approve requests with signerName ${JSON.stringify(signerName)}`,
      });
    },
  }),
};
