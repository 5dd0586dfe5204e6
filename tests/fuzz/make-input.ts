import { pickOne, type Random } from './random.ts';

/** Inputs have at most so many bytes. */
export const longestInput = 65_536;

/** The sources of inputs. */
interface InputSources {
  /** Inputs that were kept, and those that a parser accepts. */
  readonly kept: readonly Buffer[];
  readonly words: readonly string[];
}

/** Makes an input: mostly a kept one with a few changes, else words of the language in a row, or any bytes. */
export function makeInput(random: Random, sources: InputSources): Buffer {
  const kind = random(10);
  const made =
    kind === 0 ? anyBytes(random) : kind < 4 ? wordsInARow(random, sources) : pickOne(random, sources.kept);
  let input = made;
  for (let changes = kind < 4 ? random(2) : 1 + random(4); changes > 0; changes--)
    input = pickOne(random, mutations)(input, random, sources);
  return Buffer.from(input.subarray(0, longestInput));
}

type Mutation = (input: Buffer, random: Random, sources: InputSources) => Buffer;

const mutations: readonly Mutation[] = [
  flipBits,
  replaceByte,
  removeRange,
  repeatRange,
  insertWord,
  insertWord,
  repeatWord,
  nestWords,
  splice,
  insertNumber,
];

const numbers = [
  '0',
  '-1',
  '1e309',
  '-0',
  '9007199254740993',
  '1'.repeat(40),
  '0x7fffffff',
  '1e-400',
  '00',
  '.5',
];

function anyBytes(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random(200) }, () => random(256)));
}

function wordsInARow(random: Random, { words }: InputSources): Buffer {
  return Buffer.from(Array.from({ length: 1 + random(60) }, () => pickOne(random, words)).join(''));
}

function flipBits(input: Buffer, random: Random): Buffer {
  if (input.length === 0) return input;
  const changed = Buffer.from(input);
  const at = random(input.length);
  changed[at] = changed[at]! ^ (1 << random(8)); // within the input
  return changed;
}

function replaceByte(input: Buffer, random: Random): Buffer {
  if (input.length === 0) return input;
  const changed = Buffer.from(input);
  changed[random(input.length)] = random(256);
  return changed;
}

function removeRange(input: Buffer, random: Random): Buffer {
  const [start, end] = chooseRange(input, random);
  return Buffer.concat([input.subarray(0, start), input.subarray(end)]);
}

/** Twice as a rule, sometimes until the input is as long as it may be. */
function repeatRange(input: Buffer, random: Random): Buffer {
  const [start, end] = chooseRange(input, random);
  const length = end - start;
  if (length === 0) return input;
  const times = random(4) === 0 ? random(Math.ceil(longestInput / length)) : 1 + random(3);
  return inserted(
    input,
    end,
    Buffer.alloc(Math.min(longestInput, length * times), input.subarray(start, end)),
  );
}

function insertWord(input: Buffer, random: Random, { words }: InputSources): Buffer {
  return inserted(input, random(input.length + 1), Buffer.from(pickOne(random, words)));
}

function repeatWord(input: Buffer, random: Random, { words }: InputSources): Buffer {
  const word = pickOne(random, words);
  const times = random(8) === 0 ? random(Math.ceil(longestInput / word.length)) : random(600);
  return inserted(input, random(input.length + 1), Buffer.from(word.repeat(times)));
}

/** `([x` becomes `([x([x([x`, perhaps with as many of another word behind. */
function nestWords(input: Buffer, random: Random, { words }: InputSources): Buffer {
  const opening = Array.from({ length: 1 + random(3) }, () => pickOne(random, words)).join('');
  const closing = random(2) === 0 ? '' : pickOne(random, words);
  const times = random(Math.ceil(4096 / opening.length));
  return inserted(
    input,
    random(input.length + 1),
    Buffer.from(opening.repeat(times) + closing.repeat(times)),
  );
}

function splice(input: Buffer, random: Random, { kept }: InputSources): Buffer {
  const other = pickOne(random, kept);
  const [start, end] = chooseRange(other, random);
  return inserted(input, random(input.length + 1), other.subarray(start, end));
}

function insertNumber(input: Buffer, random: Random): Buffer {
  return inserted(input, random(input.length + 1), Buffer.from(pickOne(random, numbers)));
}

function chooseRange(input: Buffer, random: Random): [start: number, end: number] {
  const start = random(input.length + 1);
  return [start, Math.min(input.length, start + 1 + random(random(4) === 0 ? input.length + 1 : 16))];
}

function inserted(input: Buffer, at: number, content: Uint8Array): Buffer {
  return Buffer.concat([input.subarray(0, at), content, input.subarray(at)]);
}
