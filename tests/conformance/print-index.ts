import { allStatements } from './all-statements.ts';
import { allTests } from './all-tests.ts';

// Prints the parts of the suite, without running it: one JSON object on standard output.
process.stdout.write(
  JSON.stringify({ statements: allStatements, titles: allTests.flatMap(tests => Object.keys(tests)) }),
);
