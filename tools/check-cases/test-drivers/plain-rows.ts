import type { RowPair } from './rows.ts';

const inHarbour = { key: 'sea', operator: 'in', values: ['north'] };
const invalidField = (field: string) => ({ type: 'FieldValueInvalid', field });

/** One pair of rows for each group of the files about selectors, quantities and names. */
export const plainRows: Readonly<Record<string, Readonly<Record<string, RowPair>>>> = {
  selectors: {
    'labels/parse': {
      right: { text: 'sea in(north)', requirements: [inHarbour], canonical: 'sea in (north)' },
      wrong: { text: 'sea in(north)', error: true },
    },
    'labels/valid': {
      right: { text: ' a = b ', canonical: 'a=b' },
      wrong: { text: 'a=b', canonical: 'a==b' },
    },
    'labels/invalid': { right: 'a b', wrong: 'a' },
    'labels/sameMeaning': { right: ['a,b', 'b,a'], wrong: ['a', 'b'] },
    'labels/matches': {
      right: { selector: '!sea', labels: { lake: 'x' }, match: true },
      wrong: { selector: 'sea', labels: { lake: 'x' }, match: true },
    },
    'labels/requirementMatches': {
      right: { requirements: [inHarbour], labels: { sea: 'north' }, match: true },
      wrong: { requirements: [inHarbour], labels: { sea: 'baltic' }, match: true },
    },
    'labels/setMatches': {
      right: { set: { a: 'b' }, labels: { a: 'b', c: 'd' }, match: true },
      wrong: { set: { a: 'b' }, labels: {}, match: true },
    },
    'labels/requirement': {
      right: { key: 'a', operator: 'exists', values: ['b'], errors: [invalidField('values')] },
      wrong: { key: 'a', operator: 'exists', values: ['b'], errors: [] },
    },
    'labels/toText': {
      right: { requirements: [inHarbour], text: 'sea in (north)' },
      wrong: { requirements: [inHarbour], text: 'sea=north' },
    },
    'labels/fromSet': {
      right: { set: { a: 'b' }, requirements: [{ key: 'a', operator: '=', values: ['b'] }] },
      wrong: { set: { a: '?' } },
    },
    'labelSelector/toText': {
      right: { selector: { matchLabels: { a: 'b' } }, text: 'a=b' },
      wrong: { selector: {}, matches: 'nothing' },
    },
    'labelSelector/validate': {
      right: { selector: { matchLabels: { '?': 'b' } }, errors: [invalidField('labelSelector.matchLabels')] },
      wrong: { selector: { matchLabels: { '?': 'b' } }, errors: [] },
    },
    'fields/valid': { right: 'a=b,c!=d', wrong: 'c=d,a=b' },
    'fields/invalid': { right: 'a', wrong: 'a=b' },
    'fields/sameMeaning': { right: ['a=b', 'a==b'], wrong: ['a=b', 'a!=b'] },
    'fields/matches': {
      right: { selector: 'a!=b', fields: {}, match: true },
      wrong: { selector: 'a=b', fields: {}, match: true },
    },
    'fields/setMatches': {
      right: { set: { a: '' }, fields: {}, match: true },
      wrong: { set: { a: 'b' }, fields: {}, match: true },
    },
    'fields/term': {
      right: { text: 'a==b\\,', left: 'a', operator: '==', right: 'b\\,' },
      wrong: { text: 'a=b', left: 'a', operator: '!=', right: 'b' },
    },
    'fields/escape': { right: { value: 'a,b', escaped: 'a\\,b' }, wrong: { value: 'a,b', escaped: 'a,b' } },
    'fields/escapeInvalid': { right: 'a\\b', wrong: 'ab' },
  },
  quantities: {
    parse: {
      right: {
        text: '1.5',
        value: '1.5',
        format: 'decimal',
        canonical: '1500m',
        negCanonical: '-1500m',
        int: null,
      },
      wrong: {
        text: '2Ki',
        value: '2000',
        format: 'binary',
        canonical: '2Ki',
        negCanonical: '-2Ki',
        int: 2000,
      },
    },
    invalid: { right: 'ten', wrong: '10' },
    emit: { right: { text: '1024Ki', canonical: '1Mi' }, wrong: { text: '1024Ki', canonical: '1024Ki' } },
    write: {
      right: { value: '2048', format: 'binary', text: '2Ki', alternate: '2.0Ki' },
      wrong: { value: '2048', format: 'binary', text: '2048' },
    },
    json: { right: { json: '0.5', text: '500m' }, wrong: { json: 'true', text: '1' } },
    compare: { right: { a: '1', b: '1000m', compare: 0 }, wrong: { a: '1', b: '2', compare: 1 } },
    compareValues: { right: { a: '0.5', b: '0.25', compare: 1 }, wrong: { a: '0.5', b: '0.5', compare: 1 } },
    add: {
      right: { a: '0', aFormat: 'decimal', b: '1024', bFormat: 'binary', value: '1024', text: '1Ki' },
      wrong: { a: '1', aFormat: 'decimal', b: '1', bFormat: 'binary', value: '2', text: '2Ki' },
    },
    subtract: {
      right: { a: '1', aFormat: 'decimal', b: '3', bFormat: 'decimal', value: '-2', text: '-2' },
      wrong: { a: '1', aFormat: 'decimal', b: '3', bFormat: 'decimal', value: '2', text: '2' },
    },
    addZeroKeepsSuffix: {
      right: {
        a: '2Ki',
        b: '0',
        sum: '2Ki',
        reverseSum: '2Ki',
        difference: '2Ki',
        reverseDifference: '-2Ki',
      },
      wrong: {
        a: '2Ki',
        b: '0',
        sum: '2048',
        reverseSum: '2Ki',
        difference: '2Ki',
        reverseDifference: '-2Ki',
      },
    },
    negate: { right: { value: '7', result: '-7' }, wrong: { value: '7', result: '7' } },
    roundUp: {
      right: { text: '1.01', scale: 0, value: '2', exact: false },
      wrong: { text: '1.01', scale: 0, value: '1', exact: false },
    },
    fromMilli: {
      right: { milli: 1500, format: 'decimal', text: '1500m', readsBack: true },
      wrong: { milli: 1500, format: 'decimal', text: '1.5', readsBack: false },
    },
    fromInteger: {
      right: { integer: 2048, format: 'binary', text: '2Ki' },
      wrong: { integer: 2048, format: 'decimal', text: '2Ki' },
    },
    fromScaled: { right: { value: 7, scale: -3, text: '7m' }, wrong: { value: 7, scale: -3, text: '7' } },
    toScaled: { right: { from: -3, to: 0, result: 1 }, wrong: { from: -3, to: 0, result: 0 } },
    rescale: {
      right: { unscaled: '15', scale: 1, newScale: 0, result: '2' },
      wrong: { unscaled: '15', scale: 1, newScale: 0, result: '1' },
    },
    float: {
      right: { value: '0.5', format: 'decimal', float: '0.5' },
      wrong: { value: '0.5', format: 'decimal', float: '0.25' },
    },
    floatOfText: { right: { text: '2Ki', float: '2048' }, wrong: { text: '2Ki', float: '2000' } },
    read: {
      right: { text: '2Ki', integer: 2048, format: 'binary' },
      wrong: { text: '2Ki', integer: 2048, format: 'decimal' },
    },
  },
  names: {
    'formats/percent/valid': { right: '7%', wrong: '7' },
    'formats/percent/invalid': { right: { value: '7', says: [0] }, wrong: { value: '7%', says: [0] } },
    'formats/fullyQualifiedName/phrases': { right: { value: 'a.b' }, wrong: { value: 'a.b.c' } },
    'metadata/labels': {
      right: { labels: { a: '?' }, errors: [invalidField('field')] },
      wrong: { labels: { a: '?' }, errors: [] },
    },
    'metadata/annotations': {
      right: {
        annotations: { a: { repeat: 'x', times: 262_144 } },
        errors: [{ type: 'FieldValueTooLong', field: 'field' }],
      },
      wrong: { annotations: { a: { repeat: 'x', times: 262_143 } }, errors: [invalidField('field')] },
    },
    'metadata/fieldManager': {
      right: { manager: 'a\n', errors: [invalidField('fieldManager')] },
      wrong: { manager: 'a\n', errors: [] },
    },
    'metadata/managedFields': {
      right: { entry: { operation: 'Sail' }, errors: [invalidField('managedFields[0].operation')] },
      wrong: { entry: { operation: 'Apply' }, errors: [invalidField('managedFields[0].operation')] },
    },
    'metadata/ownerReferences': {
      right: { ownerReferences: [{ apiVersion: 'v1', kind: 'Boat', name: 'x', uid: '1' }], errors: [] },
      wrong: { ownerReferences: [{ apiVersion: 'v1', kind: 'Boat', name: '', uid: '1' }], errors: [] },
    },
    'metadata/create': {
      right: { metadata: { name: 'a', namespace: 'A' }, errorCount: 1 },
      wrong: { metadata: { name: 'a' }, errorCount: 1 },
    },
    'metadata/update': {
      right: {
        old: { name: 'a', deletionTimestamp: 'set' },
        new: { name: 'a', deletionTimestamp: 'set' },
        errors: [],
      },
      wrong: { old: { name: 'a', generation: 2 }, new: { name: 'a', generation: 1 }, errors: [] },
    },
    'metadata/maskTrailingDash': {
      right: { before: 'ab-', after: 'aa' },
      wrong: { before: 'ab-', after: 'ab-' },
    },
  },
};
