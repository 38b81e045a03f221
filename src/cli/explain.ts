import type { Command } from 'commander';
import type { ExplanationResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { createAdminCommand, type AdminCommandOptions } from './command.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';

export function createExplainCommand(io: Io): Command {
  return createAdminCommand(
    'explain',
    'Explain why a request was refused',
    'explain 594151ba-2910-4c26-a130-305f0b518662',
  )
    .argument('<request-id>', 'X-Request-Id of the response')
    .option('--answer', 'Print a text to send to the customer who asks')
    .action((id: string, options: ExplainOptions) => explain(io, id, options));
}

interface ExplainOptions extends AdminCommandOptions {
  readonly answer?: boolean;
}

async function explain(io: Io, id: string, { json, answer: forCustomer }: ExplainOptions): Promise<void> {
  const { body } = await connect(io).call<ExplanationResponse>('GET', joinPath('requests', id));
  if (json === true) return printJson(io, body);
  const texts = body.refusals.map((refusal) => {
    const { keyId, sentences, answer } = refusal;
    if (forCustomer === true && answer !== undefined) return answer;
    return [`With ${keyId}:`, ...sentences.map((sentence) => `  ${sentence}`), ...formatTimeline(refusal)].join('\n');
  });
  io.out(`${texts.join('\n\n')}\n`);
}

/** Formats the timeline of a refusal, as the console shows it. */
function formatTimeline({ timeline }: ExplanationResponse['refusals'][number]): readonly string[] {
  // A timeline with only the refusal itself would repeat the first sentence.
  if (timeline.length < 2) return [];
  return ['  Timeline (UTC):', ...timeline.map(({ at, text }) => `    ${formatTime(at)}  ${text}`)];
}
