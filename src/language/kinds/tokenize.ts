/** A `tokenize` step: which fine-tune of which repository. */
import type { Value } from '../../domain/pipeline.ts';
import { checkField } from '../field-check.ts';
import { messages } from '../messages/index.ts';
import { refuseSecrets } from '../secret-uses.ts';
import { child, type MapNode, type Node } from '../syntax-tree.ts';
import { ANY } from '../types.ts';
import { readValue } from '../values.ts';
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
