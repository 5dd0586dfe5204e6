/** A suite of the standard's test data. */
interface StandardSuite<T> {
  readonly name: string;
  readonly suites: readonly StandardSuite<T>[];
  readonly tests: readonly T[];
}

/** A case of the standard's test data with its path of suites. */
interface StandardCase<T> {
  readonly path: string;
  readonly test: T;
}

/** Returns all cases of suites, including nested suites. */
export function standardCases<T>(...suites: readonly StandardSuite<T>[]): StandardCase<T>[] {
  return suites.flatMap(suite => collectCases(suite, ''));
}

function collectCases<T>({ name, suites, tests }: StandardSuite<T>, parent: string): StandardCase<T>[] {
  const path = parent === '' ? name : `${parent}/${name}`;
  return [...tests.map(test => ({ path, test })), ...suites.flatMap(suite => collectCases(suite, path))];
}
