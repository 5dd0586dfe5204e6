import type protobuf from 'protobufjs';
import { docComment, lowerFirst, serviceInterfaceName } from './names.ts';

const hotOption = '(binnacle.internal.hot)';

/**
 * The interface and the contract of one service.
 *
 * A service with a client-streaming method has no typed client: it gets the paths of its methods.
 */
export function renderService(service: protobuf.Service, protoName: string): string {
  const methods = service.methodsArray;
  if (methods.some(method => method.requestStream)) {
    return methods.map(method => renderPath(service, method)).join('\n');
  }
  const interfaceName = serviceInterfaceName(service.name);
  const comment = docComment(service.comment, `The service \`${service.name}\` of \`${protoName}\`.`);
  const contractName = `${lowerFirst(service.name)}Contract`;
  return `${comment}export interface ${interfaceName} {
${methods.map(renderMember).join('')}}

/** The contract of \`${interfaceName}\`: its name and methods on the wire. */
export const ${contractName}: ServiceContract<${interfaceName}> = {
  name: '${fullName(service)}',
  methods: [
${methods.map(method => renderMethod(service, method)).join('')}  ],
};
`;
}

function renderMember(method: protobuf.Method): string {
  const { request, response } = findMessageNames(method);
  const kind = method.responseStream ? 'StreamingMethod' : 'UnaryMethod';
  const comment = docComment(method.comment, `The method \`${method.name}\`.`, '  ');
  return `${comment}  readonly ${lowerFirst(method.name)}: ${kind}<${request}, ${response}>;\n`;
}

function renderMethod(service: protobuf.Service, method: protobuf.Method): string {
  const { request, response } = findMessageNames(method);
  const hot = method.getOption(hotOption) === true;
  return `    {
      name: '${lowerFirst(method.name)}',
      path: '/${fullName(service)}/${method.name}',
      serverStreaming: ${method.responseStream === true},
      hot: ${hot},
      request: ${lowerFirst(request)}Codec,
      response: ${lowerFirst(response)}Codec,
    },
`;
}

function renderPath(service: protobuf.Service, method: protobuf.Method): string {
  const name = `${lowerFirst(service.name)}${method.name}Path`;
  const path = `/${fullName(service)}/${method.name}`;
  return `/** Path of the method \`${method.name}\` of \`${service.name}\`. */\nexport const ${name} = '${path}';\n`;
}

function findMessageNames(method: protobuf.Method): { request: string; response: string } {
  method.resolve();
  const request = method.resolvedRequestType;
  const response = method.resolvedResponseType;
  if (!request || !response) throw new Error(`${method.fullName}: a message type is missing`);
  return { request: request.name, response: response.name };
}

function fullName(service: protobuf.Service): string {
  return service.fullName.replace(/^\./, '');
}
