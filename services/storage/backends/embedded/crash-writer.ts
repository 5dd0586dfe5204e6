import { deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { openEmbeddedStorage } from './embedded-storage.ts';

/**
 * A process for the crash test: writes to the store in the directory named by its argument until it is killed, and
 * prints a line `<key> <revision> <value>` for each write once it is acknowledged.
 */
async function main(directory: string): Promise<void> {
  const storage = await openEmbeddedStorage({ directory });
  const signal = new AbortController().signal;
  const round = process.pid;
  await Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      for (let step = 0; ; step++) {
        const key = storageKeyFrom(`/core/configmaps/${round}/w${writer}-${step % 20}`);
        const value = `${round} ${writer} ${step}`;
        const transaction = {
          preconditions: [],
          puts: [{ key, value: Buffer.from(value.padEnd(800)) }],
          deletes: [],
        };
        const outcome = await storage.transact(transaction, { signal, deadline: deadlineIn(60_000) });
        process.stdout.write(`${key} ${outcome.revision} ${value}\n`);
      }
    }),
  );
}

await main(process.argv[2] ?? '');
