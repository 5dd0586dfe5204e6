import { equalJson, type JsonValue, nextGeneration } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { EndpointPort, EndpointSlice } from '../generated/discovery/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { addressTypeChangeErrors, endpointSliceErrors } from './endpoint-slice-validation.ts';

/** The rules of EndpointSlice objects: the address type is immutable; deprecatedTopology is dropped. */
export const endpointSliceRules: KindRules<EndpointSlice> = {
  generation: true,
  gatedFields: [{ gate: 'TopologyAwareHints', paths: ['endpoints[].hints'] }],
  prepareForCreate: dropDeprecatedTopology,
  prepareForUpdate(object, old) {
    if (!equalJson(object.endpoints ?? null, old.endpoints ?? null)) dropDeprecatedTopology(object);
    // A change of labels, which assign a slice to its Service, increments the generation.
    if (!equalJson(object.metadata.labels ?? {}, old.metadata.labels ?? {}))
      object.metadata.generation = nextGeneration(old.metadata.generation);
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

function dropDeprecatedTopology(object: EndpointSlice): void {
  for (const endpoint of object.endpoints ?? []) delete endpoint.deprecatedTopology;
}

function cells(object: EndpointSlice, now: number): JsonValue[] {
  return [
    nameCell(object),
    object.addressType ?? '',
    firstFew((object.ports ?? []).map(portText)),
    firstFew((object.endpoints ?? []).flatMap(endpoint => endpoint.addresses ?? [])),
    ageCell(object, now),
  ];
}

function portText(port: EndpointPort): string {
  return typeof port.port === 'number' ? String(port.port) : port.name || '*';
}

function firstFew(texts: readonly string[]): string {
  if (texts.length === 0) return '<unset>';
  const shown = texts.slice(0, shownItems).join(',');
  return texts.length > shownItems ? `${shown} + ${texts.length - shownItems} more...` : shown;
}
