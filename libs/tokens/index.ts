export { type BoundObject, bindingClaim, podTokenSeconds, type TokenBinding } from './binding-claim.ts';
export { createTokenSigner, type TokenSigner } from './create-token-signer.ts';
export { jwkFromKey, publicKeysFrom } from './public-keys.ts';
export { secretTokenClaim, secretTokenClaims, secretTokenIssuer } from './secret-token-claims.ts';
export { algorithmFromKey, signatureAlgorithms } from './token-key.ts';
