import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseRequestTarget } from '../../request/parse-request-target.ts';
import type { ResourceTarget } from '../../request/request-target.ts';
import { estimateWork } from './estimate-work.ts';
import { WatchCounts } from './watch-counts.ts';

function parseLine(line: string) {
  const [method = '', url = ''] = line.split(' ');
  const { pathname: path, searchParams: query } = new URL(url, 'http://h');
  return { target: parseRequestTarget({ method, path, query }, group => group), query };
}

const pods = '/api/v1/namespaces/n/pods';
const cases: [string, { objects?: number; watches?: number }, [number, number, number]][] = [
  [`GET ${pods}/a`, { objects: 5_000 }, [1, 0, 0]],
  [`GET ${pods}`, { objects: 40 }, [1, 0, 0]],
  [`GET ${pods}?resourceVersion=0`, { objects: 450 }, [5, 0, 0]],
  [`GET ${pods}?resourceVersion=0`, { objects: 5_000 }, [10, 0, 0]],
  [`GET ${pods}`, { objects: 200 }, [4, 0, 0]],
  [`GET ${pods}?limit=100`, { objects: 5_000 }, [2, 0, 0]],
  [`GET ${pods}?limit=100&resourceVersion=0`, { objects: 300 }, [3, 0, 0]],
  [`GET ${pods}?limit=100&labelSelector=a`, { objects: 300 }, [4, 0, 0]],
  [`GET ${pods}?fieldSelector=metadata.name%3Da`, { objects: 5_000 }, [1, 0, 0]],
  [`GET ${pods}`, {}, [1, 0, 0]],
  [`GET ${pods}?watch=1`, { objects: 5_000 }, [1, 0, 0]],
  ['GET /metrics', { objects: 5_000 }, [1, 0, 0]],
  [`POST ${pods}`, { watches: 9 }, [1, 0, 0]],
  [`POST ${pods}`, { watches: 25 }, [1, 3, 5]],
  [`DELETE ${pods}/a`, { watches: 1_000 }, [1, 10, 50]],
  [`GET ${pods}/a`, { watches: 1_000 }, [1, 0, 0]],
];

suite('the work of', () => {
  for (const [line, { objects, watches = 0 }, [initialSeats, finalSeats, finalMs]] of cases)
    test(`${line} with ${objects} objects and ${watches} watches`, () => {
      const { target, query } = parseLine(line);
      const sources = { objectsOf: () => objects, watchesOf: () => watches };
      assert.deepEqual(estimateWork(target, query, sources), { initialSeats, finalSeats, finalMs });
    });
});

test('a write affects the watches of its object, its namespace and its type', () => {
  const counts = new WatchCounts();
  const watch = (url: string) => counts.opened(parseLine(`GET ${url}`).target as ResourceTarget);
  const ends = [
    watch('/api/v1/pods?watch=1'),
    watch(`${pods}?watch=1`),
    watch(`${pods}?watch=1&fieldSelector=metadata.name%3Da`),
    watch('/api/v1/namespaces/m/pods?watch=1'),
    watch('/api/v1/services?watch=1'),
  ];
  const concerned = (line: string) => counts.concernedBy(parseLine(line).target as ResourceTarget);
  assert.deepEqual(
    [concerned(`PUT ${pods}/a`), concerned(`PUT ${pods}/b`), concerned(`POST ${pods}`)],
    [3, 2, 2],
  );
  for (const end of ends) {
    end();
    end();
  }
  assert.equal(concerned(`PUT ${pods}/a`), 0);
});
