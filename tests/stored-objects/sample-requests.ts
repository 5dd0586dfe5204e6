import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One request that makes, changes or deletes a sample. */
export interface SampleRequest {
  /** `WAIT` is a GET that is sent until it succeeds. */
  readonly method: 'POST' | 'PATCH' | 'DELETE' | 'WAIT';
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

const files = ['samples-core.http', 'samples-groups.http'];

/** The requests of the sample files, in order: an object of every kind, with most of its fields. */
export async function readSampleRequests(): Promise<readonly SampleRequest[]> {
  const texts = await Promise.all(files.map(file => readFile(join(import.meta.dirname, file), 'utf8')));
  return texts.flatMap(text => text.split(/^### /m).slice(1).map(requestFrom));
}

function requestFrom(text: string): SampleRequest {
  const end = text.indexOf('\n');
  const [method = '', path = '', contentType = 'application/yaml'] = text.slice(0, end).split(' ');
  // The files have no others.
  return { method: method as SampleRequest['method'], path, contentType, body: text.slice(end + 1) };
}
