/** A `tokenize` step: which fine-tune of which repository. */
import type { Value } from '../../model/pipeline.ts';
import { checkField } from '../checks/field-check.ts';
import { refuseSecrets } from '../checks/secret-uses.ts';
import { messages } from '../messages/index.ts';
import { ANY } from '../types/types.ts';
import { readValue } from '../types/values.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind } from './kind.ts';

export const tokenize: Kind<'tokenize'> = {
  key: 'tokenize',
  keys: [],
  does: 'one tokenization',
  called: 'a tokenization',
  readSignature: (step, { wrong }) => ({ result: { type: ANY }, readBody: context => readBody(step, wrong, context) }),
};

function readBody(step: MapNode, wrong: ReadonlySet<Node>, context: BodyContext): Body<'tokenize'> | undefined {
  const section = child(step, 'tokenize');
  const part = (name: string): Value | undefined => {
    const given = section?.is === 'map' ? child(section, name) : undefined;
    if (!given || wrong.has(given)) return undefined;
    const value = readValue(given, context);
    checkField(value, { type: 'string' }, { ...context, called: `\`${name}\`` });
    refuseSecrets([value], 'the name of a fine-tune', context.findings);
    return value;
  };
  const [repository, fineTune] = [part('repository'), part('fine_tune')];
  if (
    repository?.is === 'literal' &&
    typeof repository.value === 'string' &&
    !/^[^/\s]+\/[^/\s]+$/.test(repository.value)
  )
    context.findings.add(messages.badRepository(repository.value), repository.at);
  if (!repository || !fineTune) return undefined;
  return { step: { kind: 'tokenize', repository, fineTune }, values: [repository, fineTune] };
}
