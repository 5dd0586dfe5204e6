export { parseTokenFile } from './authenticators/static-token-file.ts';
export { bindingClaim } from './authenticators/token-claims.ts';
export {
  algorithmOf,
  keyIdOf,
  readVerificationKeys,
  type VerificationKeys,
} from './authenticators/verification-keys.ts';
export { tokenFlags } from './config.ts';
export { readTokenOptions } from './read-token-options.ts';
export { createTokenReview, type TokenReviewOptions } from './token-review.ts';
