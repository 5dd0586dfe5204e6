/**
 * Loaded into processes of a test run in the vocabulary `kubernetes` before anything else: test code, which is written in the names of
 * `cluster`, is read in those of `kubernetes`. What is tested is read as it is.
 */
import { registerHooks } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toKubernetes } from '@binnacle/api-names/testing';
import { isTestMaterial, repositoryDirectory } from '../source-scan/source-files.ts';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const { source } = loaded;
    if (!url.startsWith('file:') || source === null || source === undefined) return loaded;
    const file = relative(repositoryDirectory, fileURLToPath(url)).split(sep).join('/');
    const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString();
    return isTranslated(file, text) ? { ...loaded, source: toKubernetes(text) } : loaded;
  },
});

/** Tests of the names themselves have both side by side. */
const testsOfNames = ['libs/api-names/', 'tools/run-tests/', 'tools/name-rules/'];

function isTranslated(file: string, text: string): boolean {
  return !testsOfNames.some(folder => file.startsWith(folder)) && isTestMaterial(file, text);
}
