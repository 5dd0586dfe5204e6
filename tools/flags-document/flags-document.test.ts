import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booleanFlag, durationFlag, flagName, portFlag, stringFlag } from '@binnacle/flags';
import { flagsDocument, type Programs } from './flags-document.ts';
import { programs } from './generate-flags-document.ts';

const rest = durationFlag({ description: 'Time of rest.', default: 5_000 });

test('a flag of several programs is one row, and rows are sorted by name', () => {
  const name = stringFlag({ description: 'Name | title.', required: true });
  const text = flagsDocument({
    one: { rest, name },
    two: { rest, isLoud: booleanFlag({ description: 'Noise.' }) },
  });
  assert.deepEqual(text.trimEnd().split('\n').slice(-3), [
    '| `--is-loud` | true, false | false | two | Noise. |',
    '| `--name` | text | required | one | Name \\| title. |',
    '| `--rest` | duration | 5s | one, two | Time of rest. |',
  ]);
});

test('different defaults are named, except for ports', () => {
  const port = (value: number) => portFlag({ description: 'Port.', default: value });
  const longer = durationFlag({ description: 'Time of rest.', default: 6_000 });
  assert.deepEqual(
    differingDefaults({ one: { rest, port: port(1) }, two: { rest: longer, port: port(2) } }),
    ['rest'],
  );
});

test('a flag has the same default in every program', () => {
  assert.deepEqual(differingDefaults(programs), []);
});

test('every program has the gates of its features', () => {
  for (const [program, { featureGates }] of Object.entries(programs)) {
    const { description } = featureGates ?? assert.fail(program);
    assert.match(
      description,
      /AggregatedDiscoveryEndpoint=true\|false: .* \(alpha, default: false\)/,
      program,
    );
    assert.match(description, /ServerSideFieldValidation=true\|false: .* \(beta, default: true\)/, program);
  }
});

/** Flags that are another thing in each program, and so have a default of their own. */
const ownDefaults: ReadonlySet<string> = new Set(['port', 'host', 'operationsPort']);

/** The flags with one name and different defaults; there are to be none, but for addresses and ports. */
function differingDefaults(programs: Programs): readonly string[] {
  const seen = new Map<string, string>();
  const differing = new Set<string>();
  for (const spec of Object.values(programs)) {
    for (const [name, { defaultText, required }] of Object.entries(spec)) {
      const fallback = required ? 'required' : defaultText;
      if ((seen.get(name) ?? fallback) !== fallback && !ownDefaults.has(name)) differing.add(flagName(name));
      seen.set(name, fallback);
    }
  }
  return [...differing].sort();
}
