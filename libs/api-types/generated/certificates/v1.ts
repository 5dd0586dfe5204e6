// Written by `make generate` from the proto files. Change those.

import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** CertificateSigningRequest is an object of the certificates group. */
export type CertificateSigningRequest = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: CertificateSigningRequestSpec;
  /** The observed state, written by the system. */
  status?: CertificateSigningRequestStatus;
};

/** CertificateSigningRequestCondition is one condition in the state of a certificate signing request. */
export type CertificateSigningRequestCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
  /** When the condition was last written. RFC 3339, in whole seconds. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
};

/** CertificateSigningRequestList is a list of CertificateSigningRequest objects. */
export type CertificateSigningRequestList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: CertificateSigningRequest[] | null;
};

/** CertificateSigningRequestSpec is the desired state of a certificate signing request. */
export type CertificateSigningRequestSpec = {
  /** The request. Base64. */
  request?: string | null;
  /** The signer name. */
  signerName?: string;
  /** The expiration seconds. */
  expirationSeconds?: number;
  /** The list of usages. */
  usages?: ('signing' | 'digital signature' | 'content commitment' | 'key encipherment' | 'key agreement' | 'data encipherment' | 'cert sign' | 'crl sign' | 'encipher only' | 'decipher only' | 'any' | 'server auth' | 'client auth' | 'code signing' | 'email protection' | 's/mime' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'timestamping' | 'ocsp signing' | 'microsoft sgc' | 'netscape sgc')[];
  /** The username. */
  username?: string;
  /** The unique identifier of the object. */
  uid?: string;
  /** The list of groups. */
  groups?: string[];
  /** The extra, by key. */
  extra?: { [key: string]: string[] };
};

/** CertificateSigningRequestStatus is the observed state of a certificate signing request. */
export type CertificateSigningRequestStatus = {
  /** Aspects of the current state. */
  conditions?: CertificateSigningRequestCondition[];
  /** The certificate. Base64. */
  certificate?: string;
};
