export { parseTokenFile } from './authenticators/static-token-file.ts';
export { readVerificationKeys, type VerificationKeys } from './authenticators/verification-keys.ts';
export { tokenFlags, tokenReviewFlags } from './config.ts';
export { readTokenOptions } from './read-token-options.ts';
export { createTokenReview, type TokenReviewOptions } from './token-review.ts';
