import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { typeFromSchema } from '../types/schema-types.ts';
import { compileValidationRule, type RuleOutcome, ruleEnvironment } from './validation-rule.ts';

function findOutcome(schema: JsonObject, rule: string, isRoot = false): RuleOutcome {
  const type = typeFromSchema(schema, { isRoot });
  assert.ok(type);
  return compileValidationRule(rule, ruleEnvironment(type));
}

const text = { type: 'string' };
const integer = { type: 'integer' };

const fleet = {
  type: 'object',
  properties: {
    smallest: integer,
    largest: integer,
    length: { type: 'number' },
    name: text,
    stamp: { type: 'string', format: 'byte' },
    built: { type: 'string', format: 'date' },
    watch: { type: 'string', format: 'duration' },
    share: { 'x-cluster-int-or-string': true },
    depths: { type: 'array', items: integer },
    flags: { type: 'array', items: text, 'x-cluster-list-type': 'set' },
    ports: { type: 'object', additionalProperties: integer },
    crews: {
      type: 'array',
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['ship'],
      items: { type: 'object', properties: { ship: text, size: integer } },
    },
    log: { type: 'object', 'x-cluster-preserve-unknown-fields': true, properties: { last: text } },
    namespace: text,
    'home-port': text,
  },
};

suite('validation rules', () => {
  const fine: readonly string[] = [
    'self.smallest <= self.largest',
    'self.length > 1.0 && double(self.largest) < self.length',
    "self.name.startsWith('a') && self.name.matches('^[a-z]+$')",
    "string(self.stamp) == 'x' && self.stamp == b'x'",
    "self.built < timestamp('2020-01-01T00:00:00Z') && self.built.getFullYear() == 1997",
    "self.watch + duration('1s') == duration('1m')",
    "self.share == 1 || self.share == '25%'",
    "type(self.share) == int ? self.largest <= self.share : double(self.share.replace('%', '')) >= 1.0",
    'self.depths.all(d, d > 0) && self.depths.max() < 10 && self.depths.sum() < 100',
    "self.flags + ['x'] == self.flags",
    "'a' in self.ports && self.ports.all(p, self.ports[p] > 0)",
    "self.crews.exists_one(c, c.ship == 'a' && has(c.size))",
    'self.crews.map(c, has(c.size), c.size).size() == 1',
    "self.log.last != ''",
    "self.__namespace__ == '' && self.home__dash__port == ''",
    "url('http://a:80/').getPort() == '80' && !isURL('a')",
    "self.name.find('[0-9]+') == '1' && self.name.findAll('x', 2) == []",
    'has(self.crews) ? true : false',
  ];
  for (const rule of fine)
    test(`${rule} is valid`, () => {
      const outcome = findOutcome(fleet, rule);
      assert.equal(outcome.kind, 'rule', outcome.kind === 'refused' ? outcome.message : '');
    });

  const refused: readonly (readonly [string, string])[] = [
    ['size(self.largest) == 10', "1:5: found no matching overload for 'size' applied to '(int)'"],
    ['self.namespace == 1', "1:5: undefined field 'namespace'"],
    ['self.log.first', "1:9: undefined field 'first'"],
    ['self == 10', "1:6: found no matching overload for '_==_' applied to '(object, int)'"],
    ['self.name != null', "1:11: found no matching overload for '_!=_' applied to '(string, null)'"],
    ['self.largest < self.length', "1:14: found no matching overload for '_<_' applied to '(int, double)'"],
    ["self['name'] == ''", "1:5: found no matching overload for '_[_]' applied to '(object, string)'"],
    ["self.crews[0] == {'ship': 'a'}", "applied to '(object.crews.@idx, map(string, string))'"],
    ["self.flags.sum() == 'a'", "found no matching overload for 'sum' applied to 'list(string).()'"],
    ['string(type(self.crews[0])).size() > 1', "found no matching overload for 'string' applied to '(type("],
    ['[1, true].size() == 2', "1:5: expected type 'int', found 'bool'"],
    ["'a'.format([]) == 'a'", "undeclared reference to 'format'"],
    ['other', "1:1: undeclared reference to 'other' (in container '')"],
    ['self.', '1:6: Syntax error: '],
    ['if', '1:1: Syntax error: '],
  ];
  for (const [rule, message] of refused)
    test(`${rule} is refused`, () => {
      const outcome = findOutcome(fleet, rule);
      assert.ok(outcome.kind === 'refused');
      assert.ok(outcome.message.startsWith('compilation failed: ERROR: <input>:'), outcome.message);
      assert.ok(outcome.message.includes(message), outcome.message);
    });

  test('a rule must return a bool', () => {
    for (const rule of ['42', "'a'", 'self', 'self.share', 'dyn(true)']) {
      const outcome = findOutcome(fleet, rule);
      assert.ok(outcome.kind === 'refused');
      assert.match(outcome.message, /must evaluate to a bool$/);
    }
  });

  test('a rule that uses oldSelf is a transition rule', () => {
    const transitions: readonly (readonly [string, boolean])[] = [
      ['self > 0', false],
      ['self >= oldSelf', true],
      ['[1].all(x, x < oldSelf)', true],
      ["'oldSelf' == ''", false],
    ];
    for (const [rule, isTransition] of transitions) {
      const outcome = findOutcome(integer, rule);
      assert.ok(outcome.kind === 'rule');
      assert.equal(outcome.isTransition, isTransition, rule);
    }
  });

  test('a blank rule is refused', () => {
    assert.deepEqual(findOutcome(fleet, ' \t'), { kind: 'empty' });
  });

  test('rules of whole objects can use metadata', () => {
    const root = { type: 'object' };
    assert.equal(findOutcome(root, "self.metadata.name != '' && self.kind == 'Pod'", true).kind, 'rule');
    assert.equal(findOutcome(root, "self.metadata.name != ''").kind, 'refused');
  });
});
