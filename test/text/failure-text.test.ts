/** What the author of a failed step is told. */
import { expect, test } from 'vitest';
import { failureText } from '../../src/show/text/failure-text.ts';
import { runCommand } from '../../src/show/text/run-summary.ts';
import { key } from './recordings.ts';
import { FAILURES } from './samples.ts';

const context = { pipeline: 'fox.yaml', command: 'shotlist run fox.yaml', service: 'hosted', price: 0.6, paid: 0 };

test('every failure says what happened, what it cost and what to do first', () => {
  const told = Object.values(FAILURES).map(failure => {
    const { what, cost, first, command } = failureText(failure, key('shot[seed=22]'), context);
    return [failure.code, what, cost, first ?? '', command].join(' | ');
  });
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "generation_failed | hosted could not make it: what happened (generation gen_1) | it may have cost $0.60 | mend step shot in fox.yaml | shotlist run fox.yaml
    generation_cancelled | cancelled at hosted: what happened (generation gen_1) | it may have cost $0.60 |  | shotlist run fox.yaml
    request_refused | hosted refused the request (400): what happened | it cost nothing | mend step shot in fox.yaml | shotlist run fox.yaml
    submit_unknown | what happened | it may have cost $0.60 |  | shotlist run fox.yaml
    request_invalid | the request breaks a rule of the model: what happened | it cost nothing | mend step shot in fox.yaml | shotlist run fox.yaml
    input_changed | what happened | it cost nothing |  | shotlist run fox.yaml
    download_failed | made, but not fetched: what happened | it may have cost $0.60 |  | shotlist run fox.yaml
    answer_invalid | its answer does not fit the schema: what happened | it may have cost $0.60 | mend step shot in fox.yaml | shotlist run fox.yaml
    tokenize_failed | it cannot be tokenized: what happened | it cost nothing | mend step shot in fox.yaml | shotlist run fox.yaml
    cut_failed | it cannot be cut: what happened | it cost nothing | mend step shot in fox.yaml | shotlist run fox.yaml
    command_failed | what happened | it cost nothing | mend step shot in fox.yaml | shotlist run fox.yaml
    effect_unknown | what happened | it cost nothing |  | shotlist run fox.yaml
    expression_failed | an expression has no value here: what happened | it cost nothing | mend step shot in fox.yaml | shotlist run fox.yaml
    until_not_held | what happened | its rounds stay yours: nothing of them is paid again | raise \`max\`, or say what is taken then: \`otherwise: last\` | shotlist run fox.yaml
    timed_out | took too long: what happened | it may have cost $0.60 |  | shotlist run fox.yaml
    generation_lost | out of sight at hosted: what happened | it may have cost $0.60 |  | shotlist run fox.yaml
    answer_refused | what happened | it may have cost $0.60 | mend step shot in fox.yaml | shotlist run fox.yaml
    frozen | what happened | it cost nothing |  | shotlist run fox.yaml
    deployment_failed | fox-look could not be brought up: what happened | nothing was sent to it |  | shotlist run fox.yaml"
  `);
});

test('a refusal names what helps', () => {
  const first = (status: number) =>
    failureText({ code: 'request_refused', status, message: 'no' }, key('shot'), context).first;
  expect([401, 402, 403, 422, 429].map(first)).toEqual([
    'check the key',
    'top up the account',
    'check the key',
    'mend step shot in fox.yaml',
    'wait a little',
  ]);
});

test('what is known to be paid is told instead of what it may have cost', () => {
  expect(failureText(FAILURES.download_failed, key('shot'), { ...context, paid: 0.55 }).cost).toBe('it cost $0.55');
  expect(failureText(FAILURES.timed_out, key('shot'), { ...context, price: null }).cost).toBe(
    'whether it cost anything is not known',
  );
  const neverSent = { code: 'timed_out', message: 'its time was over before it could be sent' } as const;
  expect(failureText(neverSent, key('shot'), context).cost).toBe('it cost nothing');
});

test('a command is quoted so that a shell reads it as it is', () => {
  expect([runCommand('pipelines/fox.yaml'), runCommand("my films/it's.yaml")]).toEqual([
    'shotlist run pipelines/fox.yaml',
    `shotlist run 'my films/it'\\''s.yaml'`,
  ]);
});
