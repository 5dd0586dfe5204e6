import { readFileSync } from 'node:fs';
import { request } from 'node:https';

/** One question to a health endpoint over HTTPS. */
export interface HttpsProbe {
  readonly url: string;
  /** PEM of the authority to trust. */
  readonly caFile: string;
  readonly signal: AbortSignal;
}

/** Says whether the endpoint answers 200; fails when it does not answer at all. */
export function probeHttps({ url, caFile, signal }: HttpsProbe): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = request(url, { ca: readFileSync(caFile), agent: false, signal }, response => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode === 200));
    });
    probe.on('error', reject);
    probe.end();
  });
}
