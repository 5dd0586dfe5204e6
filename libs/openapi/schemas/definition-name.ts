import { schemaNames } from '@binnacle/api-names';

/** Returns the name of a definition: the messages of the API have the prefix of the vocabulary. */
export function definitionName(fullName: string): string {
  const parts = fullName.split('.');
  // Messages of custom resource definitions consist of a reversed domain, a version and a kind.
  if (parts.length > 3) return fullName;
  const [area = '', ...rest] = parts;
  if (!isListed(area)) return schemaNames.api + fullName;
  return [schemaNames[area], ...rest].join('.');
}

function isListed(area: string): area is keyof typeof schemaNames {
  return area !== 'api' && Object.hasOwn(schemaNames, area);
}
