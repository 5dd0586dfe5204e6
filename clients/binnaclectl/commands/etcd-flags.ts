import { textFlag } from '../arguments/flag.ts';
import { flagName } from '../arguments/parse-arguments.ts';

/** The flags of storage for the connection to etcd, under the same names; storage parses their values. */
export const etcdFlags = {
  etcdEndpoints: textFlag('URLs of the etcd members', { placeholder: 'urls' }),
  etcdPrefix: textFlag('prefix of every key in etcd (default /binnacle)'),
  etcdCafile: textFlag('PEM file of the certificate authority of etcd', { placeholder: 'file' }),
  etcdCertfile: textFlag('PEM file of the client certificate for etcd', { placeholder: 'file' }),
  etcdKeyfile: textFlag('PEM file of the key of that certificate', { placeholder: 'file' }),
  etcdUsername: textFlag('user of etcd', { placeholder: 'name' }),
  etcdPasswordFile: textFlag('file with the password of that user', { placeholder: 'file' }),
};

/** The flags of a table that were given, as on a command line of storage. */
export function givenArguments<const Table extends Readonly<Record<string, unknown>>>(
  table: Table,
  values: { readonly [Name in keyof Table]: string | undefined },
): string[] {
  return Object.keys(table).flatMap(name => {
    const value = values[name];
    return value === undefined ? [] : [`--${flagName(name)}=${value}`];
  });
}
