/** API object exports for tests of other packages, besides index.ts. */

export { escapeFieldValue } from './field-selector.ts';
export {
  type LabelOperator,
  labelRequirement,
  labelRequirementText,
  validateLabelRequirement,
} from './label-requirement.ts';
export { createLabelSelector } from './label-selector.ts';
export { validateCIdentifier } from './names.ts';
export { validateSocketAddress } from './network-names.ts';
export { maskTrailingDash, validateManagedFields } from './object-meta-validation.ts';
export {
  canonicalQuantity,
  negateQuantity,
  parseQuantity,
  type QuantityFormat,
  quantityFromMilli,
  quantityToScaled,
} from './quantity.ts';
