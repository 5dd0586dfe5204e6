import type { ApiRequest } from '../../request/api-request.ts';

/** The name of a manager has this many bytes at most. */
const longestName = 128;
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/**
 * The name under which a write is recorded: what the client gave as `fieldManager`, else the part of its user agent
 * before the first slash as far as it can be printed and fits; '' if that is nothing (spec 1, server-side apply, 2).
 */
export function fieldManagerOf({ query, userAgent }: Pick<ApiRequest, 'query' | 'userAgent'>): string {
  const given = query.get('fieldManager') ?? '';
  return given === '' ? nameFrom(userAgent) : given;
}

function nameFrom(userAgent: string): string {
  const [product = ''] = userAgent.split('/', 1);
  let name = '';
  let size = 0;
  for (const character of product) {
    if (unprintable.test(character)) continue;
    size += Buffer.byteLength(character);
    if (size > longestName) break;
    name += character;
  }
  return name;
}
