import { generateFlagsDocument } from '../flags-document/generate-flags-document.ts';
import { generateContracts } from '../generate-contracts/generate-contracts.ts';

const generators = [generateContracts, generateFlagsDocument];

/** Writes every generated file anew; with `--check` only says which ones differ, and fails when there are any. */
function main(args: readonly string[]): number {
  const unknown = args.filter(arg => arg !== '--check');
  if (unknown.length > 0) {
    console.error(`unknown argument: ${unknown.join(' ')}\nusage: generate [--check]`);
    return 2;
  }
  const isCheck = args.includes('--check');
  const different = generators.flatMap(generate => generate({ isCheck }));
  if (!isCheck) {
    console.log(different.length === 0 ? 'nothing changed' : `written: ${different.join(', ')}`);
    return 0;
  }
  if (different.length > 0)
    console.error(`not what would be generated: ${different.join(', ')}; run \`npm run generate\``);
  return different.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
