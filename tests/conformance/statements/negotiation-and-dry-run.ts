import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Content negotiation" and "Dry-run". */
export const negotiationAndDryRunStatements: readonly Statement[] = [
  {
    place: '1/Content negotiation/1',
    says: 'The default is application/json, which every built-in type supports.',
  },
  {
    place: '1/Content negotiation/2',
    says: 'Accept asks for protobuf; a body in protobuf needs its Content-Type.',
  },
  { place: '1/Content negotiation/3', says: 'Accept asks for a Table on GET.' },
  { place: '1/Content negotiation/4', says: 'Several types may be listed, to fall back to JSON.' },
  {
    place: '1/Content negotiation/5',
    says: 'A request that no representation can serve is answered with 406.',
  },
  {
    place: '1/Content negotiation/5, custom definitions',
    says: 'Types of custom definitions have no protobuf.',
  },
  {
    place: '1/Content negotiation/5, aggregated servers',
    says: 'Types of aggregated servers have no protobuf.',
    untestable: 'no request is passed on to aggregated servers: an APIService is stored only',
  },
  { place: '1/Dry-run/1', says: 'dryRun is empty, which is a normal request, or All.' },
  {
    place: '1/Dry-run/2',
    says: 'With All every stage runs but the write: final object, normal code, nothing stored, no side effects.',
  },
  {
    place: '1/Dry-run/3',
    says: 'A dry run that would reach an admission component with side effects fails; webhooks say that they have none.',
  },
  { place: '1/Dry-run/4', says: 'Generated values may differ from those of a real request.' },
  { place: '1/Dry-run/5', says: 'A dry run needs the rights of the real request.' },
];
