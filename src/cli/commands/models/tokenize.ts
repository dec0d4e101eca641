/** `shotlist models tokenize NAMESPACE/REPO ID`: triggers the tokenization of a fine-tune that is in the state `created`. */
import { cleanText } from '../../../model/text/clean.ts';
import { UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print, say } from '../../outlets.ts';
import { valueOrThrow, withService } from '../../service/with-service.ts';

export const main = command('models tokenize', async ({ values, positionals }) => {
  const [repository = '', id, ...more] = positionals;
  const [, namespace, repo] = /^([^/]+)\/([^/]+)$/.exec(repository) ?? [];
  if (namespace === undefined || repo === undefined || id === undefined || more.length > 0) {
    throw new UsageError('which fine-tune? shotlist models tokenize NAMESPACE/REPO ID');
  }
  return withService(values, async ({ service, signal }) => {
    const fineTune = valueOrThrow(await service.tokenize({ namespace, repo, id }, signal), signal);
    if (values.json) print(jsonText(fineTune));
    else say(`${fineTune.id} of ${namespace}/${repo}: ${cleanText(fineTune.status ?? 'tokenization is under way')}`);
    return 0;
  });
});
