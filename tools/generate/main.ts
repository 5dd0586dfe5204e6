// Generated files have the names of the default vocabulary, whatever the environment says.
delete process.env['BINNACLE_API_NAMES'];

/** In order, each loaded when it is its turn: it runs on what the ones before it wrote. */
const generators: readonly (() => Promise<Generate>)[] = [
  async () => (await import('../generate-contracts/generate-contracts.ts')).generateContracts,
  async () => (await import('../generate-contracts/wire-contract.ts')).generateWireContract,
  async () => (await import('../generate-api-types/generate-api-types.ts')).generateApiTypes,
  async () => (await import('../flags-document/generate-flags-document.ts')).generateFlagsDocument,
  async () => (await import('../names-document/generate-names-document.ts')).generateNamesDocument,
];

/** Writes files, or only checks them; returns the names of those that differed. */
type Generate = (options: { readonly isCheck: boolean }) => readonly string[];

const usage = 'usage: generate [--check]';

/** Writes every generated file anew; with `--check` only says which ones differ, and fails when there are any. */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const unknown = args.filter(arg => arg !== '--check');
  if (unknown.length > 0) {
    console.error(`unknown argument: ${unknown.join(' ')}\n${usage}`);
    return 2;
  }
  const isCheck = args.includes('--check');
  const different: string[] = [];
  for (const load of generators) different.push(...(await load())({ isCheck }));
  if (!isCheck) {
    console.log(different.length === 0 ? 'nothing changed' : `written: ${different.join(', ')}`);
    return 0;
  }
  if (different.length > 0)
    console.error(`not what would be generated: ${different.join(', ')}; run \`npm run generate\``);
  return different.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
