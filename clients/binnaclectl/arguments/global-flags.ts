import { durationFlag, integerFlag, switchFlag, textFlag, textsFlag } from './flag.ts';

/** The flags of every command. */
export const globalFlags = {
  help: switchFlag('help for the command', { short: 'h' }),
  version: switchFlag('the version, commit and date of this client'),
  kubeconfig: textFlag('path of the client configuration file to use', { placeholder: 'file' }),
  context: textFlag('name of the context to use'),
  cluster: textFlag('name of the cluster to use'),
  user: textFlag('name of the user to use'),
  server: textFlag('address of the API server', { short: 's', placeholder: 'url' }),
  token: textFlag(
    "bearer token for the API server; replaces the user's other credentials, except a certificate",
  ),
  certificateAuthority: textFlag(
    "path of the PEM file of the certificate authorities that sign the server's certificate",
    {
      placeholder: 'file',
    },
  ),
  insecureSkipTlsVerify: switchFlag("no check of the server's certificate; connections are insecure"),
  tlsServerName: textFlag("name in the server's certificate, where it is not the host of the address"),
  as: textFlag('user to act as'),
  asGroup: textsFlag('groups to act as, with --as'),
  asUid: textFlag('UID to act as, with --as'),
  requestTimeout: durationFlag('timeout of a request; 0 for no limit (default 0s)'),
  namespace: textFlag('namespace of the request', { short: 'n' }),
  v: integerFlag('log level from 0 to 8: requests from 6, headers from 7; never credentials or bodies', {
    short: 'v',
  }),
};
