/** A `uses` step: another Shotlist file, its params given by `with`. What its outputs are types this step's result. */
import type { FieldSchema } from '../../model/model.ts';
import type { MapValue, Param, Value } from '../../model/pipeline.ts';
import { nearest } from '../../model/text/nearest.ts';
import { checkExpressions, checkField } from '../checks/field-check.ts';
import type { Offer } from '../checks/file-offer.ts';
import { messages } from '../messages/index.ts';
import { list, type RecordType, record, WRONG } from '../types/types.ts';
import { readMap, valueReads } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, isOff, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind, Signature } from './kind.ts';

export const uses: Kind<'uses'> = {
  key: 'uses',
  keys: ['with', 'until'],
  does: 'another file',
  called: 'another file',
  insteadOf: { schema: 'give it to the step inside', via: 'give it to the step inside', only: 'use `with`' },
  readSignature,
};

function readSignature(step: MapNode, file: FileContext): Signature<'uses'> {
  const named = step.entries.find(({ name }) => name === uses.key);
  const isForeign = named !== undefined && isAction(named.value);
  if (isForeign) file.findings.add(messages.action(), named.nameAt);
  const offer = isForeign ? undefined : file.uses(named?.value);
  if (!offer)
    return { result: { type: WRONG }, readBody: context => void checkExpressions(givenIn(step, context), context) };
  return {
    result: { type: typeOfOutputs(offer), outputs: offer.outputs },
    offer,
    readBody: context => readBody(step, offer, context),
  };
}

/** `actions/checkout@v4` */
const isAction = (node: Node): boolean =>
  node.is === 'scalar' && typeof node.value === 'string' && /^[\w.-]+\/[\w./-]+@[\w.-]+$/.test(node.value);

function typeOfOutputs({ file, outputs }: Offer): RecordType {
  const fields = [...outputs].map(([name, { type, isList }]) => [name, isList ? list(type) : type] as const);
  return record(`the result of \`${file.source.path}\``, [['outputs', record('the outputs of `uses`', fields)]]);
}

const givenIn = (step: MapNode, context: BodyContext): MapValue => {
  const section = child(step, 'with');
  return readMap(section?.is === 'map' ? section : undefined, context, step.at);
};

function readBody(step: MapNode, offer: Offer, context: BodyContext): Body<'uses'> {
  const { file, outputs } = offer;
  const path = child(step, 'uses')!;
  const given = givenIn(step, context);
  const written = path.is === 'scalar' ? String(path.value) : file.source.path;
  for (const { name, nameAt, value } of given.entries) {
    const param = file.params.find(one => one.name === name);
    if (param) checkGiven(param, value, written, offer, context);
    else {
      const known = file.params.map(one => one.name);
      checkExpressions(value, context);
      context.findings.add(messages.unknownUsedParam(name, written, nearest(name, known), known), nameAt);
    }
  }
  const misspelt = given.entries.map(
    ({ name }) =>
      nearest(
        name,
        file.params.map(one => one.name),
      ) ?? name,
  );
  const missing = file.params.filter(
    ({ name, schema }) =>
      schema.default === undefined && !misspelt.includes(name) && !given.entries.some(entry => entry.name === name),
  );
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    context.findings.add(messages.missingUsedParams(names, written), path.at);
  }
  return {
    step: {
      kind: 'uses',
      file,
      with: given,
      ...(isOff(child(step, 'cache')) && { cacheInside: false }),
      outputs: [...outputs].map(([name, { from, file: named, output, part, isList }]) => ({
        name,
        from,
        ...(named !== undefined && { file: named }),
        ...(output !== undefined && { output }),
        ...(part && { part }),
        isList,
      })),
    },
    values: [given],
  };
}

function checkGiven(param: Param, value: Value, path: string, offer: Offer, context: BodyContext): void {
  const { name, schema, secret } = param;
  const { findings } = context;
  checkField(value, schema as unknown as FieldSchema, { ...context, called: `\`${name}\` of ${path}` });
  const reads = valueReads(value);
  const isSecret = reads.some(reference => reference.secret);
  if (isSecret && !secret) findings.add(messages.secretToUsed(name, path), value.at);
  if (secret && !isSecret) findings.add(messages.plainToSecret(name), value.at);
  const counted = offer.counted.get(name);
  const isWritten = reads.some(({ root }) => root === 'steps' || root === 'each' || root === 'previous');
  if (!counted || !isWritten) return;
  if (counted.by !== 'list') findings.add(messages.takesOfUsed(name, path, counted.step, counted.by), value.at);
  else if (!counted.hasMax) findings.add(messages.listOfUsed(name, path, counted.step), value.at);
}
