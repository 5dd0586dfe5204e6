/** Text codecs that do not depend on API types, so that a program that only needs them starts without loading the types. */

export { encodeYaml, encodeYamlSteps } from './encode-yaml.ts';
export { readWrittenJson, writeLongJson } from './json/long-json.ts';
export { writeStorableJson } from './stored-object.ts';
export { parseYaml, parseYamlAtOnce } from './yaml.ts';
