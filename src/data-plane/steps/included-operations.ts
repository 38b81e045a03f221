import { isIncluded } from '../../openapi/operation-selectors.ts';
import { includesOperation } from '../../openapi/operation-selectors.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { Refusal } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';

/** Finds the names of the plans that include an operation and that a consumer may request. Never rejects. */
export type FindPlansIncluding = (operation: Operation) => Promise<readonly string[]>;

const NOT_IN_KEY: Refusal = {
  code: 'operation_not_allowed',
  message: 'The API key is restricted to other operations. Ask the operators of the API to change that.',
};
const NOT_IN_CALLER: Refusal = {
  code: 'operation_not_allowed',
  message:
    'The caller of this access token is restricted to other operations. Ask the operators of the API to change that.',
};

/** Refuses calls to operations that the plan or the key does not include. */
export function createIncludedOperationsStep(findPlansIncluding: FindPlansIncluding): ServeStep {
  return function includedOperations({ match }, credential) {
    if (credential === null || match.kind !== 'operation') return undefined;
    if (credential.planOperations === null && credential.keyOperations === null) return undefined;
    const { operation } = match.route;
    if (includesOperation(credential, operation)) return undefined;
    const isCaller = credential.kind === 'token';
    if (isIncluded([credential.planOperations], operation)) return isCaller ? NOT_IN_CALLER : NOT_IN_KEY;
    return refuse(operation, isCaller ? 'The plan of the caller' : "The API key's plan");
  };

  async function refuse(operation: Operation, subject: string): Promise<Refusal> {
    const code = 'operation_not_allowed';
    const plans = await findPlansIncluding(operation);
    if (plans.length === 0) return { code };
    const message = `${subject} does not include this operation. Plans that do: ${plans.join(', ')}.`;
    return { code, message };
  }
}
