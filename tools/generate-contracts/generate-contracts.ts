import { join } from 'node:path';
import { writeGenerated } from '../generated-files/write-generated.ts';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { loadProtos } from './load-protos.ts';
import { generatedFileName } from './names.ts';
import { renderFile } from './render-file.ts';

/** Writes `proto/generated` anew, or only checks it; returns the names of the files that differed. */
export function generateContracts({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const files = loadProtos(join(repositoryDirectory, 'proto/internal'));
  const contents = new Map(files.map(file => [generatedFileName(file.name), renderFile(file)]));
  return writeGenerated('proto/generated', contents, { isCheck });
}
