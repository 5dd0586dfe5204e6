import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { BoundedOutput } from '../bounded-output.ts';
import { formatGoValue, type GoValue, goValueFromJson, readMember, sortedKeys } from '../values/go-value.ts';
import { assignVariable, evaluatePipeline, lastPlace, placeFromExpression } from './evaluate.ts';
import { type Frame, faultAt, takeStep, type Work } from './frame.ts';
import { isTrue } from './functions.ts';
import {
  type BranchNode,
  expressionText,
  type GoTemplate,
  type InvocationNode,
  mainTemplate,
  type TemplateNode,
} from './nodes.ts';

/** Options of running a template. */
interface RunOptions {
  /** Whether a key that a map has not is no value; it is an error otherwise. Default: yes. */
  readonly allowMissingKeys?: boolean;
  /** Nodes and values that may be visited. */
  readonly mostSteps?: number;
}

/** Bounds the work of a template, however its ranges multiply. */
const defaultSteps = 20_000_000;
/** Invocations of templates in each other. */
const deepestInvocation = 250;

/** The text that a template writes about a document. Throws a TemplateError in the words of Go, with the place in the template. */
export function goTemplateText(
  template: GoTemplate,
  document: JsonValue,
  { allowMissingKeys = true, mostSteps = defaultSteps }: RunOptions = {},
): string {
  const output = new BoundedOutput();
  const work = { stepsLeft: mostSteps };
  const run = new Run(template, output, { work, allowMissingKeys });
  run.start(goValueFromJson(document));
  return output.text();
}

/** How a list of nodes was left before its end. */
type Leaving = 'break' | 'continue' | undefined;

class Run {
  readonly #template: GoTemplate;
  readonly #output: BoundedOutput;
  readonly #common: { readonly work: Work; readonly allowMissingKeys: boolean };

  constructor(
    template: GoTemplate,
    output: BoundedOutput,
    common: { readonly work: Work; readonly allowMissingKeys: boolean },
  ) {
    this.#template = template;
    this.#output = output;
    this.#common = common;
  }

  start(dot: GoValue): void {
    this.#walk(this.#template.templates.get(mainTemplate) ?? [], dot, this.#frame(mainTemplate, dot, 0));
  }

  #frame(name: string, dot: GoValue, depth: number): Frame {
    return {
      ...this.#common,
      source: this.#template.text,
      name,
      depth,
      variables: [{ name: '$', value: dot }],
    };
  }

  #walk(nodes: readonly TemplateNode[], dot: GoValue, frame: Frame): Leaving {
    for (const node of nodes) {
      const leaving = this.#walkNode(node, dot, frame);
      if (leaving !== undefined) return leaving;
    }
    return undefined;
  }

  #walkNode(node: TemplateNode, dot: GoValue, frame: Frame): Leaving {
    takeStep(frame.work);
    switch (node.kind) {
      case 'text':
        this.#output.write(node.text);
        return undefined;
      case 'action': {
        const value = evaluatePipeline(node.pipeline, dot, frame);
        if (node.pipeline.variables.length === 0) this.#output.write(shown(value));
        return undefined;
      }
      case 'template':
        this.#invoke(node, dot, frame);
        return undefined;
      case 'break':
      case 'continue':
        return node.kind;
      case 'range':
        return this.#range(node, dot, frame);
      case 'if':
      case 'with':
        return this.#branch(node, dot, frame);
    }
  }

  #branch(node: BranchNode, dot: GoValue, frame: Frame): Leaving {
    const count = frame.variables.length;
    const value = evaluatePipeline(node.pipeline, dot, frame);
    const nodes = isTrue(value) ? node.body : node.otherwise;
    const leaving = this.#walk(nodes, node.kind === 'with' && isTrue(value) ? value : dot, frame);
    frame.variables.length = count;
    return leaving;
  }

  #range(node: BranchNode, dot: GoValue, frame: Frame): Leaving {
    const count = frame.variables.length;
    const value = evaluatePipeline(node.pipeline, dot, frame);
    let isEmpty = true;
    for (const [key, item] of listMembers(node, value, frame)) {
      isEmpty = false;
      const inner = frame.variables.length;
      setVariables(node, frame, { key, item });
      const leaving = this.#walk(node.body, item, frame);
      frame.variables.length = inner;
      if (leaving === 'break') break;
    }
    const leaving = isEmpty ? this.#walk(node.otherwise, dot, frame) : undefined;
    frame.variables.length = count;
    return leaving;
  }

  #invoke(node: InvocationNode, dot: GoValue, frame: Frame): void {
    const body = this.#template.templates.get(node.name);
    const place = { at: node.at, shown: invocationText(node) };
    if (body === undefined) throw faultAt(frame, place, `template ${JSON.stringify(node.name)} not defined`);
    if (frame.depth >= deepestInvocation)
      throw faultAt(frame, place, `exceeded maximum template depth (${deepestInvocation})`);
    const value = node.pipeline === undefined ? undefined : evaluatePipeline(node.pipeline, dot, frame);
    this.#walk(body, value, this.#frame(node.name, value, frame.depth + 1));
  }
}

/** The keys and values that a `range` goes through: of a map in the order of its keys, of an integer those below it. */
function* listMembers(
  node: BranchNode,
  value: GoValue,
  frame: Frame,
): Iterable<readonly [key: GoValue, item: GoValue]> {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield [BigInt(index), goValueFromJson(item)];
  } else if (isJsonObject(value)) {
    for (const key of sortedKeys(value)) yield [key, readMember(value, key)];
  } else if (typeof value === 'bigint') {
    if (node.pipeline.variables.length > 1)
      throw faultAt(
        frame,
        lastPlace(node.pipeline),
        `can't use ${value} to iterate over more than one variable`,
      );
    for (let index = 0n; index < value; index++) {
      takeStep(frame.work);
      yield [index, index];
    }
  } else {
    throw faultAt(frame, lastPlace(node.pipeline), `range can't iterate over ${formatGoValue(value)}`);
  }
}

/** One variable has the value, the first of two the key. */
function setVariables(
  { pipeline }: BranchNode,
  frame: Frame,
  { key, item }: { readonly key: GoValue; readonly item: GoValue },
): void {
  const values = pipeline.variables.length > 1 ? [key, item] : [item];
  for (const [index, { name }] of pipeline.variables.entries())
    assignVariable(name, values[index], frame, placeFromExpression(pipeline));
}

function shown(value: GoValue): string {
  return value === undefined || value === null ? '<no value>' : formatGoValue(value);
}

function invocationText({ name, pipeline }: InvocationNode): string {
  const value = pipeline === undefined ? '' : ` ${expressionText(pipeline)}`;
  return `{{template ${JSON.stringify(name)}${value}}}`;
}
