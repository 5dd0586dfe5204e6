import { join, posix } from 'node:path';
import { writeGenerated } from '../generated-files/write-generated.ts';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { loadProtos } from './load-protos.ts';
import { generatedFileName } from './names.ts';
import { renderFile } from './render-file.ts';

/** Writes `proto/generated` anew, or only checks it; returns the names of the files that differed. */
export function generateContracts({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const contents = new Map(folders.flatMap(renderFolder));
  return writeGenerated('proto/generated', contents, { isCheck });
}

/** A folder of proto files that is generated as one: the names of its messages differ from one another. */
interface ProtoFolder {
  /** The folder below the root of the repository. */
  readonly source: string;
  /** The folder of the generated files, below `proto/generated`. */
  readonly target: string;
}

const folders: readonly ProtoFolder[] = [
  { source: 'proto/internal', target: '' },
  { source: 'proto/kms', target: 'kms' },
];

function renderFolder({ source, target }: ProtoFolder): [string, string][] {
  const runtime = posix.relative(posix.join('generated', target), 'runtime');
  return loadProtos(join(repositoryDirectory, source)).map(file => [
    posix.join(target, generatedFileName(file.name)),
    renderFile(file, { source, runtime }),
  ]);
}
