/** Codec exports for tests of other packages, besides index.ts. */

export { decodeBodyAtOnce } from './decode-body.ts';
export { decodePatchAtOnce } from './decode-patch.ts';
export { partialMetadataListFrom } from './partial-metadata.ts';
export { parseYamlSteps } from './yaml.ts';
