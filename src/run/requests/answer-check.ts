/** Whether what a chat model wrote is the JSON that its step's `schema` asks for, and what is wrong where it is not. */
import { isCutOff } from '../../api/chat-completions.ts';
import type { ChatAnswer } from '../../api/service.ts';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import { type JsonAnswer, jsonAnswersIn } from './json-answer.ts';

export type Answered = Extract<ChatAnswer, { readonly is: 'answered' }>;

export type CheckedAnswer = ({ readonly is: 'fit' } & JsonAnswer) | Misfit;

export interface Misfit {
  readonly is: 'misfit';
  readonly reason: string;
  /** The model can do better when it is told so. */
  readonly mendable: boolean;
  readonly refused?: true;
}

/** @param request as it was asked: it tells how long the answer may be. */
export async function checkAnswer(schema: JsonObject, answer: Answered, request: JsonObject): Promise<CheckedAnswer> {
  const { violations } = await import('../../api/answer-schema.ts');
  const found = jsonAnswersIn(answer.text).map(one => ({ one, wrong: violations(schema, one.json) }));
  const fit = found.filter(({ wrong }) => wrong.length === 0);
  if (fit.length === 1) return { is: 'fit', ...fit[0]!.one };
  const isWhole = found[0]?.one.text === answer.text;
  // Asking again in the same words would end at the same limit.
  if (isCutOff(answer.finish_reason) && !isWhole) return { is: 'misfit', reason: cutOff(request), mendable: false };
  const mendable = (reason: string): Misfit => ({ is: 'misfit', reason, mendable: true });
  if (fit.length > 1) return mendable(`it holds ${fit.length} answers; one is wanted`);
  const [nearest] = found.sort((a, b) => a.wrong.length - b.wrong.length);
  if (nearest) return mendable(some(nearest.wrong));
  return mendable(answer.text.trim() === '' ? 'it is empty' : `it is no JSON${whereItBreaks(answer.text)}`);
}

/** What the reader of JSON says of what begins like it: a model mends a slip better when it is told which. */
function whereItBreaks(text: string): string {
  const start = text.search(/[[{]/);
  if (start < 0) return '';
  try {
    parseJson(text.slice(start));
    return '';
  } catch (error) {
    return ` (${(error as Error).message.slice(0, SAID)})`;
  }
}

/** A refusal was paid for, and asking again in the same words would be paid for again. */
export function refusalIn({ finish_reason, text }: Answered): Misfit | undefined {
  if (finish_reason !== 'refusal' && finish_reason !== 'content_filter') return undefined;
  const said = text.trim() === '' ? '' : `: ${text.trim().slice(0, SAID)}`;
  const reason = `the model would not answer (${finish_reason})${said}`;
  return { is: 'misfit', reason, mendable: false, refused: true };
}

/** Characters of a refusal that are passed on. */
const SAID = 300;

function cutOff({ max_tokens, max_completion_tokens }: JsonObject): string {
  const [name, most] =
    max_tokens === undefined ? ['max_completion_tokens', max_completion_tokens] : ['max_tokens', max_tokens];
  return typeof most === 'number'
    ? `it was cut off at ${most} tokens, its \`${name}\`; raise that under \`with\`, or ask for less at once`
    : 'it was cut off at a limit of tokens that the service sets; give a higher `max_tokens` under `with`, or ask for less at once';
}

const some = (reasons: readonly string[]): string =>
  reasons.length <= 5 ? reasons.join('; ') : `${reasons.slice(0, 5).join('; ')}; and ${reasons.length - 5} more`;
