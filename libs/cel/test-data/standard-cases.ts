import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';

/** A case of the standard's test data, with the path of suites that it stands in. */
export interface StandardCase {
  readonly path: string;
  readonly test: IncrementalTest;
}

/** All cases of the suites of parsing, checking, comprehensions and conformance. */
export function standardCases(): StandardCase[] {
  return [getParsingSuite(), getCheckingSuite(), getComprehensionSuite(), getConformanceSuite()].flatMap(
    suite => casesOf(suite, ''),
  );
}

function casesOf({ name, suites, tests }: IncrementalTestSuite, parent: string): StandardCase[] {
  const path = parent === '' ? name : `${parent}/${name}`;
  return [...tests.map(test => ({ path, test })), ...suites.flatMap(suite => casesOf(suite, path))];
}
