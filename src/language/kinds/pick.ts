/** A `pick` step: what it chooses from, how many, and who decides: a person, a `rule`, or a chat model as `judge`. */
import { imagesField } from '../../model/media/chat-images.ts';
import type { ExpressionValue, MapValue, Value } from '../../model/pipeline.ts';
import { checkExpressions, checkField, checkText } from '../checks/field-check.ts';
import { refuseSecrets } from '../checks/secret-uses.ts';
import { messages } from '../messages/index.ts';
import { seeing } from '../steps/chat-prompt.ts';
import type { ResolvedModel } from '../steps/model-references.ts';
import { join, type Type, WRONG } from '../types/types.ts';
import { readMap, readValue } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, type MapNode } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind, Signature } from './kind.ts';
import {
  candidateSources,
  candidateType,
  nameMeant,
  partsOf,
  stepsOfMany,
  stepsWithTakes,
  typeAt,
  withChoice,
  withoutChoice,
} from './pick-candidates.ts';

export const pick: Kind<'pick'> = {
  key: 'pick',
  keys: ['count', 'rule', 'judge'],
  does: 'one choice',
  called: 'a choice',
  insteadOf: { with: 'it makes nothing itself' },
  readSignature,
};

const picksTakes = (step: MapNode): boolean => {
  const node = child(step, 'pick');
  return node?.is === 'scalar' && node.value === 'takes';
};

const countOf = (step: MapNode): number => {
  const node = child(step, 'count');
  return node?.is === 'scalar' && typeof node.value === 'number' ? node.value : 1;
};

function readSignature(step: MapNode, file: FileContext): Signature<'pick'> {
  const named = picksTakes(step) ? child(step, 'each') : child(step, 'pick');
  const sources = candidateSources(named, step);
  const judge = judgeModel(step, file);
  const isList = countOf(step) > 1;
  return {
    ...(picksTakes(step) && { gathers: 'take' as const }),
    ...(sources.every(({ path }) => path.length === 0) && { picks: sources.map(source => source.step) }),
    result:
      sources.length === 0
        ? { type: WRONG }
        : {
            from: sources.map(source => source.step),
            derive: results => {
              const types = results.map(({ type }, at) => typeAt(type, sources[at]?.path ?? []) ?? WRONG);
              const produces = new Set(results.map(result => result.produces));
              const [first] = results;
              return {
                type: withChoice(types.map(withoutChoice).reduce(join), isList),
                ...(isList && { isMany: true as const }),
                ...(produces.size === 1 && sources[0]?.path.length === 0 && { produces: first?.produces }),
                ...(results.length === 1 && sources[0]?.path.length === 0 && { creates: first?.creates }),
              };
            },
          },
    readBody: context => readBody(step, judge, file, context),
  };
}

function readBody(
  step: MapNode,
  model: ResolvedModel | undefined,
  file: FileContext,
  context: BodyContext,
): Body<'pick'> | undefined {
  const { findings } = context;
  const node = child(step, 'pick');
  const isTakes = picksTakes(step);
  if (!node || file.wrong.has(node)) return undefined;
  const each = child(step, 'each');
  if (isTakes && !each) findings.add(messages.takesWithoutEach(stepsWithTakes(context.scope)), node.at);
  if (isTakes && each?.is === 'map') findings.add(messages.takesOfJoin(), each.at);
  const from = isTakes ? undefined : readValue(node, context);
  const candidate = from ? candidatesIn(from, context) : takesIn(step, context);
  const ruleEntry = step.entries.find(({ name }) => name === 'rule');
  const judgeEntry = step.entries.find(({ name }) => name === 'judge');
  if (ruleEntry && judgeEntry) findings.add(messages.ruleAndJudge(), judgeEntry.nameAt);
  const rule = ruleEntry && !file.wrong.has(ruleEntry.value) ? readRule(step, candidate, context) : undefined;
  const judge = model && judgeEntry ? readJudge(step, model, candidate, file, context) : undefined;
  if ((from === undefined && !isTakes) || (judgeEntry && !judge) || (ruleEntry && !rule)) return undefined;
  const count = countOf(step);
  return {
    step: { kind: 'pick', ...(from && { from }), count, isList: count > 1, ...(rule && { rule }) },
    ...(judge && { judge: { ...judge, ...(from && { from }), count } }),
    values: [...(from ? [from] : []), ...(rule ? [rule] : []), ...(judge ? [judge.words] : [])],
  };
}

/** The type of one of the takes that `each` names. */
function takesIn(step: MapNode, context: BodyContext): Type {
  const [source] = candidateSources(child(step, 'each'), step);
  return (source && context.typeOfStep(source.step)) ?? WRONG;
}

/** The type of one of them; reports every part that is no result of a step. */
function candidatesIn(from: Value, context: BodyContext): Type {
  const { findings } = context;
  const types = partsOf(from).map((part): Type => {
    if (part.is !== 'expression') {
      const named = nameMeant(part, context.scope);
      const many = stepsOfMany(context.scope)[0];
      findings.add(named === undefined ? messages.pickShape(many) : messages.pickName(named), part.at);
      checkExpressions(part, context);
      return WRONG;
    }
    const type = context.typeOf(part);
    const one = candidateType(type);
    if (!one) findings.add(messages.pickType(type, part.code.trim()), part.at);
    else if (type.is === 'record' && from.is !== 'list') findings.add(messages.pickOfOne(part.code.trim()), part.at);
    return one ?? WRONG;
  });
  return types.length === 0 ? WRONG : types.reduce(join);
}

function readRule(step: MapNode, candidate: Type, context: BodyContext): ExpressionValue | undefined {
  const node = child(step, 'rule')!;
  const value = readValue(node, context);
  if (value.is !== 'expression') {
    context.findings.add(messages.ruleShape(), node.at);
    checkExpressions(value, context);
    return undefined;
  }
  const type = context.typeOfRule(value, candidate);
  if (!['int', 'double', 'any', 'wrong'].includes(type.is)) context.findings.add(messages.ruleType(type), value.at);
  refuseSecrets([value], 'the rule of a pick', context.findings);
  return type.is === 'wrong' ? undefined : value;
}

function judgeModel(step: MapNode, { models, wrong, findings }: FileContext): ResolvedModel | undefined {
  const judge = child(step, 'judge');
  if (judge?.is !== 'map' || wrong.has(judge)) return undefined;
  const named = models(child(judge, 'model'));
  if (!named) return undefined;
  const { model, id, at } = named;
  if (model?.produces === 'text') return named;
  findings.add(model ? messages.judgeNotChat(id, model.produces) : messages.judgeUnknown(id), at);
  return undefined;
}

const FRAMES = 4;

function readJudge(
  step: MapNode,
  { id, at, model }: ResolvedModel,
  candidate: Type,
  { library }: FileContext,
  context: BodyContext,
): Omit<NonNullable<Body<'pick'>['judge']>, 'from' | 'count'> | undefined {
  const section = child(step, 'judge');
  if (section?.is !== 'map' || !model) return undefined;
  const promptEntries = section.entries.filter(({ name }) => ['prompt', 'system', 'images'].includes(name));
  const words: MapValue = readMap({ ...section, entries: promptEntries }, context, section.at);
  const images = imagesField(model);
  const shown = candidate.is === 'record' ? candidate.leadsTo : undefined;
  if (!images && (shown === 'video' || shown === 'image'))
    context.findings.add(messages.judgeBlind(id, shown, seeing(library)), at);
  for (const { name, value } of words.entries) {
    if (name !== 'images') checkWords(value, context);
    else if (images) checkField(value, images, { ...context, called: `\`images\` of ${id}` });
    else {
      context.findings.add(messages.judgeBlind(id, 'image', seeing(library)), value.at);
      checkExpressions(value, context);
    }
  }
  const frames = child(section, 'frames');
  return {
    ...{ kind: 'judge', model: id, modelAt: at, words },
    frames: frames?.is === 'scalar' && typeof frames.value === 'number' ? frames.value : FRAMES,
  };
}

function checkWords(value: Value, context: BodyContext): void {
  if (value.is === 'text') checkText(value, context);
  else checkField(value, { type: 'string' }, { ...context, called: 'the prompt of the judge' });
}
