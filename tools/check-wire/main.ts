import { checkPair } from './check-pair.ts';
import { findPairs } from './find-pairs.ts';
import { createMessageOfKind } from './messages-of-kinds.ts';

const usage = 'usage: check-wire [--rename] DIRECTORY';

function main(args: readonly string[]): number {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const rename = args.includes('--rename');
  const [directory, ...rest] = args.filter(arg => arg !== '--rename');
  if (directory === undefined || rest.length > 0 || directory.startsWith('-')) {
    console.error(usage);
    return 2;
  }
  const pairs = findPairs(directory);
  const options = { messageOf: createMessageOfKind(), rename };
  let equal = 0;
  for (const pair of pairs) {
    const why = checkPair(pair, options);
    if (why === undefined) equal++;
    else console.log(`${pair.name}: ${why}`);
  }
  console.log(`${equal} of ${pairs.length} kinds are the same byte for byte`);
  return pairs.length > 0 && equal === pairs.length ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
