import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Quantity,
  quantityFromInteger,
  quantityToNumber,
  readJson,
  roundUpQuantity,
  subtractQuantities,
} from '@binnacle/api-objects';
import {
  negateQuantity,
  parseQuantity,
  type QuantityFormat,
  quantityFromMilli,
  quantityToScaled,
} from '@binnacle/api-objects/testing';
import { checkTypes, messageNamed } from '@binnacle/api-types';
import { type CaseFile, leftOut, type RowGroup, rowGroup } from './cases/case-file.ts';
import { differs, firstProblem, mustFail } from './cases/compare.ts';

/** A row has those of these that its group is about; the file says which. */
interface QuantityRow {
  readonly text: string;
  readonly value: string;
  readonly format: QuantityFormat | 'unknown';
  readonly canonical: string;
  readonly negCanonical: string;
  readonly alternate?: string;
  readonly result?: string;
  readonly int: number | string | null;
  readonly json: string;
  readonly scale: number;
  readonly exact: boolean;
  readonly milli?: number;
  readonly integer?: number;
  readonly readsBack: boolean;
  readonly float: string;
}

interface PairRow {
  readonly a: string;
  readonly b: string;
  readonly aFormat: QuantityFormat;
  readonly bFormat: QuantityFormat;
  readonly compare: number;
  readonly value: string;
  readonly text: string;
  readonly sum: string;
  readonly reverseSum: string;
  readonly difference: string;
  readonly reverseDifference: string;
}

interface ScaleRow {
  readonly from: number;
  readonly to: number;
  readonly result: number | string;
  readonly unscaled: string;
  readonly scale: number;
  readonly newScale: number;
}

/** The cases of quantities: texts, values, and the arithmetic on them. */
export function quantityCases(document: JsonObject): CaseFile {
  return {
    groups: [...textGroups(document), ...arithmeticGroups(document), ...numberGroups(document)],
    leftOut: [leftOut(document, 'split', { reason: 'a step within the parser' })],
  };
}

function textGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup(document, 'parse', problemOfParse),
    rowGroup<string>(document, 'invalid', text => mustFail(() => parseQuantity(text))),
    rowGroup<QuantityRow>(document, 'emit', ({ text, canonical }) =>
      firstProblem(
        differs(formatQuantity(parseQuantity(text)), canonical, 'the canonical text'),
        differs(formatQuantity(parseQuantity(`-${text}`)), negated(canonical), 'the negative one'),
      ),
    ),
    rowGroup<QuantityRow>(document, 'write', row => {
      const quantity = createQuantity(row.value, row.format);
      return firstProblem(
        differs(formatQuantity(quantity), row.text, 'the text'),
        differs(formatQuantity(negateQuantity(quantity)), negated(row.text), 'the negative one'),
        row.alternate === undefined
          ? undefined
          : differs(formatQuantity(parseQuantity(row.alternate)), row.text, 'the other text'),
      );
    }),
    rowGroup<QuantityRow>(document, 'json', ({ json, text }) =>
      differs(readFromJson(readJson(json)), text, 'the canonical text'),
    ),
  ];
}

function arithmeticGroups(document: JsonObject): RowGroup[] {
  const operation = (operate: typeof addQuantities) => (row: PairRow) => {
    const result = operate(createQuantity(row.a, row.aFormat), createQuantity(row.b, row.bFormat));
    return firstProblem(
      differs(result.nanos, parseNanos(row.value), 'the value'),
      differs(formatQuantity(result), row.text, 'the text'),
    );
  };
  return [
    rowGroup<PairRow>(document, 'compare', ({ a, b, compare }) =>
      differs(compareQuantities(parseQuantity(a), parseQuantity(b)), compare),
    ),
    rowGroup<PairRow>(document, 'compareValues', ({ a, b, compare }) =>
      differs(compareQuantities(createQuantity(a), createQuantity(b)), compare),
    ),
    rowGroup(document, 'add', operation(addQuantities)),
    rowGroup(document, 'subtract', operation(subtractQuantities)),
    rowGroup<PairRow>(document, 'addZeroKeepsSuffix', row => {
      const [a, b] = [parseQuantity(row.a), parseQuantity(row.b)];
      return firstProblem(
        differs(formatQuantity(addQuantities(a, b)), row.sum, 'the sum'),
        differs(formatQuantity(addQuantities(b, a)), row.reverseSum, 'the sum the other way round'),
        differs(formatQuantity(subtractQuantities(a, b)), row.difference, 'the difference'),
        differs(formatQuantity(subtractQuantities(b, a)), row.reverseDifference, 'the negative difference'),
      );
    }),
    rowGroup<QuantityRow>(document, 'negate', ({ value, format, text, result }) => {
      const negative = negateQuantity(createQuantity(value, format));
      return result === undefined
        ? differs(formatQuantity(negative), text, 'the text')
        : differs(negative.nanos, parseNanos(result), 'the value');
    }),
    rowGroup<QuantityRow>(document, 'roundUp', ({ text, scale, value, exact }) => {
      const quantity = parseQuantity(text);
      const rounded = roundUpQuantity(quantity, scale);
      return firstProblem(
        differs(rounded.nanos, parseNanos(value), 'the value'),
        differs(rounded.nanos === quantity.nanos, exact, 'exactness'),
      );
    }),
  ];
}

function numberGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<QuantityRow>(document, 'fromMilli', row => problemOfNew(row, quantityFromMilli, row.milli ?? 0)),
    rowGroup<QuantityRow>(document, 'fromInteger', row =>
      problemOfNew(row, quantityFromInteger, row.integer ?? 0),
    ),
    rowGroup<QuantityRow>(document, 'fromScaled', ({ value, scale, text }) =>
      differs(formatQuantity(createQuantity(`${value}e${scale}`)), text, 'the text'),
    ),
    rowGroup<ScaleRow>(document, 'toScaled', ({ from, to, result }) =>
      differs(String(quantityToScaled(createQuantity(`1e${from}`), to)), String(result)),
    ),
    rowGroup<ScaleRow>(document, 'rescale', ({ unscaled, scale, newScale, result }) =>
      differs(String(quantityToScaled(createQuantity(`${unscaled}e${-scale}`), -newScale)), String(result)),
    ),
    rowGroup<QuantityRow>(document, 'float', ({ value, format, float }) =>
      differs(quantityToNumber(createQuantity(value, format)), Number(float.replace('Inf', 'Infinity'))),
    ),
    rowGroup<QuantityRow>(document, 'floatOfText', ({ text, float }) =>
      differs(quantityToNumber(parseQuantity(text)), Number(float)),
    ),
    rowGroup<QuantityRow>(document, 'read', ({ text, format, integer, milli }) => {
      const quantity = parseQuantity(text);
      return firstProblem(
        differs(quantity.format, format, 'the format'),
        integer === undefined ? undefined : differs(quantityToScaled(quantity, 0), BigInt(integer)),
        milli === undefined ? undefined : differs(quantityToScaled(quantity, -3), BigInt(milli)),
      );
    }),
  ];
}

function problemOfParse(row: QuantityRow): string | undefined {
  const quantity = parseQuantity(row.text);
  const negative = parseQuantity(`-${row.text}`);
  // Only what needs no suffix of a fraction has a value as a whole number.
  const isWhole = quantity.nanos % 1_000_000_000n === 0n;
  return firstProblem(
    differs(quantity.nanos, parseNanos(row.value), 'the value'),
    differs(quantity.format, row.format, 'the format'),
    differs(formatQuantity(quantity), row.canonical, 'the canonical text'),
    differs(parseQuantity(`+${row.text}`), quantity, 'what a plus gives'),
    differs(negative.nanos, -quantity.nanos, 'the negative value'),
    differs(formatQuantity(negative), row.negCanonical, 'the negative canonical text'),
    row.int === null || !isWhole
      ? undefined
      : differs(String(quantityToScaled(quantity, 0)), String(row.int), 'the integer'),
  );
}

function problemOfNew(
  row: QuantityRow,
  create: (value: number, format: QuantityFormat) => Quantity,
  value: number,
): string | undefined {
  const quantity = create(value, quantityFormat(row.format));
  return firstProblem(
    differs(formatQuantity(quantity), row.text, 'the text'),
    row.readsBack ? differs(parseQuantity(row.text), quantity, 'what is read back') : undefined,
  );
}

/** The canonical form of a value that stands in a document. */
function readFromJson(value: JsonValue): JsonValue | undefined {
  const spec: JsonObject = { hard: { x: value } };
  const { mismatch } = checkTypes(messageNamed('core.v1.ResourceQuotaSpec'), spec);
  if (mismatch !== undefined) throw new Error(`it is refused: ${mismatch.found}`);
  return isJsonObject(spec['hard']) ? spec['hard']['x'] : undefined;
}

function createQuantity(value: string, format: QuantityRow['format'] = 'decimal'): Quantity {
  return { nanos: parseNanos(value), format: quantityFormat(format) };
}

function quantityFormat(format: QuantityRow['format']): QuantityFormat {
  return format === 'unknown' ? 'exponent' : format;
}

function negated(text: string): string {
  return text === '0' ? text : `-${text}`;
}

const decimal = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/;

/** Reads an exact decimal text (`-12.5`, `12e500`) as billionths, rounded up, away from zero. */
function parseNanos(text: string): bigint {
  const match = decimal.exec(text);
  if (match === null) throw new Error(`${JSON.stringify(text)} is no decimal number`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const power = Number(exponent) - fraction.length + 9;
  const nanos = power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
  return sign === '-' ? -nanos : nanos;
}

function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}
