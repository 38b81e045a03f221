import { expectThat } from '../finding.ts';
import type { Called } from '../subject/admin-call.ts';
import type { Done } from './checker.ts';

/** Matches errors about a module. A broken module is detected only when it runs, which a check does not do. */
const MODULE_ERROR = /upstream [a-z0-9-]+: (?:module )?/;
const TRACE = /\n\s+at .*(?:\.ts|\.js|node:)/;
/** The maximum number of details in an error response. */
const MAX_DETAILS = 20;

export function isModuleError(message: string | undefined): boolean {
  return message !== undefined && MODULE_ERROR.test(message);
}

/**
 * Checks the output of a task.
 *
 * @throws Finding if there was an unexpected exception, or if the output has a stack trace
 */
export function expectNoTrace(what: string, { failure, err = '' }: Done): void {
  expectThat(failure === undefined, `a ${what} fails: ${failure?.split('\n', 1)[0]?.slice(0, 120)}`, () =>
    String(failure),
  );
  expectThat(!TRACE.test(err), `a ${what} shows a stack trace`, () => err);
}

/**
 * Checks that a check and a reload agree, and report the same errors.
 *
 * @throws Finding if they do not
 */
export function expectAgreement({ code, out = '', err = '' }: Done, { status, text }: Called): void {
  const detail = () =>
    `check: ${code} ${out.slice(-500)}${err.slice(0, 2000)}\nreload: ${status} ${text.slice(0, 2000)}`;
  expectThat(status === 200 || status === 422, `a reload is answered with ${status}`, detail);
  const body = JSON.parse(text) as {
    code?: string;
    details?: { message: string }[];
    warnings?: string[];
  };
  if (status === 200) {
    expectThat(code === 0 && err === '', 'a check refuses what a reload accepts', detail);
    const missing = body.warnings?.find(
      (warning) => !out.includes(`warning: ${warning}\n`) && !warning.startsWith('plan '),
    );
    expectThat(missing === undefined, 'a reload and a check report different warnings', detail);
    return;
  }
  expectThat(body.code === 'configuration_invalid', `a reload is refused with ${body.code}`, detail);
  const messages = (body.details ?? []).map(({ message }) => message);
  // Messages of several lines are overlays that would help, not errors.
  const faults = messages.filter((message) => !message.includes('\n'));
  const maxFaults = MAX_DETAILS - (messages.length - faults.length);
  if (code === 0 && faults.length === 1 && isModuleError(faults[0])) return;
  expectThat(code === 1, 'a reload refuses what a check accepts', detail);
  const lines = (err.split('\n\n', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('  '));
  const isSame = faults.every((fault, index) => lines[index] === `  ${fault}`);
  expectThat(
    isSame && faults.length === Math.min(lines.length, maxFaults),
    'a reload and a check report different errors',
    detail,
  );
}
