import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  booleanFlag,
  choiceFlag,
  durationFlag,
  integerFlag,
  listFlag,
  optionalBooleanFlag,
  parseDuration,
  stringFlag,
} from './flag.ts';
import { FlagError, parseFlags, settingsFrom, TextRequested } from './parse-flags.ts';

const spec = {
  dataDir: stringFlag({ description: 'Where data is kept.', default: '.binnacle' }),
  name: stringFlag({ description: 'A name.' }),
  historyWindow: durationFlag({ description: 'How far back.', default: 300_000, min: 1000 }),
  workers: integerFlag({ description: 'How many.', default: 2, min: 1, max: 8 }),
  verbose: booleanFlag({ description: 'Says more.' }),
  feed: choiceFlag(['kafka', 'direct'], { description: 'Which feed.', default: 'kafka' }),
  peers: listFlag({ description: 'Who else.' }),
  careful: optionalBooleanFlag({ description: 'Left to the program.' }),
};
const defaults = {
  dataDir: '.binnacle',
  name: undefined,
  historyWindow: 300_000,
  workers: 2,
  verbose: false,
  feed: 'kafka',
  peers: [],
  careful: undefined,
};

const accepted: {
  argv: string[];
  env?: Record<string, string>;
  values: Partial<Record<keyof typeof spec, unknown>>;
}[] = [
  { argv: [], values: {} },
  { argv: ['--data-dir', 'x', '--workers=3'], values: { dataDir: 'x', workers: 3 } },
  { argv: ['--data-dir='], values: { dataDir: '' } },
  { argv: ['--name=a=b'], values: { name: 'a=b' } },
  { argv: ['--verbose', '--feed', 'direct'], values: { verbose: true, feed: 'direct' } },
  { argv: ['--verbose=false'], env: { BINNACLE_VERBOSE: 'true' }, values: { verbose: false } },
  { argv: ['--careful'], values: { careful: true } },
  { argv: ['--careful=false'], values: { careful: false } },
  { argv: [], env: { BINNACLE_CAREFUL: 'true' }, values: { careful: true } },
  { argv: ['--peers', 'a,b', '--peers=c'], values: { peers: ['a', 'b', 'c'] } },
  {
    argv: [],
    env: { BINNACLE_HISTORY_WINDOW: '1m30s', BINNACLE_PEERS: 'a, b' },
    values: { historyWindow: 90_000, peers: ['a', 'b'] },
  },
];

const refused: { argv: string[]; env?: Record<string, string>; message: RegExp }[] = [
  {
    argv: ['--histroy-window=5m'],
    message: /^unknown flag --histroy-window \(did you mean --history-window\?\); see --help$/,
  },
  { argv: ['--naem=x'], message: /^unknown flag --naem \(did you mean --name\?\); see --help$/ },
  { argv: ['--nam=x'], message: /^unknown flag --nam \(did you mean --name\?\); see --help$/ },
  { argv: ['--colour', 'red'], message: /^unknown flag --colour; see --help$/ },
  { argv: ['--tip'], message: /^unknown flag --tip; see --help$/ },
  { argv: ['stray'], message: /unexpected argument "stray"/ },
  { argv: ['--'], message: /unexpected argument "--"/ },
  { argv: ['-v'], message: /unexpected argument "-v"/ },
  { argv: ['-vw', '3'], message: /unexpected argument "-vw"/ },
  { argv: ['--no-verbose'], message: /unknown flag --no-verbose/ },
  { argv: ['--__proto__=x'], message: /unknown flag --__proto__/ },
  { argv: ['--data-dir'], message: /--data-dir needs a value/ },
  { argv: ['--workers', '-1'], message: /--workers must be at least 1/ },
  { argv: ['--workers', 'many'], message: /--workers must be a whole number/ },
  { argv: ['--workers=9'], message: /--workers must be at most 8/ },
  { argv: ['--workers=1', '--workers=2'], message: /--workers is given more than once/ },
  { argv: ['--verbose=perhaps'], message: /--verbose must be true or false/ },
  { argv: ['--feed=carrier-pigeon'], message: /--feed must be one of kafka, direct/ },
  { argv: [], env: { BINNACLE_HISTORY_WINDOW: '5' }, message: /BINNACLE_HISTORY_WINDOW must be a duration/ },
  { argv: ['--history-window=10ms'], message: /--history-window must be at least 1000/ },
];

test('arguments win over the environment, which wins over defaults', () => {
  for (const { argv, env = {}, values } of accepted) {
    assert.deepEqual(parseFlags(spec, argv, env), { ...defaults, ...values }, argv.join(' '));
  }
});

test('values that cannot be parsed are refused with the flag', () => {
  for (const { argv, env = {}, message } of refused) {
    assert.throws(
      () => parseFlags(spec, argv, env),
      error => error instanceof FlagError && message.test(error.message),
    );
  }
});

test('a required flag must be given', () => {
  const required = { address: stringFlag({ description: 'Where.', required: true }) };
  assert.throws(() => parseFlags(required, [], {}), {
    message: '--address (BINNACLE_ADDRESS) must be given',
  });
  assert.deepEqual(parseFlags(required, [], { BINNACLE_ADDRESS: 'x' }), { address: 'x' });
});

test('settings are the given values and the defaults of all others', () => {
  const given = { workers: 3, careful: undefined, peers: ['a'], log: 'no flag' };
  assert.deepEqual(settingsFrom(spec, given), { ...defaults, workers: 3, peers: ['a'] });
  const required = { address: stringFlag({ description: 'Where.', required: true }) };
  assert.throws(() => settingsFrom(required), FlagError);
  assert.deepEqual(settingsFrom(required, { address: 'x' }), { address: 'x' });
});

test('the help text names every flag, its default and its variable', () => {
  assert.throws(
    () => parseFlags(spec, ['--help'], {}),
    error => {
      assert.ok(error instanceof TextRequested);
      assert.match(
        error.message,
        /--history-window <duration>\n {6}How far back\. \(default: 5m; BINNACLE_HISTORY_WINDOW\)/,
      );
      assert.match(error.message, /--verbose\n/);
      return true;
    },
  );
});

test('durations are sums of units', () => {
  assert.deepEqual(
    ['0', '250ms', '1.5s', '1h30m', '2m5s'].map(parseDuration),
    [0, 250, 1500, 5_400_000, 125_000],
  );
  for (const text of ['', '5', 's', '5 s', '-5s', '5d']) assert.throws(() => parseDuration(text));
});
