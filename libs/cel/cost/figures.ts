/**
 * The costs of evaluation steps. Comparisons, list literals and regular expressions are as in specification 2, "Limits"; other
 * figures are those of kube-apiserver.
 */
export const figures = {
  /** A variable access. */
  name: 1,
  /** The selection of a field, element or key. */
  selection: 1,
  /** A call without a cost of its own: conversions, arithmetic, sizes, accessors. */
  call: 1,
  /** `==`, `!=`, `<` and other comparisons, regardless of the operands. */
  comparison: 1,
  listLiteral: 40,
  mapLiteral: 30,
  messageLiteral: 40,
  /** Each code point or byte that a function traverses. */
  traversal: 0.1,
  /** Each code point of a pattern, in estimates. */
  patternEstimate: 0.25,
  /** Minimum cost of a regular expression, as a fraction of the instructions of its compiled program. */
  program: 1 / 32,
} as const;

/** Cost budgets, in the same unit. */
export const costBudgets = {
  /** One evaluation of one expression. */
  call: 1_000_000,
  /** All expressions evaluated for one object. */
  object: 10_000_000,
  /** All match conditions of one request. */
  matchConditions: 2_500_000,
} as const;
