/** A failure's code, as a sentence begins with it. What happened is in its message. */
import type { ReportedFailure } from '../../../domain/run-report.ts';

const TITLES: Readonly<Record<ReportedFailure['code'], string>> = {
  generation_failed: 'The service failed it',
  generation_cancelled: 'It was cancelled at the service',
  generation_lost: 'The service does not know it any more',
  request_refused: 'The service refused the request',
  submit_unknown: 'Nobody can tell whether it was taken',
  request_invalid: 'The request breaks a rule of the model',
  input_changed: 'A file was changed meanwhile',
  download_failed: 'The result could not be brought here',
  answer_invalid: 'The answer does not fit its schema',
  answer_refused: 'The model would not answer',
  frozen: 'It would have cost money',
  tokenize_failed: 'The fine-tune cannot be tokenized',
  command_failed: 'The command failed',
  cut_failed: 'The film could not be cut',
  effect_unknown: 'Nobody can tell whether it has acted',
  expression_failed: 'An expression could not be evaluated',
  until_not_held: 'No round held what was asked for',
  timed_out: 'It took too long',
  deployment_failed: 'Its model could not be brought up',
  blocked: 'Something it needs failed',
};

export const failureTitle = ({ code, here }: Pick<ReportedFailure, 'code' | 'here'>): string =>
  here ? 'It failed on this machine' : (TITLES[code] ?? code);
