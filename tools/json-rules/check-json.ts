import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestCode, sourceFiles } from '../source-scan/source-files.ts';

/**
 * Files that may call `JSON.parse`, which rounds long integers, and the data that they read with it: no content of
 * objects.
 */
const allowed: ReadonlyMap<string, string> = new Map([
  ['libs/api-objects/json-text.ts', 'the reader that everything else uses'],
  ['libs/api-types/core/secret.ts', 'whether a text is JSON'],
  ['libs/api-types/descriptors/read-descriptors.ts', 'generated descriptors'],
  ['libs/build-info/read-build.ts', 'the build of an image'],
  ['libs/codecs/json/json-scan.ts', 'keys'],
  ['libs/server-side-apply/managers/manager-id.ts', 'identities of managers'],
  ['libs/status-errors/wire.ts', 'Status between services'],
  ['libs/watch-cache/object-store/stored-labels.ts', 'labels'],
  ['services/controller-manager/service-accounts/token-secret.ts', 'tokens'],
  ['services/gateway/authorization/abac/policy-file.ts', 'policies of a file'],
  ['services/gateway/bootstrap/client-authorities.ts', 'lists of names'],
  ['services/gateway/read/continue-token.ts', 'continue tokens'],
  ['services/storage/backends/embedded/directory-lock.ts', 'lock files'],
  ['services/token-review/authenticators/oidc/fetch-json.ts', 'keys of an issuer'],
  ['services/token-review/authenticators/oidc/oidc.ts', 'tokens'],
  ['services/token-review/authenticators/service-account.ts', 'tokens'],
  ['services/token-review/decision-cache/shared-cache.ts', 'decisions'],
]);

const checkedFolders = ['libs/', 'services/', 'clients/'];

/** Finds calls of `JSON.parse` that may lose integers of objects; returns one line a violation. */
export function checkJson(root: string): string[] {
  const files = sourceFiles(root).filter(file => checkedFolders.some(folder => file.startsWith(folder)));
  return files.flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8');
    if (isTestCode(file, source) || file.includes('/test-drivers/') || allowed.has(file)) return [];
    return source.includes('JSON.parse')
      ? [`${file}: JSON.parse rounds integers beyond 2^53, read objects with readJson`]
      : [];
  });
}
