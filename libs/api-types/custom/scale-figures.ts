import { type ApiObject, type FieldError, invalidField } from '@binnacle/api-objects';
import type { ScalePaths } from '../definitions/definitions.ts';
import { valuesAt } from '../json-path/json-path.ts';
import { parseJsonPath } from '../json-path/json-path-parser.ts';

const largest = 2 ** 31 - 1;

/** The findings about the figures of a scale subresource, where an object has them. */
export function scaleFigureErrors(object: ApiObject, paths: ScalePaths): FieldError[] {
  return [paths.specReplicasPath, paths.statusReplicasPath].flatMap(path => {
    const parsed = parseJsonPath(path);
    if ('fault' in parsed) return [];
    const [root] = valuesAt(parsed.slice(0, 1), object);
    if (root !== undefined && root !== null && typeof root !== 'object')
      return [invalidField(path, root, 'must be below an object')];
    const [figure] = valuesAt(parsed, object);
    if (figure === undefined || figure === null) return [];
    const isCount =
      typeof figure === 'number' && Number.isInteger(figure) && figure >= 0 && figure <= largest;
    return isCount ? [] : [invalidField(path, figure, 'should be a non-negative integer')];
  });
}
