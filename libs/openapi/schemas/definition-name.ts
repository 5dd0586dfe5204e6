import { schemaNames } from '@binnacle/api-names';

/** The name of a definition in the documents: the messages of the API have the domain of its names before theirs. */
export function definitionName(fullName: string): string {
  const parts = fullName.split('.');
  // The messages of custom definitions have a reversed domain, a version and a kind.
  if (parts.length > 3) return fullName;
  const [area = '', ...rest] = parts;
  if (!isListed(area)) return schemaNames.api + fullName;
  return [schemaNames[area], ...rest].join('.');
}

function isListed(area: string): area is keyof typeof schemaNames {
  return area !== 'api' && Object.hasOwn(schemaNames, area);
}
