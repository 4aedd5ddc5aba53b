/**
 * Turns an input schema with combinators at its top into a plain object schema. The result accepts everything that the
 * schema accepts, and more where a plain object cannot express it.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../shared/is-object.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { followPointer } from './pointer.ts';

type Parameter = JsonSchema | boolean;

/** The parameters that a value may have, and those that it must have. */
interface Shape {
  parameters: Map<string, Parameter>;
  required: Set<string>;
  /** True if other parameters are allowed, with any value. */
  isOpen: boolean;
}

/** Keywords at the top of a schema with restrictions that a plain object cannot express. */
const combinators = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf'];
const restrictions = [
  'not',
  'if',
  'then',
  'else',
  'enum',
  'const',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
];
const annotations = ['title', 'description', 'examples', 'default', '$schema', '$defs', 'definitions'];

/** Maximum number of parts, because references may multiply alternatives. Further parts count as unknown. */
const maxParts = 500;
const anything: Shape = { parameters: new Map(), required: new Set(), isOpen: true };

/** Returns the same object if it is already plain. */
export function objectSchema(schema: JsonSchema): JsonSchema {
  const isCombined = combinators.some((key) => schema[key] !== undefined);
  const isRestricted = restrictions.some((key) => schema[key] !== undefined);
  if (!isCombined && !isRestricted && schema.type === 'object') return schema;
  if (!isCombined) {
    const rest = Object.entries(schema).filter(([key]) => !restrictions.includes(key));
    return { ...Object.fromEntries(rest), type: 'object' };
  }
  const { parameters, required } = shapeOf(schema, { root: schema, parts: 0, open: new Set() });
  const listed = [...required].filter((name) => parameters.has(name));
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([key]) => annotations.includes(key))),
    type: 'object',
    properties: Object.fromEntries(parameters),
    ...(listed.length > 0 && { required: listed }),
  };
}

interface Walk {
  root: JsonSchema;
  /** The number of parts seen so far. */
  parts: number;
  /** The schemas that contain the current one, to detect cycles. */
  open: Set<unknown>;
}

function shapeOf(schema: unknown, walk: Walk): Shape {
  if (!isObject(schema) || walk.open.has(schema) || walk.parts >= maxParts) return anything;
  walk.parts += 1;
  walk.open.add(schema);
  const shapes = [ownShape(schema)];
  if (typeof schema.$ref === 'string') shapes.push(shapeOf(followPointer(walk.root, schema.$ref), walk));
  for (const member of listOf(schema.allOf)) shapes.push(shapeOf(member, walk));
  for (const branches of [schema.anyOf, schema.oneOf]) {
    const possible = listOf(branches).filter(acceptsObjects);
    if (possible.length > 0) shapes.push(either(possible.map((branch) => shapeOf(branch, walk))));
  }
  walk.open.delete(schema);
  return shapes.reduce(both);
}

function ownShape({ properties, required, additionalProperties, patternProperties }: JsonSchema): Shape {
  return {
    parameters: new Map(isObject(properties) ? (Object.entries(properties) as [string, Parameter][]) : []),
    required: new Set(listOf(required).filter((name) => typeof name === 'string')),
    isOpen: additionalProperties !== false || patternProperties !== undefined,
  };
}

/** The shape of a value that must satisfy both. A parameter's definition from either one is wide enough. */
function both(a: Shape, b: Shape): Shape {
  const parameters = new Map(a.parameters);
  for (const [name, parameter] of b.parameters) if (!parameters.has(name)) parameters.set(name, parameter);
  return { parameters, required: new Set([...a.required, ...b.required]), isOpen: a.isOpen && b.isOpen };
}

/** The shape of a value that must satisfy at least one of `shapes`. */
function either(shapes: Shape[]): Shape {
  const names = new Set(shapes.flatMap(({ parameters }) => [...parameters.keys()]));
  const parameters = new Map<string, Parameter>();
  for (const name of names) {
    const known = shapes.flatMap(({ parameters: own }): Parameter[] => {
      const parameter = own.get(name);
      return parameter === undefined ? [] : [parameter];
    });
    const isFree = shapes.some(({ parameters: own, isOpen }) => isOpen && !own.has(name));
    parameters.set(name, isFree ? describedOnly(known) : oneOf(known));
  }
  const [first, ...others] = shapes;
  const required = [...(first?.required ?? [])].filter((name) => others.every((shape) => shape.required.has(name)));
  return { parameters, required: new Set(required), isOpen: shapes.some(({ isOpen }) => isOpen) };
}

function oneOf(known: Parameter[]): Parameter {
  const distinct = known.filter(
    (one, at) => known.findIndex((other) => isDeepStrictEqual(one, other)) === at && one !== false,
  );
  return distinct.length === 1 ? (distinct[0] as Parameter) : { anyOf: distinct.length > 0 ? distinct : [{}] };
}

function describedOnly(known: Parameter[]): JsonSchema {
  const description = known.map((one) => isObject(one) && one.description).find((text) => typeof text === 'string');
  return description === undefined ? {} : { description };
}

function acceptsObjects(branch: unknown): boolean {
  if (!isObject(branch)) return branch !== false;
  return branch.type === undefined || [branch.type].flat().includes('object');
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
