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
  readonly pointer: string;
}

/** The parts of the document that describe an operation. */
export interface DescribedOperation {
  readonly pointer: string;
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
  const locate = (parameter: unknown): Located[] => {
    const found = dereferenced(value, parameter);
    const at = own.includes(parameter)
      ? [...steps, key, 'parameters', String(own.indexOf(parameter))]
      : [...steps, 'parameters', String(shared.indexOf(parameter))];
    return found === null ? [] : [{ value: found, pointer: toPointer(partAt(value, at)?.path ?? at) }];
  };
  const body = dereferenced(value, operation['requestBody']);
  const bodySteps = [...steps, key, 'requestBody'];
  return {
    pointer: toPointer([...steps, key]),
    parameters: joinedParameters(value, own, shared)
      .flatMap(locate)
      .filter((one) => isCheckedParameter(one.value)),
    body: body === null ? null : { value: body, pointer: toPointer(partAt(value, bodySteps)?.path ?? bodySteps) },
  };
}
