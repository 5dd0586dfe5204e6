/**
 * The costs of steps of expressions. Comparisons, list literals and regular expressions are as specification 2, "Limits" has
 * them; where it is silent, figures are those of kube-apiserver.
 */
export const figures = {
  /** A variable. */
  name: 1,
  /** A field, an element, a key. */
  selection: 1,
  /** A call of what has no cost of its own: conversions, arithmetic, sizes, accessors. */
  call: 1,
  /** `==`, `!=`, `<` and the like, whatever is compared. */
  comparison: 1,
  listLiteral: 40,
  mapLiteral: 30,
  messageLiteral: 40,
  /** Of each code point or byte that a function goes through. */
  traversal: 0.1,
  /** Of each code point of a pattern, in estimates. */
  patternEstimate: 0.25,
  /** A regular expression costs as one of at least this part of its compiled program's instructions. */
  program: 1 / 32,
} as const;

/** Budgets, in the same unit. */
export const costBudgets = {
  /** One expression, once. */
  call: 1_000_000,
  /** All expressions over one object. */
  object: 10_000_000,
  /** All match conditions of one request. */
  matchConditions: 2_500_000,
} as const;
