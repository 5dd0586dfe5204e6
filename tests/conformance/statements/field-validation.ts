import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "Field validation". */
export const fieldValidationStatements: readonly Statement[] = [
  { place: '1/Field validation/1', says: 'The types of fields are checked whatever is asked for.' },
  { place: '1/Field validation/2a', says: 'Fields that the schema does not have are dropped by default.' },
  { place: '1/Field validation/2b', says: 'Of fields that occur twice one is dropped by default.' },
  {
    place: '1/Field validation/2c',
    says: 'A custom definition that opts out of pruning keeps unknown fields.',
  },
  { place: '1/Field validation/3a', says: 'fieldValidation is understood on POST, PUT and PATCH.' },
  {
    place: '1/Field validation/3b',
    says: 'The gate ServerSideFieldValidation is beta: on, and it can be switched off.',
  },
  {
    place: '1/Field validation/Ignore',
    says: 'Ignore: the request succeeds and fields are dropped silently.',
  },
  {
    place: '1/Field validation/Warn',
    says: 'Warn, the default: the request succeeds with a Warning header for each unknown or duplicate field.',
  },
  {
    place: '1/Field validation/Strict',
    says: 'Strict: 400 that lists every unknown and duplicate field.',
  },
];
