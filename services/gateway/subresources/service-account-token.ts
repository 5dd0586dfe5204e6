import { groups } from '@binnacle/api-names';
import {
  type ApiObject,
  causeFromFieldError,
  type FieldError,
  fieldPath,
  invalidField,
  timestampFrom,
} from '@binnacle/api-objects';
import type {
  BoundObjectReference,
  TokenRequest,
  TokenRequestSpec,
} from '@binnacle/api-types/authentication/v1';
import type { Pod } from '@binnacle/api-types/core/v1';
import { badRequest, conflict, invalid, StatusError } from '@binnacle/status-errors';
import type { BoundObject, TokenBinding } from '@binnacle/tokens';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { type ReviewServices, reviewWrite } from '../write/engine/review.ts';
import { parseWriteOptions, type WriteOptions } from '../write/write-options.ts';
import { type NamedObjectServices, readNamed } from './read-named.ts';
import { decodeSubresourceBody } from './request-body.ts';
import type { TokenIssuer } from './token-issuer.ts';

const kindName = { group: groups.authentication, kind: 'TokenRequest' };
const defaultSeconds = 3600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;

/** Services that issue tokens. */
export interface TokenServices extends ReviewServices {
  /** Undefined: this server issues none. */
  readonly tokenIssuer: TokenIssuer | undefined;
  readonly clock: () => number;
}

/**
 * POST on a service account's `token`: issues a token for it, good until it expires or until the account, or the pod or
 * secret that it is bound to, is gone. Throws NotFound for a missing account or bound object.
 */
export async function requestToken(request: ApiRequest, services: TokenServices): Promise<ApiResult> {
  const issuer = requireIssuer(services);
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const { object: sent, apiVersion } = await decodeSubresourceBody(request, options);
  assertValid(request.info.name, nameErrors(request, sent));
  const account = await readNamed(request, services, {
    resource: 'serviceaccounts',
    name: request.info.name,
  });
  const issuedAt = Math.floor(services.clock() / 1000);
  const complete = completion(request, issuer, issuedAt);
  const reviewed = complete(await reviewedRequest(request, services, { object: complete(sent), options }));
  assertValid(request.info.name, nameErrors(request, reviewed));
  const { spec, metadata } = reviewed;
  // A refused token request has no name, as in kube-apiserver.
  assertValid('', expirationErrors(spec.expirationSeconds));
  const seconds = Number(spec.expirationSeconds);
  const binding = await readBinding(request, services, { account, spec });
  const token = await issuer.issue({
    binding,
    audiences: spec.audiences,
    issuedAt,
    seconds,
  });
  const expirationTimestamp = timestampFrom((issuedAt + seconds) * 1000);
  return {
    kind: 'object',
    code: 201,
    object: {
      kind: kindName.kind,
      apiVersion,
      metadata,
      spec: {
        audiences: [...spec.audiences],
        expirationSeconds: spec.expirationSeconds,
        boundObjectRef: spec.boundObjectRef ?? null,
      },
      status: { token, expirationTimestamp },
    },
  };
}

type CompleteSpec = TokenRequestSpec & {
  readonly audiences: string[];
  readonly expirationSeconds: number | bigint;
};
type CompleteRequest = TokenRequest & { readonly spec: CompleteSpec };

/** Fills in the values that the server decides on and those that the request leaves out, again after each webhook. */
function completion({ info }: ApiRequest, { audiences }: TokenIssuer, issuedAt: number) {
  return (object: TokenRequest): CompleteRequest => {
    const { spec = {}, status: _, ...rest } = object;
    const { managedFields: __, ...metadata } = object.metadata;
    return {
      ...rest,
      metadata: {
        ...metadata,
        name: metadata.name || info.name,
        namespace: info.namespace,
        creationTimestamp: timestampFrom(issuedAt * 1000),
      },
      spec: {
        ...spec,
        audiences: spec.audiences?.length ? spec.audiences : [...audiences],
        expirationSeconds: spec.expirationSeconds ?? defaultSeconds,
      },
    };
  };
}

/** The request as admission lets it pass. A token is no write, so nothing can change before it is issued. */
async function reviewedRequest(
  request: ApiRequest,
  services: ReviewServices,
  { object, options }: { readonly object: TokenRequest; readonly options: WriteOptions },
): Promise<TokenRequest> {
  const review = await reviewWrite(request, services, {
    operation: 'CREATE',
    name: request.info.name,
    object,
    options: options.json,
    dryRun: options.dryRun,
  });
  request.warnings.push(...review.warnings);
  return review.object;
}

function requireIssuer({ tokenIssuer }: TokenServices): TokenIssuer {
  if (tokenIssuer !== undefined) return tokenIssuer;
  const message = 'this server issues no tokens: it runs without --service-account-signing-key-file';
  throw new StatusError({ reason: 'NotFound', code: 404, message, details: {} });
}

function nameErrors({ info }: ApiRequest, { metadata }: ApiObject): FieldError[] {
  const { name = '' } = metadata;
  if (name === '' || name === info.name) return [];
  return [invalidField('metadata.name', name, 'must match the service account name if specified')];
}

function expirationErrors(seconds: number | bigint): FieldError[] {
  const path = fieldPath('spec', 'expirationSeconds');
  if (seconds < minSeconds)
    return [invalidField(path, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > maxSeconds)
    return [invalidField(path, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function assertValid(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kindName, name, errors.map(causeFromFieldError));
}

async function readBinding(
  request: ApiRequest,
  services: NamedObjectServices,
  { account, spec }: { readonly account: ApiObject; readonly spec: TokenRequestSpec },
): Promise<TokenBinding> {
  const serviceaccount: BoundObject = { name: request.info.name, uid: account.metadata.uid ?? '' };
  const { boundObjectRef: reference } = spec;
  const bound = reference === undefined ? {} : await readBoundObject(request, services, reference);
  return { namespace: request.info.namespace, serviceaccount, ...bound };
}

/**
 * The pod or secret that a token is to be bound to, as its claims name it. Throws NotFound when there is none, Conflict
 * when it has another uid, BadRequest for another kind and for a pod that runs as another account.
 */
async function readBoundObject(
  request: ApiRequest,
  services: NamedObjectServices,
  reference: BoundObjectReference,
): Promise<Pick<TokenBinding, 'pod' | 'secret'>> {
  const { name = '', uid: sent = '' } = reference;
  const kind = `${reference.apiVersion ?? ''} ${reference.kind ?? ''}`;
  if (kind !== 'v1 Pod' && kind !== 'v1 Secret')
    throw badRequest(`cannot bind token to object of type ${kind}: only a Pod or a Secret of v1`);
  const isPod = kind === 'v1 Pod';
  const object = await readNamed(request, services, { resource: isPod ? 'pods' : 'secrets', name });
  if (isPod) assertRunsAs(request, object);
  const { uid = '' } = object.metadata;
  if (sent !== '' && sent !== uid) {
    const why = `the UID in the bound object reference (${sent}) does not match the UID in record`;
    throw conflict({ group: '', resource: isPod ? 'Pod' : 'Secret' }, name, `${why} (${uid})`);
  }
  return isPod ? { pod: { name, uid } } : { secret: { name, uid } };
}

function assertRunsAs({ info }: ApiRequest, { spec }: Pod): void {
  const account = spec?.serviceAccountName ?? '';
  if (account === info.name) return;
  throw badRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(info.name)} to a pod that runs as ${JSON.stringify(account)}`,
  );
}
