import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { heavyRequests, heavyYamlTexts } from '@binnacle/bench/testing';
import { decodeBodyAtOnce, decodePatchAtOnce, parseYamlSteps } from '@binnacle/codecs/testing';
import { isClientMistake } from './targets/fuzz-target.ts';

const entries = 20_000;
const registry = createTypeRegistry();
const kinds: Readonly<Record<string, string>> = {
  configmaps: 'ConfigMap',
  services: 'Service',
  pods: 'Pod',
  endpoints: 'Endpoints',
};
const tooMany = 5 * entries;

suite('YAML that is expensive for its length', () => {
  // Between two steps the parser takes at most so many characters that are not in one text.
  const charactersPerStep = 4096;
  for (const [what, text] of heavyYamlTexts(entries))
    test(`${what}: parsed in steps, or refused`, () => {
      let steps = 1;
      let taken = 0;
      try {
        for (const work = parseYamlSteps(Buffer.from(text)); !work.next().done; ) steps++;
        taken = text.length;
      } catch (error) {
        assert.ok(isClientMistake(error), String(error));
      }
      const isOneText = /text|escapes|documents/.test(what);
      if (!isOneText) assert.ok(steps >= taken / charactersPerStep, `${steps} steps`);
    });
});

suite('bodies that are expensive for their length', () => {
  for (const { what, resource, mediaType, body } of heavyRequests(tooMany).filter(
    ({ mediaType }) => !mediaType.includes('yaml'),
  ))
    test(`${what}: decoded or refused`, () => {
      const bytes = Buffer.from(body as Buffer); // a text or bytes, which are taken alike
      const definition = registry.kind('', 'v1', kinds[resource] ?? '')!; // every server has them
      try {
        if (mediaType.includes('patch'))
          decodePatchAtOnce(bytes, mediaType.includes('json-patch') ? 'operations' : 'object');
        else decodeBodyAtOnce(bytes, mediaType, { definition, fieldValidation: 'Warn' });
      } catch (error) {
        assert.ok(isClientMistake(error), String(error));
      }
    });
});
