import { type ApiObject, equalJson, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObjects, asText, asTexts } from '../values/json-access.ts';
import { addressTypeChangeErrors, endpointSliceErrors } from './endpoint-slice-validation.ts';

/** The rules of EndpointSlice objects: the type of addresses stays as created; the deprecated topology is not kept. */
export const endpointSliceRules: KindRules = {
  generation: true,
  prepareForCreate: dropDeprecatedTopology,
  prepareForUpdate(object, old) {
    if (!equalJson(object['endpoints'] ?? null, old['endpoints'] ?? null)) dropDeprecatedTopology(object);
    // Labels say which service a slice is of: they count as a change of the slice itself.
    if (!equalJson(object.metadata.labels ?? {}, old.metadata.labels ?? {}))
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: endpointSliceErrors,
  validateUpdate: addressTypeChangeErrors,
  columns: [
    nameColumn,
    column('AddressType', 'The type of all addresses of the slice.'),
    column('Ports', 'The ports of every endpoint.'),
    column('Endpoints', 'The addresses of the endpoints.'),
    ageColumn,
  ],
  cells,
};

const shownItems = 3;

function dropDeprecatedTopology(object: ApiObject): void {
  for (const endpoint of asObjects(object['endpoints'])) delete endpoint['deprecatedTopology'];
}

function cells(object: ApiObject, now: number): JsonValue[] {
  return [
    nameOf(object),
    asText(object['addressType']),
    firstFew(asObjects(object['ports']).map(portText)),
    firstFew(asObjects(object['endpoints']).flatMap(endpoint => asTexts(endpoint['addresses']))),
    ageOf(object, now),
  ];
}

function portText(port: JsonObject): string {
  return typeof port['port'] === 'number' ? String(port['port']) : asText(port['name']) || '*';
}

function firstFew(texts: readonly string[]): string {
  if (texts.length === 0) return '<unset>';
  const shown = texts.slice(0, shownItems).join(',');
  return texts.length > shownItems ? `${shown} + ${texts.length - shownItems} more...` : shown;
}
