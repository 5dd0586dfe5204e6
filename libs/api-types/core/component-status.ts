import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ComponentStatus } from '../generated/core/v1.ts';
import { column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of ComponentStatus objects, which are created on request and never stored. */
export const componentStatusRules: KindRules<ComponentStatus> = {
  columns: [
    nameColumn,
    column('Status', 'Healthy, Unhealthy or Unknown.'),
    column('Message', 'The answer of the component.'),
    column('Error', 'The error of the component.'),
  ],
  cells,
};

/** The result of a health check of a component. */
interface ComponentHealth {
  readonly name: string;
  readonly healthy: boolean;
  /** The body of the component's response. */
  readonly message: string;
  /** The error if it did not respond; '' otherwise. */
  readonly error: string;
}

/** Creates the ComponentStatus of a health check. */
export function componentStatusFrom({ name, healthy, message, error }: ComponentHealth): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name },
    conditions: [
      {
        type: 'Healthy',
        status: healthy ? 'True' : error === '' ? 'False' : 'Unknown',
        ...(message !== '' && { message }),
        ...(error !== '' && { error }),
      },
    ],
  };
}

function cells(object: ComponentStatus): JsonValue[] {
  const condition = (object.conditions ?? []).find(({ type }) => type === 'Healthy');
  const status = condition ? (condition.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown';
  return [nameCell(object), status, condition?.message ?? '', condition?.error ?? ''];
}
