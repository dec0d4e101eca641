/** `shotlist tokenize NAMESPACE/REPO ID`: triggers the tokenization of a fine-tune that is in the state `created`. */
import { cleanText } from '../../domain/clean.ts';
import { parse, UsageError } from '../arguments.ts';
import { guarded } from '../errors/exit-code.ts';
import { print } from '../outlets.ts';
import { answered, oneOff, say } from '../service/with-service.ts';
import { safeJson } from '../terminal/indented-json.ts';

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [repository = '', id, ...more] = positionals;
  const [, namespace, repo] = /^([^/]+)\/([^/]+)$/.exec(repository) ?? [];
  if (namespace === undefined || repo === undefined || id === undefined || more.length > 0) {
    throw new UsageError('which fine-tune? shotlist tokenize NAMESPACE/REPO ID');
  }
  return oneOff(values, async ({ service, signal }) => {
    const fineTune = answered(await service.tokenize({ namespace, repo, id }, signal), signal);
    if (values.json) print(`${safeJson(fineTune)}\n`);
    else say(`${fineTune.id} of ${namespace}/${repo}: ${cleanText(fineTune.status ?? 'tokenization is under way')}`);
    return 0;
  });
});
