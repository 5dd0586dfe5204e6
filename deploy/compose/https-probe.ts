import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

/** One question to a health endpoint over HTTPS. */
interface HttpsProbe {
  readonly url: string;
  /** PEM of the authority to trust. */
  readonly caFile: string;
  /** The folder of a client certificate, for servers that answer no anonymous requests; undefined: none is shown. */
  readonly clientDirectory?: string;
  readonly signal: AbortSignal;
}

/** Says whether the endpoint answers 200; fails when it does not answer at all. */
export function probeHttps({ url, caFile, clientDirectory, signal }: HttpsProbe): Promise<boolean> {
  const certificate = clientDirectory && {
    cert: readFileSync(join(clientDirectory, 'tls.crt')),
    key: readFileSync(join(clientDirectory, 'tls.key')),
  };
  return new Promise((resolve, reject) => {
    const probe = request(
      url,
      { ca: readFileSync(caFile), ...certificate, agent: false, signal },
      response => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode === 200));
      },
    );
    probe.on('error', reject);
    probe.end();
  });
}
