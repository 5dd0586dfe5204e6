import { apiVersionOf, type JsonObject } from '@binnacle/api-objects';
import type { WebhookConverted } from '@binnacle/api-types';
import { internalError } from '@binnacle/status-errors';
import type { ApiRequest, GatewayServices } from '../../pipeline/api-request.ts';
import { isWebhookConverted } from '../../versions/converted-bytes.ts';

/** An object that is needed in another version. */
interface WantedVersion {
  readonly object: JsonObject;
  readonly to: WebhookConverted;
}

/** Says that work cannot go on before an object was converted. */
class ConversionNeeded extends Error {
  readonly key: string;
  readonly wanted: WantedVersion;

  constructor(key: string, wanted: WantedVersion) {
    super(`an object is needed in the version ${apiVersionOf(wanted.to)}`);
    this.name = 'ConversionNeeded';
    this.key = key;
    this.wanted = wanted;
  }
}

/** What was converted for a request, by the object and the version that was wanted. */
const settled = new WeakMap<ApiRequest, Map<string, JsonObject>>();
/** An apply looks at the object before, after and pruned, each in every version that has field managers. */
const mostConversions = 100;

/**
 * Does work that may need objects in versions that a webhook makes: it is repeated whenever a conversion that it needed
 * has come, so it must be free of side effects. For kinds that no webhook converts it is done once.
 */
export async function withConversions<T>(
  request: ApiRequest,
  services: Pick<GatewayServices, 'conversions'>,
  work: () => Promise<T>,
): Promise<T> {
  return isWebhookConverted(request.definition) ? await settle(request, services, work) : await work();
}

/** The object in another version, in work that `withConversions` does. */
export function convertedFor(request: ApiRequest, wanted: WantedVersion): JsonObject {
  const key = `${wanted.to.version} ${JSON.stringify(wanted.object)}`;
  const converted = settled.get(request)?.get(key);
  if (converted === undefined) throw new ConversionNeeded(key, wanted);
  return converted;
}

async function settle<T>(
  request: ApiRequest,
  { conversions }: Pick<GatewayServices, 'conversions'>,
  work: () => Promise<T>,
): Promise<T> {
  const known = settled.get(request) ?? new Map<string, JsonObject>();
  settled.set(request, known);
  for (let count = 0; count <= mostConversions; count++) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof ConversionNeeded)) throw thrown;
      const { key, wanted } = thrown;
      known.set(key, await conversions.convert(wanted.to, wanted.object, request.call));
    }
  }
  throw internalError(`a ${request.definition.kind} has owners in too many versions`);
}
