/** What tests of other packages use of codecs besides index.ts. */

/** What tests of other packages use of codecs besides index.ts. */

export { decodeBodyAtOnce } from './decode-body.ts';
export { decodePatchAtOnce } from './decode-patch.ts';
export { partialMetadataListFrom } from './partial-metadata.ts';
export { parseYamlSteps } from './yaml.ts';
