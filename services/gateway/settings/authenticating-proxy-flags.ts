import { flagGroup, listFlag, stringFlag } from '@binnacle/flags';

/** The flags of authenticating proxies (spec 2, "Authenticating proxy flags"). */
export const proxyFlags = flagGroup('Authentication', {
  requestheaderUsernameHeaders: listFlag({
    description:
      'Headers with the user name from an authenticating proxy, in this order; the first that is not empty counts.',
  }),
  requestheaderGroupHeaders: listFlag({
    description: 'Headers whose every value is a group from an authenticating proxy, such as X-Remote-Group.',
  }),
  requestheaderExtraHeadersPrefix: listFlag({
    description:
      'Prefixes of headers with extra attributes from an authenticating proxy, such as X-Remote-Extra-.',
  }),
  requestheaderAllowedNames: listFlag({
    description: 'Common names of client certificates of authenticating proxies; any if none is given.',
  }),
});

/** The flags of the authorities of client certificates. */
export const authorityFlags = flagGroup('Authentication', {
  clientCaFile: stringFlag({
    description: 'PEM file of the certificate authorities, one or more, that sign client certificates.',
  }),
  requestheaderClientCaFile: stringFlag({
    description:
      'PEM file of the certificate authorities, one or more, that sign client certificates of authenticating proxies.',
  }),
});
