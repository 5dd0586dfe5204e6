import { backUpStore } from '../../back-up-store.ts';

/**
 * A process that backs up the store that its flags name into the file of its first argument, and prints the revision: LMDB does not
 * let a process open a store that it has open.
 */
async function main(file: string, args: readonly string[]): Promise<void> {
  const signal = new AbortController().signal;
  const { header } = await backUpStore({ args, env: {}, target: { file }, now: Date.now, signal });
  process.stdout.write(String(header.revision));
}

await main(process.argv[2] ?? '', process.argv.slice(3)).catch((thrown: unknown) => {
  process.stderr.write(String(thrown));
  process.exitCode = 1;
});
