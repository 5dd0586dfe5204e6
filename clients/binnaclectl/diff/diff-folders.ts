import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@binnacle/api-objects';
import type { Place } from '../objects/place.ts';
import { documentText } from '../output/documents.ts';
import type { States } from './mask-secret.ts';

/** Two temporary folders with a file for each object, of the user alone; they are removed at the end. */
interface DiffFolders extends Disposable {
  /** `…/LIVE-<random>` and `…/MERGED-<random>`. */
  readonly paths: readonly [live: string, merged: string];
  /** Writes the states of an object. */
  readonly write: (place: Place, states: States) => void;
}

/** Makes the folders. */
export function createDiffFolders(): DiffFolders {
  const live = mkdtempSync(join(tmpdir(), 'LIVE-'));
  const merged = mkdtempSync(join(tmpdir(), 'MERGED-'));
  const writeFile = (folder: string, place: Place, object: JsonObject | undefined) =>
    writeFileSync(join(folder, fileName(place)), object === undefined ? '' : documentText(object, 'yaml'), {
      mode: 0o600,
    });
  return {
    paths: [live, merged],
    write(place, states) {
      writeFile(live, place, states.live);
      writeFile(merged, place, states.merged);
    },
    [Symbol.dispose]() {
      for (const folder of [live, merged]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `apps.v1.Deployment.shop.web`; names of API objects may have characters that names of files cannot. */
function fileName({ type, namespace = '', name }: Place): string {
  const { group, version, kind } = type;
  const parts = [...(group === '' ? [] : [group]), version, kind, namespace, name];
  return parts.join('.').replaceAll('/', '%2F');
}
