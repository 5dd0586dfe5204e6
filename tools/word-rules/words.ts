/** A refused word, and the plain one to write instead. */
interface RefusedWord {
  /** Matched against text in lower case; names are split at capitals, `isResting` is read as `is resting`. */
  readonly pattern: RegExp;
  readonly instead: string;
  /** `names`: refused in names alone, because sentences need the word. Default: in names, comments, documents and sentences. */
  readonly only?: 'names' | 'sentences';
  /** Files about a thing that has the word as its proper name. */
  readonly unlessFile?: { readonly has: RegExp; readonly reason: string };
}

/** The words that are refused. */
export const refusedWords: readonly RefusedWord[] = [
  {
    pattern: /\bfield's (servers?|clients?)\b|\b(clients|servers) of the field\b/,
    instead: 'Kubernetes, kube-apiserver, kubectl, existing clients',
  },
  {
    pattern: /\bown appl(y|ies)\b|\bfield owners?\b|\bowner(s|ship)? of (a |the |its |their )?fields?\b/,
    instead: 'field manager, managed fields',
  },
  { pattern: /\bcompanions?\b/, instead: 'joint write' },
  { pattern: /\brequired revisions?\b/, instead: 'precondition' },
  { pattern: /\bagain\b|\banother round\b/, instead: 'retry, reinvocation, repeated', only: 'names' },
  { pattern: /\b(tried|tries|trying) again\b/, instead: 'retry' },
  {
    pattern: /\boffer(s|ed)? plugins?\b|\bplugin offers?\b/,
    instead: 'plugin registration, registered plugin',
  },
  { pattern: /\bupkeep\b/, instead: 'migration on read, conversion' },
  { pattern: /\bspell(s|ing|ings|ed)?\b|\bspelt\b/, instead: 'alias, name; written' },
  { pattern: /\bpatience\b/, instead: 'timeout' },
  { pattern: /\bnotes of (a|the) requests?\b/, instead: 'audit annotations' },
  { pattern: /\blanes?\b/, instead: 'queue, per-key lock' },
  { pattern: /^#known$/, instead: 'cache', only: 'names' },
  {
    pattern: /\bwhat (is|are) (told|given|had)\b|\bto be had\b|\bbeing given to others\b/,
    instead: 'the name of the thing',
  },
  {
    pattern:
      /\brest(s|ed|ing)\b|\b(a|an|every|each|no|its|longest|last) rest\b(?! of)|\b(to|must|may) rest\b/,
    instead: 'throttle, yield, wait',
  },
  {
    pattern: /\bclaim(s|ed|ing|ants?)?\b/,
    instead: 'reservation, reserve',
    unlessFile: {
      has: /\btokens?\b|\bjwt\b|volume|pvc-|reservedFor|oidc|OtherClaims/i,
      reason: 'claims of tokens, volumes and devices',
    },
  },
  { pattern: /\b(un)?seal(s|ed|ing|ers?)?\b/, instead: 'encrypted, signed' },
  { pattern: /\bhurr(y|ies|ied|ying)\b/, instead: 'expedite, urgent' },
  { pattern: /^#?takes\b/, instead: 'accepts', only: 'names' },
  { pattern: /\b(has|have|had) (its|their|a) say\b/, instead: 'accepts, reviews' },
  { pattern: /\b(is|are|was|were) asked about\b/, instead: 'reviews' },
  { pattern: /\bfiles? of (the )?certificates?\b(?! authorit)/, instead: 'certificate files' },
  { pattern: /\bforms? of (one|a single) process\b/, instead: 'the standalone form' },
  {
    pattern: /\b(nobody|somebody|someone|whoever|anybody|anyone)\b/,
    instead: 'the caller, another writer, no user',
    only: 'sentences',
  },
];

/** A text in which a refused word is correct. */
interface Exception {
  readonly text: string;
  readonly reason: string;
}

/** Texts that are taken out before words are looked for. */
export const exceptions: readonly Exception[] = [
  { text: '--feed-accept-unsealed', reason: 'the earlier name of a flag' },
  { text: 'binnacle-seal', reason: 'a header of records in topics that exist' },
  { text: '`sealed` and `unsealed`', reason: 'the earlier values of a label of a metric' },
  { text: "'seal'", reason: 'the purpose that a key is derived for' },
  { text: 'resources.claims', reason: 'a field of containers' },
  { text: '/_claims/', reason: 'the beginning of keys in stores that exist' },
];

/** Files that are not looked at, by the beginnings of their paths. */
export const exemptFiles: ReadonlyMap<string, string> = new Map([
  ['tools/word-rules/', 'the words themselves'],
  ['tools/check-wire/retired/', 'protocols of others'],
]);
