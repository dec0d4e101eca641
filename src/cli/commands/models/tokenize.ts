/** `shotlist models tokenize NAMESPACE/REPO ID`: triggers the tokenization of a fine-tune that is in the state `created`. */
import { cleanText } from '../../../domain/clean.ts';
import { UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import { print, say } from '../../outlets.ts';
import { valueOrThrow, withService } from '../../service/with-service.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('models tokenize', args);
  const [repository = '', id, ...more] = positionals;
  const [, namespace, repo] = /^([^/]+)\/([^/]+)$/.exec(repository) ?? [];
  if (namespace === undefined || repo === undefined || id === undefined || more.length > 0) {
    throw new UsageError('which fine-tune? shotlist models tokenize NAMESPACE/REPO ID');
  }
  return withService(values, async ({ service, signal }) => {
    const fineTune = valueOrThrow(await service.tokenize({ namespace, repo, id }, signal), signal);
    if (values.json) print(`${indentedJson(fineTune)}\n`);
    else say(`${fineTune.id} of ${namespace}/${repo}: ${cleanText(fineTune.status ?? 'tokenization is under way')}`);
    return 0;
  });
});
