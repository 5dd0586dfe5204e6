import type { Statement, SuiteIndex } from './suite-index.ts';

/** A statement and the titles of its tests. */
export interface CoveredStatement {
  readonly statement: Statement;
  readonly titles: readonly string[];
}

/** The statements with their tests, in the order of the statements. */
export function findCoverage({ statements, titles }: SuiteIndex): CoveredStatement[] {
  const testsOf = new Map<string, string[]>(statements.map(({ place }) => [place, []]));
  for (const title of titles) testsOf.get(findPlace(title, testsOf) ?? '')?.push(title);
  return statements.map(statement => ({ statement, titles: testsOf.get(statement.place) ?? [] }));
}

/** Gaps: one line for each statement without a test, test without a statement, and place or title given twice. */
export function findGaps(index: SuiteIndex): string[] {
  const { statements, titles } = index;
  const places = new Map(statements.map(({ place }) => [place, true]));
  return [
    ...repeated(statements.map(({ place }) => place)).map(
      place => `${place}: two statements have this place`,
    ),
    ...repeated(titles).map(title => `${title}: two tests have this title`),
    ...titles
      .filter(title => findPlace(title, places) === undefined)
      .map(title => `${title}: no statement has this place`),
    ...findCoverage(index).flatMap(({ statement, titles }) => {
      if (statement.untestable === undefined)
        return titles.length === 0 ? [`${statement.place}: no test`] : [];
      return titles.length > 0 ? [`${statement.place}: it has a test, and a reason to have none`] : [];
    }),
  ];
}

/** The longest place that a title begins with: places may hold spaces and begin with one another. */
function findPlace(title: string, places: ReadonlyMap<string, unknown>): string | undefined {
  for (let end = title.lastIndexOf(' '); end > 0; end = title.lastIndexOf(' ', end - 1)) {
    const place = title.slice(0, end);
    if (places.has(place)) return place;
  }
  return undefined;
}

function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter(text => seen.size === seen.add(text).size);
}
