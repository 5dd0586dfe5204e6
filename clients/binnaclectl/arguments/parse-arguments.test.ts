import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../output/errors.ts';
import { choiceFlag, durationFlag, integerFlag, switchFlag, textFlag, textsFlag } from './flag.ts';
import { parseArguments } from './parse-arguments.ts';

const table = {
  namespace: textFlag('', { short: 'n' }),
  selector: textFlag('', { short: 'l' }),
  allNamespaces: switchFlag('', { short: 'A' }),
  watch: switchFlag('', { short: 'w' }),
  wait: switchFlag('', { defaultValue: true }),
  filename: textsFlag('', { short: 'f' }),
  chunkSize: integerFlag(''),
  timeout: durationFlag(''),
  cascade: choiceFlag('', ['background', 'orphan'], { defaultValue: 'background', bare: 'background' }),
  v: integerFlag('', { short: 'v' }),
};

const accepted: [what: string, line: string, words: string[], values: object][] = [
  ['words alone', 'get pods a', ['get', 'pods', 'a'], {}],
  ['a flag before the words', '-n shop get pods', ['get', 'pods'], { namespace: 'shop' }],
  ['a letter with an equals sign', 'get -n=shop pods', ['get', 'pods'], { namespace: 'shop' }],
  ['a letter with its value', 'get -nshop', ['get'], { namespace: 'shop' }],
  ['a name with an equals sign', 'get --namespace=shop', ['get'], { namespace: 'shop' }],
  ['a value with an equals sign', 'get -l a=b', ['get'], { selector: 'a=b' }],
  ['a value that begins with one', 'get --selector==b', ['get'], { selector: '=b' }],
  ['switches together', 'get -Aw', ['get'], { allNamespaces: true, watch: true }],
  ['a switch that is turned off', 'delete --wait=false', ['delete'], { wait: false }],
  ['a switch takes no word', 'get --watch pods', ['get', 'pods'], { watch: true }],
  ['values in several places', '-f a,b -f -', [], { filename: ['a', 'b', '-'] }],
  ['of a flag given twice the last value', '-n a -n b', [], { namespace: 'b' }],
  ['integers', '--chunk-size=0 -v 8', [], { chunkSize: 0, v: 8 }],
  ['the letter of a flag that is called so', '--v=3', [], { v: 3 }],
  ['durations', '--timeout 1m30s', [], { timeout: 90_000 }],
  ['durations in seconds', '--timeout 2', [], { timeout: 2_000 }],
  ['a flag that need not have a value', '--cascade pods', ['pods'], { cascade: 'background' }],
  ['its value after an equals sign', '--cascade=orphan', [], { cascade: 'orphan' }],
  ['words after two dashes', 'get -- -n', ['get', '-n'], {}],
];

for (const [what, line, words, values] of accepted) {
  test(`${what}: ${line}`, () => {
    const parsed = parseArguments(table, line.split(' '));
    assert.deepEqual(parsed.words, words);
    assert.deepEqual({ ...parsed.flags, ...values }, parsed.flags);
  });
}

test('an argument that is not given has its default', () => {
  const { flags } = parseArguments(table, []);
  assert.deepEqual(flags, {
    namespace: undefined,
    selector: undefined,
    allNamespaces: false,
    watch: false,
    wait: true,
    filename: [],
    chunkSize: undefined,
    timeout: undefined,
    cascade: 'background',
    v: undefined,
  });
});

const refused: [line: string, message: string][] = [
  ['--foo', 'unknown flag: --foo'],
  ['--foo=1', 'unknown flag: --foo'],
  ['--namepsace=shop', 'unknown flag: --namepsace (did you mean --namespace?)'],
  ['-x', "unknown shorthand flag: 'x' in -x"],
  ['--namespace', 'flag needs an argument: --namespace'],
  ['-n', 'flag needs an argument: -n'],
  ['--watch=perhaps', '--watch must be true or false, not "perhaps"'],
  ['--chunk-size=-1', '--chunk-size must be an integer of at least 0, not "-1"'],
  ['--chunk-size=many', '--chunk-size must be an integer of at least 0, not "many"'],
  ['--timeout=soon', '--timeout must be a duration such as 30s or 1m30s, not "soon"'],
  ['--timeout=-1s', '--timeout must be a duration such as 30s or 1m30s, not "-1s"'],
  ['--cascade=all', '--cascade must be one of background, orphan, not "all"'],
];

for (const [line, message] of refused) {
  test(`${line} is refused by name`, () => {
    assert.throws(
      () => parseArguments(table, line.split(' ')),
      error => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, message);
        return true;
      },
    );
  });
}
