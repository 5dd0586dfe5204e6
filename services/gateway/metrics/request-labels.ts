import type { Exchange } from '../pipeline/exchange.ts';

/** The labels of a request, from a bounded set of values. */
export interface RequestLabels {
  readonly verb: string;
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
}

const verbLabels: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  post: 'POST',
  put: 'PUT',
};

/** The labels of a request; what is not served has empty ones. */
export function requestLabels(exchange: Exchange): RequestLabels {
  const { target, resolved, query, request } = exchange;
  const isApply = request.headers['content-type']?.startsWith('application/apply-patch') === true;
  const verb = target.verb === 'patch' && isApply ? 'APPLY' : (verbLabels[target.verb] ?? 'OTHER');
  const dryRun = query.get('dryRun') === 'All' ? 'All' : '';
  if (resolved === undefined) {
    return { verb, dryRun, group: '', version: '', resource: '', subresource: '', scope: '' };
  }
  const { definition, info } = resolved;
  const { group, version, resource } = definition;
  return { verb, dryRun, group, version, resource, subresource: info.subresource, scope: scopeOf(info) };
}

function scopeOf(info: { name: string; namespace: string }): string {
  if (info.name !== '') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
