export { tokenFlags, tokenReviewFlags } from './config.ts';
export { registerHealthChecks } from './health-checks.ts';
export { readTokenOptions } from './read-token-options.ts';
export { createTokenReview } from './token-review.ts';
