export { type BoundObject, bindingClaim, podTokenSeconds, type TokenBinding } from './binding-claim.ts';
export { createTokenSigner, type TokenSigner } from './create-token-signer.ts';
export { jwkOf, publicKeysFrom } from './public-keys.ts';
export { secretTokenClaim, secretTokenClaims, secretTokenIssuer } from './secret-token-claims.ts';
export { algorithmOf, signatureAlgorithms } from './token-key.ts';
