import type { Statement } from '../../drivers/conformance-server.ts';

/** 2, "Authenticating proxy flags", "Anonymous requests", "Impersonation". */
export const proxyAndImpersonationStatements: readonly Statement[] = [
  {
    place: '2/Authenticating proxy/--requestheader-username-headers',
    says: 'Header names in order, without regard to case; the first that is not empty names the user.',
  },
  {
    place: '2/Authenticating proxy/--requestheader-group-headers',
    says: 'Every value of these headers is a group.',
  },
  {
    place: '2/Authenticating proxy/--requestheader-extra-headers-prefix',
    says: 'The rest of the name, in lower case and percent-decoded, is the key of an extra value.',
  },
  {
    place: '2/Authenticating proxy/--requestheader-client-ca-file',
    says: 'The headers are read only behind a client certificate that this file verifies.',
  },
  {
    place: '2/Authenticating proxy/--requestheader-allowed-names',
    says: 'The certificate has one of these common names; without names any is accepted.',
  },
  {
    place: '2/Anonymous requests/a',
    says: 'A request without credentials is system:anonymous in system:unauthenticated.',
  },
  { place: '2/Anonymous requests/b', says: 'An invalid bearer token is 401; no token is anonymous.' },
  {
    place: '2/Anonymous requests/c',
    says: '--anonymous-auth: on by default unless the authorization mode is AlwaysAllow.',
  },
  {
    place: '2/Anonymous requests/d',
    says: 'Rules for user or group * do not cover anonymous requests; explicit rules do.',
  },
  {
    place: '2/Impersonation/a',
    says: 'The caller is authenticated, the right to impersonate is checked, then authorization runs on the other identity.',
  },
  { place: '2/Impersonation/Impersonate-User', says: 'The user to act as.' },
  {
    place: '2/Impersonation/Impersonate-Group',
    says: 'Groups to act with; repeatable; needs Impersonate-User.',
  },
  {
    place: '2/Impersonation/Impersonate-Extra-',
    says: 'Extra values, their keys in lower case and percent-encoded; needs Impersonate-User.',
  },
  { place: '2/Impersonation/Impersonate-Uid', says: 'A uid; needs Impersonate-User.' },
  {
    place: '2/Impersonation/b',
    says: 'The caller needs impersonate on users, groups, serviceaccounts, userextras/<name> and uids.',
  },
  { place: '2/Impersonation/c', says: 'resourceNames restricts the values.' },
];
