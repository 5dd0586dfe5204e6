import { understood } from '@binnacle/api-names';
import { equalJson, isJsonObject, type JsonValue } from '@binnacle/api-objects';
import type { Secret } from '@binnacle/api-types/core/v1';
import { secretTokenClaims, type TokenSigner } from '@binnacle/tokens';

/** The types of Secrets that hold the token of an account. */
export const tokenSecretTypes = understood.secretTypes.serviceAccountToken;

const { serviceAccountName, serviceAccountUid } = understood.annotations;
const accountAnnotations = serviceAccountName.map((nameAnnotation, index) => ({
  nameAnnotation,
  uidAnnotation: serviceAccountUid[index] ?? '',
}));

/** The account that a Secret names. */
export interface NamedAccount {
  readonly name: string;
  /** Uid of the account; empty where the Secret has none yet. */
  readonly uid: string;
  /** The annotation for the uid, in the domain of the annotation with the name. */
  readonly uidAnnotation: string;
}

/** The content of the Secrets of accounts. */
export interface TokenSecretParts {
  readonly signToken: TokenSigner;
  /** PEM of the certificate authority of the API; empty: Secrets get none. */
  readonly rootCa: string;
}

/** Finds the account that a Secret names by annotation; undefined where it names none. */
export function findNamedAccount({ metadata }: Secret): NamedAccount | undefined {
  const { annotations = {} } = metadata;
  return accountAnnotations
    .map(({ nameAnnotation, uidAnnotation }) => ({
      name: annotations[nameAnnotation] ?? '',
      uid: annotations[uidAnnotation] ?? '',
      uidAnnotation,
    }))
    .find(({ name }) => name !== '');
}

/**
 * Creates the Secret completed with token, certificate authority, namespace, and uid of its account; undefined where it is complete. A
 * token with the right claims stays, whichever key has signed it: tokens of an old key may still be valid. An immutable Secret stays
 * unchanged.
 */
export async function completedSecret(
  secret: Secret,
  account: NamedAccount,
  { signToken, rootCa }: TokenSecretParts,
): Promise<Secret | undefined> {
  if (secret.immutable === true) return undefined;
  const { metadata, data = {} } = secret;
  const { name: secretName = '', namespace = '', annotations = {} } = metadata;
  const { uidAnnotation } = account;
  const claims = secretTokenClaims({ namespace, secretName, account });
  const wanted: Record<string, string> = {};
  if (!says(decodeText(data['token']), claims)) wanted['token'] = await signToken(claims);
  if (rootCa !== '' && decodeText(data['ca.crt']) !== rootCa) wanted['ca.crt'] = rootCa;
  if (decodeText(data['namespace']) !== namespace) wanted['namespace'] = namespace;
  if (Object.keys(wanted).length === 0 && annotations[uidAnnotation] === account.uid) return undefined;
  const encoded = Object.entries(wanted).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return {
    ...secret,
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, annotations: { ...annotations, [uidAnnotation]: account.uid } },
    data: { ...data, ...Object.fromEntries(encoded) },
  };
}

function decodeText(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString();
}

/** Whether a token has three parts, and exactly these claims. */
function says(token: string, claims: Readonly<Record<string, string>>): boolean {
  const parts = token.split('.');
  if (parts.length !== 3 || parts[2] === '') return false;
  try {
    const payload: JsonValue = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    return isJsonObject(payload) && equalJson(payload, claims);
  } catch {
    return false;
  }
}
