import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from '../generated/flowcontrol/v1beta3.ts';
import { mandatoryErrors, mandatoryPriorityLevels } from './mandatory.ts';

const maxQueues = 10_000_000;
/** Number of bits of the hash from which a hand of queues is dealt. */
const maxEntropyBits = 60;

/** Validates a priority level. */
export function priorityLevelErrors({ metadata, spec = {} }: PriorityLevelConfiguration): FieldError[] {
  const path = fieldPath('spec');
  const { name = '' } = metadata;
  const { type = '', limited } = spec;
  const errors: FieldError[] = [];
  if ((name === 'exempt') !== (type === 'Exempt'))
    errors.push(
      invalidField(path.child('type'), type, "'Exempt' is the type of the level 'exempt', and of no other"),
    );
  errors.push(...typeErrors(type, limited, path));
  errors.push(...mandatoryErrors(name, spec, mandatoryPriorityLevels));
  return errors;
}

function typeErrors(
  type: string,
  limited: LimitedPriorityLevelConfiguration | undefined,
  path: FieldPath,
): FieldError[] {
  switch (type) {
    case 'Exempt':
      return limited ? [forbiddenField(path.child('limited'), 'is for the type Limited only')] : [];
    case 'Limited':
      return limited
        ? limitErrors(limited, path.child('limited'))
        : [requiredField(path.child('limited'), 'is required of the type Limited')];
    case '':
      return [requiredField(path.child('type'))];
    default:
      return [notSupportedField(path.child('type'), type, ['Exempt', 'Limited'])];
  }
}

function limitErrors(limited: LimitedPriorityLevelConfiguration, path: FieldPath): FieldError[] {
  const { lendablePercent, borrowingLimitPercent, nominalConcurrencyShares: shares = 0 } = limited;
  const errors =
    shares > 0 ? [] : [invalidField(path.child('nominalConcurrencyShares'), shares, 'must be positive')];
  errors.push(...responseErrors(limited.limitResponse ?? {}, path.child('limitResponse')));
  if (lendablePercent !== undefined && (lendablePercent < 0 || lendablePercent > 100))
    errors.push(
      invalidField(path.child('lendablePercent'), lendablePercent, 'must be between 0 and 100, inclusive'),
    );
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0)
    errors.push(
      invalidField(path.child('borrowingLimitPercent'), borrowingLimitPercent, 'must not be negative'),
    );
  return errors;
}

function responseErrors({ type = '', queuing }: LimitResponse, path: FieldPath): FieldError[] {
  switch (type) {
    case 'Reject':
      return queuing ? [forbiddenField(path.child('queuing'), 'is for the type Queue only')] : [];
    case 'Queue':
      return queuing
        ? queuingErrors(queuing, path.child('queuing'))
        : [requiredField(path.child('queuing'), 'is required of the type Queue')];
    case '':
      return [requiredField(path.child('type'))];
    default:
      return [notSupportedField(path.child('type'), type, ['Queue', 'Reject'])];
  }
}

function queuingErrors(queuing: QueuingConfiguration, path: FieldPath): FieldError[] {
  const { queues = 0, handSize = 0 } = queuing;
  const fields = ['queueLengthLimit', 'queues', 'handSize'] as const;
  const errors = fields
    .filter(field => (queuing[field] ?? 0) <= 0)
    .map(field => invalidField(path.child(field), queuing[field] ?? 0, 'must be positive'));
  if (queues > maxQueues)
    errors.push(invalidField(path.child('queues'), queues, `must not be greater than ${maxQueues}`));
  else if (handSize > queues)
    errors.push(
      invalidField(path.child('handSize'), handSize, `should not be greater than queues (${queues})`),
    );
  else if (entropyBits(queues, handSize) > maxEntropyBits)
    errors.push(
      invalidField(
        path.child('handSize'),
        handSize,
        `dealing ${handSize} of ${queues} queues takes more than the available ${maxEntropyBits} bits`,
      ),
    );
  return errors;
}

/** Returns the number of bits needed to distinguish all hands: the logarithm of the number of ordered hands. */
function entropyBits(queues: number, handSize: number): number {
  let bits = 0;
  for (let i = 0; i < handSize && bits <= maxEntropyBits; i++) bits += Math.log2(queues - i);
  return Math.ceil(bits);
}
