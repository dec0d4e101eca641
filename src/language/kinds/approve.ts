/** An `approve` step: results that a person is shown, and what they are asked. */
import type { Value } from '../../model/pipeline.ts';
import { checkExpressions, checkText } from '../checks/field-check.ts';
import { refuseSecrets } from '../checks/secret-uses.ts';
import { messages } from '../messages/index.ts';
import { APPROVED } from '../types/types.ts';
import { readValue } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, type MapNode } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind } from './kind.ts';
import { candidateType, lastShown, nameMeant, partsOf } from './pick-candidates.ts';

export const approve: Kind<'approve'> = {
  key: 'approve',
  keys: ['ask'],
  does: 'one approval',
  called: 'an approval',
  insteadOf: { with: 'it makes nothing itself' },
  readSignature: (step, file) => ({ result: { type: APPROVED }, readBody: context => readBody(step, file, context) }),
};

function readBody(step: MapNode, { wrong }: FileContext, context: BodyContext): Body<'approve'> | undefined {
  const node = child(step, 'approve');
  if (!node || wrong.has(node)) return undefined;
  const from = readValue(node, context);
  for (const part of partsOf(from)) checkShown(part, context);
  const asked = child(step, 'ask');
  const ask = asked && !wrong.has(asked) ? readValue(asked, context) : undefined;
  if (ask?.is === 'text') checkText(ask, context);
  else if (ask) checkExpressions(ask, context);
  refuseSecrets([...(ask ? [ask] : [])], 'what a person is asked', context.findings);
  return { step: { kind: 'approve', from, ...(ask && { ask }) }, values: [from, ...(ask ? [ask] : [])] };
}

function checkShown(part: Value, context: BodyContext): void {
  if (part.is !== 'expression') {
    context.findings.add(messages.approveShape(nameMeant(part, context.scope) ?? lastShown(context.scope)), part.at);
    checkExpressions(part, context);
    return;
  }
  const type = context.typeOf(part);
  if (!candidateType(type)) context.findings.add(messages.approveType(type, part.code.trim()), part.at);
}
