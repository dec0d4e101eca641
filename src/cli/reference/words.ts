/** The words that `plan`, `why`, `status` and the report print, and the ideas behind them. */

import type { Decision } from '../../model/plan.ts';
import type { ReportedState } from '../../model/run/run-report.ts';
import { STATE_WORDS } from '../../show/text/report/state-words.ts';
import type { Entry } from './reference-entry.ts';

/** The words of a plan about an instance. */
const DECISIONS: Readonly<Record<Decision['is'] | 'open', string>> = {
  hit: 'The result is owned: the same request was made before, and its files are on this machine. Nothing is sent or paid.',
  fetch:
    'The result was made before, and its files are not on this machine. The run downloads them from the team’s store or from the service. It makes the result again, and pays again, only where they are gone there.',
  sent: 'The request was sent by an earlier run, and its result is not here yet. The run follows it to its end and does not pay again. Where the answer was lost, the run looks for the request at the service before it sends anything.',
  run: 'The run will make it: nothing that is owned answers its request, or fits the part of it that is known already. The reason says what is new: `never run`, or the fields that changed.',
  maybe:
    'It depends on something that is not made or decided yet. Its request is known only then: if the result it reads comes out the same as before, its own result is owned and nothing is paid; a condition, a round or an approval may also leave it out. Its price counts in `up to`.',
  skip: 'It is not made: its `if` is false, or it is made from something that is skipped. With `else` another result replaces it.',
  left_out:
    'It is not a part of this run: it was not selected, its pick was lost, an earlier round holds, or it needs something that is left out. A plan shows it as `out`.',
  open: 'The step has no instances yet, because another step writes its list. Its name is followed by `×?`. The plan counts at most as many instances as `max` or the schema of the list allows.',
};

/** What `status` and the report say of one. */
const STATES: Readonly<Record<ReportedState, string>> = {
  made: 'This run made it, and its result is kept.',
  reused: 'Its result was owned before this run. Nothing was paid.',
  failed: 'It came to an error. `shotlist logs` shows the last words of the service or the command.',
  blocked: 'It needs an instance that failed. The next run makes it once that is mended.',
  skipped: DECISIONS.skip,
  left_out: DECISIONS.left_out,
  not_run: 'The run ended before its turn. The next run goes on with it.',
  waiting: 'It waits for instances that it reads, for a free place, for a rate, or for its next try.',
  queued: 'The service has taken the request and has not begun it.',
  running: 'It is being made: by the service, or by a command or a cut on this machine.',
  fetching: 'It is made, and its file is being downloaded.',
  asks: 'A `pick` or an `approve` needs a decision: `shotlist review FILE`, `shotlist pick`, `shotlist approve`.',
};

const IDEAS: Readonly<Record<string, string>> = {
  step: 'One entry under `steps`: a request to a model, a command, a cut, a choice, or another file.',
  instance:
    'One piece of work of a step. A step without a fan-out has one, called like the step; any other has one for each combination of its coordinates: `shot[beat=3,take=1]`.',
  'fan-out':
    'A step that is made several times: by `matrix`, for each instance of another step (`each`), in `takes`, or in rounds (`until`). A plan shows it as one row, such as `shot × 36 (12 × 3)`; `plan --all` shows each instance.',
  take: 'One of several tries of the same request, each with its own seed: `takes: 3`. A `pick` chooses among them.',
  round: 'One try of a step with `until`. The first round that holds is taken; the rounds behind it are left out.',
  draft:
    'A film that the built-in studio draws small and quickly, free: `run --draft`, `--watch`. No command acts outside, and files are written to `out/draft/`. Draft results are never used in the final film.',
  final: 'The film as in its file, without a profile. Only it writes to the places under `outputs`.',
  profile: 'A variant of the film under `profiles`, with other models or settings: `--profile NAME`.',
  owned:
    'The result is in the project’s store or in the lock, by the content of its request. An owned result is reused, free.',
  lock: 'The file beside the film, `fox.lock.yaml`, which records every result by its hash. Beside them it holds what people decided (`choices of studio`) and their notes on rejected takes (`rejections of studio`). Commit it: with it another machine gets the same results.',
  generation: 'One piece of work at the service, under the id that the service gave it.',
  'list price':
    'What the catalog asks for a request. Nothing is billed at the built-in studio, so that its prices are list prices.',
  'longest path':
    'The chain of instances that takes the longest, with the time that it is expected to take: a run cannot be quicker.',
  reserved: 'The price of requests that are under way. It counts in every budget until what they cost is known.',
  'to come': 'What the plan may still send. `up to` is put before it where some of that is `maybe` or `open`.',
  adopted: 'A file of your own in the place of what the step would make: `shotlist adopt`.',
};

export const wordEntries = (): readonly Entry[] => {
  const decisions = Object.entries(DECISIONS).map(([is, about]) =>
    word(is.replace('_', ' '), about, is === 'left_out'),
  );
  const states = Object.entries(STATES)
    .filter(([is]) => is !== 'left_out')
    .map(([is, about]) => word(STATE_WORDS[is as ReportedState], about));
  return [...decisions, ...states, ...Object.entries(IDEAS).map(([name, about]) => word(name, about))];
};

const word = (name: string, about: string, isOut = false): Entry => ({
  ...{ topic: 'word', name, about },
  ...(isOut && { facts: [['shown as', '`out`']] }),
});
