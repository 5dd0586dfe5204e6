import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { certificateSigningRequestRules } from './certificate-signing-request.ts';

/** Certificate signing requests, version v1. */
export const certificatesV1: GroupVersionDeclaration = {
  group: groups.certificates,
  version: 'v1',
  protoPackage: 'certificates.v1',
  resources: [
    resource({
      kind: 'CertificateSigningRequest',
      resource: 'certificatesigningrequests',
      namespaced: false,
      shortNames: ['csr'],
      subresources: [
        { name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] },
        statusSubresource('CertificateSigningRequest'),
      ],
      rules: certificateSigningRequestRules,
    }),
  ],
};
