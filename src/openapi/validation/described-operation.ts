import type { JsonObject } from '../../base/json.ts';
import type { Operation } from '../openapi.ts';
import { joinedParameters, listAt, pathItemAt } from '../path-item.ts';
import { dereferenced, partAt } from '../pointer.ts';
import type { UpstreamDocument } from '../upstream-document.ts';
import { objectAt } from '../components.ts';
import { isCheckedParameter } from './parameters.ts';
import { toPointer } from './schema-faults.ts';

interface Located {
  readonly value: JsonObject;
  /** Computes the JSON pointer to it, which only faults need. */
  readonly locate: () => string;
}

/** The parts of the document that describe an operation. */
export interface DescribedOperation {
  readonly parameters: readonly Located[];
  /** Null if the operation has no body. */
  readonly body: Located | null;
}

export function describeOperation(document: UpstreamDocument, { path, method }: Operation): DescribedOperation {
  const { value } = document;
  const { prefix = '' } = document.source.options;
  const steps = ['paths', path.slice(prefix.length)];
  const key = method.toLowerCase();
  const item = pathItemAt(value, steps) ?? {};
  const operation = objectAt(item, key);
  const [own, shared] = [listAt(operation, 'parameters'), listAt(item, 'parameters')];
  const locate = (at: readonly string[]) => toPointer(partAt(value, at)?.path ?? at);
  const toLocated = (parameter: unknown): Located[] => {
    const found = dereferenced(value, parameter);
    if (found === null) return [];
    const index = own.indexOf(parameter);
    const place = () =>
      index === -1 ? ['parameters', String(shared.indexOf(parameter))] : [key, 'parameters', String(index)];
    return [{ value: found, locate: () => locate([...steps, ...place()]) }];
  };
  const body = dereferenced(value, operation['requestBody']);
  return {
    parameters: joinedParameters(value, own, shared)
      .flatMap(toLocated)
      .filter((one) => isCheckedParameter(one.value)),
    body: body === null ? null : { value: body, locate: () => locate([...steps, key, 'requestBody']) },
  };
}
