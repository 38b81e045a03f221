import type { ApiDocument } from './document.ts';
import type { Operation } from './operation.ts';
import { formatResponsePlace, choiceAt, entryAt, mediaAt, parameterAt, propertyAt } from './places.ts';
import { readSchema } from './schema.ts';

/** The maximum number of schemas to search. Schemas may refer to each other without end. */
const MAX_SCHEMAS = 2000;

/**
 * Finds the place of a parameter, or of the outermost field with this name, on the page of an operation. Undefined if
 * there is none.
 */
export function findFieldPlace(
  document: ApiDocument,
  { parameters, body, responses }: Operation,
  name: string,
): string | undefined {
  const parameter = parameters.find((each) => each.name === name);
  if (parameter !== undefined) return parameterAt(parameter);
  const nodes = [
    ...(body?.media ?? []).map(({ schema }, index) => ({ schema, at: mediaAt('body', index) })),
    ...responses.flatMap(({ status, media }) =>
      media.map(({ schema }, index) => ({ schema, at: mediaAt(formatResponsePlace(status), index) })),
    ),
  ];
  // Search level by level, so that outer fields are found first.
  for (const [count, { schema, at }] of nodes.entries()) {
    if (count === MAX_SCHEMAS) return undefined;
    const { properties, items, choices } = readSchema(document, schema);
    if (properties.some((property) => property.name === name)) return propertyAt(at, name);
    if (nodes.length > MAX_SCHEMAS) continue;
    for (const property of properties) nodes.push({ schema: property.schema, at: propertyAt(at, property.name) });
    for (const choice of choices?.of ?? []) nodes.push({ schema: choice.schema, at: choiceAt(at, choice.name) });
    if (items !== undefined) nodes.push({ schema: items, at: entryAt(at) });
  }
  return undefined;
}
