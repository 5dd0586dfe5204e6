import { groups, understood } from '@binnacle/api-names';
import { requestedOrganizations } from '@binnacle/api-types';
import type { CertificateSigningRequest } from '@binnacle/api-types/certificates/v1';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, reviewedName } from '../../chain/review.ts';

const restrictedSigners = understood.signers.kubeApiserverClient;
const mastersGroup = 'system:masters';

/** CertificateSubjectRestriction, on by default: refuses requests of client certificates for members of `system:masters`. */
export const certificateSubjectRestriction: PluginRegistration = {
  name: 'CertificateSubjectRestriction',
  byDefault: true,
  concerns: [`${groups.certificates}/certificatesigningrequests`],
  create: () => ({
    name: 'CertificateSubjectRestriction',
    async validate(review) {
      const { object, operation, definition } = review;
      const concerns = isAbout(review, groups.certificates, 'certificatesigningrequests');
      if (operation !== 'CREATE' || !concerns || object === undefined) return;
      const { spec = {} }: CertificateSigningRequest = object;
      const { signerName = '' } = spec;
      if (!restrictedSigners.includes(signerName)) return;
      const organizations = requestedOrganizations(Buffer.from(spec.request ?? '', 'base64'));
      if (organizations === undefined)
        throw forbidden(definition, reviewedName(review), 'the certificate request cannot be read');
      if (organizations.includes(mastersGroup))
        throw forbidden(
          definition,
          reviewedName(review),
          `the signer ${signerName} may not sign certificates of the group ${mastersGroup}`,
        );
    },
  }),
};
