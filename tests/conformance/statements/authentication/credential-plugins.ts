import type { Statement } from '../../drivers/conformance-server.ts';

/** 2, "ExecCredential (client credential plugin)". */
export const credentialPluginStatements: readonly Statement[] = [
  {
    place: '2/ExecCredential/apiVersion',
    says: 'The version is client.authentication.cluster.io/v1 or v1beta1, the one that is configured.',
  },
  { place: '2/ExecCredential/kind', says: 'The kind is ExecCredential.' },
  {
    place: '2/ExecCredential/spec.interactive',
    says: 'The plugin is told whether standard input is available to it.',
  },
  {
    place: '2/ExecCredential/spec.cluster',
    says: 'With provideClusterInfo the plugin is told server, certificate-authority-data and config.',
  },
  { place: '2/ExecCredential/status.token', says: 'The plugin can give a bearer token.' },
  {
    place: '2/ExecCredential/status.clientCertificateData',
    says: 'The plugin can give a client certificate, with its key; neither without the other.',
  },
  {
    place: '2/ExecCredential/status.expirationTimestamp',
    says: 'Credentials are used until they expire, and then asked for anew.',
  },
  {
    place: '2/ExecCredential/command',
    says: 'The command is required; a relative path is taken from the folder of the configuration file.',
  },
  {
    place: '2/ExecCredential/env and args',
    says: 'The plugin gets the configured environment and arguments.',
  },
  {
    place: '2/ExecCredential/installHint',
    says: 'installHint is shown when the executable is missing.',
  },
  {
    place: '2/ExecCredential/interactiveMode',
    says: 'Never, IfAvailable or Always; required in v1, IfAvailable by default in v1beta1; an unmet Always is an error.',
  },
  {
    place: '2/ExecCredential/a',
    says: 'The plugin reads CLUSTER_EXEC_INFO and prints an ExecCredential to standard output.',
  },
  {
    place: '2/Errors/plugin',
    says: 'A missing executable or an unmet interactiveMode fails the run of the plugin with an error.',
  },
];
