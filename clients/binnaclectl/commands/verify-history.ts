import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { errorMessage } from '@binnacle/status-errors';
import { durationFlag, integerFlag } from '../arguments/flag.ts';
import { describeVerdict } from '../histories/describe-verdict.ts';
import { readHistory } from '../histories/records/read-history.ts';
import type { HistoryRecord } from '../histories/records/records.ts';
import { verifyHistory as verify } from '../histories/verify-history.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { defineCommand } from './command.ts';

/** Checks a history of clients against the guarantees of the server. */
export const verifyHistory = defineCommand({
  name: 'verify-history',
  usage: 'FILE',
  summary: 'Checks a history of requests and answers against the guarantees of the server.',
  examples: ['verify-history history.jsonl', 'verify-history history.jsonl --search-time=10m'],
  flags: {
    searchTime: durationFlag(
      'time limit of the search for an order of operations, for all objects together (default 1m)',
    ),
    maxViolations: integerFlag('number of violations that are shown in full (default 20)', { least: 1 }),
  },
  async run({ flags, words, terminal }) {
    const [file, ...more] = words;
    if (file === undefined || more.length > 0) throw new UsageError('exactly one file must be given');
    const records = await readHistoryFile(file);
    const verdict = verify(records, {
      now: terminal.now,
      ...(flags.searchTime === undefined ? {} : { searchMs: flags.searchTime }),
    });
    await terminal.out(describeVerdict(verdict, flags.maxViolations ?? 20));
    return verdict.violations.length > 0 ? 1 : 0;
  },
});

async function readHistoryFile(file: string): Promise<HistoryRecord[]> {
  try {
    return await readHistory(
      createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }),
    );
  } catch (error) {
    throw new CommandError(`${file}: ${errorMessage(error)}`);
  }
}
