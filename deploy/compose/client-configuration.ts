import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A client of the API and where it finds it. */
export interface ClientConfiguration {
  /** The file to write; readable by its owner only. */
  readonly file: string;
  readonly server: string;
  readonly user: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caFile: string;
  /** Holds `tls.crt` and `tls.key` of the user. */
  readonly credentialsDirectory: string;
}

/** Writes a client configuration file with all certificates in it, so that it works from everywhere. */
export function writeClientConfiguration(configuration: ClientConfiguration): void {
  const { file, server, user, caFile, credentialsDirectory } = configuration;
  const base64 = (path: string) => readFileSync(path).toString('base64');
  const text = `apiVersion: v1
kind: Config
clusters:
- name: binnacle
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(caFile)}
users:
- name: ${user}
  user:
    client-certificate-data: ${base64(join(credentialsDirectory, 'tls.crt'))}
    client-key-data: ${base64(join(credentialsDirectory, 'tls.key'))}
contexts:
- name: binnacle
  context:
    cluster: binnacle
    user: ${user}
current-context: binnacle
`;
  writeFileSync(file, text, { mode: 0o600 });
}
