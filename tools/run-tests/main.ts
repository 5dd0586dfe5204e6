import { parseArgs } from 'node:util';
import { errorMessage } from '@binnacle/status-errors';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { runTests } from './run-tests.ts';

const usage = `Usage: node tools/run-tests/main.ts [options] [files or folders]

Runs every *.test.ts of the repository, or those given.

  --only SUFFIX   only files called *.SUFFIX.test.ts (etcd, redis, kafka, kubectl,
                  process), or "unit" for files that need no server; may be given several times
  --with-names    only files that depend on the names of the API: they have some, or are made of test code that has
  --times COUNT   prints the COUNT files that took longest, with their seconds of a processor; default: 25 of a run of
                  fifty files or more
  --help          prints this text
`;

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      'with-names': { type: 'boolean' },
      times: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(usage);
  else {
    const succeeded = await runTests({
      root: repositoryDirectory,
      paths: positionals,
      only: values.only ?? [],
      withNames: values['with-names'] ?? false,
      ...(values.times !== undefined && { timesPrinted: parseCount(values.times) }),
      signal: interruption.signal,
      report: text => void process.stdout.write(text),
      print: line => console.log(line),
    });
    process.exitCode = succeeded ? 0 : 1;
  }
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--times: ${text} is not a count of files`);
  return Number(text);
}
